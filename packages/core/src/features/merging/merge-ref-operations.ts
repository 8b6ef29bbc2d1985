import { afterTransaction } from '../../kernel/deferred.ts'
import { invalid, isPlatformError } from '../../kernel/errors.ts'
import { query } from '../../kernel/operation.ts'
import type { MergeRequestRecord } from '../merge-requests/merge-request.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import { findPusher, type Pusher } from '../repository/branch-writer.ts'
import { type OpenedRepository, openRepository } from '../repository/opened-repository.ts'
import { readTips } from './merge.ts'
import { planMerge } from './merge-plan.ts'

/** The result of a merge that has not happened. */
export interface MergeRef {
  /** Hexadecimal SHA of a merge commit of both branches. No branch and no tag contains it. */
  commitId: string
}

const notMergeableError = () => invalid('Merge request is not mergeable')

/** Equal branches give the same commit: its times are those of the newer branch. */
const writeMergedCommit = async (
  { repository, abortable }: OpenedRepository,
  record: MergeRequestRecord,
  { name, email }: Pusher,
): Promise<string> => {
  const tips = await readTips(repository, record, abortable)
  if (tips === undefined || tips.base === tips.source) throw notMergeableError()
  const commits = await Promise.all([tips.source, tips.target].map((id) => repository.commit(id)))
  const [date = ''] = commits
    .map((commit) => commit?.committedAt ?? '')
    .toSorted((a, b) => Date.parse(b) - Date.parse(a))
  const author = { name, email, date }
  const mergeMessage = `Merge branch '${record.sourceBranch}' into '${record.targetBranch}'`
  const messages = { mergeMessage, squashMessage: '' }
  const choices = { method: 'merge', isSquashed: false } as const
  const input = { ...choices, ...messages, repository, abortable, ...tips, author, merger: author }
  return (await planMerge(input, tips.base)).tip
}

/** The part of `mergeRequests` that tries merges. */
export const mergeRefOperations = {
  /**
   * Merges the branches of an open merge request into a commit that no branch contains. The branches do not move.
   *
   * @throws PlatformError `invalid` if the merge request is not open, a branch is missing, there is nothing to merge, or the
   * branches have conflicts
   */
  mergeRef: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    async run(ctx, _input, subject) {
      const opened = await openRepository(ctx, subject)
      if (opened === undefined || subject.mergeRequest.state !== 'opened') throw notMergeableError()
      const author = await findPusher(ctx, subject.mergeRequest.authorId)
      return afterTransaction(async (): Promise<MergeRef> => {
        try {
          return { commitId: await writeMergedCommit(opened, subject.mergeRequest, author) }
        } catch (error) {
          // Conflicts, and histories without a common ancestor.
          if (isPlatformError(error) && error.code === 'unprocessable') throw notMergeableError()
          throw error
        }
      })
    },
  }),
}
