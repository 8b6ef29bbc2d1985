import { exitCodes } from './cli-error.ts'
import type { Log } from './log.ts'

/** Ctrl-C reaches a process twice if its parent forwards signals as well. In milliseconds. */
const duplicateInterval = 100

/**
 * Waits for the first SIGINT or SIGTERM. A second one ends the process immediately, with exit code 130.
 *
 * @param beforeExit called before the process ends immediately
 */
export const shutdownSignal = (beforeExit: () => void): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    let firstAt: number | undefined
    const receive = (signal: NodeJS.Signals) => {
      if (firstAt === undefined) {
        firstAt = performance.now()
        resolve(signal)
      } else if (performance.now() - firstAt > duplicateInterval) {
        beforeExit()
        process.exit(exitCodes.interrupted)
      }
    }
    process.on('SIGINT', receive)
    process.on('SIGTERM', receive)
  })

/** Milliseconds from the request to stop, plus the drain delay, in which the process ends in any case. */
export const shutdownTimeout = 10_000

/**
 * Ends the process when the shutdown takes too long, for example because a database does not respond. Interrupted jobs are
 * repeated after the restart.
 *
 * @param timeout milliseconds
 */
export const limitShutdown = (timeout: number, log: Log): void => {
  const end = () => {
    log.error({ milliseconds: timeout }, 'the shutdown did not complete in time')
    log.flush()
    process.exit(exitCodes.failure)
  }
  setTimeout(end, timeout).unref()
}
