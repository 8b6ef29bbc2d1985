import * as v from 'valibot'

const PositiveInteger = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)))

const RateLimit = v.strictObject({
  /** Seconds until the next request is allowed. */
  retryAfter: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 60),
  /** Requests allowed per period. */
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 600),
  /** Name of the limit in `RateLimit-Name`. */
  name: v.optional(v.string(), 'throttle_authenticated_api'),
})

export const FaultSchema = v.strictObject({
  /** `POST /projects/:id/labels`, `/projects/**`, or an operation such as `labels.create`; all requests when left out. */
  on: v.optional(v.string()),
  /** Replies with this status. */
  status: v.optional(v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599))),
  /** A string is sent as plain text, any other value as JSON. */
  body: v.optional(v.unknown()),
  /** Headers of the reply. */
  headers: v.optional(v.record(v.string(), v.string())),
  /** Milliseconds to wait. Without other effects, the request is then processed normally. */
  delay: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(600_000))),
  /** Cuts the connection before the reply or in the middle of its body. */
  cut: v.optional(v.picklist(['connection', 'body'])),
  /** Replies 429 with `Retry-After` and `RateLimit-*` headers. */
  rateLimit: v.optional(v.union([v.literal(true), RateLimit])),
  /** `'after'`: the request is processed first. Default `'before'`, except for `cut: 'body'` without a status or body. */
  phase: v.optional(v.picklist(['before', 'after'])),
  /** Number of matching requests to let pass first. */
  skip: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  /** Maximum number of hits. */
  times: PositiveInteger,
  /** Hits every nth request. */
  every: PositiveInteger,
  /** Probability of a hit, 0 to 1. */
  probability: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  /** Seed of the random numbers: the same seed hits the same requests. */
  seed: v.optional(v.pipe(v.number(), v.integer()), 1),
})

/**
 * A fault injected into matching requests: which of them are hit (`on`, `skip`, `times`, `every`, `probability`), and the
 * effect.
 */
export type Fault = v.InferInput<typeof FaultSchema>

export type ParsedFault = v.InferOutput<typeof FaultSchema>

/** A deterministic generator of numbers from 0 to 1 (SplitMix32). */
const createRandom = (seed: number): (() => number) => {
  let state = seed | 0
  return () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 0x1_0000_0000
  }
}

/** Decides for each matching request whether the fault hits it. */
export const createFaultSchedule = ({ skip = 0, times, every, probability, seed }: ParsedFault): (() => boolean) => {
  const random = createRandom(seed)
  let seen = 0
  let hit = 0
  return () => {
    seen += 1
    const position = seen - skip
    if (position <= 0 || (times !== undefined && hit >= times)) return false
    if (every !== undefined && position % every !== 0) return false
    if (probability !== undefined && random() >= probability) return false
    hit += 1
    return true
  }
}
