import { fstatSync } from 'node:fs'
import { getErrorCode } from '@forgelet/core/operations'
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

/** Milliseconds between two looks at the parent process: the system reports the end of children only. */
const parentInterval = 250

/** Whether the standard input is a pipe, which ends with the process that holds the other end. */
const hasPipedInput = () => {
  const input = fstatSync(0)
  return input.isFIFO() || input.isSocket()
}

const processExists = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return getErrorCode(error) === 'EPERM'
  }
}

/**
 * Waits for the end of the parent process or, if it is a pipe, of the standard input. The pipe also ends with a process that
 * started this one through others, such as `npx`, which signals do not pass. Keeps no process alive.
 */
export const parentEnd = (): Promise<string> =>
  new Promise((resolve) => {
    const parent = process.ppid
    const check = () => {
      // Another process adopts orphans, except on Windows.
      if (process.ppid !== parent || !processExists(parent)) resolve('the parent process ended')
    }
    setInterval(check, parentInterval).unref()
    if (!hasPipedInput()) return
    const { stdin } = process
    const end = () => resolve('the standard input ended')
    stdin.on('end', end).on('error', end).resume()
    stdin.unref()
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
