import { isDeepStrictEqual } from 'node:util'
import type { AuditedEntity } from '../features/administration/audit-events/insert-events.ts'
import {
  type AuditEntry,
  type AuditedTarget,
  auditEvent,
  type CallBefore,
  type EventName,
  entityOf,
  entityTarget,
  nameFor,
  readField,
  toText,
} from './entry.ts'

export const toWords = (name: string, separator = ' '): string =>
  name.replace(/[A-Z]/g, (letter) => `${separator}${letter.toLowerCase()}`)

interface ChangeOptions {
  /** Reads the present values: before the operation, and after it with the values from before. */
  readonly read: (call: CallBefore, before?: unknown) => Promise<unknown>
  /** The events by field. Values of other fields are not compared. */
  readonly events: Readonly<Record<string, EventName>>
  /** Whether the operation can change all fields, and not only those in its input. */
  readonly changesAll?: true
  /** Default: the project or group of the subject. */
  readonly findEntity?: (before: unknown) => AuditedEntity | undefined
  /** Default: the entity. */
  readonly describeTarget?: (call: CallBefore, before: unknown) => AuditedTarget
  readonly format?: (field: string, value: unknown) => string | null
}

const namesOf = (fields: CallBefore['fields']) => [...Object.keys(fields), ...Object.keys(fields.settings ?? {})]

/** Changes of fields: an event for each field with another value afterwards. Reads nothing if the input has none of the fields. */
export const changed = ({
  read,
  events,
  changesAll,
  findEntity,
  describeTarget,
  format = (_, value) => toText(value),
}: ChangeOptions): AuditEntry => ({
  isImmediate: true,
  read: (call) => (changesAll || namesOf(call.fields).some((name) => name in events) ? read(call) : undefined),
  async describe(call) {
    const { before } = call
    if (before === undefined) return []
    const after = await read(call, before)
    const entity = findEntity?.(before) ?? entityOf(call)
    const target = describeTarget?.(call, before) ?? entityTarget(entity)
    return Object.entries(events).flatMap(([field, names]) => {
      const [from, to] = [readField(before, field), readField(after, field)]
      if (isDeepStrictEqual(from, to)) return []
      const change = { change: toWords(field), from: format(field, from), to: format(field, to) }
      return [auditEvent(nameFor(names, call.subject.kind), entity, target, change)]
    })
  },
})

const toEvents = (fields: readonly string[], prefix: string) =>
  Object.fromEntries(fields.map((field) => [field, `${prefix}${toWords(field, '_')}_updated`]))

const restrictedFeatures = [
  'issues',
  'mergeRequests',
  'repository',
  'snippets',
  'wiki',
  'builds',
  'forking',
  'pages',
  'releases',
  'environments',
  'packageRegistry',
  'containerRegistry',
  'securityAndCompliance',
  'monitor',
  'featureFlags',
  'analytics',
  'infrastructure',
  'modelExperiments',
  'modelRegistry',
  'requirements',
]

/** The events of a project by its fields and settings. */
export const projectEvents = {
  ...toEvents(
    restrictedFeatures.map((feature) => `${feature}AccessLevel`),
    'project_feature_',
  ),
  ...toEvents(
    [
      'name',
      'path',
      'defaultBranch',
      'onlyAllowMergeIfPipelineSucceeds',
      'onlyAllowMergeIfAllDiscussionsAreResolved',
      'removeSourceBranchAfterMerge',
      'printingMergeRequestLinkEnabled',
      'mergeMethod',
      'resetApprovalsOnPush',
      'disableOverridingApproversPerMergeRequest',
      'mergeRequestsAuthorApproval',
      'mergeRequestsDisableCommittersApproval',
      'requirePasswordToApprove',
      'resolveOutdatedDiffDiscussions',
      'suggestionCommitMessage',
      'mergeRequestsTemplate',
    ],
    'project_',
  ),
  ...toEvents(
    [
      'allowMergeOnSkippedPipeline',
      'squashOption',
      'mergeCommitTemplate',
      'squashCommitTemplate',
      'showDiffPreviewInEmail',
    ],
    '',
  ),
  visibility: 'project_visibility_level_updated',
  mergePipelinesEnabled: 'project_cicd_merge_pipelines_enabled_updated',
  tagList: 'project_topics_updated',
}

/** The events of a group by its fields and settings. */
export const groupEvents = {
  ...toEvents(
    [
      'name',
      'path',
      'description',
      'requestAccessEnabled',
      'projectCreationLevel',
      'lfsEnabled',
      'membershipLock',
      'mentionsDisabled',
      'requireTwoFactorAuthentication',
      'twoFactorGracePeriod',
      'sharedRunnersMinutesLimit',
    ],
    'group_',
  ),
  ...toEvents(
    [
      'preventForkingOutsideGroup',
      'preventSharingGroupsOutsideHierarchy',
      'enabledGitAccessProtocol',
      'experimentFeaturesEnabled',
      'duoFeaturesEnabled',
      'showDiffPreviewInEmail',
    ],
    '',
  ),
  visibility: 'group_visibility_level_updated',
  shareWithGroupLock: 'group_shared_with_group_lock_updated',
  emailsDisabled: 'emails_enabled_updated',
  defaultBranch: 'default_branch_name_updated',
  allowedEmailDomainsList: 'allowed_email_domain_updated',
}

const pushRuleNames = {
  commitMessageRegex: 'commit_message_regex',
  commitMessageNegativeRegex: 'commit_message_negative_regex',
  branchNameRegex: 'branch_name_regex',
  authorEmailRegex: 'author_email_regex',
  fileNameRegex: 'file_name_regex',
  maxFileSize: 'max_file_size',
  denyDeleteTag: 'reject_deny_delete_tag',
  memberCheck: 'reject_member_check',
  preventSecrets: 'prevent_secrets',
  commitCommitterCheck: 'commit_committer_check',
  commitCommitterNameCheck: 'commit_committer_name_check',
  rejectUnsignedCommits: 'reject_unsigned_commits',
  rejectNonDcoCommits: 'reject_non_dco_commits',
}

/** The events of a push rule by its fields. */
export const pushRuleEvents: Readonly<Record<string, EventName>> = Object.fromEntries(
  Object.entries(pushRuleNames).map(([field, name]) => [
    field,
    { project: `project_push_rules_${name}_updated`, group: `group_push_rules_${name}_updated` },
  ]),
)

/** The events of a user by the fields of the account. */
export const userEvents = {
  name: 'user_name_updated',
  username: 'user_username_updated',
  email: 'user_email_address_updated',
  admin: 'user_admin_status_updated',
  external: 'user_external_status_updated',
}
