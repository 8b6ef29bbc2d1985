import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import * as v from 'valibot'
import type { Database } from '../../../contract/database.ts'
import { lower } from '../../../db/functions.ts'
import { Id, mutuallyExclusive } from '../../../kernel/inputs.ts'
import { issuableListInput, listFilterRules, scopes, type WithMilestoneId } from '../../planning/issuables/filters.ts'
import { issuableOrders } from '../../planning/issuables/order.ts'
import { approverInput } from './approver-filter.ts'
import { deploymentInput } from './deployment-filter.ts'
import { draftPrefixes } from './merge-request.ts'
import { excludingInput, matchReviewers, reviewerInput, reviewerRule, selectUserId } from './reviewer-filter.ts'

/** Input of lists of merge requests. */
export const listInput = {
  ...issuableListInput,
  ...reviewerInput,
  ...approverInput,
  ...deploymentInput,
  /**
   * `created_by_me`, `assigned_to_me` or `reviews_for_me`: only those of the current user; `all`: no restriction. The forms with
   * hyphens are equivalent. Default: `created_by_me` for the whole instance, otherwise `all`.
   */
  scope: v.optional(v.picklist([...scopes, 'reviews_for_me'])),
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
  /** Usernames, ignoring case, at most 1,000, all of which must have approved. Cannot be combined with `approvedByIds`. */
  approvedByUsernames: v.optional(v.pipe(v.array(v.string()), v.maxLength(1_000))),
  /** `yes`: only merge requests with at least one approval, `no`: only those without. */
  approved: v.optional(v.picklist(['yes', 'no'])),
  /** Only merge requests that this user merged; an id. Cannot be combined with `mergeUserUsername`. */
  mergeUserId: v.optional(Id),
  /** Only merge requests that this user merged; a username, ignoring case. Cannot be combined with `mergeUserId`. */
  mergeUserUsername: v.optional(v.string()),
  /** `simple`: responses over HTTP contain only the identifying fields. The records of the library are always complete. */
  view: v.optional(v.picklist(['simple'])),
  /**
   * Value to sort by; equal values are sorted by id. `label_priority`: of the prioritized label with the smallest number,
   * `priority`: of the milestone's due date and then the labels, `popularity`: the number of `thumbsup` emoji. Default:
   * `created_at`.
   */
  orderBy: v.optional(v.picklist([...issuableOrders, 'merged_at']), 'created_at'),
}

export const listRules = [
  ...listFilterRules,
  reviewerRule,
  mutuallyExclusive<Partial<ListInput>>('approvedByIds', 'approvedByUsernames'),
  mutuallyExclusive<Partial<ListInput>>('mergeUserId', 'mergeUserUsername'),
]

type MergeRequestExpressions = ExpressionBuilder<Database, 'mergeRequest'>
export type ListInput = WithMilestoneId<v.InferOutput<v.ObjectSchema<typeof listInput, undefined>>>

/** `isWorkInProgress` as a condition. */
const isDraft = (eb: MergeRequestExpressions): Expression<SqlBool> => {
  const title = eb.fn<string>('ltrim', [lower('mergeRequest.title')])
  return eb.or(draftPrefixes.map((prefix) => eb(title, 'like', `${prefix}%`)))
}

const selectApprovals = (eb: MergeRequestExpressions) =>
  eb.selectFrom('mergeRequestApproval').whereRef('mergeRequestApproval.mergeRequestId', '=', 'mergeRequest.id')

const isApprovedBy = (eb: MergeRequestExpressions, users: ReturnType<typeof selectUserId> | readonly number[]) =>
  eb.exists(selectApprovals(eb).where('mergeRequestApproval.userId', 'in', users).select('mergeRequestApproval.userId'))

const hasApprovals = (eb: MergeRequestExpressions, expected: boolean): Expression<SqlBool> => {
  const approved = eb.exists(selectApprovals(eb).select('mergeRequestApproval.userId'))
  return expected ? approved : eb.not(approved)
}

export const filterConditions = (
  eb: MergeRequestExpressions,
  {
    state,
    sourceBranch,
    targetBranch,
    sourceProjectId,
    wip,
    draft,
    approvedByIds = [],
    approvedByUsernames = [],
    approved,
    mergeUserId,
    mergeUserUsername,
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
  ...approvedByIds.map((userId) => isApprovedBy(eb, [userId])),
  ...approvedByUsernames.map((username) => isApprovedBy(eb, selectUserId(eb, username))),
  ...(approved === undefined ? [] : [hasApprovals(eb, approved === 'yes')]),
  ...(mergeUserId === undefined ? [] : [eb('mergeRequest.mergedById', '=', mergeUserId)]),
  ...(mergeUserUsername === undefined
    ? []
    : [eb('mergeRequest.mergedById', 'in', selectUserId(eb, mergeUserUsername))]),
  ...matchReviewers(eb, filters),
  ...matchReviewers(eb, not).map((condition) => eb.not(condition)),
]
