/** A text exceeds the time or the output of its budget. */
export class RenderLimitError extends Error {
  override readonly name = 'RenderLimitError'
}

/** Limits the time and the output of one text, or of several texts together. All steps of rendering check it. */
export interface RenderBudget {
  /**
   * Runs a part of the work. Time between the parts does not count.
   *
   * @throws RenderLimitError when the time or the output is exceeded
   */
  run<T>(work: () => T): T
  /** Called at every step of the work, with the length of its output so far. */
  check(outputLength?: number): void
}

/**
 * Milliseconds of CPU time of this thread, so that other processes on a loaded machine do not change the result. Node.js before
 * 23.9 cannot measure it and uses the elapsed time.
 */
const readClock: () => number =
  typeof process.threadCpuUsage === 'function'
    ? () => {
        const { user, system } = process.threadCpuUsage()
        return (user + system) / 1_000
      }
    : () => performance.now()

/** Steps between two reads of the clock, which cost more than most steps. */
const stepsPerClockRead = 32

/** A budget of `milliseconds` for all parts of the work, and of `maxOutput` characters for the output of each. */
export const createRenderBudget = (milliseconds: number, maxOutput: number): RenderBudget => {
  let remaining = milliseconds
  let deadline = Number.POSITIVE_INFINITY
  let steps = 0
  return {
    run(work) {
      if (remaining <= 0) throw new RenderLimitError()
      deadline = readClock() + remaining
      try {
        return work()
      } finally {
        remaining = deadline - readClock()
      }
    },
    check(outputLength = 0) {
      if (outputLength > maxOutput) throw new RenderLimitError()
      if (++steps % stepsPerClockRead === 0 && readClock() > deadline) throw new RenderLimitError()
    },
  }
}
