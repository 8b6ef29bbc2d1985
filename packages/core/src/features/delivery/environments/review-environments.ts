import type { Context } from '../../../kernel/context.ts'
import type { StoppedReview } from './stopped-review.ts'

const selectDeployed = ({ db }: Context, projectId: number) =>
  db
    .selectFrom('environment')
    .innerJoin('deployment', 'deployment.environmentId', 'environment.id')
    .where('environment.projectId', '=', projectId)
    .where('environment.state', '=', 'available')
    .where('deployment.id', '=', (eb) =>
      eb
        .selectFrom('deployment as finished')
        .whereRef('finished.environmentId', '=', 'environment.id')
        .where('finished.status', '=', 'success')
        .select(({ fn }) => fn.max('finished.id').as('id')),
    )
    .select(['environment.id', 'environment.name', 'environment.autoStopSetting'])

/** Environments to which only pipelines of a merge request have deployed. */
const selectOwn = (ctx: Context, projectId: number, mergeRequestId: number) =>
  selectDeployed(ctx, projectId).where(({ not, exists, selectFrom }) =>
    not(
      exists(
        selectFrom('deployment as other')
          .leftJoin('pipelineJob', 'pipelineJob.id', 'other.jobId')
          .leftJoin('pipeline', 'pipeline.id', 'pipelineJob.pipelineId')
          .whereRef('other.environmentId', '=', 'environment.id')
          .where((eb) =>
            eb.or([eb('pipeline.mergeRequestId', 'is', null), eb('pipeline.mergeRequestId', '<>', mergeRequestId)]),
          )
          .select('other.id'),
      ),
    ),
  )

/**
 * The available environments whose last successful deployment is of the branch, or of a pipeline of the merge request. If some were
 * deployed to by the merge request only, they are its review apps, and the others stay.
 */
export const findReviewEnvironments = async (ctx: Context, { projectId, branch, mergeRequest }: StoppedReview) => {
  if (mergeRequest === undefined)
    return selectDeployed(ctx, projectId).where('deployment.ref', '=', branch).orderBy('environment.id').execute()
  const jobs = ctx.db
    .selectFrom('pipelineJob')
    .innerJoin('pipeline', 'pipeline.id', 'pipelineJob.pipelineId')
    .where('pipeline.mergeRequestId', '=', mergeRequest)
    .select('pipelineJob.id')
  const own = await selectOwn(ctx, projectId, mergeRequest).where('deployment.jobId', 'in', jobs).execute()
  return own.length ? own : selectDeployed(ctx, projectId).where('deployment.jobId', 'in', jobs).execute()
}
