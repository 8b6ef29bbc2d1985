import { isPlatformError } from '@forgelet/core'
import type { IncomingRequest } from '../request/incoming-request.ts'
import type { Logger } from './app-options.ts'
import { describeError } from './error-text.ts'

/** Logs in one line why the database or another service was not available to a request. */
export const logUnavailable = (
  { requestId, method }: IncomingRequest,
  error: unknown,
  logger: Logger | undefined,
): void => {
  if (!isPlatformError(error) || error.code !== 'unavailable' || error.cause === undefined) return
  logger?.error({ requestId, method, error: describeError(error) }, 'unavailable')
}
