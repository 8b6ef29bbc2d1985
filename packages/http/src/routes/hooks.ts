import {
  features,
  type Hook,
  type HookDelivery,
  type HookHeader,
  type HookUrlVariable,
  type ResendResult,
  type TestResult,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDateTime, NullableInteger, NullableText } from '../reply/field-types.ts'
import { created, empty, one, page } from '../reply/responders.ts'
import { computed, list, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'

/** The name of a custom header. */
const HookHeaderWire = wire<HookHeader>('HookHeader')({ key: v.string() })

/** The name of a URL variable. */
const HookUrlVariableWire = wire<HookUrlVariable>('HookUrlVariable')({ key: v.string() })

/** Fields of all hooks. Secrets are never returned. */
const hookFields = {
  id: Integer,
  url: v.string(),
  name: NullableText,
  description: NullableText,
  created_at: DateTime,
  push_events: v.boolean(),
  tag_push_events: v.boolean(),
  merge_requests_events: v.boolean(),
  push_events_branch_filter: v.string(),
  branch_filter_strategy: v.string(),
  custom_webhook_template: NullableText,
  url_variables: list(HookUrlVariableWire),
  repository_update_events: v.boolean(),
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
  milestone_events: v.boolean(),
  emoji_events: v.boolean(),
  feature_flag_events: v.boolean(),
  resource_access_token_events: v.boolean(),
  vulnerability_events: v.boolean(),
}

/** A webhook of a project. */
const ProjectHookWire = wire<Hook>('ProjectHook')({ ...containerHookFields, project_id: NullableInteger })

/** A webhook of a group. */
const GroupHookWire = wire<Hook>('GroupHook')({
  ...containerHookFields,
  group_id: NullableInteger,
  subgroup_events: v.boolean(),
  member_events: v.boolean(),
})

/** A system hook. */
const SystemHookWire = wire<Hook>('SystemHook')(hookFields)

const Headers = v.record(v.string(), v.string())

/** A request that was sent to a webhook, and its response. */
const HookDeliveryWire = wire<HookDelivery>('HookDelivery')({
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
const ResendResultWire = wire<ResendResult>('HookResendResult')({ response_status: v.string() })

const readText = (name: string) =>
  computed(NullableText, ({ requestData }: TestResult) => {
    const value = requestData[name]
    return typeof value === 'string' ? value : null
  })

/** The event that a test sent to a system hook. */
const SystemHookTestWire = wire<TestResult>('SystemHookTest')({
  /** Name of the event: `project_create`. */
  event_name: readText('event_name'),
  /** Name of the project in the event. */
  name: readText('name'),
  /** Last part of the path of that project. */
  path: readText('path'),
  /** Id of that project. */
  project_id: computed(Integer, ({ requestData }: TestResult) => Number(requestData.project_id)),
  /** Name of its owner. */
  owner_name: readText('owner_name'),
  /** E-mail address of its owner. */
  owner_email: readText('owner_email'),
})

const { hooks } = features

const extension = { extension: true } satisfies RouteOptions
const hookOptions = { ...extension, names: { hook_id: 'hook' } } satisfies RouteOptions

const eventOptions = { ...extension, names: { hook_id: 'hook', hook_event_id: 'delivery' } } satisfies RouteOptions

const testOptions = { ...hookOptions, errors: [422] } satisfies RouteOptions

const projectPath = '/projects/:id/hooks'
const groupPath = '/groups/:id/hooks'

/** Kinds of events that projects do not have. */
const groupEvents = ['subgroupEvents', 'memberEvents'] as const

const groupOptions = { hidden: ['repositoryUpdateEvents'] } satisfies RouteOptions
const projectOptions = { hidden: [...groupOptions.hidden, ...groupEvents] } satisfies RouteOptions
const systemOptions = {
  ...extension,
  hidden: [
    ...['project', 'group', 'issuesEvents', 'confidentialIssuesEvents', 'noteEvents', 'confidentialNoteEvents'],
    ...['jobEvents', 'pipelineEvents', 'wikiPageEvents', 'deploymentEvents', 'releasesEvents', ...groupEvents],
    ...['milestoneEvents', 'emojiEvents', 'featureFlagEvents', 'resourceAccessTokenEvents', 'vulnerabilityEvents'],
    ...['customWebhookTemplate'],
  ],
} satisfies RouteOptions
const systemHookOptions = { ...hookOptions, ...systemOptions }

const secretRoutes = ['/projects/:id/hooks', '/groups/:id/hooks', '/hooks'].flatMap((base) => {
  const place = base === '/hooks' ? { hidden: ['project', 'group'] } : {}
  const options = { ...hookOptions, ...place }
  const header = `${base}/:hook_id/custom_headers/:key`
  const variable = `${base}/:hook_id/url_variables/:key`
  return [
    route(`PUT ${header}`, hooks.setCustomHeader, empty(), options),
    route(`DELETE ${header}`, hooks.removeCustomHeader, empty(), options),
    route(`PUT ${variable}`, hooks.setUrlVariable, empty(), options),
    route(`DELETE ${variable}`, hooks.removeUrlVariable, empty(), options),
  ]
})

export const hookRoutes = [
  route(`GET ${projectPath}`, hooks.list, page(ProjectHookWire), extension),
  route(`POST ${projectPath}`, hooks.create, one(ProjectHookWire), { ...extension, ...projectOptions }),
  route(`GET ${projectPath}/:hook_id`, hooks.get, one(ProjectHookWire), hookOptions),
  route(`PUT ${projectPath}/:hook_id`, hooks.update, one(ProjectHookWire), { ...hookOptions, ...projectOptions }),
  route(`DELETE ${projectPath}/:hook_id`, hooks.remove, empty(), hookOptions),
  route(`GET ${projectPath}/:hook_id/events`, hooks.listDeliveries, page(HookDeliveryWire), hookOptions),
  route(`POST ${projectPath}/:hook_id/events/:hook_event_id/resend`, hooks.resend, one(ResendResultWire), eventOptions),
  route(`POST ${projectPath}/:hook_id/test/:trigger`, hooks.test, created(), testOptions),
  route(`GET ${groupPath}`, hooks.list, page(GroupHookWire), extension),
  route(`POST ${groupPath}`, hooks.create, one(GroupHookWire), { ...extension, ...groupOptions }),
  route(`GET ${groupPath}/:hook_id`, hooks.get, one(GroupHookWire), hookOptions),
  route(`PUT ${groupPath}/:hook_id`, hooks.update, one(GroupHookWire), { ...hookOptions, ...groupOptions }),
  route(`DELETE ${groupPath}/:hook_id`, hooks.remove, empty(), hookOptions),
  route(`GET ${groupPath}/:hook_id/events`, hooks.listDeliveries, page(HookDeliveryWire), hookOptions),
  route(`POST ${groupPath}/:hook_id/events/:hook_event_id/resend`, hooks.resend, one(ResendResultWire), eventOptions),
  route(`POST ${groupPath}/:hook_id/test/:trigger`, hooks.test, created(), testOptions),
  route('GET /hooks', hooks.list, page(SystemHookWire), systemOptions),
  route('POST /hooks', hooks.create, one(SystemHookWire), systemOptions),
  route('GET /hooks/:hook_id', hooks.get, one(SystemHookWire), systemHookOptions),
  route('POST /hooks/:hook_id', hooks.test, one(SystemHookTestWire), {
    ...testOptions,
    hidden: ['project', 'group', 'trigger'],
  }),
  route('PUT /hooks/:hook_id', hooks.update, one(SystemHookWire), systemHookOptions),
  route('DELETE /hooks/:hook_id', hooks.remove, empty(), systemHookOptions),
  ...secretRoutes,
]
