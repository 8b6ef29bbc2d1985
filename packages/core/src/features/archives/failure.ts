import { isPlatformError } from '../../kernel/errors.ts'

/** Characters of a stored error. */
const maxErrorLength = 2_000

/** Whether a later attempt can succeed. */
export const isTemporary = (error: unknown): boolean =>
  isPlatformError(error) && (error.code === 'unavailable' || error.code === 'limited')

/** Messages of platform errors are meant for users; those of unexpected errors may contain internal data. */
export const describeFailure = (error: unknown): string =>
  isPlatformError(error) ? error.message.slice(0, maxErrorLength) : 'An unexpected error occurred'
