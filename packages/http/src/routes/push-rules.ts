import { defined, features, type PushRule } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer } from '../reply/field-types.ts'
import { empty, one, oneOrNotFound, oneOrNull } from '../reply/responders.ts'
import { computed, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'

const { pushRules } = features

const ruleFields = {
  id: Integer,
  created_at: DateTime,
  commit_message_regex: v.string(),
  commit_message_negative_regex: v.string(),
  branch_name_regex: v.string(),
  author_email_regex: v.string(),
  file_name_regex: v.string(),
  max_file_size: Integer,
  deny_delete_tag: v.boolean(),
  member_check: v.boolean(),
  prevent_secrets: v.boolean(),
  commit_committer_check: v.boolean(),
  commit_committer_name_check: v.boolean(),
  reject_unsigned_commits: v.boolean(),
  reject_non_dco_commits: v.boolean(),
} as const

/** The push rule that new projects of a group start with. */
const GroupPushRuleWire = wire<PushRule>('GroupPushRule')(ruleFields)

/** What the pushes to a project must comply with. */
const ProjectPushRuleWire = wire<PushRule>('ProjectPushRule')({
  ...ruleFields,
  /** Id of the project. */
  project_id: computed(Integer, ({ projectId }: PushRule) => defined(projectId)),
})

const extension = { extension: true } satisfies RouteOptions

export const pushRuleRoutes = [
  route('GET /groups/:id/push_rule', pushRules.get, oneOrNotFound(GroupPushRuleWire, 'Push Rule'), extension),
  route('POST /groups/:id/push_rule', pushRules.create, one(GroupPushRuleWire), { ...extension, errors: [422] }),
  route('PUT /groups/:id/push_rule', pushRules.update, one(GroupPushRuleWire), extension),
  route('DELETE /groups/:id/push_rule', pushRules.remove, empty(), extension),
  route('GET /projects/:id/push_rule', pushRules.get, oneOrNull(ProjectPushRuleWire), extension),
  route('POST /projects/:id/push_rule', pushRules.create, one(ProjectPushRuleWire), { ...extension, errors: [422] }),
  route('PUT /projects/:id/push_rule', pushRules.update, one(ProjectPushRuleWire), extension),
  route('DELETE /projects/:id/push_rule', pushRules.remove, empty(), extension),
]
