import type { Call } from './call.ts'
import { invalid, PlatformError } from './errors.ts'

/** The condition of a removal, `If-Unmodified-Since`, in one transaction. */
export interface Precondition {
  /** Milliseconds since 1970. */
  readonly unmodifiedSince: number
  /** Whether the operation compares the condition with the time of a change. */
  isTested: boolean
}

interface Conditional {
  readonly precondition: Precondition | undefined
}

/** Undefined for a call without a condition. */
export const createPrecondition = ({ unmodifiedSince }: Call): Precondition | undefined =>
  unmodifiedSince === undefined ? undefined : { unmodifiedSince, isTested: false }

/**
 * For operations that learn the time of the change after their transaction: the check to call before anything is removed, with
 * that time; undefined without a condition. HTTP dates have whole seconds, so the fraction of the second is ignored.
 */
export const takePrecondition = ({ precondition }: Conditional): ((changedAt: string) => void) | undefined => {
  if (precondition === undefined) return undefined
  precondition.isTested = true
  return (changedAt) => {
    if (Math.floor(Date.parse(changedAt) / 1000) * 1000 <= precondition.unmodifiedSince) return
    throw new PlatformError('conflict', 'The resource was modified since it was read', { reason: 'modified' })
  }
}

/** @throws PlatformError `conflict`, with the reason `modified`, if the object changed after the time of the condition */
export const assertUnmodified = (ctx: Conditional, changedAt: string): void => takePrecondition(ctx)?.(changedAt)

/**
 * An ignored condition would remove what the caller wants to keep.
 *
 * @throws PlatformError `invalid` if the operation did not test the condition of the call
 */
export const assertTested = ({ precondition }: Conditional): void => {
  if (precondition && !precondition.isTested)
    throw invalid('If-Unmodified-Since is not supported here, because the time of the last change is not known')
}
