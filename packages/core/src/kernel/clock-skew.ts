/** Milliseconds by which the clocks of two processes may differ. */
const maxClockSkew = 60_000

/**
 * The latest time that another process can have stored as its current time. A later one was stored before the clock was
 * set back: comparisons with it would block for the length of that step.
 *
 * @param now ISO 8601
 */
export const latestStoredTime = (now: string): string => new Date(Date.parse(now) + maxClockSkew).toISOString()
