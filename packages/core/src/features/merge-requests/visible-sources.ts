import { withGrants } from '../../access/grants.ts'
import { readableCode, readableProjects } from '../../access/predicates.ts'
import type { Context } from '../../kernel/context.ts'
import { isFromFork, type MergeRequest, type MergeRequestRecord } from './merge-request.ts'
import type { Mergeability } from './mergeability.ts'

type SourceFields = Mergeability & Pick<MergeRequest, 'sourceProjectId' | 'fromFork'>

/** Ids of the projects of which the caller can see the project, and the code. */
const readForks = async (ctx: Context, ids: readonly number[]) => {
  const listCtx = await withGrants(ctx)
  const projects = ctx.db.selectFrom('project').where('project.id', 'in', ids).select('project.id')
  const visible = await projects.where(readableProjects(listCtx)).execute()
  const readable = visible.length ? await projects.where(readableCode(listCtx)).execute() : []
  return { visible: new Set(visible.map(({ id }) => id)), readable: new Set(readable.map(({ id }) => id)) }
}

/**
 * Returns a function that removes what a merge request shows of a fork that the caller cannot see: its id, and its pipelines. The
 * commits belong to the target project.
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
