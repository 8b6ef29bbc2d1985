import { isPlatformError, PlatformError } from '../../../kernel/errors.ts'
import type { JobContext } from '../../../kernel/jobs/job.ts'

/** Characters of a stored error. */
const maxErrorLength = 2_000

/** Whether a later attempt can succeed. */
export const isTemporary = (error: unknown): boolean =>
  isPlatformError(error) && (error.code === 'unavailable' || error.code === 'limited')

/** Messages of platform errors are meant for users; those of unexpected errors may contain internal data. */
export const describeFailure = (error: unknown): string =>
  isPlatformError(error) ? error.message.slice(0, maxErrorLength) : 'An unexpected error occurred'

/**
 * Fails the last attempt before it begins: it would report nothing if it ended its process, as the others may have done.
 *
 * @throws PlatformError `unavailable` in the last attempt
 */
export const assertAttemptsRemain = ({ isLastAttempt }: JobContext): void => {
  if (isLastAttempt) throw new PlatformError('unavailable', 'Several attempts failed or were interrupted')
}
