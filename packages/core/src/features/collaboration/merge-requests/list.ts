import { type ExpressionBuilder, expressionBuilder } from 'kysely'
import { withGrants } from '../../../access/grants.ts'
import { readableMergeRequests } from '../../../access/predicates.ts'
import { project } from '../../../access/subjects.ts'
import type { Database } from '../../../contract/database.ts'
import { isOneOf } from '../../../db/functions.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { type Page, paginate } from '../../../kernel/paging.ts'
import { loadIfVisible } from '../../../policy/visible.ts'
import { withLabelDetails } from '../../planning/issuables/label-details.ts'
import { sortIssuables } from '../../planning/issuables/order.ts'
import { isInScope, withListPlace } from '../../planning/issuables/scope.ts'
import { createMergeRequestFilter } from '../../planning/issues/criteria.ts'
import { type ListSubject, toListScope } from '../../planning/milestones/subject.ts'
import { matchApprovers } from './approver-filter.ts'
import { createDeploymentFilter } from './deployment-filter.ts'
import { filterConditions, type ListInput } from './filters.ts'
import type { MergeRequest, MergeRequestRecord } from './merge-request.ts'
import { completeMergeRequests, mergeRequestColumns } from './queries.ts'
import { hasReviewer } from './reviewer-filter.ts'

/** A page of merge requests. */
export interface MergeRequestPage extends Page<MergeRequest> {
  /** Whether the current user requested only the identifying fields. */
  readonly simple: boolean
}

/** Merge requests that filters do not describe. */
interface Selection {
  readonly ids?: readonly number[]
  /** Those with a stored version that contains this commit. */
  readonly sha?: string
}

const hasCommit = (eb: ExpressionBuilder<Database, 'mergeRequest'>, sha: string) =>
  eb(
    'mergeRequest.id',
    'in',
    eb.selectFrom('mergeRequestCommit').where('mergeRequestCommit.sha', '=', sha).select('mergeRequestId'),
  )

/** The merge requests of the scope that the current user can read. */
const selectReadable = async (ctx: Context, scope: ListSubject, nonArchived: boolean) => {
  const rows = ctx.db.selectFrom('mergeRequest')
  if (scope.kind === 'project') return rows.where('mergeRequest.projectId', '=', scope.project.id)
  return rows
    .innerJoin('project', 'project.id', 'mergeRequest.projectId')
    .where(isInScope(scope, nonArchived)(expressionBuilder()))
    .where(readableMergeRequests(await withGrants(ctx))) as never
}

/** The id of a source project, or one that no project has: callers must not find out the ids of forks that they cannot see. */
const findSourceFilter = async (ctx: Context, id: number): Promise<number> =>
  (await loadIfVisible(ctx, project, { project: id })) === undefined ? 0 : id

/** A page of the merge requests of a project, a group, a milestone or the instance that the current user can read. */
export async function listMergeRequests(
  ctx: Context,
  subject: ListSubject,
  { nonArchived = false, withLabelsDetails, view, ...input }: ListInput & { readonly nonArchived?: boolean },
  { ids, sha }: Selection = {},
): Promise<MergeRequestPage> {
  const { orderBy, sort, page: pageNumber, perPage, sourceProjectId: sourceId, scope: mine, ...others } = input
  const filters = {
    ...others,
    ...(mine !== 'reviews_for_me' && { scope: mine }),
    ...(sourceId !== undefined && { sourceProjectId: await findSourceFilter(ctx, sourceId) }),
  }
  const scope = await toListScope(ctx, subject, filters.milestone)
  const matches = await createMergeRequestFilter(ctx, scope, filters)
  const isDeployed = await createDeploymentFilter(ctx, scope, filters)
  const readable = await selectReadable(ctx, subject, nonArchived)
  const matching = readable.where((eb: ExpressionBuilder<Database, 'mergeRequest'>) =>
    eb.and([
      matches(eb),
      ...filterConditions(eb, filters),
      ...(mine === 'reviews_for_me' ? [hasReviewer(eb, getUserId(ctx.actor))] : []),
      ...matchApprovers(eb, ctx.tier, filters.approverIds),
      ...(isDeployed ? [isDeployed(eb)] : []),
      ...(ids === undefined ? [] : [isOneOf(ctx.dialect, 'mergeRequest.id', ids)]),
      ...(sha === undefined ? [] : [hasCommit(eb, sha)]),
    ]),
  )
  const byId = sha !== undefined || typeof filters.milestone === 'number'
  const rows = sortIssuables(matching, 'mergeRequest', { orderBy, sort, byId }).select(mergeRequestColumns)
  const page = await paginate(rows, { page: pageNumber, perPage }, (row): MergeRequestRecord => row)
  const items = withListPlace(subject, await completeMergeRequests(ctx, page.items))
  return {
    ...page,
    simple: view === 'simple',
    items: withLabelsDetails ? await withLabelDetails(ctx, 'mergeRequest', items) : items,
  }
}
