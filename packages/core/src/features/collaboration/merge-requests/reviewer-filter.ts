import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import * as v from 'valibot'
import type { Database } from '../../../contract/database.ts'
import { lower } from '../../../db/functions.ts'
import { mutuallyExclusive } from '../../../kernel/inputs.ts'
import { IntegerFilter, isAny, isNone, matchingInput } from '../../planning/issuables/filters.ts'

type MergeRequestExpressions = ExpressionBuilder<Database, 'mergeRequest'>

export const reviewerInput = {
  /** User id of a reviewer. `None` or 0: no reviewer, `Any`: at least one. Cannot be combined with `reviewerUsername`. */
  reviewerId: v.optional(IntegerFilter),
  /** Username of a reviewer, case-insensitive; an unknown one matches nothing. Cannot be combined with `reviewerId`. */
  reviewerUsername: v.optional(v.string()),
}

/** The filters that exclude merge requests. */
export const excludingInput = { ...matchingInput, ...reviewerInput }

interface ReviewerFilters {
  readonly reviewerId?: number | string | undefined
  readonly reviewerUsername?: string | undefined
}

export const reviewerRule = mutuallyExclusive<ReviewerFilters>('reviewerId', 'reviewerUsername')

const selectReviewers = (eb: MergeRequestExpressions) =>
  eb
    .selectFrom('mergeRequestReviewer')
    .whereRef('mergeRequestReviewer.mergeRequestId', '=', 'mergeRequest.id')
    .select('mergeRequestReviewer.userId')

/** Whether a review by the user is requested. */
export const hasReviewer = (eb: MergeRequestExpressions, userId: number): Expression<SqlBool> =>
  eb.exists(selectReviewers(eb).where('mergeRequestReviewer.userId', '=', userId))

/** The id of the user with this name, ignoring case. */
export const selectUserId = (eb: MergeRequestExpressions, username: string) =>
  eb.selectFrom('user').where(lower('username'), '=', username.toLowerCase()).select('user.id')

/** The conditions for merge requests with reviewers that match the filters. */
export const matchReviewers = (
  eb: MergeRequestExpressions,
  { reviewerId, reviewerUsername }: ReviewerFilters,
): Expression<SqlBool>[] => {
  const conditions: Expression<SqlBool>[] = []
  if (reviewerId !== undefined && reviewerId !== '') {
    const reviewers = selectReviewers(eb)
    if (isAny(reviewerId)) conditions.push(eb.exists(reviewers))
    else if (isNone(reviewerId) || Number(reviewerId) === 0) conditions.push(eb.not(eb.exists(reviewers)))
    else conditions.push(hasReviewer(eb, Number(reviewerId)))
  }
  if (reviewerUsername !== undefined && reviewerUsername !== '') {
    conditions.push(
      eb.exists(selectReviewers(eb).where('mergeRequestReviewer.userId', 'in', selectUserId(eb, reviewerUsername))),
    )
  }
  return conditions
}
