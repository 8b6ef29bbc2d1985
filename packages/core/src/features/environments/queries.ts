import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { userSummaries } from '../accounts/queries.ts'
import type { UserSummary } from '../accounts/user.ts'
import type { Project } from '../projects/project.ts'
import type { Deployment } from './deployment.ts'
import type { Environment } from './environment.ts'

/** A project's environments. */
export const environmentsOf = (ctx: Context, projectId: number) =>
  ctx.db
    .selectFrom('environment')
    .where('projectId', '=', projectId)
    .select(['id', 'name', 'slug', 'externalUrl', 'state', 'updatedAt'])

export type EnvironmentRow = Awaited<ReturnType<ReturnType<typeof environmentsOf>['executeTakeFirstOrThrow']>>

export const toEnvironment = ({ updatedAt, ...row }: EnvironmentRow): Environment => row

/** One environment of a project. */
export async function findEnvironment(ctx: Context, projectId: number, id: number): Promise<EnvironmentRow> {
  const row = await environmentsOf(ctx, projectId).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** A project's deployments. */
export const deploymentsOf = (ctx: Context, projectId: number) =>
  ctx.db
    .selectFrom('deployment')
    .where('projectId', '=', projectId)
    .select(['id', 'iid', 'environmentId', 'userId', 'ref', 'sha', 'status', 'job', 'createdAt'])

type DeploymentRow = Awaited<ReturnType<ReturnType<typeof deploymentsOf>['executeTakeFirstOrThrow']>>

const toDeployment =
  (people: ReadonlyMap<number, UserSummary>, { fullPath }: Project) =>
  ({ environmentId, userId, job, ...row }: DeploymentRow): Deployment => ({
    ...row,
    user: people.get(userId ?? 0) ?? null,
    deployable: job && { ...job, user: people.get(job.userId ?? 0) ?? null, projectPath: fullPath },
  })

/** Rows of one project as deployments, with the people in them. */
export async function asDeployments(
  ctx: Context,
  project: Project,
  rows: readonly DeploymentRow[],
): Promise<readonly Deployment[]> {
  const people = await userSummaries(
    ctx,
    rows.flatMap(({ userId, job }) => [userId, job?.userId ?? null]),
  )
  return rows.map(toDeployment(people, project))
}

/** The newest deployment to an environment that succeeded. */
export async function lastDeployment(
  ctx: Context,
  project: Project,
  environmentId: number,
): Promise<Deployment | null> {
  const rows = await deploymentsOf(ctx, project.id)
    .where('environmentId', '=', environmentId)
    .where('status', '=', 'success')
    .orderBy('id', 'desc')
    .limit(1)
    .execute()
  return (await asDeployments(ctx, project, rows))[0] ?? null
}
