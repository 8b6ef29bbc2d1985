import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import type { JobContext } from '../../../kernel/jobs/job.ts'
import type { Handle } from '../../../kernel/store.ts'
import { findGitRepository } from '../../code/repository/queries.ts'
import { type MergedCommit, selectMergedCommits } from './merged-commits.ts'

const findDeployment = async (ctx: Handle & Pick<Context, 'ports'>, id: number) => {
  const deployment = await ctx.db
    .selectFrom('deployment')
    .where('id', '=', id)
    .where('status', '=', 'success')
    .select(['id', 'projectId', 'environmentId', 'sha'])
    .executeTakeFirst()
  if (deployment === undefined) return undefined
  const repository = await findGitRepository(ctx, deployment.projectId)
  if (repository === undefined) return undefined
  const candidates: readonly MergedCommit[] = await selectMergedCommits(ctx, deployment.projectId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deploymentMergeRequest as link')
            .innerJoin('deployment', 'deployment.id', 'link.deploymentId')
            .whereRef('link.mergeRequestId', '=', 'mergeRequest.id')
            .where('deployment.environmentId', '=', deployment.environmentId)
            .where('deployment.id', '<=', id)
            .select('link.mergeRequestId'),
        ),
      ),
    )
    .execute()
  return { deployment, repository, candidates }
}

/** A later deployment does not add what this one has added. */
const insertLinks = async (
  ctx: Context,
  { id, environmentId }: { readonly id: number; readonly environmentId: number },
  mergeRequestIds: readonly number[],
): Promise<void> => {
  // The deployment can have been removed while its commits were read.
  const exists = await ctx.db.selectFrom('deployment').where('id', '=', id).select('id').executeTakeFirst()
  if (!exists) return
  const ofEnvironment = ctx.db.selectFrom('deployment').where('environmentId', '=', environmentId)
  await ctx.db
    .deleteFrom('deploymentMergeRequest')
    .where('mergeRequestId', 'in', mergeRequestIds)
    .where('deploymentId', 'in', ofEnvironment.where('id', '>', id).select('id'))
    .execute()
  const existing = ctx.db.selectFrom('mergeRequest').where('id', 'in', mergeRequestIds).select('id')
  const rows = (await existing.execute()).map(
    (row) => ({ mergeRequestId: row.id, deploymentId: id }) satisfies CompleteRow<'deploymentMergeRequest'>,
  )
  if (!rows.length) return
  await ctx.db
    .insertInto('deploymentMergeRequest')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Records the merge requests that a successful deployment has added to its environment: they were merged into its commit, and no
 * earlier deployment has added them.
 */
export const linkMergeRequests = async (
  { ports, read, write }: Pick<JobContext, 'ports' | 'read' | 'write'>,
  id: number,
): Promise<void> => {
  const found = await read((handle) => findDeployment({ ...handle, ports }, id))
  if (!found?.candidates.length) return
  const { deployment, repository, candidates } = found
  if ((await repository.commit(deployment.sha)) === undefined) return
  const commits = candidates.flatMap(({ sha }) => sha ?? [])
  const deployed = new Set(await repository.findReachable({ commits, from: deployment.sha }))
  const added = candidates.filter(({ sha }) => deployed.has(sha ?? '')).map((candidate) => candidate.id)
  if (added.length) await write((ctx) => insertLinks(ctx, deployment, added))
}
