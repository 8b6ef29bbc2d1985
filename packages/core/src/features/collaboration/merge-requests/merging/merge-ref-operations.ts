import { afterTransaction } from '../../../../kernel/deferred.ts'
import { invalid } from '../../../../kernel/errors.ts'
import { query } from '../../../../kernel/operation.ts'
import { compareBranches } from '../changes/branch-check.ts'
import { readHead } from '../changes/head.ts'
import { updateMergeReference } from '../changes/merge-reference.ts'
import { prepareHead } from '../changes/source-branch.ts'
import { mergeRequest } from '../subject.ts'

/** The result of a merge that has not happened. */
export interface MergeRef {
  /** Hexadecimal SHA of a merge commit of both branches. No branch and no tag contains it. */
  commitId: string
}

const notMergeableError = () => invalid('Merge request is not mergeable')

/** The part of `mergeRequests` that tries merges. */
export const mergeRefOperations = {
  /**
   * Merges the branches of an open merge request into a commit that no branch contains, and moves `refs/merge-requests/:iid/merge`
   * there. The branches do not move.
   *
   * @throws PlatformError `invalid` if the merge request is not open, a branch is missing, there is nothing to merge, or the
   * branches have conflicts
   */
  getMergeRef: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    async run(ctx, _input, subject) {
      const head = await readHead(ctx, subject)
      const { opened } = head
      if (opened === undefined || subject.mergeRequest.state !== 'opened') throw notMergeableError()
      return afterTransaction(async (runner): Promise<MergeRef> => {
        const prepared = await prepareHead(runner, head)
        const current = prepared.opened ?? opened
        const targetTip = (await current.repository.branch(subject.mergeRequest.targetBranch)) ?? null
        const { merge } = await compareBranches(current, [prepared.sourceTip ?? null, targetTip])
        const commitId = merge && (await updateMergeReference(runner, prepared, merge))
        if (commitId === undefined) throw notMergeableError()
        return { commitId }
      })
    },
  }),
}
