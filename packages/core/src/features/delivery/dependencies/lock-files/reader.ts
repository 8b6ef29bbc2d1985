import { createThreadPool, findWorkerFile } from '../../../../ports/worker-threads.ts'
import { type LockFileResult, type LockFileText, parseLockFile } from './formats.ts'
import { LockFileError } from './locked-package.ts'

/** Milliseconds that a thread may work on a file. */
const maxMilliseconds = 10_000

/** Characters of a file where threads cannot be started: it is read in the event loop. */
const maxLengthWithoutThreads = 262_144

/** The platforms of a process share one thread: parsers cannot be interrupted otherwise, and a large file takes them a second. */
const pool = createThreadPool<LockFileText, LockFileResult>({
  findFile: () => findWorkerFile(import.meta.url, './worker.ts', './forgelet-lock-file-worker.js'),
  name: 'forgelet-lock-files',
  workers: 1,
  maxWaiting: 100,
  work: 'lock files',
  createLimitError: () => new LockFileError('takes too long or too much memory to read'),
})

/**
 * Reads a lock file with a limit of time and memory.
 *
 * @throws PlatformError `limited` if too many files wait for a thread
 */
export const readLockFile = async (file: LockFileText): Promise<LockFileResult> => {
  if (!(await pool.areAvailable())) {
    if (file.text.length <= maxLengthWithoutThreads) return parseLockFile(file)
    return { problem: `has more than ${maxLengthWithoutThreads} characters, the maximum without threads` }
  }
  try {
    return await pool.use(async (thread) => {
      thread.send(file)
      return thread.receive(maxMilliseconds)
    })
  } catch (error) {
    if (error instanceof LockFileError) return { problem: error.message }
    throw error
  }
}
