import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { IssuePlace } from '../../access/issue-rows.ts'
import type { Database } from '../../database.ts'
import type { Context } from '../../kernel/context.ts'
import { linked } from './conditions.ts'
import type { IssueFilters } from './filters.ts'
import { demandsOf } from './matching.ts'

const row = { id: 'issue.id', projectId: 'issue.projectId', confidential: 'issue.confidential' }

/** The filters as one condition on rows of `issue`, for lists; counts take shorter ways. */
export async function filtered(
  ctx: Context,
  place: IssuePlace,
  filters: IssueFilters,
): Promise<(eb: ExpressionBuilder<Database, 'issue'>) => Expression<SqlBool>> {
  const { conditions, links } = await demandsOf(ctx, place, filters)
  const all = [...conditions, ...links.map((link) => linked(ctx, link))]
  return (eb) => eb.and(all.map((condition) => condition.holds(eb, row, true)))
}
