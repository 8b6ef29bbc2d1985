import type { ExpressionBuilder } from 'kysely'
import { withGrants } from '../../access/grants.ts'
import type { IssueScope } from '../../access/issue-rows.ts'
import { readableIssues, readableIssuesOfProject } from '../../access/predicates.ts'
import type { Database } from '../../contract/database.ts'
import type { Subjects } from '../../contract/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { type Page, type PagingInput, paginate } from '../../kernel/paging.ts'
import { withLabelDetails } from '../issuables/label-details.ts'
import { sortIssuables } from '../issuables/order.ts'
import { isInScope } from '../issuables/scope.ts'
import { assertOwnMilestone } from '../milestones/queries.ts'
import { createIssueFilter } from './criteria.ts'
import { isDue } from './due-date.ts'
import type { IssueListInput } from './filters.ts'
import type { Issue, IssueRecord } from './issue.ts'
import { completeIssues, issueColumns } from './queries.ts'

/** The issues of the scope that the caller can read. */
const selectReadableIssues = async (ctx: Context, scope: IssueScope, nonArchived: boolean) => {
  if (scope.kind === 'project') {
    return ctx.db
      .selectFrom('issue')
      .where('issue.projectId', '=', scope.project.id)
      .where(readableIssuesOfProject(ctx, scope))
  }
  return ctx.db
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.projectId')
    .where((eb) => isInScope(scope, nonArchived)(eb as never))
    .where(readableIssues(await withGrants(ctx))) as never
}

/** A page of the issues of a project, a group or the instance that the caller can read. */
export async function listIssues(
  ctx: Context,
  scope: IssueScope,
  { nonArchived = false, withLabelsDetails, ...input }: IssueListInput & { readonly nonArchived?: boolean },
): Promise<Page<Issue>> {
  const { state, orderBy, sort, page: pageNumber, perPage, dueDate, issueType, closedById, ...filters } = input
  const matches = await createIssueFilter(ctx, scope, filters)
  const readable = await selectReadableIssues(ctx, scope, nonArchived)
  const matching = readable.where((eb: ExpressionBuilder<Database, 'issue'>) =>
    eb.and([
      matches(eb),
      ...(state === 'all' ? [] : [eb('issue.state', '=', state)]),
      ...(closedById === undefined ? [] : [eb('issue.closedById', '=', closedById)]),
      ...(dueDate === undefined ? [] : [isDue(ctx, dueDate)(eb)]),
      ...(issueType === undefined || issueType === 'issue' ? [] : [eb.lit(false)]),
    ]),
  )
  const rows = sortIssuables(matching, 'issue', { orderBy, sort }).select(issueColumns)
  const page = await paginate(rows, { page: pageNumber, perPage }, (row): IssueRecord => row)
  const items = await completeIssues(ctx, page.items)
  return { ...page, items: withLabelsDetails ? await withLabelDetails(ctx, 'issue', items) : items }
}

/** A page of the issues of a milestone that the caller can read. @throws PlatformError `not_found` for a milestone of another parent */
export async function listIssuesOfMilestone(
  ctx: Context,
  subject: Subjects['project'] | Subjects['group'],
  milestoneId: number,
  paging: PagingInput,
): Promise<Page<Issue>> {
  await assertOwnMilestone(ctx, subject, milestoneId)
  const rows = ctx.db
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.projectId')
    .where('issue.milestoneId', '=', milestoneId)
    .where(readableIssues(await withGrants(ctx)))
    .orderBy('issue.id', 'desc')
    .select(issueColumns)
  const page = await paginate(rows, paging, (row): IssueRecord => row)
  return { ...page, items: await completeIssues(ctx, page.items) }
}
