import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import * as v from 'valibot'
import { withGrants } from '../../access/grants.ts'
import type { IssueScope } from '../../access/issue-rows.ts'
import { readableMergeRequests } from '../../access/predicates.ts'
import type { Database } from '../../contract/database.ts'
import type { Subjects } from '../../contract/subjects.ts'
import { lower } from '../../db/functions.ts'
import type { Context } from '../../kernel/context.ts'
import { Id } from '../../kernel/inputs.ts'
import { type Page, type PagingInput, paginate } from '../../kernel/paging.ts'
import { issuableListInput, listFilterRules, toMilestoneTitle } from '../issuables/filters.ts'
import { isInScope } from '../issuables/scope.ts'
import { createMergeRequestFilter } from '../issues/criteria.ts'
import { assertOwnMilestone } from '../milestones/queries.ts'
import { draftPrefixes, type MergeRequest, type MergeRequestRecord } from './merge-request.ts'
import { completeMergeRequests, mergeRequestColumns } from './queries.ts'
import { excludingInput, matchReviewers, reviewerInput, reviewerRule } from './reviewer-filter.ts'

export const listInput = {
  ...issuableListInput,
  ...reviewerInput,
  /** Excludes merge requests that match any of these filters; each label and assignee counts separately. */
  not: v.optional(v.strictObject(excludingInput)),
  /** `opened`, `closed` without a merge, `merged`, `locked` (none), or `all` (default). */
  state: v.optional(v.picklist(['opened', 'closed', 'merged', 'locked', 'all']), 'all'),
  /** Only merge requests from this branch; the exact name. */
  sourceBranch: v.optional(v.string()),
  /** Only merge requests into this branch; the exact name. */
  targetBranch: v.optional(v.string()),
  /** Only merge requests from this project; its id. */
  sourceProjectId: v.optional(Id),
  /** `yes`: only drafts, `no`: only others. */
  wip: v.optional(v.picklist(['yes', 'no'])),
  /** Only drafts (true) or only others (false). The same as `wip`. */
  draft: v.optional(v.boolean()),
  /** User ids, at most 1,000, all of which must have approved. */
  approvedByIds: v.optional(v.pipe(v.array(Id), v.maxLength(1_000))),
  /** Value to sort by; equal values are sorted by id. Default: `created_at`. */
  orderBy: v.optional(v.picklist(['created_at', 'updated_at', 'title']), 'created_at'),
}

export const listRules = [...listFilterRules, reviewerRule]

type MergeRequestExpressions = ExpressionBuilder<Database, 'mergeRequest'>
type ListInput = v.InferOutput<v.ObjectSchema<typeof listInput, undefined>>

/** `isWorkInProgress` as a condition. */
const isDraft = (eb: MergeRequestExpressions): Expression<SqlBool> => {
  const title = eb.fn<string>('ltrim', [lower('mergeRequest.title')])
  return eb.or(draftPrefixes.map((prefix) => eb(title, 'like', `${prefix}%`)))
}

const isApprovedBy = (eb: MergeRequestExpressions, userId: number): Expression<SqlBool> =>
  eb.exists(
    eb
      .selectFrom('mergeRequestApproval')
      .whereRef('mergeRequestApproval.mergeRequestId', '=', 'mergeRequest.id')
      .where('mergeRequestApproval.userId', '=', userId)
      .select('mergeRequestApproval.userId'),
  )

const filterConditions = (
  eb: MergeRequestExpressions,
  {
    state,
    sourceBranch,
    targetBranch,
    sourceProjectId,
    wip,
    draft,
    approvedByIds = [],
    not = {},
    ...filters
  }: Partial<ListInput>,
): Expression<SqlBool>[] => [
  ...(state === undefined || state === 'all'
    ? []
    : [state === 'locked' ? eb.lit(false) : eb('mergeRequest.state', '=', state)]),
  ...(sourceBranch === undefined ? [] : [eb('mergeRequest.sourceBranch', '=', sourceBranch)]),
  ...(targetBranch === undefined ? [] : [eb('mergeRequest.targetBranch', '=', targetBranch)]),
  ...(sourceProjectId === undefined ? [] : [eb('mergeRequest.sourceProjectId', '=', sourceProjectId)]),
  ...[draft, wip === undefined ? undefined : wip === 'yes']
    .filter((value) => value !== undefined)
    .map((value) => (value ? isDraft(eb) : eb.not(isDraft(eb)))),
  ...approvedByIds.map((userId) => isApprovedBy(eb, userId)),
  ...matchReviewers(eb, filters),
  ...matchReviewers(eb, not).map((condition) => eb.not(condition)),
]

/** The merge requests of the scope that the caller can read. */
const selectReadable = async (ctx: Context, scope: IssueScope, nonArchived: boolean) => {
  const rows = ctx.db.selectFrom('mergeRequest')
  if (scope.kind === 'project') return rows.where('mergeRequest.projectId', '=', scope.project.id)
  return rows
    .innerJoin('project', 'project.id', 'mergeRequest.projectId')
    .where((eb) => isInScope(scope, nonArchived)(eb as never))
    .where(readableMergeRequests(await withGrants(ctx))) as never
}

const sortColumns = {
  created_at: 'mergeRequest.createdAt',
  updated_at: 'mergeRequest.updatedAt',
  title: 'mergeRequest.title',
} as const

/** A page of the merge requests of a project, a group or the instance that the caller can read. */
export async function listMergeRequests(
  ctx: Context,
  scope: IssueScope,
  { nonArchived = false, ...input }: ListInput & { readonly nonArchived?: boolean },
): Promise<Page<MergeRequest>> {
  const { orderBy, sort, page: pageNumber, perPage, ...filters } = input
  const matches = await createMergeRequestFilter(ctx, scope, { ...filters, milestone: toMilestoneTitle(filters) })
  const readable = await selectReadable(ctx, scope, nonArchived)
  const rows = readable
    .where((eb: MergeRequestExpressions) => eb.and([matches(eb), ...filterConditions(eb, filters)]))
    .orderBy(sortColumns[orderBy], sort)
    .orderBy('mergeRequest.id', sort)
    .select(mergeRequestColumns)
  const page = await paginate(rows, { page: pageNumber, perPage }, (row): MergeRequestRecord => row)
  return { ...page, items: await completeMergeRequests(ctx, page.items) }
}

/**
 * A page of the merge requests of a milestone that the caller can read.
 *
 * @throws PlatformError `not_found` for a milestone of another parent
 */
export async function listMergeRequestsOfMilestone(
  ctx: Context,
  subject: Subjects['project'] | Subjects['group'],
  milestoneId: number,
  paging: PagingInput,
): Promise<Page<MergeRequest>> {
  await assertOwnMilestone(ctx, subject, milestoneId)
  const rows = ctx.db
    .selectFrom('mergeRequest')
    .innerJoin('project', 'project.id', 'mergeRequest.projectId')
    .where('mergeRequest.milestoneId', '=', milestoneId)
    .where(readableMergeRequests(await withGrants(ctx)))
    .orderBy('mergeRequest.id', 'desc')
    .select(mergeRequestColumns)
  const page = await paginate(rows, paging, (row): MergeRequestRecord => row)
  return { ...page, items: await completeMergeRequests(ctx, page.items) }
}
