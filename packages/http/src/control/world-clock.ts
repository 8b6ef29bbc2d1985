import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { type Clock, PlatformError } from '@forgelet/core'
import { addDuration, type Duration, type Instant, parseDuration, parseInstant } from './duration.ts'

/** The part of a platform's job queue that the clock uses. */
export interface DueJobs {
  /** Runs all due jobs and returns their number. */
  drain(): Promise<number>
  /** When the next job becomes due, ISO 8601; with `skipIdle`, the next one that has an effect. */
  next(options: { readonly skipIdle: boolean }): Promise<string | undefined>
}

/** A frozen clock has a fixed time, a running one an offset from the base clock, both in milliseconds. */
export type ClockState = { readonly frozenAt: number } | { readonly offset: number }

/** The clock of a world. It determines timestamps, expiry, retention, rate limits and jobs of this world only. */
export interface WorldClock extends Clock {
  readonly frozen: boolean
  /** Stops the clock at a time; by default, at the current one. Runs no jobs. */
  freeze(at?: Instant): void
  /** Sets the time, forward or back. Runs no jobs. The clock stays frozen or running. */
  set(at: Instant): void
  /** Lets a frozen clock run. */
  resume(): void
  /**
   * Advances the clock and runs each job when it becomes due, in that order. Days on which no daily job has anything to do
   * are skipped. When the promise resolves, all data has the state of the new time.
   *
   * @returns the number of jobs run
   * @throws PlatformError `invalid_input` for an invalid duration; the message lists the units
   */
  advance(by: Duration): Promise<number>
  /** Advances the clock to a time, which must not be in the past. */
  advanceTo(at: Instant): Promise<number>
  /** The current state, for `restore`. */
  state(): ClockState
  /** Restores a state. Runs no jobs. */
  restore(state: ClockState): void
}

const systemClock: Clock = { now: () => Date.now() }

/** Creates a clock that runs with a base clock, by default the system clock. */
export function createWorldClock(jobs: () => DueJobs, base: Clock = systemClock): WorldClock {
  let state: ClockState = { offset: 0 }
  const now = () => ('frozenAt' in state ? state.frozenAt : base.now() + state.offset)
  const runningFrom = (time: number): ClockState => ({ offset: time - base.now() })
  const setTime = (time: number) => {
    state = 'frozenAt' in state ? { frozenAt: time } : runningFrom(time)
  }
  const isFrozen = () => 'frozenAt' in state

  const advanceTo = async (target: number): Promise<number> => {
    if (target < now()) {
      const message = 'is in the past: a clock only advances, use set() to move it back'
      throw new PlatformError('invalid_input', message, { problems: [{ fields: ['at'], message }] })
    }
    const wasFrozen = isFrozen()
    // Frozen, so that each job runs exactly when it becomes due.
    state = { frozenAt: now() }
    try {
      let ran = await jobs().drain()
      for (;;) {
        // Jobs of a world in memory await no input or output, so that nothing else would run during a long advance.
        await yieldToEventLoop()
        const next = await jobs().next({ skipIdle: true })
        if (next === undefined || Date.parse(next) > target) break
        setTime(Math.max(now(), Date.parse(next)))
        const count = await jobs().drain()
        // Another process has run it.
        if (count === 0) break
        ran += count
      }
      setTime(target)
      return ran + (await jobs().drain())
    } finally {
      if (!wasFrozen) state = runningFrom(now())
    }
  }

  let queue: Promise<unknown> = Promise.resolve()
  const enqueue = (work: () => Promise<number>): Promise<number> => {
    const result = queue.then(work)
    queue = result.catch(() => undefined)
    return result
  }

  return {
    now,
    get frozen() {
      return isFrozen()
    },
    freeze(at) {
      state = { frozenAt: at === undefined ? now() : parseInstant(at) }
    },
    set: (at) => setTime(parseInstant(at)),
    resume() {
      state = runningFrom(now())
    },
    async advance(by) {
      const duration = parseDuration(by)
      return enqueue(() => advanceTo(parseInstant(addDuration(now(), duration))))
    },
    async advanceTo(at) {
      const target = parseInstant(at)
      return enqueue(() => advanceTo(target))
    },
    state: () => state,
    restore(saved) {
      state = saved
    },
  }
}
