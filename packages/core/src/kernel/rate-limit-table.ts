export interface RateLimitTables {
  rateLimit: {
    /** The name and the key of the limit: `archive user:3 project:8`. */
    key: string
    /**
     * The instants of the allowed calls, in milliseconds since 1970, oldest first; at most as many as the limit. For the requests to
     * hooks of a namespace in a minute, their number.
     */
    hits: readonly number[]
    /** When the newest hit leaves the 60-second window, or the minute ends. */
    expiresAt: string
  }
}
