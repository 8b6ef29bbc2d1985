import * as v from 'valibot'
import { invalid } from '../../../kernel/errors.ts'
import type { InputRule } from '../../../kernel/operation.ts'
import { parseOutboundUrl } from '../../../network/outbound-url.ts'
import type { OutboundRules } from '../../administration/settings/outbound-rules.ts'
import { groupHookEvents, type HookEvent, projectHookEvents, systemHookEvents } from './hook.ts'

/** A value of an HTTP header (RFC 9110, section 5.5) in ASCII: a line break would end the header. */
const HeaderValue = v.pipe(v.string(), v.maxLength(2_048), v.regex(/^[\x20-\x7e]*$/, 'is invalid'))

/** Headers that the platform sets, or that determine how the request is read. */
const reservedHeader =
  /^(?:host|content-length|content-type|transfer-encoding|connection|upgrade|te|trailer|expect|x-gitlab-.*)$/i

const CustomHeader = v.strictObject({
  /** Name of the header: letters, digits, `-` and `_`. */
  key: v.pipe(
    v.string(),
    v.maxLength(255),
    v.regex(/^[a-z][a-z0-9_-]*$/i, 'is invalid'),
    v.check((name) => !reservedHeader.test(name), 'is invalid'),
  ),
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
  /** Branches whose pushes are sent; `*` matches any text. Empty for all branches, the default. At most 255 characters. */
  pushEventsBranchFilter: v.optional(v.pipe(v.string(), v.maxLength(255))),
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
  readonly pushEventsBranchFilter?: string | undefined
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

/**
 * Parses the URL of a hook.
 *
 * @throws PlatformError `invalid` on `url`
 */
export const parseHookUrl = (url: string, rules: OutboundRules) => {
  const result = parseOutboundUrl(url, { getHostError: rules.getHostError, schemes: ['http', 'https'] })
  if ('problem' in result) {
    const hint = result.refusesHost
      ? `Administrators allow the local network with the setting ${rules.setting}`
      : undefined
    throw invalid({ url: [result.problem] }, hint)
  }
  return result.target
}
