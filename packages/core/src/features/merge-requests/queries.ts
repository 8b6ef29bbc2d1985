import type { Context } from '../../kernel/context.ts'
import { userSummaries } from '../accounts/queries.ts'
import type { UserSummary } from '../accounts/user.ts'
import { attachments } from '../issuables/attachments.ts'
import { milestonesById } from '../milestones/queries.ts'
import { projectPaths } from '../projects/queries.ts'
import { isWorkInProgress, type MergeRequest, type MergeRequestRecord } from './merge-request.ts'

export const mergeRequestColumns = [
  'mergeRequest.id',
  'mergeRequest.iid',
  'mergeRequest.projectId',
  'mergeRequest.sourceProjectId',
  'mergeRequest.authorId',
  'mergeRequest.title',
  'mergeRequest.description',
  'mergeRequest.state',
  'mergeRequest.sourceBranch',
  'mergeRequest.targetBranch',
  'mergeRequest.discussionLocked',
  'mergeRequest.milestoneId',
  'mergeRequest.mergeStatus',
  'mergeRequest.createdAt',
  'mergeRequest.updatedAt',
  'mergeRequest.mergedAt',
  'mergeRequest.mergedById',
  'mergeRequest.closedAt',
  'mergeRequest.closedById',
] as const

/** A merge request of its target project by its iid, whoever asks. */
export async function findMergeRequest(
  ctx: Context,
  projectId: number,
  iid: number,
): Promise<MergeRequestRecord | undefined> {
  const row = await ctx.db
    .selectFrom('mergeRequest')
    .where('projectId', '=', projectId)
    .where('iid', '=', iid)
    .select(mergeRequestColumns)
    .executeTakeFirst()
  return row
}

/** Merge requests with everything that hangs on them, in a handful of queries however many there are. */
export async function completeMergeRequests(
  ctx: Context,
  records: readonly MergeRequestRecord[],
): Promise<MergeRequest[]> {
  const attached = await attachments(
    ctx,
    'mergeRequest',
    records.map(({ id }) => id),
  )
  const involved = records.flatMap(({ authorId, mergedById, closedById }) => [authorId, mergedById, closedById])
  const people = await userSummaries(ctx, involved)
  const milestones = await milestonesById(
    ctx,
    records.map((record) => record.milestoneId),
  )
  const paths = await projectPaths(
    ctx,
    records.map(({ projectId }) => projectId),
  )
  const person = (id: number | null) => (id === null ? null : (people.get(id) ?? null))
  return records.map((record) => ({
    ...record,
    ...attached(record.id),
    projectPath: paths.get(record.projectId) as string,
    author: person(record.authorId) as UserSummary,
    mergedBy: person(record.mergedById),
    closedBy: person(record.closedById),
    milestone: record.milestoneId === null ? null : (milestones.get(record.milestoneId) ?? null),
    workInProgress: isWorkInProgress(record.title),
  }))
}
