import type { MergeCause } from '../../../../contract/push-cause.ts'
import type { Subjects } from '../../../../contract/subjects.ts'
import type { Context } from '../../../../kernel/context.ts'
import { conflict } from '../../../../kernel/errors.ts'
import type { ReferenceUpdate, Repository } from '../../../../ports/git.ts'
import { findPusher, type Pusher, resolvePusher } from '../../../code/repository/branch-writer.ts'
import { selectPendingChanges } from '../../../code/repository/queries.ts'
import { changeReferences, updateAnnounced } from '../../../code/repository/reference-changes.ts'
import type { RepositoryWriter } from '../../../code/repository/repository-lock.ts'
import { openForWriting } from '../../../code/repository/writable-repository.ts'
import type { MergeRequestHead } from '../changes/head.ts'
import { readVersionContent } from '../changes/refresh.ts'
import { fetchSourceTip } from '../changes/source-branch.ts'
import { isFromFork, type MergeRequestRecord } from '../merge-request.ts'
import { canRemoveSourceBranch } from '../source-project.ts'
import { setState } from '../state.ts'
import { notMergeableError } from './merge-errors.ts'
import { assertStillMergeable, type MergeInput, type MergeOptions, readMergeInput } from './merge-input.ts'
import { type MergePlan, planMerge } from './merge-plan.ts'

/** Who merges. */
export interface Merger {
  /** Null: the host, without activity of a user. */
  readonly userId: number | null
  /** The author of the merge commit: the user, or for the host the author of the merge request. */
  readonly identity: Pusher
}

export const findMerger = async (ctx: Context, authorId: number): Promise<Merger> => {
  const pusher = await resolvePusher(ctx)
  return { userId: pusher?.id ?? null, identity: pusher ?? (await findPusher(ctx, authorId)) }
}

/** One merge of a merge request with a repository. */
export interface Merge {
  readonly subject: Subjects['mergeRequest']
  readonly head: MergeRequestHead
  readonly merger: Merger
  readonly options: MergeOptions
  /** The time of the call, ISO 8601. */
  readonly now: string
  /** Checks that belong to the transaction which announces the merge. Default: those of the merge request. */
  readonly assertPossible?: (ctx: Context) => Promise<unknown>
}

interface Tips {
  readonly source: string
  readonly target: string
  /** Their merge base; undefined for unrelated histories. */
  readonly base: string | undefined
}

/** Records a merge without changing the repository, as its author says that it has happened. */
export const recordMerge = async (ctx: Context, { mergeRequest }: Subjects['mergeRequest']): Promise<void> => {
  await setState(ctx, mergeRequest, 'merged')
}

/** The tips of the branches of a merge request. Undefined if a branch is missing. The caller holds the lock of the repository. */
const readTips = async (repository: Repository, head: MergeRequestHead): Promise<Tips | undefined> => {
  const source = await fetchSourceTip(repository, head)
  const target = await repository.branch(head.mergeRequest.targetBranch)
  if (source === undefined || target === undefined) return undefined
  return { source, target, base: await repository.mergeBase([target, source], head.opened?.abortable) }
}

const plan = ({ merger, head, now }: Merge, repository: Repository, tips: Tips, input: MergeInput) =>
  planMerge(
    {
      ...tips,
      ...input,
      repository,
      abortable: head.opened?.abortable ?? {},
      author: { ...toIdentity(input.author), date: now },
      merger: { ...toIdentity(merger.identity), date: now },
    },
    tips.base,
  )

const toIdentity = ({ name, email }: Pusher) => ({ name, email })

const toCause = (
  { id }: Subjects['mergeRequest']['mergeRequest'],
  { mergeCommitSha, squashCommitSha }: MergePlan,
  { closedIssues }: MergeInput,
  source: Pick<MergeCause, 'removesSourceBranch' | 'sourceSha'>,
): MergeCause => ({
  kind: 'merge',
  mergeRequestId: id,
  mergeCommitSha,
  squashCommitSha,
  ...source,
  closedIssues: closedIssues.map(({ projectPath = null, iid }) => ({ projectPath, iid })),
})

/**
 * Merges the branches. The merge request is marked as merged by the reaction to `code.pushed`, in the transaction that records
 * the push, also if this process ends before.
 *
 * @throws PlatformError `conflict` if the state, the branches or `sha` do not permit it, `unprocessable` if git cannot merge
 */
const mergeBranches = async (writer: RepositoryWriter, repository: Repository, merge: Merge, tips: Tips) => {
  const { subject, head, merger, options } = merge
  const { project, mergeRequest } = subject
  const assertPossible = merge.assertPossible ?? ((ctx: Context) => assertStillMergeable(ctx, mergeRequest))
  const { opened } = head
  const current = { ...head, opened: opened && { ...opened, repository }, sourceTip: tips.source }
  const content = await readVersionContent(writer, current)
  const input = await writer.write((ctx) =>
    readMergeInput(ctx, subject, { merger: merger.identity, commits: content?.commits ?? [], options }),
  )
  const planned = await plan(merge, repository, tips, input)
  const removesSourceBranch =
    (options.shouldRemoveSourceBranch ?? mergeRequest.removeSourceBranch) &&
    (await writer.write((ctx) => canRemoveSourceBranch(ctx, subject, merger.userId)))
  const source = `refs/heads/${mergeRequest.sourceBranch}`
  const updates: readonly ReferenceUpdate[] = [
    { name: `refs/heads/${mergeRequest.targetBranch}`, from: tips.target, to: planned.tip },
    ...(removesSourceBranch && !isFromFork(mergeRequest) ? [{ name: source, from: tips.source, to: undefined }] : []),
  ]
  await changeReferences(writer, repository, project.id, {
    userId: merger.userId,
    cause: toCause(mergeRequest, planned, input, { removesSourceBranch, sourceSha: tips.source }),
    apply: updateAnnounced(repository, updates, assertPossible),
  })
}

/**
 * The lock of the target repository does not exclude pushes to a fork. Approvals of earlier commits count until a push is recorded.
 *
 * @throws PlatformError `conflict` if a push has moved the source branch, and is not recorded yet
 */
const assertPushRecorded = async (ctx: Context, { sourceProjectId, sourceBranch }: MergeRequestRecord) => {
  if (sourceProjectId === null) return
  const pending = await selectPendingChanges(ctx, sourceProjectId).select('moves').execute()
  if (pending.some(({ moves }) => moves.some(({ ref }) => ref === `refs/heads/${sourceBranch}`)))
    throw notMergeableError('The source branch is being pushed to')
}

/** Merges a merge request of a project with a repository. The caller holds its lock. */
export const mergeInRepository = async (writer: RepositoryWriter, merge: Merge): Promise<void> => {
  const { subject, head, merger, options } = merge
  await writer.write((ctx) => assertStillMergeable(ctx, subject.mergeRequest))
  const repository = await openForWriting(writer, subject.project.id)
  const tips = repository && (await readTips(repository, head))
  if (isFromFork(subject.mergeRequest)) await writer.write((ctx) => assertPushRecorded(ctx, subject.mergeRequest))
  if (options.sha !== undefined && options.sha !== tips?.source)
    throw conflict(`SHA does not match HEAD of source branch: ${tips?.source ?? ''}`)
  if (repository !== undefined && tips !== undefined && tips.base !== tips.source) {
    await mergeBranches(writer, repository, merge, tips)
    return
  }
  // The host records merges of the past; their branches were removed or already contain the changes.
  if (merger.userId !== null) throw notMergeableError('The source branch is missing or has no new commits')
  await writer.write((ctx) => recordMerge(ctx, subject))
}
