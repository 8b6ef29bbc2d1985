import { getProjectAccessLevel } from '../../../access/actor-level.ts'
import { withGrants } from '../../../access/grants.ts'
import { readableProjects } from '../../../access/predicates.ts'
import { findProject } from '../../../access/projects.ts'
import type { Context } from '../../../kernel/context.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { isFromFork, type MergeRequest, type MergeRequestRecord } from './merge-request.ts'
import type { Mergeability } from './mergeability.ts'

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
export const loadVisibleSources = async (
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
