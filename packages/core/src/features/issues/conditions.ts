import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { IssuePlace, IssueRow } from '../../access/issue-rows.ts'
import { column, opaque } from '../../db/functions.ts'
import { hasWords, isText, type Words } from '../../db/issue-words.ts'
import type { tallyKinds } from '../../db/migrations/issue-counters.ts'
import { personId } from '../../kernel/actor.ts'
import { type Context, today } from '../../kernel/context.ts'
import { instant } from '../../kernel/inputs.ts'
import { searchWords } from '../../kernel/search-text.ts'
import { type IssueFilters, isAny, isNone } from './filters.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows of `issue` or of one of its links
type Rows = ExpressionBuilder<any, any>

/** Counters of some labels, people or milestones, by the ids that are looked for. */
export interface Tally {
  readonly kind: keyof typeof tallyKinds
  among(ctx: Context): Expression<unknown> | readonly number[]
}

/** One demand on an issue. */
export interface Condition {
  /** Reads columns that only `issue` has; otherwise a link to the issue is enough to tell. */
  readonly ofIssue: boolean
  /**
   * How an index leads to the rows. `column`: by a column of `issue`. `ids`: by the ids that a query finds. Absent: not at all.
   */
  readonly way?: 'column' | 'ids'
  /** The counters that hold the answer where this is all that is asked. */
  readonly tally?: Tally
  /** The index of words that holds exactly the issues it asks for. */
  readonly words?: Words
  /** `walk`: the rows are reached by another way and only checked. */
  holds(eb: Rows, row: IssueRow, walk: boolean): Expression<SqlBool>
}

/** A label or an assignee that an issue must have. */
export interface Link extends Tally {
  readonly table: 'issueLabel' | 'issueAssignee'
  readonly column: 'labelId' | 'userId'
  readonly kind: 'label' | 'assignee'
  /** The name of a label. */
  readonly name?: string
}

/** Labels and milestones that issues of the place can have: in a project, its own and those of the groups above. */
const inPlace = (place: IssuePlace) => (eb: Rows) => {
  if (place.kind !== 'project') return eb.lit(true)
  const above = eb
    .selectFrom('namespaceLineage')
    .where('namespaceId', '=', place.project.namespaceId)
    .select('ancestorId')
  return eb.or([eb('projectId', '=', place.project.id), eb('groupId', 'in', above)])
}

/** Labels of any of the names in the place. */
export const labelsNamed = (ctx: Context, place: IssuePlace, names: readonly string[]) => {
  const named = ctx.db.selectFrom('label').where('name', 'in', names)
  return place.kind === 'project' ? named.where((eb) => inPlace(place)(eb as Rows) as Expression<SqlBool>) : named
}

export const labelLink = (place: IssuePlace, name: string): Link => ({
  table: 'issueLabel',
  column: 'labelId',
  kind: 'label',
  name,
  among: (ctx) => labelsNamed(ctx, place, [name]).select('id'),
})

export const assigneeLink = (userId: number): Link => ({
  table: 'issueAssignee',
  column: 'userId',
  kind: 'assignee',
  among: () => [userId],
})

const linksOf = (eb: Rows, table: Link['table'], row: IssueRow) =>
  eb.selectFrom(`${table} as has`).whereRef('has.issueId', '=', row.id).select('has.issueId')

/** The issue has the link. Seen from each issue: it has few links, however many things have the name. */
export const linked = (ctx: Context, { table, column: key, among }: Link): Condition => ({
  ofIssue: false,
  holds: (eb, row) =>
    eb.exists(linksOf(eb, table, row).where((has: Rows) => has(opaque(`has.${key}`), 'in', among(ctx) as never))),
})

/** The issue has any link of the kind. */
export const hasAny = (table: Link['table']): Condition => ({
  ofIssue: false,
  holds: (eb, row) => eb.exists(linksOf(eb, table, row)),
})

export const negated = (condition: Condition): Condition => ({
  ofIssue: condition.ofIssue,
  holds: (eb, row) => eb.not(condition.holds(eb, row, true)),
})

/** All of them, to be negated: issues that match at least one. */
export const anyOf = (conditions: readonly Condition[]): Condition => ({
  ofIssue: conditions.some(({ ofIssue }) => ofIssue),
  holds: (eb, row) => eb.or(conditions.map(({ holds }) => holds(eb, row, true))),
})

/** A plain comparison with a column of `issue`. */
const compared = (name: string, operator: '=' | '>=' | '<=', value: unknown): Condition => ({
  ofIssue: true,
  way: 'column',
  holds: (eb) => eb(`issue.${name}`, operator, value),
})

export const writtenBy = (authorId: number): Condition => ({
  ...compared('authorId', '=', authorId),
  tally: { kind: 'author', among: () => [authorId] },
})

/** Numbers of issues lead to rows only together with their project. */
export const numbered = (iids: readonly number[]): Condition => ({
  ofIssue: true,
  holds: (eb) => eb('issue.iid', 'in', iids.length ? iids : [0]),
})

/** Milestones that are open and due, none of the same project or group before them. */
const upcoming = (ctx: Context) =>
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

const started = (ctx: Context) =>
  ctx.db.selectFrom('milestone').where('state', '=', 'active').where('startDate', '<=', today(ctx)).select('id')

const milestones = (ctx: Context, place: IssuePlace, asked: string) => {
  if (asked.toLowerCase() === '#upcoming') return upcoming(ctx)
  if (asked.toLowerCase() === '#started') return started(ctx)
  return ctx.db
    .selectFrom('milestone')
    .where('title', '=', asked)
    .where((eb) => inPlace(place)(eb as Rows) as Expression<SqlBool>)
    .select('id')
}

export const planned = (ctx: Context, place: IssuePlace, asked: string): Condition => {
  if (isNone(asked)) return { ofIssue: true, holds: (eb) => eb('issue.milestoneId', 'is', null) }
  if (isAny(asked)) return { ofIssue: true, holds: (eb) => eb('issue.milestoneId', 'is not', null) }
  return {
    ofIssue: true,
    way: 'column',
    tally: { kind: 'milestone', among: () => milestones(ctx, place, asked) },
    // Never null, so that its opposite holds for issues without any milestone.
    holds: (eb) =>
      eb.and([
        eb('issue.milestoneId', 'is not', null),
        eb('issue.milestoneId', 'in', milestones(ctx, place, asked) as never),
      ]),
  }
}

/** Issues to which the caller has given the emoji, or any, or none. */
export const reacted = (ctx: Context, asked: string): Condition => {
  const given = ctx.db
    .selectFrom('awardEmoji')
    .where('userId', '=', personId(ctx.actor))
    .where('issueId', 'is not', null)
    .select('issueId')
  const some = isNone(asked) || isAny(asked) ? given : given.where('name', '=', asked)
  const condition: Condition = {
    ofIssue: false,
    way: 'ids',
    holds: (eb, row, walk) => eb(walk ? opaque(row.id) : row.id, 'in', some as never),
  }
  return isNone(asked) ? negated(condition) : condition
}

/** Nothing for a blank text, which finds everything. */
const found = (ctx: Context, { search, in: columns = [] }: IssueFilters): Condition[] => {
  const { words, whole } = searchWords(search ?? '')
  if (!words.length && whole === '') return []
  const chosen = columns.length ? columns : (['title', 'description'] as const)
  const fromIds = ctx.dialect === 'sqlite' && words.length > 0
  return [
    {
      ofIssue: !fromIds,
      way: fromIds ? 'ids' : 'column',
      ...(fromIds ? { words: { words, columns: chosen } } : {}),
      holds(_eb, row, walk) {
        const id = walk ? opaque(row.id) : column(row.id)
        return words.length ? hasWords(ctx.dialect, id, words, chosen) : isText(ctx.dialect, id, whole, chosen)
      },
    },
  ]
}

/** The conditions that say nothing of people, labels and numbers. */
export const plainConditions = (ctx: Context, filters: IssueFilters): Condition[] => {
  const { createdAfter, createdBefore, updatedAfter, updatedBefore, confidential } = filters
  return [
    ...(confidential === undefined
      ? []
      : [{ ofIssue: false, holds: (eb: Rows, row: IssueRow) => eb(row.confidential, '=', confidential) }]),
    ...(createdAfter === undefined ? [] : [compared('createdAt', '>=', instant(createdAfter))]),
    ...(createdBefore === undefined ? [] : [compared('createdAt', '<=', instant(createdBefore))]),
    ...(updatedAfter === undefined ? [] : [compared('updatedAt', '>=', instant(updatedAfter))]),
    ...(updatedBefore === undefined ? [] : [compared('updatedAt', '<=', instant(updatedBefore))]),
    ...found(ctx, filters),
  ]
}
