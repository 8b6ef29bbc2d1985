import { exitCodes } from './failure.ts'

/** A key press reaches a process twice when whoever started it passes signals on as well. In milliseconds. */
const echo = 100

/**
 * Waits for the first SIGINT or SIGTERM. A second one ends the process at once, with exit code 130.
 *
 * @param atOnce called before the process ends at once
 */
export const shutdownSignal = (atOnce: () => void): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    let first: number | undefined
    const receive = (signal: NodeJS.Signals) => {
      if (first === undefined) {
        first = performance.now()
        resolve(signal)
      } else if (performance.now() - first > echo) {
        atOnce()
        process.exit(exitCodes.stopped)
      }
    }
    process.on('SIGINT', receive)
    process.on('SIGTERM', receive)
  })
