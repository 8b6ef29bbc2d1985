import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import * as v from 'valibot'
import { withGrants } from '../../../access/grants.ts'
import type { IssueScope } from '../../../access/issue-rows.ts'
import { readableEnvironments } from '../../../access/predicates.ts'
import type { Database } from '../../../contract/database.ts'
import type { Context } from '../../../kernel/context.ts'
import { Instant, normalizeInstant } from '../../../kernel/inputs.ts'
import { hasAbility } from '../../../policy/authorize.ts'

export const deploymentInput = {
  /**
   * Only merge requests that a successful deployment to the environment with this name has added to it. Projects have
   * none if the current user cannot read their environments.
   */
  environment: v.optional(v.string()),
  /** Only merge requests that a deployment which succeeded after this time has added; ISO 8601, UTC without an offset. */
  deployedAfter: v.optional(Instant),
  /** Only merge requests that a deployment which succeeded before this time has added; ISO 8601, UTC without an offset. */
  deployedBefore: v.optional(Instant),
}

interface DeploymentFilters {
  readonly environment?: string | undefined
  readonly deployedAfter?: string | undefined
  readonly deployedBefore?: string | undefined
}

type MergeRequestExpressions = ExpressionBuilder<Database, 'mergeRequest'>
type DeploymentCondition = (eb: MergeRequestExpressions) => Expression<SqlBool>

/**
 * Whether the current user can read the environments of the project, on rows of `mergeRequest`, of several projects joined with
 * `project`.
 */
const readsEnvironments = async (ctx: Context, scope: IssueScope): Promise<DeploymentCondition> => {
  if (scope.kind !== 'project') return readableEnvironments(await withGrants(ctx)) as never
  const readable = hasAbility<'project'>(ctx.actor, scope, 'environment.read')
  return (eb) => eb.lit(readable)
}

const selectDeployments = (eb: MergeRequestExpressions, filters: DeploymentFilters) => {
  const { environment, deployedAfter, deployedBefore } = filters
  let links = eb
    .selectFrom('deploymentMergeRequest as link')
    .innerJoin('deployment', 'deployment.id', 'link.deploymentId')
    .whereRef('link.mergeRequestId', '=', 'mergeRequest.id')
    .where('deployment.status', '=', 'success')
    .select('link.deploymentId')
  if (environment !== undefined)
    links = links
      .innerJoin('environment', 'environment.id', 'deployment.environmentId')
      .where('environment.name', '=', environment)
  if (deployedAfter !== undefined) links = links.where('deployment.finishedAt', '>', normalizeInstant(deployedAfter))
  if (deployedBefore !== undefined) links = links.where('deployment.finishedAt', '<', normalizeInstant(deployedBefore))
  return links
}

/** The condition on the deployments of merge requests; undefined without these filters. */
export const createDeploymentFilter = async (
  ctx: Context,
  scope: IssueScope,
  filters: DeploymentFilters,
): Promise<DeploymentCondition | undefined> => {
  const { environment, deployedAfter, deployedBefore } = filters
  if ([environment, deployedAfter, deployedBefore].every((value) => value === undefined)) return undefined
  const readable = await readsEnvironments(ctx, scope)
  return (eb) => eb.and([readable(eb), eb.exists(selectDeployments(eb, filters))])
}
