import { exitCodes } from './cli-error.ts'
import type { Log } from './log.ts'

const described = (error: unknown) => ({ error: String((error instanceof Error && error.stack) || error) })

/**
 * Logs uncaught errors with their stack. An unhandled rejection affects one request, so the server continues; any other
 * uncaught error ends the process, because its state is undefined.
 */
export const logUncaughtErrors = (log: Log): void => {
  process.on('unhandledRejection', (reason) => log.error(described(reason), 'unhandled rejection'))
  process.on('uncaughtException', (error) => {
    log.error(described(error), 'uncaught exception')
    log.flush()
    process.exit(exitCodes.failure)
  })
}
