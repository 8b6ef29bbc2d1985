import { PlatformError } from '../../../../kernel/errors.ts'

/** The state of the merge request does not permit a merge. */
export const notMergeableError = (message: string): PlatformError =>
  new PlatformError('conflict', message, { reason: 'not_mergeable' })

/** Git cannot merge the branches. */
export const branchNotMergeableError = (): PlatformError =>
  new PlatformError('unprocessable', 'Branch cannot be merged', { reason: 'not_mergeable' })
