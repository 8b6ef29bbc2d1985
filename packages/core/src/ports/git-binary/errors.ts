import { notFound, PlatformError } from '../../kernel/errors.ts'

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
  stderr.includes('not a git repository') ? notFound('Repository') : new GitProcessError(command, code, stderr)

export const toError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))
