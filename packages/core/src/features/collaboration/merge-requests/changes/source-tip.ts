import { conflict } from '../../../../kernel/errors.ts'
import type { MergeRequestHead } from './head.ts'

/** The tip of the source branch, in hexadecimal; null if it is missing. Without a repository, that of the newest version. */
export const readSourceTip = async ({
  opened,
  source,
  mergeRequest,
  storedVersion,
}: MergeRequestHead): Promise<string | null> =>
  (opened ? await source?.branch(mergeRequest.sourceBranch) : storedVersion?.headCommitSha) ?? null

/** @throws PlatformError `conflict` if a caller expects another tip than the current one */
export const assertSourceTip = (tip: string | null, expected: string | undefined): void => {
  if (expected !== undefined && expected !== tip)
    throw conflict(`SHA does not match HEAD of source branch: ${tip ?? ''}`)
}
