import type { TransactionRunner } from '../../../../kernel/deferred.ts'
import { isWriteRejection, notFound } from '../../../../kernel/errors.ts'
import type { OpenedRepository } from '../../../code/repository/opened-repository.ts'
import { toComparison } from '../../../code/repository/repository.ts'
import { refreshCodeOwners } from '../../approval-rules/code-owners.ts'
import { refreshCheck } from './branch-check.ts'
import type { MergeRequestHead } from './head.ts'
import { storeVersion } from './queries.ts'
import { type PreparedHead, prepareHead } from './source-branch.ts'
import type { MergeRequestVersion } from './version.ts'

interface CommitRange {
  readonly baseSha: string
  readonly startSha: string
  readonly headSha: string
}

/** The current commits. Undefined if a branch is missing or the branches have no common ancestor. */
const readCommitRange = async (
  { repository, abortable }: OpenedRepository,
  targetBranch: string,
  headSha: string | undefined,
): Promise<CommitRange | undefined> => {
  const startSha = await repository.branch(targetBranch)
  if (startSha === undefined || headSha === undefined) return undefined
  const baseSha = await repository.mergeBase([startSha, headSha], abortable)
  return baseSha === undefined ? undefined : { baseSha, startSha, headSha }
}

/**
 * The range of new commits that the target branch already contains. Uses the stored tip of the target branch, because the
 * range from the current tip is empty.
 */
const readRangeBeforeMerge = async (
  { repository, abortable }: OpenedRepository,
  { headSha }: CommitRange,
  { startCommitSha, headCommitSha }: MergeRequestVersion,
) => {
  if (headSha === headCommitSha) return undefined
  const baseSha = await repository.mergeBase([startCommitSha, headSha], abortable)
  return baseSha === undefined || baseSha === headSha ? undefined : { baseSha, startSha: startCommitSha, headSha }
}

/** The current range if it differs from the stored version. Versions of closed and merged merge requests do not change. */
const findChangedRange = async (head: PreparedHead) => {
  const { mergeRequest, opened, storedVersion } = head
  if (opened === undefined || (storedVersion !== undefined && mergeRequest.state !== 'opened')) return undefined
  const range = await readCommitRange(opened, mergeRequest.targetBranch, head.sourceTip)
  if (range === undefined) return undefined
  const { baseSha, headSha } = range
  if (baseSha === headSha && storedVersion !== undefined) return readRangeBeforeMerge(opened, range, storedVersion)
  return storedVersion?.baseCommitSha === baseSha && storedVersion.headCommitSha === headSha ? undefined : range
}

/** The commits (oldest first) and diffs of a version. */
export const compareVersion = async (
  { repository, projectPath, maximumPatchBytes, abortable }: OpenedRepository,
  { baseCommitSha: from, headCommitSha: to }: Pick<MergeRequestVersion, 'baseCommitSha' | 'headCommitSha'>,
) =>
  toComparison(await repository.compare({ from, to, maximumPatchBytes, ...abortable }), projectPath, {
    from,
    to,
    base: from,
  })

/** A version that is not stored yet, with the ids of its commits. */
export interface NewVersion {
  readonly range: Omit<MergeRequestVersion, 'id' | 'mergeRequestId' | 'createdAt'>
  readonly shas: readonly string[]
}

const describeVersion = async (
  opened: OpenedRepository,
  { baseSha: baseCommitSha, startSha: startCommitSha, headSha: headCommitSha }: CommitRange,
): Promise<NewVersion> => {
  const { commits, diffs, compareTimeout } = await compareVersion(opened, { baseCommitSha, headCommitSha })
  const changesCount = `${diffs.length}${compareTimeout ? '+' : ''}`
  return { range: { baseCommitSha, startCommitSha, headCommitSha, changesCount }, shas: commits.map(({ id }) => id) }
}

/** The first version of a merge request that is being created. Undefined if the target branch is missing. */
export const readFirstVersion = async (
  opened: OpenedRepository,
  targetBranch: string,
  headSha: string,
): Promise<NewVersion | undefined> => {
  const range = await readCommitRange(opened, targetBranch, headSha)
  return range && describeVersion(opened, range)
}

/** The version for the current branches, which is stored with its commits if it is new. Undefined if a branch is missing. */
export async function refreshVersion(
  { write }: Pick<TransactionRunner, 'write'>,
  head: PreparedHead,
): Promise<MergeRequestVersion | undefined> {
  const { opened, storedVersion, mergeRequest } = head
  const changed = await findChangedRange(head)
  if (changed === undefined || opened === undefined) return storedVersion
  const { range, shas } = await describeVersion(opened, changed)
  try {
    return await write((ctx) => storeVersion(ctx, mergeRequest.id, range, shas))
  } catch (error) {
    // Reads continue while writes are rejected.
    if (isWriteRejection(error)) return storedVersion
    throw error
  }
}

/** Stores the version and the comparison of the current branches, and the rules of code owners. Returns whether one of them is new. */
export const refresh = async (runner: Pick<TransactionRunner, 'write'>, head: MergeRequestHead): Promise<boolean> => {
  const { storedVersion } = head
  if (head.opened === undefined) return false
  const prepared = await prepareHead(runner, head)
  const version = await refreshVersion(runner, prepared)
  const isCompared = await refreshCheck(runner, prepared)
  const isChanged = isCompared || version !== storedVersion
  if (isChanged && version) await refreshCodeOwners(runner, prepared, version)
  return isChanged
}

/** The current version with its commits and diffs. Undefined if a branch is missing. */
export const readContent = async (runner: Pick<TransactionRunner, 'write'>, head: MergeRequestHead) =>
  readVersionContent(runner, await prepareHead(runner, head))

/** The same after the source branch was read, also for callers that hold the lock of the repository. */
export async function readVersionContent(runner: Pick<TransactionRunner, 'write'>, head: PreparedHead) {
  const version = await refreshVersion(runner, head)
  if (version === undefined || head.opened === undefined) return undefined
  return { version, ...(await compareVersion(head.opened, version)) }
}

export const requireFound = <T>(value: T | undefined): T => {
  if (value === undefined) throw notFound('')
  return value
}
