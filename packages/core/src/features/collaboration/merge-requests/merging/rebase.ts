import type { Subjects } from '../../../../contract/subjects.ts'
import type { Commit, Repository, Signature } from '../../../../ports/git.ts'
import { changeReferences, updateAnnounced } from '../../../code/repository/reference-changes.ts'
import type { RepositoryWriter } from '../../../code/repository/repository-lock.ts'
import { openForWriting } from '../../../code/repository/writable-repository.ts'
import type { MergeRequestHead } from '../changes/head.ts'
import { isFromFork } from '../merge-request.ts'
import type { Merger } from './merge.ts'

/** The user rebases again after resolving the conflicts. */
const conflictMessage = 'Rebase failed: Rebase locally, resolve all conflicts, then push the branch.'

/** Applies the changes of a commit to another one. Undefined for a conflict; the same id if nothing changes. */
const replay = async (
  repository: Repository,
  onto: string,
  commit: Commit,
  committer: Signature,
): Promise<string | undefined> => {
  const [base] = commit.parents
  const { tree, conflicts } = await repository.mergeTrees({
    ours: onto,
    theirs: commit.id,
    ...(base !== undefined && { base }),
  })
  if (conflicts.length > 0) return undefined
  if ((await repository.commit(onto))?.tree === tree) return onto
  const author = { ...commit.author, date: commit.authoredAt }
  return repository.writeCommit({ tree, parents: [onto], message: commit.message, author, committer })
}

/** The new tip, with the commits of the source branch after those of the target branch. Merge commits are left out. */
const rebaseCommits = async (
  repository: Repository,
  { source, target }: { readonly source: string; readonly target: string },
  committer: Signature,
): Promise<string | undefined> => {
  const { commits } = await repository.compare({ from: target, to: source })
  let tip: string | undefined = target
  for (const commit of commits) {
    if (commit.parents.length > 1) continue
    if (tip !== undefined) tip = await replay(repository, tip, commit, committer)
  }
  return tip
}

interface Rebase {
  readonly subject: Subjects['mergeRequest']
  readonly sourceProjectId: number
  readonly head: MergeRequestHead
  readonly rebaser: Merger
  readonly skipCi: boolean
  /** The time of the call, ISO 8601. */
  readonly now: string
}

/**
 * Moves the source branch to the rebased commits. Returns the reason of a failure. The caller holds the lock of the repository with
 * the source branch, to which the commits of the target branch are copied if it is that of a fork.
 */
export const rebaseInRepository = async (
  writer: RepositoryWriter,
  { subject, sourceProjectId, head, rebaser, skipCi, now }: Rebase,
): Promise<string | null> => {
  const { sourceBranch, targetBranch } = subject.mergeRequest
  const isFork = isFromFork(subject.mergeRequest)
  const repository = await openForWriting(writer, sourceProjectId)
  const targetRepository = isFork ? head.opened?.repository : repository
  const [source, target] = await Promise.all([repository?.branch(sourceBranch), targetRepository?.branch(targetBranch)])
  if (repository === undefined || source === undefined || target === undefined)
    return 'Rebase failed: the source or target branch is missing.'
  if (isFork && targetRepository !== undefined)
    await repository.fetchObjects({ from: targetRepository.directory, commit: target })
  const base = await repository.mergeBase([target, source], head.opened?.abortable)
  if (base === target) return null
  const { name, email } = rebaser.identity
  const tip =
    base === undefined ? undefined : await rebaseCommits(repository, { source, target }, { name, email, date: now })
  if (tip === undefined) return conflictMessage
  const updates = [{ name: `refs/heads/${sourceBranch}`, from: source, to: tip }]
  await changeReferences(writer, repository, sourceProjectId, {
    userId: rebaser.userId,
    pushOptions: skipCi ? ['ci.skip'] : [],
    apply: updateAnnounced(repository, updates),
  })
  return null
}
