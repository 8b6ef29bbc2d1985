import * as v from 'valibot'
import { namePatternProblem } from '../../../kernel/name-pattern.ts'
import type { InputRule } from '../../../kernel/operation.ts'
import {
  type BranchFilterStrategy,
  branchFilterStrategies,
  groupHookEvents,
  type HookEvent,
  projectHookEvents,
  systemHookEvents,
} from './hook.ts'

/** A value of an HTTP header (RFC 9110, section 5.5) in ASCII: a line break would end the header. */
export const HeaderValue = v.pipe(v.string(), v.maxLength(2_048), v.regex(/^[\x20-\x7e]*$/, 'is invalid'))

/** Headers that the platform sets, or that determine how the request is read. */
const reservedHeader =
  /^(?:host|content-length|content-type|transfer-encoding|connection|upgrade|te|trailer|expect|x-gitlab-.*)$/i

/** The name of a custom header: letters, digits, `-` and `_`. */
export const HeaderName = v.pipe(
  v.string(),
  v.maxLength(255),
  v.regex(/^[a-z][a-z0-9_-]*$/i, 'is invalid'),
  v.check((name) => !reservedHeader.test(name), 'is invalid'),
)

/** The name of a URL variable: a letter, then letters, digits, `.`, `_` and `-`. */
export const VariableName = v.pipe(v.string(), v.maxLength(100), v.regex(/^[a-z][a-z0-9._-]*$/i, 'is invalid'))

/** The value of a URL variable, which becomes a part of the URL as it is. */
export const VariableValue = v.pipe(
  v.string(),
  v.nonEmpty(),
  v.maxLength(2_048),
  v.regex(/^[\x21-\x7e]*$/, 'is invalid'),
)

const UrlVariable = v.strictObject({
  /** Name of the variable, without braces. */
  key: VariableName,
  /** Text that replaces `{key}` in the URL; stored encrypted and never returned. */
  value: VariableValue,
})

const CustomHeader = v.strictObject({
  /** Name of the header: letters, digits, `-` and `_`. */
  key: HeaderName,
  /** Value of the header; stored encrypted and never returned. */
  value: HeaderValue,
})

/** The fields of all hooks except the URL, which only new hooks require. */
export const connectionInput = {
  /**
   * Sent as `X-Gitlab-Token` with each request, at most 2,048 characters; null or empty for none. Stored encrypted and never
   * returned.
   */
  token: v.optional(v.nullable(HeaderValue)),
  /** Whether the certificate of the server is checked. Default of a new hook: true. */
  enableSslVerification: v.optional(v.boolean()),
  /** Additional headers of each request, at most 20; replaces all. Their values are stored encrypted and never returned. */
  customHeaders: v.optional(v.pipe(v.array(CustomHeader), v.maxLength(20))),
  /** Name for people; null or empty for none. At most 255 characters. */
  name: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(255)))),
  /** Text about the hook; null or empty for none. At most 2,048 characters. */
  description: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(2_048)))),
  /** Values for the names in braces in the URL, at most 20; those of other names are kept unless the URL changes. */
  urlVariables: v.optional(v.pipe(v.array(UrlVariable), v.maxLength(20))),
  /**
   * Template of the request body, in which `{{path}}` is replaced by a value of the event, such as `{{object_attributes.title}}`; the
   * result must be JSON, otherwise the delivery fails. Null or empty for the event itself. At most 4,096 characters.
   */
  customWebhookTemplate: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(4_096)))),
  /** Branches whose pushes are sent, as `branchFilterStrategy` says. Empty for all branches, the default. At most 255 characters. */
  pushEventsBranchFilter: v.optional(v.pipe(v.string(), v.maxLength(255))),
  /** `wildcard` (default): `*` in the filter matches any text; `regex`: it is an RE2 expression; `all_branches`: it is ignored. */
  branchFilterStrategy: v.optional(v.picklist(branchFilterStrategies)),
}

/** The kinds of events. */
export const eventsInput = {
  /** Whether to send pushes to branches. Default of a new hook: true. */
  pushEvents: v.optional(v.boolean()),
  /** Whether to send pushed tags. Default of a new hook: false. */
  tagPushEvents: v.optional(v.boolean()),
  /** Whether to send changes of issues that are not confidential. Default of a new hook: false. */
  issuesEvents: v.optional(v.boolean()),
  /** Whether to send changes of confidential issues. Default of a new hook: false. */
  confidentialIssuesEvents: v.optional(v.boolean()),
  /** Whether to send comments that everyone can read. Default of a new hook: false. */
  noteEvents: v.optional(v.boolean()),
  /** Whether to send internal comments and those on confidential issues. Default of a new hook: false. */
  confidentialNoteEvents: v.optional(v.boolean()),
  /** Whether to send changes of merge requests. Default of a new hook: false. */
  mergeRequestsEvents: v.optional(v.boolean()),
  /** Whether to send changes of jobs. Default of a new hook: false. */
  jobEvents: v.optional(v.boolean()),
  /** Whether to send changes of pipelines. Default of a new hook: false. */
  pipelineEvents: v.optional(v.boolean()),
  /** Whether to send new, changed and removed wiki pages of projects. Default of a new hook: false. */
  wikiPageEvents: v.optional(v.boolean()),
  /** Whether to send changes of deployments. Default of a new hook: false. */
  deploymentEvents: v.optional(v.boolean()),
  /** Whether to send changes of releases. Default of a new hook: false. */
  releasesEvents: v.optional(v.boolean()),
  /** Whether to send new, closed, reopened and removed milestones. Default of a new hook: false. */
  milestoneEvents: v.optional(v.boolean()),
  /** Whether to send emoji that are awarded to or revoked from items and comments of projects. Default of a new hook: false. */
  emojiEvents: v.optional(v.boolean()),
  /** Whether to send feature flags that are turned on or off. Default of a new hook: false. */
  featureFlagEvents: v.optional(v.boolean()),
  /** Stored, without effect: there are no such events. Default of a new hook: false. */
  resourceAccessTokenEvents: v.optional(v.boolean()),
  /** Stored, without effect: there are no such events. Default of a new hook: false. */
  vulnerabilityEvents: v.optional(v.boolean()),
  /** Whether the hook of a group sends new and removed subgroups. No effect in a project. Default of a new hook: false. */
  subgroupEvents: v.optional(v.boolean()),
  /** Whether the hook of a group sends new, changed and removed members. No effect in a project. Default of a new hook: false. */
  memberEvents: v.optional(v.boolean()),
  /** Whether a system hook sends an event for each pushed branch or tag. Default of a new system hook: true. */
  repositoryUpdateEvents: v.optional(v.boolean()),
}

type Flags = { readonly [E in HookEvent]?: boolean | undefined }

/** What callers can set. */
export interface HookFields extends Flags {
  readonly token?: string | null | undefined
  readonly enableSslVerification?: boolean | undefined
  readonly customHeaders?: readonly { readonly key: string; readonly value: string }[] | undefined
  readonly name?: string | null | undefined
  readonly description?: string | null | undefined
  /** Null removes a variable. */
  readonly urlVariables?: readonly { readonly key: string; readonly value: string | null }[] | undefined
  readonly customWebhookTemplate?: string | null | undefined
  readonly branchFilterStrategy?: BranchFilterStrategy | undefined
  readonly pushEventsBranchFilter?: string | undefined
}

/** A filter with the strategy `regex` is a valid expression. */
export const validBranchFilter: InputRule<HookFields> = ({ pushEventsBranchFilter, branchFilterStrategy }) => {
  if (branchFilterStrategy !== 'regex' || !pushEventsBranchFilter) return undefined
  const message = namePatternProblem(pushEventsBranchFilter)
  return message === undefined ? undefined : { fields: ['pushEventsBranchFilter'], message }
}

/** Refuses the kinds of events that hooks of the place cannot receive. */
export const onlyEventsOfPlace: InputRule<Readonly<Record<string, unknown>>> = (input) => {
  const isSystemHook = input.project === undefined && input.group === undefined
  const possible: readonly HookEvent[] = isSystemHook ? systemHookEvents : [...projectHookEvents, ...groupHookEvents]
  const fields = allEvents.filter((event) => input[event] !== undefined && !possible.includes(event))
  const message = isSystemHook ? 'is for hooks of projects and groups only' : 'is for system hooks only'
  return fields.length ? { fields, message } : undefined
}

const allEvents: readonly HookEvent[] = [
  ...new Set<HookEvent>([...projectHookEvents, ...groupHookEvents, ...systemHookEvents]),
]

/** The kinds of events after a change; flags that are not set keep their values. */
export const mergeEvents = (current: readonly HookEvent[], flags: Flags): readonly HookEvent[] =>
  allEvents.filter((event) => flags[event] ?? current.includes(event))
