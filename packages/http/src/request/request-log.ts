import type { CallObserver, LimitState } from '@forgelet/core'

/** What the app reports about a request, for its log line, the metrics and its headers. */
export interface RequestLog {
  /** The template of the route: `/api/v4/projects/:id/labels`. */
  route?: string
  /** `labels.list`. */
  operation?: string | undefined
  userId?: number
  /** The name of the authenticated user, or of the deploy token. */
  username?: string
  /** The administrator who acts as that user. */
  substitutedBy?: number
  limit?: LimitState
  /** Sent parameters that GitLab documents and that have no effect. */
  unsupported?: readonly string[]
  /** Why the call was rejected. */
  error?: unknown
}

/** Records the actor and the rate limit of a call. */
export const createCallObserver = (log: RequestLog): CallObserver => ({
  onActor(actor) {
    if (actor.kind === 'deployToken') log.username = actor.username
    if (actor.kind !== 'user') return
    log.userId = actor.id
    log.username = actor.username
    if (actor.substitutedBy !== undefined) log.substitutedBy = actor.substitutedBy
  },
  onRateLimit(state) {
    log.limit = state
  },
})

/** The requests allowed per minute, those left, and when the limit is fully restored (seconds since 1970). */
export const createRateLimitHeaders = ({ limit, name, remaining, resetAt }: LimitState): Record<string, string> => ({
  'RateLimit-Limit': String(limit),
  'RateLimit-Name': name,
  'RateLimit-Observed': String(limit - remaining),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(Math.ceil(resetAt / 1_000)),
})
