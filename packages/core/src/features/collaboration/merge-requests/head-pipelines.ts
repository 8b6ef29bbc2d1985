import type { Context } from '../../../kernel/context.ts'
import type { Pipeline, PipelineRecord } from '../../code/pipeline-records/pipeline.ts'
import { completePipelines, selectPipelinesOf } from '../../code/pipeline-records/queries.ts'
import type { MergeRequestRecord } from './merge-request.ts'

/** The part of a merge request that determines its pipelines. */
export type PipelineOwner = Pick<MergeRequestRecord, 'id' | 'projectId' | 'sourceProjectId' | 'sourceBranch'>

/** The newest version of each merge request. */
export const selectNewestVersions = ({ db }: Context, ids: readonly number[]) =>
  db
    .selectFrom('mergeRequestVersion')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('mergeRequestVersion')
        .where('mergeRequestId', 'in', ids)
        .groupBy('mergeRequestId')
        .select(({ fn }) => fn.max('id').as('newest')),
    )
    .select(['mergeRequestId', 'baseSha', 'startSha', 'headSha', 'changesCount'])

/** Pipelines of branches run in the project of the source branch, those of merge requests there or in the target project. */
const isOf = (
  { id, sourceProjectId, sourceBranch }: PipelineOwner,
  pipeline: PipelineRecord,
  sha: string | undefined,
) =>
  (pipeline.mergeRequestId === id ||
    (pipeline.mergeRequestId === null && pipeline.projectId === sourceProjectId && pipeline.ref === sourceBranch)) &&
  (sha === undefined || pipeline.sha === sha)

/**
 * Returns a function with the newest pipeline of each merge request for the newest known commit of its source branch. Without a
 * repository no commit is known, and the newest pipeline of the branch counts.
 */
export const loadHeadPipelines = async (
  ctx: Context,
  owners: readonly PipelineOwner[],
): Promise<(owner: PipelineOwner) => Pipeline | null> => {
  if (!owners.length) return () => null
  const versions = await selectNewestVersions(
    ctx,
    owners.map(({ id }) => id),
  ).execute()
  const shas = new Map(versions.map(({ mergeRequestId, headSha }) => [mergeRequestId, headSha]))
  const projectIds = [
    ...new Set(owners.flatMap(({ projectId, sourceProjectId }) => [projectId, sourceProjectId ?? projectId])),
  ]
  const unversioned = owners.filter(({ id }) => !shas.has(id))
  const [ofCommits, ofBranches] = [
    shas.size
      ? await selectPipelinesOf(ctx, projectIds)
          .where('sha', 'in', [...new Set(shas.values())])
          .execute()
      : [],
    unversioned.length ? await selectNewestOfBranches(ctx, projectIds, unversioned).execute() : [],
  ]
  const newestFirst = [...ofCommits, ...ofBranches].toSorted((one, other) => other.id - one.id)
  const found = new Map(
    owners.flatMap((owner) => {
      const record = newestFirst.find((pipeline) => isOf(owner, pipeline, shas.get(owner.id)))
      return record ? [[owner.id, record] as const] : []
    }),
  )
  const completed = new Map(
    (await completePipelines(ctx, [...found.values()])).map((pipeline) => [pipeline.id, pipeline]),
  )
  return ({ id }) => completed.get(found.get(id)?.id ?? 0) ?? null
}

const selectNewestOfBranches = (ctx: Context, projectIds: readonly number[], owners: readonly PipelineOwner[]) =>
  selectPipelinesOf(ctx, projectIds).where('pipeline.id', 'in', (eb) =>
    eb
      .selectFrom('pipeline as newest')
      .where('newest.projectId', 'in', projectIds)
      .where((or) =>
        or.or([
          or('newest.ref', 'in', [...new Set(owners.map(({ sourceBranch }) => sourceBranch))]),
          or(
            'newest.mergeRequestId',
            'in',
            owners.map(({ id }) => id),
          ),
        ]),
      )
      .groupBy(['newest.projectId', 'newest.ref'])
      .select(({ fn }) => fn.max('newest.id').as('id')),
  )
