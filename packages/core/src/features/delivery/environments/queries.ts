import type { Project } from '../../../contract/project.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { defined } from '../../../shared/defined.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import type { UserSummary } from '../../accounts/users/user.ts'
import type { UserProfile } from '../../accounts/users/user-detail.ts'
import { userProfiles } from '../../accounts/users/user-details.ts'
import { guessTier } from '../../code/pipeline-records/job-environment.ts'
import type { Deployment } from '../deployments/deployment.ts'
import type { DeploymentDetails } from '../deployments/deployment-details.ts'
import { readDeployables } from './deployables.ts'
import type { Environment } from './environment.ts'

export const selectEnvironments = (ctx: Context, projectId: number) =>
  ctx.db
    .selectFrom('environment')
    .where('projectId', '=', projectId)
    .select(['id', 'name', 'slug', 'externalUrl', 'state', 'tier', 'autoStopAt'])
    .select(['description', 'autoStopSetting', 'createdAt', 'updatedAt'])

export type EnvironmentRow = Awaited<ReturnType<ReturnType<typeof selectEnvironments>['executeTakeFirstOrThrow']>>

export const toEnvironment = ({ tier, ...row }: EnvironmentRow): Environment => ({
  ...row,
  tier: tier ?? guessTier(row.name),
})

/** @throws PlatformError `not_found` if the project has no environment with this id */
export async function findEnvironment(ctx: Context, projectId: number, id: number): Promise<EnvironmentRow> {
  const row = await selectEnvironments(ctx, projectId).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

export const selectDeployments = (ctx: Context, projectId: number) =>
  ctx.db
    .selectFrom('deployment')
    .where('projectId', '=', projectId)
    .select(['id', 'iid', 'environmentId', 'userId', 'ref', 'sha', 'status', 'job', 'jobId', 'createdAt', 'updatedAt'])

type DeploymentRow = Awaited<ReturnType<ReturnType<typeof selectDeployments>['executeTakeFirstOrThrow']>>

/** A deployment with its job, which the host described or which is one of a pipeline. */
type DeploymentWithJob = Omit<DeploymentRow, 'jobId'> & { readonly isPipelineJob: boolean }

const createDeploymentMapper =
  (users: ReadonlyMap<number, UserSummary>, profiles: ReadonlyMap<number, UserProfile>, { fullPath }: Project) =>
  ({ environmentId, userId, job, isPipelineJob, updatedAt, ...row }: DeploymentWithJob): Deployment => ({
    ...row,
    user: users.get(userId ?? 0) ?? null,
    deployable: job && { ...job, isPipelineJob, user: profiles.get(job.userId ?? 0) ?? null, projectPath: fullPath },
  })

const withJobs = async (
  ctx: Context,
  project: Project,
  rows: readonly DeploymentRow[],
): Promise<DeploymentWithJob[]> => {
  const jobs = await readDeployables(
    ctx,
    project.id,
    rows.flatMap(({ jobId }) => jobId ?? []),
  )
  return rows.map(({ jobId, job, ...row }) => {
    const deployable = jobs.get(jobId ?? 0)
    return { ...row, job: deployable ?? job, isPipelineJob: deployable !== undefined }
  })
}

/** Maps rows of one project and loads their users. */
async function toDeployments(
  ctx: Context,
  project: Project,
  rows: readonly DeploymentRow[],
): Promise<readonly Deployment[]> {
  const deployments = await withJobs(ctx, project, rows)
  const [users, profiles] = await awaitAll([
    userSummaries(
      ctx,
      deployments.map(({ userId }) => userId),
    ),
    userProfiles(
      ctx,
      deployments.map(({ job }) => job?.userId ?? null),
    ),
  ])
  return deployments.map(createDeploymentMapper(users, profiles, project))
}

/** Maps rows of one project, and loads their users and environments. */
export async function toDeploymentDetails(
  ctx: Context,
  project: Project,
  rows: readonly DeploymentRow[],
): Promise<DeploymentDetails[]> {
  if (!rows.length) return []
  const ids = rows.map(({ environmentId }) => environmentId)
  const [deployments, environmentRows] = await awaitAll([
    toDeployments(ctx, project, rows),
    selectEnvironments(ctx, project.id).where('id', 'in', ids).execute(),
  ])
  const environments = new Map(environmentRows.map((row) => [row.id, toEnvironment(row)]))
  return rows.map(({ environmentId, updatedAt }, at) => ({
    ...defined(deployments[at]),
    updatedAt,
    environment: defined(environments.get(environmentId)),
  }))
}

/** Finds the newest successful deployment to an environment. */
export async function findLastDeployment(
  ctx: Context,
  project: Project,
  environmentId: number,
): Promise<Deployment | null> {
  const rows = await selectDeployments(ctx, project.id)
    .where('environmentId', '=', environmentId)
    .where('status', '=', 'success')
    .orderBy('id', 'desc')
    .limit(1)
    .execute()
  return (await toDeployments(ctx, project, rows))[0] ?? null
}
