import { type Clock, PlatformError } from '@forgelet/core'
import { after, type Duration, type Instant, instantOf } from './duration.ts'

/** The jobs of a platform, as the clock needs them. */
export interface JobRunner {
  drain(): Promise<number>
  next(): Promise<string | undefined>
}

/** How a clock stands: at an instant, or so many milliseconds away from the machine's. */
export type ClockState = { readonly frozenAt: number } | { readonly offset: number }

/** The clock of one world. Everything in it follows: timestamps, expiry, retention, limits, jobs. Nothing else does. */
export interface WorldClock extends Clock {
  /** Whether it stands still. */
  readonly frozen: boolean
  /** Stops it, here or at an instant. Runs no job. */
  freeze(at?: Instant): void
  /** Moves it, also back, without running a job; it goes on or stands as before. */
  set(at: Instant): void
  /** Lets it go on from where it stands. */
  resume(): void
  /**
   * Moves it on and runs every job that falls due on the way, each at its own time and in that order: what a day later is
   * gone, is gone when this resolves.
   *
   * @returns how many jobs ran
   */
  advance(by: Duration): Promise<number>
  /** The same, up to an instant, which must not lie behind. */
  advanceTo(at: Instant): Promise<number>
  /** How it stands, for `restore`. */
  state(): ClockState
  /** Stands as it stood then. Runs no job. */
  restore(state: ClockState): void
}

const machineClock: Clock = { now: () => Date.now() }

/** A clock that starts with another one, the machine's as a rule. `jobs` are asked for when it advances. */
export function worldClock(jobs: () => JobRunner, base: Clock = machineClock): WorldClock {
  let state: ClockState = { offset: 0 }
  const now = () => ('frozenAt' in state ? state.frozenAt : base.now() + state.offset)
  const going = (from: number): ClockState => ({ offset: from - base.now() })
  const move = (to: number) => {
    state = 'frozenAt' in state ? { frozenAt: to } : going(to)
  }
  const isFrozen = () => 'frozenAt' in state

  const travel = async (target: number): Promise<number> => {
    if (target < now()) {
      const message = 'lies behind: a clock advances forward only, set() moves it back'
      throw new PlatformError('invalid_input', message, { problems: [{ fields: ['at'], message }] })
    }
    const wasFrozen = isFrozen()
    // Stands still on the way, so that each job runs exactly when it falls due.
    state = { frozenAt: now() }
    try {
      let ran = await jobs().drain()
      for (;;) {
        const next = await jobs().next()
        if (next === undefined || Date.parse(next) > target) break
        move(Math.max(now(), Date.parse(next)))
        const count = await jobs().drain()
        // Somebody else has taken it.
        if (count === 0) break
        ran += count
      }
      move(target)
      return ran + (await jobs().drain())
    } finally {
      if (!wasFrozen) state = going(now())
    }
  }

  let last: Promise<unknown> = Promise.resolve()
  const inTurn = (work: () => Promise<number>): Promise<number> => {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }

  return {
    now,
    get frozen() {
      return isFrozen()
    },
    freeze(at) {
      state = { frozenAt: at === undefined ? now() : instantOf(at) }
    },
    set: (at) => move(instantOf(at)),
    resume() {
      state = going(now())
    },
    advance: (by) => inTurn(() => travel(after(now(), by))),
    advanceTo: (at) => inTurn(() => travel(instantOf(at))),
    state: () => state,
    restore(known) {
      state = known
    },
  }
}
