import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { guessTier } from '../../code/pipeline-records/job-environment.ts'

/** When the first deployment with a merge request to production ended; null without one, and for users who cannot read deployments. */
export const readFirstDeployment = async (
  ctx: Context,
  { project, access, mergeRequest }: Subjects['mergeRequest'],
): Promise<string | null> => {
  if (!hasAbility(ctx.actor, { kind: 'project', project, access }, 'environment.read')) return null
  const rows = await ctx.db
    .selectFrom('deploymentMergeRequest as link')
    .innerJoin('deployment', 'deployment.id', 'link.deploymentId')
    .innerJoin('environment', 'environment.id', 'deployment.environmentId')
    .where('link.mergeRequestId', '=', mergeRequest.id)
    .where('deployment.status', '=', 'success')
    .orderBy('deployment.finishedAt')
    .select(['environment.name', 'environment.tier', 'deployment.finishedAt'])
    .execute()
  return rows.find(({ name, tier }) => (tier ?? guessTier(name)) === 'production')?.finishedAt ?? null
}
