import type { Actor } from './actor.ts'
import type { Context } from './context.ts'
import { PlatformError } from './errors.ts'
import type { LimitState } from './rate-limit.ts'

/**
 * What is known of one call besides who makes it and what it asks for. Only the adapter that received the call fills it,
 * from the connection itself: nothing in it can come from the call's own input.
 */
export interface Call {
  /** The program that called, as it names itself. */
  readonly userAgent?: string | undefined
  /** Where the adapter is found, for addresses in answers; without a slash at its end. */
  readonly siteUrl?: string | undefined
  /** The network address it called from. */
  readonly address?: string | undefined
  /** Milliseconds since 1970: what changed after this instant is not to be removed (RFC 9110, section 13.1.4). */
  readonly unmodifiedSince?: number | undefined
  /** Whether the limits on how often an operation may be asked hold for this call. Default: they do not. */
  readonly limited?: boolean
  /** Who is told about the call while it runs. */
  readonly witness?: Witness
  /** Ends when the caller has gone, so that nobody waits for the answer any more. */
  readonly gone?: (() => AbortSignal) | undefined
}

/** Told about a call while it runs: for logs, figures and headers of the adapter. It cannot change anything. */
export interface Witness {
  /** Who the caller was found to be. */
  actor?(actor: Actor): void
  /** Where the caller stands against the operation's limit. */
  limit?(state: LimitState): void
}

/**
 * Keeps the condition of a call that wants to remove only what it has seen. Such instants have whole seconds, so fractions
 * of the change's own second do not count.
 *
 * @throws PlatformError `conflict`, with the reason `modified`, when it changed after the instant the call names
 */
export const refuseModified = ({ call }: Pick<Context, 'call'>, updatedAt: string): void => {
  if (call.unmodifiedSince === undefined) return
  if (Math.floor(Date.parse(updatedAt) / 1_000) * 1_000 <= call.unmodifiedSince) return
  throw new PlatformError('conflict', 'It was changed meanwhile', { reason: 'modified' })
}
