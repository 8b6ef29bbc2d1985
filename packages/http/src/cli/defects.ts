import { exitCodes } from './failure.ts'
import type { Log } from './log.ts'

const described = (error: unknown) => ({ error: String((error instanceof Error && error.stack) || error) })

/**
 * What becomes of errors that nobody caught: each is a defect and goes to the log with its stack. A promise that failed
 * belongs to one caller and the others are served on; after any other error nothing is sure any more, and the process ends.
 */
export const logDefects = (log: Log): void => {
  process.on('unhandledRejection', (reason) => log.error(described(reason), 'a promise failed unseen'))
  process.on('uncaughtException', (error) => {
    log.error(described(error), 'an error was not caught')
    log.flush()
    process.exit(exitCodes.failed)
  })
}
