import { exitCodes } from './cli-error.ts'

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
