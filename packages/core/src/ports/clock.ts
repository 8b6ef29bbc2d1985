/** The source of the current time for timestamps, expiry, retention and leases. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** Creates the function that returns the time of a clock, ISO 8601. Calls within a millisecond share the text. */
export const createIsoClock = (clock: Clock): (() => string) => {
  let formattedTime = Number.NaN
  let text = ''
  return () => {
    const time = clock.now()
    if (time !== formattedTime) {
      text = new Date(time).toISOString()
      formattedTime = time
    }
    return text
  }
}
