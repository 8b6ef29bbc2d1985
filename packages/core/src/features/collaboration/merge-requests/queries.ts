import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { defined } from '../../../shared/defined.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import { loadRelations } from '../../planning/issuables/relations.ts'
import { milestonesById } from '../../planning/milestones/queries.ts'
import { projectPaths } from '../../spaces/projects/queries.ts'
import { isWorkInProgress, type MergeRequest, type MergeRequestRecord } from './merge-request.ts'
import { loadMergeability } from './mergeability.ts'
import { loadVisibleSources } from './visible-sources.ts'

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
  'mergeRequest.squash',
  'mergeRequest.removeSourceBranch',
  'mergeRequest.mergeCommitSha',
  'mergeRequest.squashCommitSha',
  'mergeRequest.mergeError',
  'mergeRequest.mergeWhenPipelineSucceeds',
  'mergeRequest.timeEstimate',
  'mergeRequest.totalTimeSpent',
  'mergeRequest.allowCollaboration',
] as const

/** The open merge requests from a branch of a project, also those into other projects; oldest first. */
export const selectOpenFrom = ({ db }: Context, projectId: number, sourceBranch: string) =>
  db
    .selectFrom('mergeRequest')
    .where('sourceProjectId', '=', projectId)
    .where('sourceBranch', '=', sourceBranch)
    .where('state', '=', 'opened')
    .orderBy('id')

/** A merge request by its target project and iid, without a permission check. */
export const findMergeRequest = (
  ctx: Context,
  projectId: number,
  iid: number,
): Promise<MergeRequestRecord | undefined> =>
  ctx.db
    .selectFrom('mergeRequest')
    .where('projectId', '=', projectId)
    .where('iid', '=', iid)
    .select(mergeRequestColumns)
    .executeTakeFirst()

/** Loads the related records of merge requests in a constant number of queries. */
export async function completeMergeRequests(
  ctx: Context,
  records: readonly MergeRequestRecord[],
): Promise<MergeRequest[]> {
  const column = <C extends keyof MergeRequestRecord>(name: C) => records.map((record) => record[name])
  const [relationsOf, users, milestones, paths, mergeabilityOf, sourceOf] = await awaitAll([
    loadRelations(ctx, 'mergeRequest', column('id')),
    userSummaries(ctx, [...column('authorId'), ...column('mergedById'), ...column('closedById')]),
    milestonesById(ctx, column('milestoneId')),
    projectPaths(ctx, column('projectId')),
    loadMergeability(ctx, records),
    loadVisibleSources(ctx, records),
  ])
  const userOf = (id: number | null) => (id === null ? null : (users.get(id) ?? null))
  return records.map((record) => ({
    ...record,
    ...relationsOf(record.id),
    ...sourceOf(record, mergeabilityOf(record)),
    projectPath: defined(paths.get(record.projectId)),
    author: defined(userOf(record.authorId)),
    mergedBy: userOf(record.mergedById),
    closedBy: userOf(record.closedById),
    milestone: record.milestoneId === null ? null : (milestones.get(record.milestoneId) ?? null),
    workInProgress: isWorkInProgress(record.title),
  }))
}
