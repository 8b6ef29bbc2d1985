/** The kinds of events that hooks of projects and groups can receive. */
export const projectHookEvents = [
  'pushEvents',
  'tagPushEvents',
  'issuesEvents',
  'confidentialIssuesEvents',
  'noteEvents',
  'confidentialNoteEvents',
  'mergeRequestsEvents',
  'jobEvents',
  'pipelineEvents',
  'wikiPageEvents',
  'deploymentEvents',
  'releasesEvents',
  'milestoneEvents',
  'emojiEvents',
  'featureFlagEvents',
  'resourceAccessTokenEvents',
  'vulnerabilityEvents',
] as const

/** How the branch filter of a hook is read. */
export const branchFilterStrategies = ['wildcard', 'regex', 'all_branches'] as const

/** How the branch filter of a hook is read. */
export type BranchFilterStrategy = (typeof branchFilterStrategies)[number]

/** The kinds of events that only hooks of groups can receive. */
export const groupHookEvents = ['subgroupEvents', 'memberEvents'] as const

/** The kinds of events that system hooks can receive in addition to those about projects, groups, users and members. */
export const systemHookEvents = [
  'pushEvents',
  'tagPushEvents',
  'mergeRequestsEvents',
  'repositoryUpdateEvents',
] as const

/** A flag of a hook: whether it receives events of a kind. */
export type HookEvent =
  | (typeof projectHookEvents)[number]
  | (typeof groupHookEvents)[number]
  | (typeof systemHookEvents)[number]

/** The name of a URL variable; its value is never returned. */
export interface HookUrlVariable {
  /** Name of the variable. */
  key: string
}

/** The name of a custom header; its value is never returned. */
export interface HookHeader {
  /** Name of the header. */
  key: string
}

/** A webhook: a URL that receives a request for each event of the selected kinds. */
export interface Hook {
  /** Unique on the instance. */
  id: number
  /** Id of the project; null for hooks of groups and for system hooks. */
  projectId: number | null
  /** Id of the group; null for hooks of projects and for system hooks. */
  groupId: number | null
  /** Name for people; null without one. */
  name: string | null
  /** Text about the hook; null without one. */
  description: string | null
  /** URL that receives the requests: user and password are masked with asterisks, variables are names in braces. */
  url: string
  /** Names of the variables in the URL. */
  urlVariables: readonly HookUrlVariable[]
  /** Template of the request body; null for the event as JSON. */
  customWebhookTemplate: string | null
  /** Whether the hook receives pushes to branches. */
  pushEvents: boolean
  /** Whether the hook receives pushed tags. */
  tagPushEvents: boolean
  /** Whether the hook receives changes of issues that are not confidential. */
  issuesEvents: boolean
  /** Whether the hook receives changes of confidential issues. */
  confidentialIssuesEvents: boolean
  /** Whether the hook receives comments that everyone can read. */
  noteEvents: boolean
  /** Whether the hook receives internal comments and those on confidential issues. */
  confidentialNoteEvents: boolean
  /** Whether the hook receives changes of merge requests. */
  mergeRequestsEvents: boolean
  /** Whether the hook receives changes of jobs. */
  jobEvents: boolean
  /** Whether the hook receives changes of pipelines. */
  pipelineEvents: boolean
  /** Whether the hook receives changes of wiki pages. */
  wikiPageEvents: boolean
  /** Whether the hook receives changes of deployments. */
  deploymentEvents: boolean
  /** Whether the hook receives changes of releases. */
  releasesEvents: boolean
  /** Whether the hook receives new, closed, reopened and removed milestones. */
  milestoneEvents: boolean
  /** Whether the hook receives emoji that are awarded or revoked. */
  emojiEvents: boolean
  /** Whether the hook receives feature flags that are turned on or off. */
  featureFlagEvents: boolean
  /** Stored, without effect: there are no such events. */
  resourceAccessTokenEvents: boolean
  /** Stored, without effect: there are no such events. */
  vulnerabilityEvents: boolean
  /** Whether the hook of a group receives new and removed subgroups. */
  subgroupEvents: boolean
  /** Whether the hook of a group receives new, changed and removed members. */
  memberEvents: boolean
  /** Whether the system hook receives an event for each pushed branch or tag. */
  repositoryUpdateEvents: boolean
  /** Branches whose pushes the hook receives. Empty for all branches. */
  pushEventsBranchFilter: string
  /** `wildcard`: `*` in the filter matches any text; `regex`: the filter is an RE2 expression; `all_branches`: it is ignored. */
  branchFilterStrategy: BranchFilterStrategy
  /** Whether the certificate of the server is checked. */
  enableSslVerification: boolean
  /** Names of the custom headers. */
  customHeaders: readonly HookHeader[]
  /**
   * `executable`; `temporarily_disabled` until `disabledUntil` after 4 failures in a row, and until the next minute after as many
   * requests as a minute allows; `disabled` after 40 failures or 10 such minutes, until the hook is changed or a test succeeds.
   */
  alertStatus: 'executable' | 'temporarily_disabled' | 'disabled'
  /** End of the temporary disabling: ISO 8601, UTC, with milliseconds; null if the hook is not temporarily disabled. */
  disabledUntil: string | null
  /** When the hook was created: ISO 8601, UTC, with milliseconds. */
  createdAt: string
}

/** The encrypted part of a hook. */
export interface HookSecrets {
  /** Sent as `X-Gitlab-Token`; null for none. */
  readonly token: string | null
  /** Of the URL; null for none. */
  readonly user: string | null
  /** Of the URL; null for none. */
  readonly password: string | null
  /** Custom headers by name. */
  readonly headers: Readonly<Record<string, string>>
  /** Variables of the URL by name. */
  readonly urlVariables: Readonly<Record<string, string>>
}

export const noSecrets: HookSecrets = { token: null, user: null, password: null, headers: {}, urlVariables: {} }

/** The context in which the secrets of a hook are sealed. */
export const hookSecretsContext = (id: number): string => `hook.${id}.secrets`

/** Consecutive failures after which a hook is disabled temporarily, and permanently. */
export const failureLimits = { temporary: 4, permanent: 40 } as const

/** The first temporary disabling, in seconds; each further failure doubles it. */
const firstDisabling = 60

/** The longest temporary disabling, in seconds. */
const longestDisabling = 86_400

/** Seconds until the next request to a hook after consecutive failures: 2, 4, 8 seconds, then 1, 2, 4 … minutes, at most a day. */
export const getRetryDelay = (failures: number): number =>
  failures < failureLimits.temporary
    ? 2 ** failures
    : Math.min(firstDisabling * 2 ** (failures - failureLimits.temporary), longestDisabling)

interface HookFailures {
  readonly failures: number
  readonly retryAt: string | null
  readonly limitedMinutes: number
}

/** The state that consecutive failures and too many requests lead to. Times have the same format and compare as text. */
export const getHookState = (
  { failures, retryAt, limitedMinutes }: HookFailures,
  now: string,
): Pick<Hook, 'alertStatus' | 'disabledUntil'> => {
  if (failures >= failureLimits.permanent) return { alertStatus: 'disabled', disabledUntil: null }
  const isPaused = failures >= failureLimits.temporary || limitedMinutes > 0
  return isPaused && retryAt !== null && retryAt > now
    ? { alertStatus: 'temporarily_disabled', disabledUntil: retryAt }
    : { alertStatus: 'executable', disabledUntil: null }
}
