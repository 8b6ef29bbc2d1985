import type { Expression, ExpressionBuilder, OrderByItemBuilder } from 'kysely'
import { issuePosition } from '../../../db/functions.ts'
import { type IssuableKind, relationTables } from './relations.ts'

/** The values by which lists of issues and merge requests can be sorted. */
export const issuableOrders = [
  'created_at',
  'updated_at',
  'title',
  'milestone_due',
  'label_priority',
  'priority',
  'popularity',
] as const

// biome-ignore lint/suspicious/noExplicitAny: rows of `issue` or of `mergeRequest`
type RowExpressions = ExpressionBuilder<any, any>

/** A column, or an expression on rows of the list. */
type SortValue = string | ((eb: RowExpressions) => Expression<unknown>)

type SortValues = (kind: IssuableKind) => readonly SortValue[]

const columns =
  (...names: readonly string[]): SortValues =>
  (kind) =>
    names.map((name) => `${kind}.${name}`)

const milestoneDueDate = (kind: IssuableKind) => (eb: RowExpressions) =>
  eb.selectFrom('milestone').whereRef('milestone.id', '=', `${kind}.milestoneId`).select('milestone.dueDate')

/** The smallest number is the highest priority. */
const highestLabelPriority = (kind: IssuableKind) => (eb: RowExpressions) => {
  const { key, labels } = relationTables[kind]
  return eb
    .selectFrom(`${labels} as link`)
    .innerJoin('labelPriority', 'labelPriority.labelId', 'link.labelId')
    .whereRef(`link.${key}`, '=', `${kind}.id`)
    .whereRef('labelPriority.projectId', '=', `${kind}.projectId`)
    .select((counted) => counted.fn.min('labelPriority.priority').as('priority'))
}

const upvotes = (kind: IssuableKind) => (eb: RowExpressions) =>
  eb
    .selectFrom('awardEmoji')
    .whereRef(`awardEmoji.${relationTables[kind].key}`, '=', `${kind}.id`)
    .where('awardEmoji.name', '=', 'thumbsup')
    .select((counted) => counted.fn.countAll().as('votes'))

/** Orders that only some items have are added by their lists. */
const sortValues: Readonly<Record<string, SortValues>> = {
  created_at: columns('createdAt'),
  updated_at: columns('updatedAt'),
  title: columns('title'),
  milestone_due: (kind) => [milestoneDueDate(kind)],
  label_priority: (kind) => [highestLabelPriority(kind)],
  priority: (kind) => [milestoneDueDate(kind), highestLabelPriority(kind)],
  popularity: (kind) => [upvotes(kind)],
  due_date: columns('dueDate'),
  merged_at: columns('mergedAt'),
  relative_position: () => [() => issuePosition],
  weight: columns('weight'),
}

/** Values without nulls, so that their indexes give the order. */
const neverNull = ['created_at', 'updated_at', 'title', 'relative_position']

interface Sortable {
  orderBy(value: never, direction: never): this
}

interface Order {
  readonly orderBy: string
  readonly sort: 'asc' | 'desc'
  /** Sorts by id instead of `created_at`, as in GitLab's lists of a milestone or a commit. */
  readonly byId: boolean
}

/** Sorts rows of `issue` or `mergeRequest`; equal values are sorted by id. Rows without a value are last in both directions. */
export const sortIssuables = <Rows extends Sortable>(
  rows: Rows,
  kind: IssuableKind,
  { orderBy, sort, byId }: Order,
): Rows => {
  const nullsLast = (order: OrderByItemBuilder) => (sort === 'asc' ? order.asc() : order.desc()).nullsLast()
  const direction = neverNull.includes(orderBy) ? sort : nullsLast
  const values = byId && orderBy === 'created_at' ? [] : (sortValues[orderBy]?.(kind) ?? [])
  return [...values, `${kind}.id`].reduce<Rows>(
    (sorted, value) => sorted.orderBy(value as never, (value === `${kind}.id` ? sort : direction) as never),
    rows,
  )
}
