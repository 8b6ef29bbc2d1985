import type { Context } from './context.ts'
import { PlatformError } from './errors.ts'

/**
 * Checks the `If-Unmodified-Since` condition of a call. HTTP dates have whole seconds, so the fraction of the second of
 * `updatedAt` is ignored.
 *
 * @throws PlatformError `conflict`, with the reason `modified`, when the row changed after the instant of the condition
 */
export const assertUnmodified = ({ call }: Pick<Context, 'call'>, updatedAt: string): void => {
  if (call.unmodifiedSince === undefined) return
  if (Math.floor(Date.parse(updatedAt) / 1000) * 1000 <= call.unmodifiedSince) return
  throw new PlatformError('conflict', 'The resource was modified since it was read', { reason: 'modified' })
}
