import type { Generated } from 'kysely'
import type { DeliveryResult, HookPayload } from './delivery.ts'
import type { EventKind } from './event-kinds.ts'
import type { HookEvent } from './hook.ts'

export interface HookTables {
  /** A webhook of a project or a group, or a system hook, which belongs to neither. */
  hook: {
    id: Generated<number>
    /** The owner as text, so that one query finds the hooks of several: `p7`, `g3`, or `i` for a system hook. */
    scope: string
    projectId: number | null
    groupId: number | null
    /** Sent with each request. */
    uuid: string
    /** Without user and password. */
    url: string
    /** The URL with masked user and password. */
    shownUrl: string
    /** `HookSecrets` as JSON, sealed in the context `hook.<id>.secrets`; null without any. */
    sealedSecrets: string | null
    headerNames: readonly string[]
    events: readonly HookEvent[]
    pushEventsBranchFilter: string
    enableSslVerification: boolean
    /** URL of the site when the hook was changed, for payloads of events that no request causes; null if unknown. */
    siteUrl: string | null
    /** Consecutive failures. */
    failures: number
    /** The earliest time of the next request after a failure; null without one. */
    retryAt: string | null
    createdAt: string
    updatedAt: string
  }
  /** An event that at least one hook receives. */
  hookEvent: {
    id: Generated<number>
    kind: EventKind
    /** Sent to all hooks; an event that is sent again keeps it. */
    uuid: string
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
    /** `failed`: given up. */
    state: 'pending' | 'delivered' | 'failed'
    attempts: number
    /** Of the last attempt; null before the first. */
    result: DeliveryResult | null
  }
}
