import * as v from 'valibot'

const Count = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)))

const RateLimit = v.strictObject({
  /** Seconds until the client may come again. */
  retryAfter: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 60),
  /** How many requests would have been allowed. */
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 600),
  name: v.optional(v.string(), 'throttle_authenticated_api'),
})

/** Trouble on demand: which requests, how often, and what happens to them. */
export const FaultSchema = v.strictObject({
  /** `POST /projects/:id/labels`, `/projects/**`, or an operation such as `labels.create`; all requests when left out. */
  on: v.optional(v.string()),
  /** Answers this instead. */
  status: v.optional(v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599))),
  /** Sent as JSON, or as plain text when it is a text. */
  body: v.optional(v.unknown()),
  headers: v.optional(v.record(v.string(), v.string())),
  /** Milliseconds to wait first. Alone, the request then goes on as ever. */
  delay: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(600_000))),
  /** Cuts the connection: without a word, or in the middle of the body. */
  cut: v.optional(v.picklist(['connection', 'body'])),
  /** Answers 429 with `Retry-After` and the `RateLimit-*` headers. */
  rateLimit: v.optional(v.union([v.literal(true), RateLimit])),
  /** Whether the request takes effect first. Default: it does not, but for `cut: 'body'` without a status. */
  phase: v.optional(v.picklist(['before', 'after'])),
  /** Lets the first so many requests pass. */
  skip: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  /** Then only so many times. */
  times: Count,
  /** Then only every so manyth. */
  every: Count,
  /** Then only with this chance, 0 to 1. */
  probability: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  /** Where the chance starts: the same seed hits the same requests. */
  seed: v.optional(v.pipe(v.number(), v.integer()), 1),
})

/**
 * Trouble for requests that fit: which of them (`on`, `skip`, `times`, `every`, `probability`), and what happens to
 * them.
 */
export type Fault = v.InferInput<typeof FaultSchema>
export type ReadFault = v.InferOutput<typeof FaultSchema>

/** Numbers from 0 to 1 that are the same for the same seed: a 32-bit counter, well mixed. */
const chances = (seed: number): (() => number) => {
  let state = seed | 0
  return () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 0x1_0000_0000
  }
}

/** Says for each request that a fault is about whether it is hit. */
export const schedule = ({ skip = 0, times, every, probability, seed }: ReadFault): (() => boolean) => {
  const chance = chances(seed)
  let seen = 0
  let hit = 0
  return () => {
    seen += 1
    const place = seen - skip
    if (place <= 0 || (times !== undefined && hit >= times)) return false
    if (every !== undefined && place % every !== 0) return false
    if (probability !== undefined && chance() >= probability) return false
    hit += 1
    return true
  }
}
