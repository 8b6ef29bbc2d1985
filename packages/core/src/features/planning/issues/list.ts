import { type ExpressionBuilder, expressionBuilder } from 'kysely'
import { withGrants } from '../../../access/grants.ts'
import { readableIssues, readableIssuesOfProject } from '../../../access/predicates.ts'
import type { Database } from '../../../contract/database.ts'
import type { Context } from '../../../kernel/context.ts'
import { type Page, paginate } from '../../../kernel/paging.ts'
import { withLabelDetails } from '../issuables/label-details.ts'
import { sortIssuables } from '../issuables/order.ts'
import { isInScope } from '../issuables/scope.ts'
import { type ListSubject, toListScope } from '../milestones/subject.ts'
import { createIssueFilter } from './criteria.ts'
import { isDue } from './due-date.ts'
import type { IssueListInput } from './filters.ts'
import type { Issue, IssueRecord } from './issue.ts'
import { completeIssues, issueColumns } from './queries.ts'

/** The issues of the scope that the current user can read. */
const selectReadableIssues = async (ctx: Context, scope: ListSubject, nonArchived: boolean) => {
  if (scope.kind === 'project') {
    return ctx.db
      .selectFrom('issue')
      .where('issue.projectId', '=', scope.project.id)
      .where(readableIssuesOfProject(ctx, scope))
  }
  return ctx.db
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.projectId')
    .where(isInScope(scope, nonArchived)(expressionBuilder()))
    .where(readableIssues(await withGrants(ctx))) as never
}

/** A page of the issues of a project, a group, a milestone or the instance that the current user can read. */
export async function listIssues(
  ctx: Context,
  subject: ListSubject,
  { nonArchived = false, withLabelsDetails, ...input }: IssueListInput & { readonly nonArchived?: boolean },
): Promise<Page<Issue>> {
  const { state, orderBy, sort, page: pageNumber, perPage, dueDate, issueType, closedById, ...filters } = input
  const scope = await toListScope(ctx, subject, filters.milestone)
  const matches = await createIssueFilter(ctx, scope, filters)
  const readable = await selectReadableIssues(ctx, subject, nonArchived)
  const matching = readable.where((eb: ExpressionBuilder<Database, 'issue'>) =>
    eb.and([
      matches(eb),
      ...(state === 'all' ? [] : [eb('issue.state', '=', state)]),
      ...(closedById === undefined ? [] : [eb('issue.closedById', '=', closedById)]),
      ...(dueDate === undefined ? [] : [isDue(ctx, dueDate)(eb)]),
      ...(issueType === undefined || issueType === 'issue' ? [] : [eb.lit(false)]),
    ]),
  )
  const byId = typeof filters.milestone === 'number'
  const rows = sortIssuables(matching, 'issue', { orderBy, sort, byId }).select(issueColumns)
  const page = await paginate(rows, { page: pageNumber, perPage }, (row): IssueRecord => row)
  const items = await completeIssues(ctx, page.items)
  return { ...page, items: withLabelsDetails ? await withLabelDetails(ctx, 'issue', items) : items }
}
