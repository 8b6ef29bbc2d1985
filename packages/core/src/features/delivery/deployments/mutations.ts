import type { Selectable } from 'kysely'
import type { Database } from '../../../contract/database.ts'
import type { Project } from '../../../contract/project.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { nextInternalId } from '../../../kernel/internal-id.ts'
import { type EnvironmentRow, selectDeployments, toDeploymentDetails } from '../environments/queries.ts'
import { type DeploymentStatus, finishedStatuses } from './deployment.ts'
import type { DeploymentDetails } from './deployment-details.ts'

type DeploymentRow = Selectable<Database['deployment']>

type NewDeployment = Pick<DeploymentRow, 'environmentId' | 'userId' | 'ref' | 'sha' | 'status'> &
  Partial<Pick<DeploymentRow, 'job' | 'jobId'>>

/** The columns of a new status. */
export const toStatus = ({ now }: Context, status: DeploymentStatus) => ({
  status,
  finishedAt: finishedStatuses.includes(status) ? now : null,
})

/** Inserts a deployment and returns its id. */
export const insertDeployment = async (ctx: Context, projectId: number, deployment: NewDeployment): Promise<number> => {
  const row = await ctx.db
    .insertInto('deployment')
    .values({
      job: null,
      jobId: null,
      ...deployment,
      ...toStatus(ctx, deployment.status),
      iid: await nextInternalId(ctx, 'deployment', projectId),
      projectId,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    } satisfies CompleteRow<'deployment'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** A successful deployment restarts a stopped environment. */
export const markAvailableOnSuccess = async (
  ctx: Context,
  { id, state }: Pick<EnvironmentRow, 'id' | 'state'>,
  status: DeploymentStatus,
): Promise<void> => {
  if (status !== 'success' || state === 'available') return
  await ctx.db.updateTable('environment').set({ state: 'available', updatedAt: ctx.now }).where('id', '=', id).execute()
}

/** @throws PlatformError `not_found` if the project has no deployment with this id */
export const getDeployment = async (ctx: Context, project: Project, id: number): Promise<DeploymentDetails> => {
  const rows = await selectDeployments(ctx, project.id).where('id', '=', id).execute()
  const [deployment] = await toDeploymentDetails(ctx, project, rows)
  if (!deployment) throw notFound()
  return deployment
}

/** Emits a new deployment, or a new status of one. */
export const announceDeployment = async (ctx: Context, project: Project, id: number): Promise<DeploymentDetails> => {
  const deployment = await getDeployment(ctx, project, id)
  await ctx.emit('deployment.changed', { projectId: project.id, deployment })
  if (deployment.status === 'success')
    await ctx.enqueue('deployments.linkMergeRequests', { deployment: id }, { key: String(id) })
  return deployment
}
