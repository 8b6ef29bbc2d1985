import type { TransactionRunner } from '../../../../kernel/deferred.ts'
import { isWriteRejection } from '../../../../kernel/errors.ts'
import type { Repository } from '../../../../ports/git.ts'
import { getHeadReference, setMergeRequestReference } from '../../../code/repository/merge-request-references.ts'
import { changeRepository, openForWriting } from '../../../code/repository/writable-repository.ts'
import { isFromFork } from '../merge-request.ts'
import type { MergeRequestHead } from './head.ts'

/** A merge request whose source commit is available in the repository of its project. */
export interface PreparedHead extends MergeRequestHead {
  /** The tip of the source branch; undefined if the branch, its project or the repository is missing. */
  readonly sourceTip: string | undefined
}

type Source = Pick<MergeRequestHead, 'mergeRequest' | 'source'>

/**
 * The tip of the source branch of an open merge request. Moves the head of the merge request there, after the commits of a fork
 * were copied to `repository`, the one of the target project.
 */
export const fetchSourceTip = async (
  repository: Repository,
  { mergeRequest, source }: Source,
): Promise<string | undefined> => {
  const isFork = isFromFork(mergeRequest)
  const tip = await (isFork ? source : repository)?.branch(mergeRequest.sourceBranch)
  if (tip === undefined) return undefined
  const name = getHeadReference(mergeRequest.iid)
  if ((await repository.reference(name)) === tip) return tip
  if (isFork && source !== undefined) await repository.fetchObjects({ from: source.directory, commit: tip })
  await setMergeRequestReference(repository, name, tip)
  return tip
}

/**
 * Opens the repository of the target project for references of merge requests. They need no lock, because only the platform moves
 * them, each to the same value; a repository shared with other databases is copied first.
 */
export const openForHeads = async (
  { write }: Pick<TransactionRunner, 'write'>,
  { ports, isShared, mergeRequest: { projectId }, opened }: MergeRequestHead,
): Promise<Repository | undefined> =>
  isShared
    ? changeRepository({ ports, write }, projectId, (writer) => openForWriting(writer, projectId))
    : opened?.repository

/** Reads the source branch, and copies its commits to the repository of the target project if they are not there yet. */
export const prepareHead = async (
  runner: Pick<TransactionRunner, 'write'>,
  head: MergeRequestHead,
): Promise<PreparedHead> => {
  const { mergeRequest, opened, source } = head
  const sourceTip = await source?.branch(mergeRequest.sourceBranch)
  if (opened === undefined || sourceTip === undefined) return { ...head, sourceTip: undefined }
  const known = await opened.repository.reference(getHeadReference(mergeRequest.iid))
  // The commits of closed and merged merge requests do not change.
  if (known !== undefined && (known === sourceTip || mergeRequest.state !== 'opened'))
    return { ...head, sourceTip: known }
  try {
    const repository = (await openForHeads(runner, head)) ?? opened.repository
    const current = { ...head, opened: { ...opened, repository }, isShared: false }
    return { ...current, sourceTip: await fetchSourceTip(repository, head) }
  } catch (error) {
    // Reads continue while writes are rejected.
    if (!isWriteRejection(error)) throw error
    return { ...head, sourceTip: isFromFork(mergeRequest) ? known : sourceTip }
  }
}
