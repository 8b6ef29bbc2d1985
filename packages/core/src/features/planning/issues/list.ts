import { type Expression, type ExpressionBuilder, expressionBuilder, type SqlBool } from 'kysely'
import { withGrants } from '../../../access/grants.ts'
import { readableIssues, readableIssuesOfProject } from '../../../access/predicates.ts'
import type { Database } from '../../../contract/database.ts'
import { type Context, today } from '../../../kernel/context.ts'
import { type Page, paginate } from '../../../kernel/paging.ts'
import { addDays } from '../../../shared/add-days.ts'
import { withLabelDetails } from '../issuables/label-details.ts'
import { sortIssuables } from '../issuables/order.ts'
import { isInScope, withListPlace } from '../issuables/scope.ts'
import { type ListSubject, toListScope } from '../milestones/subject.ts'
import { findStoredCounts } from './counts/counts.ts'
import { createIssueFilter } from './criteria.ts'
import type { DueDate, IssueListInput } from './filters.ts'
import type { Issue, IssueRecord } from './issue.ts'
import { completeIssues, issueColumns } from './queries.ts'

/** The first day of the month that is `offset` months after the month of `day`. */
const startOfMonth = (day: string, offset: number): string =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + offset, 1)).toISOString().slice(0, 10)

/** The first and the last day of the period; weeks begin on Monday. */
const getPeriod = (day: string, dueDate: Exclude<DueDate, '0' | 'any' | 'overdue'>): readonly [string, string] => {
  switch (dueDate) {
    case 'today':
      return [day, day]
    case 'tomorrow':
      return [addDays(day, 1), addDays(day, 1)]
    case 'week': {
      const monday = addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7))
      return [monday, addDays(monday, 6)]
    }
    case 'month':
      return [startOfMonth(day, 0), addDays(startOfMonth(day, 1), -1)]
    case 'next_month_and_previous_two_weeks':
      return [addDays(day, -14), addDays(startOfMonth(day, 2), -1)]
  }
}

/** Whether an issue is due in the period, on rows of `issue`. */
const isDue =
  (ctx: Context, dueDate: DueDate) =>
  (eb: ExpressionBuilder<Database, 'issue'>): Expression<SqlBool> => {
    if (dueDate === '0') return eb('issue.dueDate', 'is', null)
    if (dueDate === 'any') return eb('issue.dueDate', 'is not', null)
    if (dueDate === 'overdue') return eb.and([eb('issue.dueDate', '<', today(ctx)), eb('issue.state', '=', 'opened')])
    const [first, last] = getPeriod(today(ctx), dueDate)
    return eb.between('issue.dueDate', first, last)
  }

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
      ...(dueDate ? [isDue(ctx, dueDate)(eb)] : []),
      ...(issueType === undefined ? [] : [eb('issue.issueType', '=', issueType)]),
    ]),
  )
  const byId = typeof filters.milestone === 'number'
  const rows = sortIssuables(matching, 'issue', { orderBy, sort, byId }).select(issueColumns)
  const countStored = async () => {
    if (scope.kind !== 'project' || dueDate || closedById !== undefined || issueType !== undefined) return undefined
    return (await findStoredCounts(ctx, scope, filters))?.[state]
  }
  const page = await paginate(rows, { page: pageNumber, perPage }, (row): IssueRecord => row, countStored)
  const items = withListPlace(subject, await completeIssues(ctx, page.items))
  return { ...page, items: withLabelsDetails ? await withLabelDetails(ctx, 'issue', items) : items }
}
