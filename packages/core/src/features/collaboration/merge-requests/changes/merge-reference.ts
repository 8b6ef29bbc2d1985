import type { TransactionRunner } from '../../../../kernel/deferred.ts'
import type { Repository, Signature } from '../../../../ports/git.ts'
import { findPusher } from '../../../code/repository/branch-writer.ts'
import { getMergeReference, setMergeRequestReference } from '../../../code/repository/merge-request-references.ts'
import { openForHeads, type PreparedHead } from './source-branch.ts'

/** The branches of a merge that is possible, and the tree of its result. */
export interface PossibleMerge {
  readonly source: string
  readonly target: string
  readonly tree: string
}

/** Equal branches give the same commit: its times are those of the newer branch. */
const writeMergedCommit = async (
  repository: Repository,
  { sourceBranch, targetBranch }: PreparedHead['mergeRequest'],
  { source, target, tree }: PossibleMerge,
  { name, email }: Omit<Signature, 'date'>,
): Promise<string> => {
  const commits = await Promise.all([source, target].map((id) => repository.commit(id)))
  const [date = ''] = commits
    .map((commit) => commit?.committedAt ?? '')
    .toSorted((a, b) => Date.parse(b) - Date.parse(a))
  const message = `Merge branch '${sourceBranch}' into '${targetBranch}'`
  return repository.writeCommit({ tree, parents: [target, source], message, author: { name, email, date } })
}

/**
 * Moves the merge reference of a merge request to a commit of both branches, or removes it if no merge is possible. Returns the
 * commit.
 */
export const updateMergeReference = async (
  runner: Pick<TransactionRunner, 'write'>,
  head: PreparedHead,
  merge: PossibleMerge | undefined,
): Promise<string | undefined> => {
  const { mergeRequest } = head
  const name = getMergeReference(mergeRequest.iid)
  if (merge === undefined && (await head.opened?.repository.reference(name)) === undefined) return undefined
  const repository = await openForHeads(runner, head)
  if (repository === undefined) return undefined
  const author = merge && (await runner.write((ctx) => findPusher(ctx, mergeRequest.authorId)))
  const commit = merge && author && (await writeMergedCommit(repository, mergeRequest, merge, author))
  await setMergeRequestReference(repository, name, commit)
  return commit
}
