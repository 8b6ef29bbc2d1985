import type { Generated } from 'kysely'
import type { DeliveryResult, HookPayload } from './delivery.ts'
import type { EventKind } from './event-kinds.ts'
import type { BranchFilterStrategy, HookEvent } from './hook.ts'

export interface HookTables {
  /** A webhook of a project or a group, or a system hook, which belongs to neither. */
  hook: {
    id: Generated<number>
    /** The owner as text, so that one query finds the hooks of several: `p7`, `g3`, or `i` for a system hook. */
    scope: string
    projectId: number | null
    groupId: number | null
    name: string | null
    description: string | null
    /** Sent with each request. */
    uuid: string
    /** Without user and password; with variables, the template. */
    url: string
    /** The URL with masked user and password. */
    shownUrl: string
    /** `HookSecrets` as JSON, sealed in the context `hook.<id>.secrets`; null without any. */
    sealedSecrets: string | null
    headerNames: readonly string[]
    variableNames: readonly string[]
    /** Template of the request body; null for the event as JSON. */
    customWebhookTemplate: string | null
    events: readonly HookEvent[]
    pushEventsBranchFilter: string
    branchFilterStrategy: BranchFilterStrategy
    enableSslVerification: boolean
    /** URL of the site when the hook was changed, for payloads of events that no request causes; null if unknown. */
    siteUrl: string | null
    /** Consecutive failures. */
    failures: number
    /** The earliest time of the next request after a failure; null without one. */
    retryAt: string | null
    /** The minute of the last counted request: `2026-11-21T10:15`; null before the first. */
    minute: string | null
    /** Requests in this minute. */
    minuteCount: number
    /** Consecutive minutes with as many requests as allowed. */
    limitedMinutes: number
    createdAt: string
    updatedAt: string
  }
  /** An event that at least one hook receives. */
  hookEvent: {
    id: Generated<number>
    kind: EventKind
    payload: HookPayload
    /** False while the parts of the payload that are read from the repository are missing. */
    isComplete: boolean
    createdAt: string
  }
  /** A request to a hook: pending, or sent and kept as a log. */
  hookDelivery: {
    id: Generated<number>
    hookId: number
    eventId: number
    /** The same for all attempts of this delivery. */
    idempotencyKey: string
    /** `X-Gitlab-Event-UUID`: the same for all requests that follow from each other, and for one that is sent again. */
    chain: string
    /** The call in the chain that caused the event; null for the first request of a chain. */
    chainCall: string | null
    /** `failed`: given up; `blocked`: never sent. */
    state: 'pending' | 'delivered' | 'failed' | 'blocked'
    attempts: number
    /** Of the last attempt; null before the first. */
    result: DeliveryResult | null
    /** Status of the last response, for filters; null without one. */
    responseStatus: number | null
  }
}
