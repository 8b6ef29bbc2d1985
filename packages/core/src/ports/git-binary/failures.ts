import { notFound, PlatformError } from '../../kernel/errors.ts'

/** A process ended in a way no caller asked for: a defect or a damaged repository. The text is for the log, never for a reader. */
export class GitFailure extends Error {
  override readonly name = 'GitFailure'
  readonly code: number | undefined
  readonly complaint: string

  constructor(command: string, code: number | undefined, complaint: string) {
    super(`${command} ended with ${code ?? 'a signal'}: ${complaint.trim()}`)
    this.code = code
    this.complaint = complaint
  }
}

export const timeLimitReached = (): PlatformError =>
  new PlatformError('unavailable', 'The repository took too long to answer', { reason: 'time_limit', retryAfter: 10 })

export const tooLarge = (thing: string): PlatformError =>
  new PlatformError('unprocessable', `${thing} is too large`, { reason: 'too_large' })

export const isTooLarge = (error: unknown): boolean => error instanceof PlatformError && error.reason === 'too_large'

const isNoRepository = (complaint: string) => complaint.includes('not a git repository')

/** What a process printed as error, as the error to throw. */
export const failureOf = (command: string, code: number | undefined, complaint: string): Error =>
  isNoRepository(complaint) ? notFound('Repository') : new GitFailure(command, code, complaint)

/** Whatever was thrown, as an error. */
export const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))
