import { PlatformError } from '../../kernel/errors.ts'

/**
 * A repository that is missing on disk, or that has missing or unreadable objects or references. An operator has to repair it,
 * so the message is for logs.
 */
export class DamagedRepositoryError extends Error {
  override readonly name = 'DamagedRepositoryError'

  constructor(problem: string) {
    super(`A repository is missing or damaged. Check it with git fsck, or restore it from a backup: ${problem}`)
  }
}

/** An unexpected exit of a process: a defect or a damaged repository. The message is for logs, not for users. */
export class GitProcessError extends Error {
  override readonly name = 'GitProcessError'
  readonly code: number | undefined
  readonly stderr: string

  constructor(command: string, code: number | undefined, stderr: string) {
    super(`${command} ended with ${code === undefined ? 'a signal' : `exit code ${code}`}: ${stderr.trim()}`)
    this.code = code
    this.stderr = stderr
  }
}

export const timeLimitError = (): PlatformError =>
  new PlatformError('unavailable', 'The git operation exceeded its time limit', {
    reason: 'time_limit',
    retryAfter: 10,
  })

export const tooLargeError = (subject: string): PlatformError =>
  new PlatformError('unprocessable', `${subject} is too large`, { reason: 'too_large' })

export const isTooLargeError = (error: unknown): boolean =>
  error instanceof PlatformError && error.reason === 'too_large'

export const createProcessError = (command: string, code: number | undefined, stderr: string): Error =>
  stderr.includes('not a git repository')
    ? new DamagedRepositoryError(stderr.trim())
    : new GitProcessError(command, code, stderr)
