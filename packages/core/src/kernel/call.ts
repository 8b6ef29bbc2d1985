import type { Actor } from './actor.ts'
import type { LimitState } from './limit-state.ts'

/**
 * The circumstances of one call, in addition to its identity and input. Set by the adapter from the connection, never from
 * the input of the operation.
 */
export interface Call {
  /** The `User-Agent` of the client. */
  readonly userAgent?: string | undefined
  /** The base URL of the adapter for URLs in results, without a trailing slash. */
  readonly siteUrl?: string | undefined
  /** The port of git over SSH at the host of `siteUrl`. Default: 22. */
  readonly sshPort?: number | undefined
  /** The IP address of the client. */
  readonly ipAddress?: string | undefined
  /** `If-Unmodified-Since` in milliseconds since 1970 (RFC 9110, section 13.1.4): removals of objects that changed later fail, and so do
   * commands that do not know the time of the last change. */
  readonly unmodifiedSince?: number | undefined
  /** Set if the request follows from the request of a webhook, whose `X-Gitlab-Event-UUID` it repeats. */
  readonly hookChain?: HookChain | undefined
  /** Whether the rate limits of operations apply to this call. Default: false. */
  readonly isRateLimited?: boolean
  /** Limits the content that the call holds in memory. Default: no limit. */
  readonly memory?: MemoryAccount | undefined
  /** Receives events while the call runs. */
  readonly observer?: CallObserver
  /** Returns a signal that aborts when the client disconnects. */
  readonly signal?: (() => AbortSignal) | undefined
}

/** Requests of webhooks that follow from each other. */
export interface HookChain {
  /** `X-Gitlab-Event-UUID` of all these requests. */
  readonly uuid: string
  /** Unique: the events of one call can reach a hook together, those of a later one would repeat it. */
  readonly call: string
}

/** Limits the content that calls hold in memory until their replies have been sent. */
export interface MemoryAccount {
  /**
   * Called before large content is read. Waits while there is no room.
   *
   * @throws PlatformError `unavailable` if there is no room in time
   */
  reserve(bytes: number): Promise<void>
}

/** Receives events while a call runs, for logs, metrics and response headers. It cannot change the call. */
export interface CallObserver {
  /** Called with the authenticated actor. */
  onActor?(actor: Actor): void
  /** Called with the state of the operation's rate limit. */
  onRateLimit?(state: LimitState): void
}
