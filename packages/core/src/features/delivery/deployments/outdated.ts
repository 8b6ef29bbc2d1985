import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import { forbidden } from '../../../kernel/errors.ts'
import { readProjectSettings } from '../../spaces/projects/stored-settings.ts'

/** Those of these jobs whose deployment is older than the newest successful one of the environment, which has another commit. */
export const findOutdatedJobs = async ({ db }: Context, jobIds: readonly number[]): Promise<ReadonlySet<number>> => {
  const rows = await db
    .selectFrom('deployment')
    .innerJoin('deployment as newest', 'newest.environmentId', 'deployment.environmentId')
    .where('deployment.jobId', 'in', jobIds)
    .where('newest.id', '=', (eb) =>
      eb
        .selectFrom('deployment as finished')
        .whereRef('finished.environmentId', '=', 'deployment.environmentId')
        .where('finished.status', '=', 'success')
        .select(({ fn }) => fn.max('finished.id').as('id')),
    )
    .whereRef('newest.id', '>', 'deployment.id')
    .whereRef('newest.sha', '<>', 'deployment.sha')
    .select('deployment.jobId')
    .execute()
  return new Set(rows.flatMap(({ jobId }) => jobId ?? []))
}

/**
 * Users start no deployment job that is older than the newest deployment. They run one again that has ended, to roll back, unless
 * the project forbids it.
 *
 * @throws PlatformError `forbidden` for an outdated deployment job
 */
export const assertNotOutdated = async (
  ctx: Context,
  project: Project,
  job: { readonly id: number; readonly environment: string | null },
  { isRollback }: { readonly isRollback: boolean },
): Promise<void> => {
  if (ctx.actor.kind !== 'user' || job.environment === null) return
  const settings = await readProjectSettings(ctx, project.id)
  if (!settings.ciForwardDeploymentEnabled || (isRollback && settings.ciForwardDeploymentRollbackAllowed)) return
  if ((await findOutdatedJobs(ctx, [job.id])).has(job.id))
    throw forbidden('The deployment job is older than the latest deployment', 'outdated')
}
