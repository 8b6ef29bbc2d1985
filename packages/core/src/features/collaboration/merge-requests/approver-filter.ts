import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import * as v from 'valibot'
import type { Database } from '../../../contract/database.ts'
import type { Context } from '../../../kernel/context.ts'
import { IntegerFilter, isAny, isNone } from '../../planning/issuables/filters.ts'

export const approverInput = {
  /**
   * Ids of at most 5 users, all of whom approval rules of the merge request or of its project name. `None`: rules name no user and
   * no group, `Any`: at least one. There are no rules without the paid tier.
   */
  approverIds: v.optional(v.pipe(v.array(IntegerFilter), v.maxLength(5))),
}

type MergeRequestExpressions = ExpressionBuilder<Database, 'mergeRequest'>

/** The rules of the merge request and of its project. */
const selectRules = (eb: MergeRequestExpressions) =>
  eb
    .selectFrom('approvalRule')
    .whereRef('approvalRule.projectId', '=', 'mergeRequest.projectId')
    .where((rule) =>
      rule.or([
        rule('approvalRule.mergeRequestId', 'is', null),
        rule('approvalRule.mergeRequestId', '=', rule.ref('mergeRequest.id')),
      ]),
    )
    .select('approvalRule.id')

/** The conditions for merge requests whose approvers match the filter. */
export const matchApprovers = (
  eb: MergeRequestExpressions,
  tier: Context['tier'],
  approverIds: readonly (number | string)[] = [],
): Expression<SqlBool>[] =>
  approverIds
    .filter((value) => value !== '')
    .map((value) => {
      if (tier === 'free') return eb.lit(isNone(value))
      const users = selectRules(eb).innerJoin('approvalRuleUser as user', 'user.ruleId', 'approvalRule.id')
      const groups = selectRules(eb).innerJoin('approvalRuleGroup as group', 'group.ruleId', 'approvalRule.id')
      const hasApprovers = eb.or([eb.exists(users), eb.exists(groups)])
      if (isNone(value)) return eb.not(hasApprovers)
      return isAny(value) ? hasApprovers : eb.exists(users.where('user.userId', '=', Number(value)))
    })
