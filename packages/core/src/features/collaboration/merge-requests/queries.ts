import { getProjectAccessLevel } from '../../../access/actor-level.ts'
import { withGrants } from '../../../access/grants.ts'
import { readableProjects } from '../../../access/predicates.ts'
import { findProject } from '../../../access/projects.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { defined } from '../../../shared/defined.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import type { Pipeline } from '../../code/pipeline-records/pipeline.ts'
import { loadRelations } from '../../planning/issuables/relations.ts'
import { milestonesById } from '../../planning/milestones/queries.ts'
import { projectPaths } from '../../spaces/projects/queries.ts'
import { isFromFork, isWorkInProgress, type MergeRequest, type MergeRequestRecord } from './merge-request.ts'
import { loadMergeability, type Mergeability } from './mergeability.ts'

type SourceFields = Mergeability & Pick<MergeRequest, 'sourceProjectId' | 'fromFork'>

/** Whether the current user can read the pipelines of a project. */
const seesPipelines = async (ctx: Context, id: number): Promise<boolean> => {
  const project = await findProject(ctx, id)
  if (project === undefined) return false
  const access = await getProjectAccessLevel(ctx, project)
  return hasAbility(ctx.actor, { kind: 'project', project, access }, 'pipeline.read')
}

/** Ids of the forks that the current user can see, and of those with pipelines that the current user can read. */
const readForks = async (ctx: Context, ids: readonly number[]) => {
  const projects = ctx.db.selectFrom('project').where('project.id', 'in', ids).select('project.id')
  const visible = await projects.where(readableProjects(await withGrants(ctx))).execute()
  const readable = new Set<number>()
  for (const { id } of visible) if (await seesPipelines(ctx, id)) readable.add(id)
  return { visible: new Set(visible.map(({ id }) => id)), readable }
}

/**
 * Returns a function that removes what a merge request shows of a fork that the current user cannot see: its id, and its
 * pipelines. The commits belong to the target project.
 */
const loadVisibleSources = async (
  ctx: Context,
  records: readonly MergeRequestRecord[],
): Promise<(record: MergeRequestRecord, mergeability: Mergeability) => SourceFields> => {
  const forkIds = new Set(records.filter(isFromFork).flatMap(({ sourceProjectId }) => sourceProjectId ?? []))
  const { visible, readable } = forkIds.size
    ? await readForks(ctx, [...forkIds])
    : { visible: new Set<number>(), readable: new Set<number>() }
  return (record, mergeability) => {
    const { headPipeline } = mergeability
    const { projectId, sourceProjectId } = record
    const isVisible = sourceProjectId === projectId || (sourceProjectId !== null && visible.has(sourceProjectId))
    const showsPipeline = headPipeline?.projectId === projectId || readable.has(headPipeline?.projectId ?? 0)
    return {
      ...mergeability,
      fromFork: isFromFork(record),
      sourceProjectId: isVisible ? sourceProjectId : null,
      headPipeline: showsPipeline ? headPipeline : null,
    }
  }
}

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
  'mergeRequest.mergeAfter',
] as const

/** The open merge requests from a branch of a project, also those into other projects; oldest first. */
export const selectOpenFrom = ({ db }: Context, projectId: number, sourceBranch: string) =>
  db
    .selectFrom('mergeRequest')
    .where('sourceProjectId', '=', projectId)
    .where('sourceBranch', '=', sourceBranch)
    .where('state', '=', 'opened')
    .orderBy('mergeRequest.id')

/** The part of a pipeline that determines its merge requests. */
export type PipelineSource = Pick<Pipeline, 'projectId' | 'ref' | 'mergeRequestId'>

/** The open merge requests of the branch or merge request of a pipeline. */
export const selectOpenOf = (ctx: Context, { projectId, ref, mergeRequestId }: PipelineSource) =>
  mergeRequestId === null
    ? selectOpenFrom(ctx, projectId, ref)
    : ctx.db.selectFrom('mergeRequest').where('id', '=', mergeRequestId).where('state', '=', 'opened')

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
