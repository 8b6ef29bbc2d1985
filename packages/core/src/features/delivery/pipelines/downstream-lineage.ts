import type { Context } from '../../../kernel/context.ts'
import type { JobTrigger } from '../../code/pipeline-records/job.ts'
import type { PipelineSource } from '../../code/pipeline-records/pipeline.ts'

/** Pipelines of a branch or tag of a project. */
interface Place {
  readonly projectId: number
  readonly ref: string
}

interface Ancestor extends Place {
  readonly id: number
  readonly source: PipelineSource
}

/** Levels of child pipelines, pipelines from the first to the last, and pipelines that follow from one: as in GitLab, or fewer. */
const maxChildLevels = 2
const maxDepth = 10
const maxDescendants = 1_000

/** A pipeline and those that started it, the first one last; at most `maxDepth` are read. */
const readAncestors = async ({ db }: Context, pipelineId: number): Promise<readonly Ancestor[]> => {
  const ancestors: Ancestor[] = []
  for (let id: number | null = pipelineId; id !== null && ancestors.length < maxDepth; ) {
    const row: (Ancestor & { readonly upstreamId: number | null }) | undefined = await db
      .selectFrom('pipeline')
      .leftJoin('pipelineJob', 'pipelineJob.id', 'pipeline.upstreamJobId')
      .where('pipeline.id', '=', id)
      .select(['pipeline.id', 'pipeline.projectId', 'pipeline.ref', 'pipeline.source'])
      .select('pipelineJob.pipelineId as upstreamId')
      .executeTakeFirst()
    if (row) ancestors.push(row)
    id = row?.upstreamId ?? null
  }
  return ancestors
}

const countDescendants = async ({ db }: Context, rootId: number) => {
  const row = await db
    .selectFrom('pipeline')
    .where('rootPipelineId', '=', rootId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

interface Lineage {
  /** The first pipeline. */
  readonly rootId: number
  /** Why another pipeline must not follow, as a failure reason of a job; undefined if it may. */
  readonly obstacle: string | undefined
}

/** Whether a pipeline may start another one: pipeline files must not start pipelines without end. `place`: of the other one. */
export const readLineage = async (
  ctx: Context,
  pipeline: { readonly id: number; readonly rootPipelineId: number | null },
  { project }: JobTrigger,
  place: Place,
): Promise<Lineage> => {
  const rootId = pipeline.rootPipelineId ?? pipeline.id
  const ancestors = await readAncestors(ctx, pipeline.id)
  const childLevels = ancestors.findIndex(({ source }) => source !== 'parent_pipeline')
  const isRepeated = ancestors.some(({ projectId, ref }) => projectId === place.projectId && ref === place.ref)
  const findObstacle = async () => {
    if (project === null && (childLevels < 0 || childLevels >= maxChildLevels))
      return 'reached_max_descendant_pipelines_depth'
    if (project !== null && isRepeated) return 'pipeline_loop_detected'
    if (ancestors.length >= maxDepth) return 'reached_max_descendant_pipelines_depth'
    return (await countDescendants(ctx, rootId)) >= maxDescendants ? 'reached_max_pipeline_hierarchy_size' : undefined
  }
  return { rootId, obstacle: await findObstacle() }
}
