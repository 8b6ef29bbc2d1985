import { PlatformError } from '../../kernel/errors.ts'

/** The registry is there for the platform, or it is not: a caller can do nothing about the reason, the operator reads it. */
export const unavailable = (
  why: string,
  { cause, retryAfter }: { cause?: unknown; retryAfter?: number | undefined } = {},
): PlatformError =>
  new PlatformError('unavailable', `The container registry is not available: ${why}`, {
    reason: 'registry',
    ...(cause !== undefined && { cause }),
    ...(retryAfter !== undefined && { retryAfter }),
  })
