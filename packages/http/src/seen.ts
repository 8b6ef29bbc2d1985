import type { LimitState, Witness } from '@forgelet/core'
import { features, type Operation } from '@forgelet/core/operations'

/** What becomes known of a request while it is answered: for its log line, the figures and its headers. */
export interface Seen {
  /** The template of the route: `/api/v4/projects/:id/labels`. */
  route?: string
  /** `labels.list`. */
  operation?: string
  userId?: number
  /** The administrator who acts as that user. */
  substitutedBy?: number
  limit?: LimitState
}

const names = new Map<Operation, string>(
  Object.entries(features).flatMap(([feature, operations]) =>
    Object.entries(operations).map(([verb, operation]) => [operation as Operation, `${feature}.${verb}`] as const),
  ),
)

/** What an operation is called: `labels.list`. */
export const operationName = (operation: Operation): string | undefined => names.get(operation)

/** Whether an operation is called so. */
export const isOperation = (name: string): boolean => [...names.values()].includes(name)

/** Writes down what the platform tells of a call. */
export const witnessOf = (seen: Seen): Witness => ({
  actor(actor) {
    if (actor.kind !== 'user') return
    seen.userId = actor.id
    if (actor.substitutedBy !== undefined) seen.substitutedBy = actor.substitutedBy
  },
  limit(state) {
    seen.limit = state
  },
})

/**
 * Where the caller stands against a limit, as clients read it: how many are allowed a minute, how many are left, and when
 * all of them are there again, in seconds since 1970.
 */
export const limitHeaders = ({ limit, name, remaining, resetAt }: LimitState): Record<string, string> => ({
  'RateLimit-Limit': String(limit),
  'RateLimit-Name': name,
  'RateLimit-Observed': String(limit - remaining),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(Math.ceil(resetAt / 1_000)),
})
