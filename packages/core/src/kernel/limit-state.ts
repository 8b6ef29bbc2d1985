/** The state of a rate limit for a caller, after this call. */
export interface LimitState {
  /** The name of the limit: `archive`. */
  readonly name: string
  /** Allowed calls in any 60 seconds. */
  readonly limit: number
  /** Calls that are allowed now. */
  readonly remaining: number
  /** When no call is left in the window, in milliseconds since 1970. */
  readonly resetAt: number
}
