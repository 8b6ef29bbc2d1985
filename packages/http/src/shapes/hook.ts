import type { Hook, HookDelivery, HookHeader, ResendResult } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDateTime, NullableInteger } from '../reply/field-types.ts'
import { list, wire } from '../reply/wire.ts'

/** The name of a custom header. */
const HookHeaderWire = wire<HookHeader>('HookHeader')({ key: v.string() })

/** Fields of all hooks. Secrets are never returned. */
const hookFields = {
  id: Integer,
  url: v.string(),
  created_at: DateTime,
  push_events: v.boolean(),
  tag_push_events: v.boolean(),
  merge_requests_events: v.boolean(),
  push_events_branch_filter: v.string(),
  enable_ssl_verification: v.boolean(),
  custom_headers: list(HookHeaderWire),
  alert_status: v.string(),
  disabled_until: NullableDateTime,
}

/** Fields of the hooks of projects and groups. */
const containerHookFields = {
  ...hookFields,
  issues_events: v.boolean(),
  confidential_issues_events: v.boolean(),
  note_events: v.boolean(),
  confidential_note_events: v.boolean(),
  job_events: v.boolean(),
  pipeline_events: v.boolean(),
  wiki_page_events: v.boolean(),
  deployment_events: v.boolean(),
  releases_events: v.boolean(),
}

/** A webhook of a project. */
export const ProjectHookWire = wire<Hook>('ProjectHook')({ ...containerHookFields, project_id: NullableInteger })

/** A webhook of a group. */
export const GroupHookWire = wire<Hook>('GroupHook')({
  ...containerHookFields,
  group_id: NullableInteger,
  subgroup_events: v.boolean(),
  member_events: v.boolean(),
})

/** A system hook. */
export const SystemHookWire = wire<Hook>('SystemHook')({ ...hookFields, repository_update_events: v.boolean() })

const Headers = v.record(v.string(), v.string())

/** A request that was sent to a webhook, and its response. */
export const HookDeliveryWire = wire<HookDelivery>('HookDelivery')({
  id: Integer,
  url: v.string(),
  trigger: v.string(),
  request_headers: Headers,
  request_data: v.record(v.string(), v.unknown()),
  response_headers: Headers,
  response_body: v.string(),
  execution_duration: v.number(),
  response_status: v.string(),
})

/** The response to a request that was sent again. */
export const ResendResultWire = wire<ResendResult>('HookResendResult')({ response_status: v.string() })
