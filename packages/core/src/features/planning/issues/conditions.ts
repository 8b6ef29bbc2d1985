import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { PredicateContext } from '../../../access/access-conditions.ts'
import type { IssueRowColumns, IssueScope } from '../../../access/issue-rows.ts'
import { readableEpics } from '../../../access/predicates.ts'
import type { tallyKinds } from '../../../db/counters/columns.ts'
import { containsWords, equalsWholeText, type FullTextQuery } from '../../../db/counters/full-text.ts'
import { column, matchesSearch, withoutIndex } from '../../../db/functions.ts'
import { getUserId } from '../../../kernel/actor.ts'
import { type Context, today } from '../../../kernel/context.ts'
import { normalizeInstant } from '../../../kernel/inputs.ts'
import { parseSearchText } from '../../../kernel/search-text.ts'
import { defined } from '../../../shared/defined.ts'
import { isAny, isNone } from '../issuables/filters.ts'
import { type IssuableKind, relationTables } from '../issuables/relations.ts'
import type { IssueFilters } from './filters.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows of `issue` or of one of its links
type RowExpressions = ExpressionBuilder<any, any>

/** The counters of the labels, users or milestones with these ids. */
export interface Tally {
  readonly kind: keyof typeof tallyKinds
  subjectIds(ctx: Context): Expression<unknown> | readonly number[]
}

/** The columns of the row that a condition checks: of an issue, unless `kind` names another item. */
export interface IssuableRow extends Omit<IssueRowColumns, 'confidential'> {
  readonly kind?: IssuableKind
  /** Only issues have it. */
  readonly confidential?: string
}

const tablesOf = ({ kind = 'issue' }: IssuableRow) => relationTables[kind]

export interface Condition {
  /** Reads columns that only `issue` has; otherwise `IssueRowColumns` suffice. */
  readonly needsIssueRow: boolean
  /** The index that finds matching rows: of a column of `issue`, or of the ids that a subquery selects. Omitted: none. */
  readonly lookup?: 'column' | 'ids'
  /** The counters to use when this is the only condition. */
  readonly tally?: Tally
  /** A full-text query that finds exactly the matching issues. */
  readonly fullTextQuery?: FullTextQuery
  /** `checkOnly`: the query finds the rows by other means, so the condition must not use an index of its own. */
  toExpression(eb: RowExpressions, row: IssuableRow, checkOnly: boolean): Expression<SqlBool>
}

/** A label or assignee that an issue must have. */
export interface Link extends Tally {
  readonly table: 'issueLabel' | 'issueAssignee'
  readonly relation: 'labels' | 'assignees'
  readonly column: 'labelId' | 'userId'
  readonly kind: 'label' | 'assignee'
  /** The name of a label. */
  readonly name?: string
}

/** Labels and milestones that issues of the scope can have: in a project, its own and those of its ancestor groups. */
const isInScope = (scope: IssueScope) => (eb: RowExpressions) => {
  if (scope.kind !== 'project') return eb.lit(true)
  const ancestors = eb
    .selectFrom('namespaceLineage')
    .where('namespaceId', '=', scope.project.namespaceId)
    .select('ancestorId')
  return eb.or([eb('projectId', '=', scope.project.id), eb('groupId', 'in', ancestors)])
}

export const selectLabelsByName = (ctx: Context, scope: IssueScope, names: readonly string[]) => {
  const labels = ctx.db.selectFrom('label').where('name', 'in', names)
  return scope.kind === 'project' ? labels.where((eb) => isInScope(scope)(eb as RowExpressions)) : labels
}

export const labelLink = (scope: IssueScope, name: string): Link => ({
  table: 'issueLabel',
  relation: 'labels',
  column: 'labelId',
  kind: 'label',
  name,
  subjectIds: (ctx) => selectLabelsByName(ctx, scope, [name]).select('id'),
})

export const assigneeLink = (userId: number): Link => ({
  table: 'issueAssignee',
  relation: 'assignees',
  column: 'userId',
  kind: 'assignee',
  subjectIds: () => [userId],
})

const selectLinks = (eb: RowExpressions, relation: Link['relation'], row: IssuableRow) => {
  const tables = tablesOf(row)
  return eb
    .selectFrom(`${tables[relation]} as has`)
    .whereRef(`has.${tables.key}`, '=', row.id)
    .select(`has.${tables.key}`)
}

/** Searches the links of each issue, which are few; the index of the label or user may list very many issues. */
export const hasLink = (ctx: Context, { relation, column, subjectIds }: Link): Condition => ({
  needsIssueRow: false,
  toExpression: (eb, row) =>
    eb.exists(
      selectLinks(eb, relation, row).where((link: RowExpressions) =>
        link(withoutIndex(`has.${column}`), 'in', subjectIds(ctx) as never),
      ),
    ),
})

export const hasAnyLink = (relation: Link['relation']): Condition => ({
  needsIssueRow: false,
  toExpression: (eb, row) => eb.exists(selectLinks(eb, relation, row)),
})

export const negate = (condition: Condition): Condition => ({
  needsIssueRow: condition.needsIssueRow,
  toExpression: (eb, row) => eb.not(condition.toExpression(eb, row, true)),
})

export const anyOf = (conditions: readonly Condition[]): Condition => ({
  needsIssueRow: conditions.some(({ needsIssueRow }) => needsIssueRow),
  toExpression: (eb, row) => eb.or(conditions.map(({ toExpression }) => toExpression(eb, row, true))),
})

const columnOf = ({ kind = 'issue' }: IssuableRow, name: string) => `${kind}.${name}`

const compareColumn = (name: string, operator: '=' | '>=' | '<=', value: unknown): Condition => ({
  needsIssueRow: true,
  lookup: 'column',
  toExpression: (eb, row) => eb(columnOf(row, name), operator, value),
})

export const hasAuthor = (authorId: number): Condition => ({
  ...compareColumn('authorId', '=', authorId),
  tally: { kind: 'author', subjectIds: () => [authorId] },
})

/** No `lookup`: the index of iids begins with the project. */
export const hasIid = (iids: readonly number[]): Condition => ({
  needsIssueRow: true,
  toExpression: (eb, row) => eb(columnOf(row, 'iid'), 'in', iids.length ? iids : [0]),
})

/** The active milestones with the next due date of each project or group. */
const selectUpcomingMilestones = (ctx: Context) =>
  ctx.db
    .selectFrom('milestone')
    .where('state', '=', 'active')
    .where('dueDate', '>', today(ctx))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('milestone as sooner')
            .where('sooner.state', '=', 'active')
            .where('sooner.dueDate', '>', today(ctx))
            .whereRef('sooner.dueDate', '<', 'milestone.dueDate')
            .where((same) =>
              same.or([
                same('sooner.projectId', '=', same.ref('milestone.projectId')),
                same('sooner.groupId', '=', same.ref('milestone.groupId')),
              ]),
            )
            .select('sooner.id'),
        ),
      ),
    )
    .select('id')

const selectStartedMilestones = (ctx: Context) =>
  ctx.db.selectFrom('milestone').where('state', '=', 'active').where('startDate', '<=', today(ctx)).select('id')

const selectMilestones = (ctx: Context, scope: IssueScope, title: string) => {
  if (title.toLowerCase() === '#upcoming') return selectUpcomingMilestones(ctx)
  if (title.toLowerCase() === '#started') return selectStartedMilestones(ctx)
  return ctx.db
    .selectFrom('milestone')
    .where('title', '=', title)
    .where((eb) => isInScope(scope)(eb as RowExpressions))
    .select('id')
}

const columnIs = (name: string, operator: 'is' | 'is not'): Condition => ({
  needsIssueRow: true,
  toExpression: (eb, row) => eb(columnOf(row, name), operator, null),
})

export const hasWeight = (weight: number | string): Condition => {
  if (isNone(weight)) return columnIs('weight', 'is')
  if (isAny(weight)) return columnIs('weight', 'is not')
  return {
    needsIssueRow: true,
    lookup: 'column',
    // Never null, so that the negation matches issues without a weight.
    toExpression: (eb, row) =>
      eb.and([eb(columnOf(row, 'weight'), 'is not', null), eb(columnOf(row, 'weight'), '=', Number(weight))]),
  }
}

export const hasMilestone = (ctx: Context, scope: IssueScope, title: number | string): Condition => {
  if (typeof title === 'number') return compareColumn('milestoneId', '=', title)
  if (isNone(title)) return columnIs('milestoneId', 'is')
  if (isAny(title)) return columnIs('milestoneId', 'is not')
  return {
    needsIssueRow: true,
    lookup: 'column',
    tally: { kind: 'milestone', subjectIds: () => selectMilestones(ctx, scope, title) },
    // Never null, so that the negation matches items without a milestone.
    toExpression: (eb, row) =>
      eb.and([
        eb(columnOf(row, 'milestoneId'), 'is not', null),
        eb(columnOf(row, 'milestoneId'), 'in', selectMilestones(ctx, scope, title) as never),
      ]),
  }
}

const readableEpicIds = (ctx: PredicateContext, id: number) =>
  ctx.db
    .selectFrom('epic')
    .innerJoin('namespace', 'namespace.id', 'epic.groupId')
    .where('epic.id', '=', id)
    .where(readableEpics(ctx))
    .select('epic.id')

/** Issues of an epic that the current user can read; `Any`: of any epic, `None`: of none. */
export const hasEpic = (ctx: PredicateContext & Pick<Context, 'tier'>, epicId: number | string): Condition => ({
  needsIssueRow: false,
  toExpression(eb, row) {
    if (ctx.tier === 'free') return eb.lit(isNone(epicId))
    const links = eb.selectFrom('epicIssue').whereRef('epicIssue.issueId', '=', row.id).select('epicIssue.id')
    if (isNone(epicId)) return eb.not(eb.exists(links))
    return eb.exists(
      isAny(epicId) ? links : links.where('epicIssue.epicId', 'in', readableEpicIds(ctx, Number(epicId))),
    )
  },
})

/** Items to which the current user has given the emoji; `Any`: at least one, `None`: none. */
export const hasReaction = (ctx: Context, emoji: string): Condition => {
  const selectReactions = (row: IssuableRow) => {
    const { key } = tablesOf(row)
    const reactions = ctx.db
      .selectFrom('awardEmoji')
      .where('userId', '=', getUserId(ctx.actor))
      .where(key, 'is not', null)
      .select(key)
    return isNone(emoji) || isAny(emoji) ? reactions : reactions.where('name', '=', emoji)
  }
  const condition: Condition = {
    needsIssueRow: false,
    lookup: 'ids',
    toExpression: (eb, row, checkOnly) =>
      eb(checkOnly ? withoutIndex(row.id) : row.id, 'in', selectReactions(row) as never),
  }
  return isNone(emoji) ? negate(condition) : condition
}

/** A blank search matches every issue. */
const searchConditions = (ctx: Context, { search, in: requestedColumns = [] }: IssueFilters): Condition[] => {
  const { words, wholeText } = parseSearchText(search ?? '')
  if (!words.length && wholeText === '') return []
  const columns = requestedColumns.length ? requestedColumns : (['title', 'description'] as const)
  const usesFullText = ctx.dialect === 'sqlite' && words.length > 0
  return [
    {
      needsIssueRow: !usesFullText,
      lookup: usesFullText ? 'ids' : 'column',
      ...(usesFullText ? { fullTextQuery: { words, columns } } : {}),
      toExpression(_eb, row, checkOnly) {
        // Only issues have a full-text index.
        if (row.kind === 'mergeRequest') {
          const names = columns.map((name) => columnOf(row, name))
          return defined(matchesSearch(ctx.dialect, names, { words, wholeText }))
        }
        const id = checkOnly ? withoutIndex(row.id) : column(row.id)
        return words.length
          ? containsWords(ctx.dialect, id, words, columns)
          : equalsWholeText(ctx.dialect, id, wholeText, columns)
      },
    },
  ]
}

const hasHealth = (status: NonNullable<IssueFilters['healthStatus']>): Condition => {
  if (isNone(status)) return columnIs('healthStatus', 'is')
  return isAny(status) ? columnIs('healthStatus', 'is not') : compareColumn('healthStatus', '=', status)
}

/** The conditions on dates, confidentiality and text. */
export const fieldConditions = (ctx: Context, filters: Omit<IssueFilters, 'milestone'>): Condition[] => {
  const { createdAfter, createdBefore, updatedAfter, updatedBefore, confidential, healthStatus } = filters
  return [
    ...(healthStatus === undefined ? [] : [hasHealth(healthStatus)]),
    ...(confidential === undefined
      ? []
      : [
          {
            needsIssueRow: false,
            toExpression: (eb: RowExpressions, row: IssuableRow) => eb(defined(row.confidential), '=', confidential),
          },
        ]),
    ...(createdAfter === undefined ? [] : [compareColumn('createdAt', '>=', normalizeInstant(createdAfter))]),
    ...(createdBefore === undefined ? [] : [compareColumn('createdAt', '<=', normalizeInstant(createdBefore))]),
    ...(updatedAfter === undefined ? [] : [compareColumn('updatedAt', '>=', normalizeInstant(updatedAfter))]),
    ...(updatedBefore === undefined ? [] : [compareColumn('updatedAt', '<=', normalizeInstant(updatedBefore))]),
    ...searchConditions(ctx, filters),
  ]
}
