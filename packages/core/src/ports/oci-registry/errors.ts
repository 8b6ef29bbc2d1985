import { PlatformError } from '../../kernel/errors.ts'

/** One error code for every failure of the registry: only the operator can act on the reason. */
export const registryUnavailableError = (
  reason: string,
  { cause, retryAfter }: { cause?: unknown; retryAfter?: number | undefined } = {},
): PlatformError =>
  new PlatformError('unavailable', `The container registry is not available: ${reason}`, {
    reason: 'registry',
    ...(cause !== undefined && { cause }),
    ...(retryAfter !== undefined && { retryAfter }),
  })
