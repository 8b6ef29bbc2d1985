import type { Subjects } from '../../../../contract/subjects.ts'
import { getUserId } from '../../../../kernel/actor.ts'
import type { Context } from '../../../../kernel/context.ts'
import type { TransactionRunner } from '../../../../kernel/deferred.ts'
import { startAutoMerge } from '../auto-merge.ts'
import type { MergeRequestHead } from '../changes/head.ts'
import { refresh } from '../changes/refresh.ts'
import { assertSourceTip, readSourceTip } from '../changes/source-tip.ts'
import { isTooEarly } from '../merge-request.ts'
import { assertStillMergeable, type MergeOptions } from './merge-input.ts'

type MergeRequest = Subjects['mergeRequest']['mergeRequest']

/** Binds the merge to its caller, to the target branch and to the commit that the current user has seen. */
export const storeAutoMerge = async (
  ctx: Context,
  mergeRequest: MergeRequest,
  { mergeCommitMessage, squashCommitMessage, squash, shouldRemoveSourceBranch }: MergeOptions,
  sha: string | null,
): Promise<void> => {
  const { projectId, iid, targetBranch } = mergeRequest
  await startAutoMerge(ctx, mergeRequest, {
    userId: getUserId(ctx.actor) || null,
    targetBranch,
    sha,
    ...{ mergeCommitMessage, squashCommitMessage, squash, shouldRemoveSourceBranch },
  })
  // Without a pipeline, only the time is awaited.
  if (isTooEarly(mergeRequest, ctx.now)) await ctx.enqueue('mergeRequests.mergeAfterPipeline', { projectId, iid, sha })
}

/**
 * Sets a merge request of a project with a repository to merge when its pipeline succeeds. Returns false, and sets nothing, if the
 * pipeline has succeeded already.
 *
 * @throws PlatformError `conflict` if `sha` is not the tip of the source branch, or the merge is no longer possible
 */
export const waitForPipeline = async (
  { write }: TransactionRunner,
  mergeRequest: MergeRequest,
  { head, options }: { readonly head: MergeRequestHead; readonly options: MergeOptions },
): Promise<boolean> => {
  // The pipeline that counts is that of the newest stored version.
  await refresh({ write }, head)
  const tip = await readSourceTip(head)
  assertSourceTip(tip, options.sha)
  return write(async (ctx) => {
    const { mustWait } = await assertStillMergeable(ctx, mergeRequest, { waits: true })
    if (mustWait) await storeAutoMerge(ctx, mergeRequest, options, tip)
    return mustWait
  })
}
