import { findPastActor } from '../../../../access/authenticate.ts'
import { findProject } from '../../../../access/projects.ts'
import type { MergeCause } from '../../../../contract/push-cause.ts'
import type { Signals } from '../../../../contract/signals.ts'
import type { Context } from '../../../../kernel/context.ts'
import { defineReaction, type Reaction } from '../../../../kernel/reaction.ts'
import { defined } from '../../../../shared/defined.ts'
import { findStorageKey } from '../../../code/repository/queries.ts'
import { abortAutoMerge, findAutoMerge, selectWaiting } from '../auto-merge.ts'
import { loadHeadPipelines } from '../head-pipelines.ts'
import { isFromFork, type MergeRequestRecord } from '../merge-request.ts'
import { mergeRequestColumns } from '../queries.ts'
import { setState } from '../state.ts'
import { closeIssues } from './close-issues.ts'

type Push = Signals['code.pushed']

const findOpen = (ctx: Context, id: number): Promise<MergeRequestRecord | undefined> =>
  ctx.db
    .selectFrom('mergeRequest')
    .where('id', '=', id)
    .where('state', '=', 'opened')
    .select(mergeRequestColumns)
    .executeTakeFirst()

/** Issues of other projects are closed by a job, because this transaction can exclude only commands of this project. */
const closeMergedIssues = async (
  ctx: Context,
  { projectId, userId }: Push,
  { closedIssues }: MergeCause,
  iid: number,
) => {
  const project = defined(await findProject(ctx, projectId))
  const { fullPath: ownPath } = project
  const source = { kind: 'mergeRequest', projectId, value: String(iid) } as const
  const isOwn = ({ projectPath }: MergeCause['closedIssues'][number]) => (projectPath ?? ownPath) === ownPath
  await closeIssues(
    ctx,
    closedIssues.filter(isOwn).map((issue) => ({ projectPath: ownPath, iid: issue.iid })),
    { source, project },
  )
  const foreign = closedIssues.flatMap((issue) =>
    issue.projectPath === null || isOwn(issue) ? [] : [{ projectPath: issue.projectPath, iid: issue.iid }],
  )
  if (foreign.length > 0) await ctx.enqueue('mergeRequests.closeIssues', { userId, source, issues: foreign })
}

/** Marks the merge request as merged by the user who has announced the merge. */
const completeMerge = async (ctx: Context, pushed: Push, cause: MergeCause): Promise<void> => {
  const { push, userId } = pushed
  const record = await findOpen(ctx, cause.mergeRequestId)
  if (record === undefined || push.ref !== record.targetBranch || push.commitTo === null) return
  const { mergeCommitSha, squashCommitSha, removesSourceBranch } = cause
  await ctx.db
    .updateTable('mergeRequest')
    .set({
      mergeCommitSha,
      squashCommitSha,
      squash: squashCommitSha !== null,
      removeSourceBranch: removesSourceBranch,
      mergeStatus: 'can_be_merged',
      mergeError: null,
    })
    .where('id', '=', record.id)
    .execute()
  const asMerger = ctx.actAs(await findPastActor(ctx, userId, 'merge'))
  await setState(asMerger, record, 'merged')
  await closeMergedIssues(asMerger, pushed, cause, record.iid)
  if (removesSourceBranch && isFromFork(record) && record.sourceProjectId !== null && cause.sourceSha !== undefined) {
    const { sourceProjectId: sourceId, sourceBranch: branch } = record
    await ctx.enqueue('mergeRequests.removeSourceBranch', { projectId: sourceId, branch, sha: cause.sourceSha, userId })
  }
}

const branchColumns = [
  ['sourceProjectId', 'sourceBranch'],
  ['projectId', 'targetBranch'],
] as const

/** The next comparison of the branches may have another result. */
const markUnchecked = async ({ db }: Context, projectId: number, branch: string) => {
  for (const [project, column] of branchColumns) {
    await db
      .updateTable('mergeRequest')
      .set({ mergeStatus: 'unchecked' })
      .where(project, '=', projectId)
      .where(column, '=', branch)
      .where('state', 'in', ['opened', 'closed'])
      .execute()
  }
}

/**
 * A merge that waits for a pipeline is for the commits that its user has seen. The merge of another merge request into the source
 * branch changes them as a push does; the merge itself may remove the branch.
 */
const abortAutoMerges = async (ctx: Context, { projectId, userId, cause }: Push, ref: string) => {
  const waiting = await selectWaiting(ctx, { projectId, ref, mergeRequestId: null }).execute()
  if (!waiting.length) return
  const asPusher = ctx.actAs(await findPastActor(ctx, userId, 'push'))
  for (const record of waiting)
    if (cause?.kind !== 'merge' || record.id !== cause.mergeRequestId)
      await abortAutoMerge(asPusher, record, 'source branch was updated')
}

/** A push can contain merge requests that were merged elsewhere. */
const enqueueDetection = async (ctx: Context, { projectId, userId, push }: Push) => {
  const { ref: branch, commitFrom: before, commitTo: after } = push
  if (branch === null || before === null || after === null) return
  const open = await ctx.db
    .selectFrom('mergeRequest')
    .where('projectId', '=', projectId)
    .where('targetBranch', '=', branch)
    .where('state', '=', 'opened')
    .select('id')
    .executeTakeFirst()
  if (open !== undefined) await ctx.enqueue('mergeRequests.detectMerged', { projectId, userId, branch, before, after })
}

/** Complete merges with the pushes that they have made, and react to pushes to branches of merge requests. */
export const mergeReactions: readonly Reaction[] = [
  defineReaction('code.pushed', async (ctx, pushed) => {
    const { projectId, push, cause } = pushed
    if (push.refType !== 'branch' || push.ref === null) return
    if (cause?.kind === 'merge') await completeMerge(ctx, pushed, cause)
    await abortAutoMerges(ctx, pushed, push.ref)
    if ((await findStorageKey(ctx, projectId)) === undefined) return
    await markUnchecked(ctx, projectId, push.ref)
    await enqueueDetection(ctx, pushed)
  }),
  defineReaction('pipeline.changed', async (ctx, { pipeline }) => {
    if (pipeline.status !== 'success') return
    for (const record of await selectWaiting(ctx, pipeline).execute()) {
      const { projectId, iid } = record
      const headPipelineOf = await loadHeadPipelines(ctx, [record])
      if (headPipelineOf(record)?.id === pipeline.id)
        await ctx.enqueue('mergeRequests.mergeAfterPipeline', { projectId, iid, sha: pipeline.sha })
    }
  }),
  defineReaction('mergeRequest.updated', async (ctx, { before, after }) => {
    const { id, projectId, iid } = after
    const autoMerge = before.mergeAfter === after.mergeAfter ? null : await findAutoMerge(ctx, id)
    if (autoMerge !== null)
      await ctx.enqueue('mergeRequests.mergeAfterPipeline', { projectId, iid, sha: autoMerge.sha })
    if (before.targetBranch === after.targetBranch || (await findStorageKey(ctx, projectId)) === undefined) return
    await ctx.db.updateTable('mergeRequest').set({ mergeStatus: 'unchecked' }).where('id', '=', id).execute()
    await ctx.enqueue('mergeRequests.refreshVersion', { projectId, iid }, { key: `${projectId}!${iid}` })
  }),
]
