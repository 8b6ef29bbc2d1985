export interface RateLimitTables {
  rateLimit: {
    /** The limit's name and what it counts by: `archive user:3 project:8`. */
    key: string
    /** When it was asked, in milliseconds since 1970, the oldest first; never more than the limit allows. */
    hits: readonly number[]
    /** From then on none of the hits counts. */
    expiresAt: string
  }
}
