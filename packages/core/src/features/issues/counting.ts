import type { ExpressionBuilder, Kysely, SelectQueryBuilder } from 'kysely'
import { type IssuePlace, type IssueRow, readableIssueRows } from '../../access/issue-rows.ts'
import { labelKeys } from '../../db/functions.ts'
import { matchedWords } from '../../db/issue-words.ts'
import { tallyKinds } from '../../db/migrations/issue-counters.ts'
import type { Context } from '../../kernel/context.ts'
import { may } from '../../policy.ts'
import { type Link, labelsNamed, linked } from './conditions.ts'
import { fromCounters, fromTallies } from './counters.ts'
import type { IssueFilters } from './filters.ts'
import { type Demands, demandsOf } from './matching.ts'

/** How many issues the caller may read, by state. */
export interface IssueCounts {
  /** `opened` and `closed` together. */
  all: number
  opened: number
  closed: number
}

const countsOf = (rows: readonly { opened: number | null; closed: number | null }[]): IssueCounts => {
  const sum = (of: 'opened' | 'closed') => rows.reduce((total, row) => total + Number(row[of] ?? 0), 0)
  const [opened, closed] = [sum('opened'), sum('closed')]
  return { all: opened + closed, opened, closed }
}

// biome-ignore lint/suspicious/noExplicitAny: rows of `issue` or of one of its links, by the names in `IssueRow`
type AnyDatabase = Kysely<any>
// biome-ignore lint/suspicious/noExplicitAny: as above
type Rows = ExpressionBuilder<any, any>
// biome-ignore lint/suspicious/noExplicitAny: as above
type Query = SelectQueryBuilder<any, any, object>

const fact = { projectId: 'fact.projectId', confidential: 'fact.confidential' }

const linksTo = (ctx: Context, { table, column, among }: Link): Query =>
  (ctx.db as AnyDatabase).selectFrom(`${table} as link`).where(`link.${column}`, 'in', among(ctx) as never)

/** The link that fewest issues have: the others are then looked up for those few. */
const rarest = async (ctx: Context, links: readonly Link[]): Promise<Link | undefined> => {
  if (links.length < 2) return links[0]
  const sized: { link: Link; size: number }[] = []
  for (const link of links) {
    const row = await ctx.db
      .selectFrom('issueTally')
      .where('kind', '=', tallyKinds[link.kind])
      .where('subjectId', 'in', link.among(ctx) as never)
      .select((eb) => [
        eb.fn.sum<number | null>('opened').as('opened'),
        eb.fn.sum<number | null>('closed').as('closed'),
      ])
      .executeTakeFirst()
    sized.push({ link, size: Number(row?.opened ?? 0) + Number(row?.closed ?? 0) })
  }
  return sized.sort((a, b) => a.size - b.size)[0]?.link
}

interface Named {
  /** How many labels of the place have the name. */
  readonly count: number
  /** An issue may carry two labels of the name: its project's and a group's. */
  readonly twice: boolean
  /** The only one, where it is one. */
  readonly id: number
}

const labelsBy = async (
  ctx: Context,
  place: IssuePlace,
  links: readonly Link[],
): Promise<(name: string) => Named | undefined> => {
  const names = links.flatMap(({ name }) => (name === undefined ? [] : [name]))
  if (!names.length) return () => undefined
  const rows = await labelsNamed(ctx, place, names)
    .groupBy('name')
    .select((eb) => [
      'name',
      eb.fn.countAll<number>().as('count'),
      eb.fn.count<number>('groupId').as('ofGroups'),
      eb.fn.min<number>('id').as('id'),
    ])
    .execute()
  const found = new Map(
    rows.map(({ name, count, ofGroups, id }) => [
      name,
      { count: Number(count), twice: Number(ofGroups) > 0 && Number(count) > 1, id: Number(id) },
    ]),
  )
  return (name) => found.get(name)
}

/** The ids of labels each of which is the only one of its name; nothing where a link is something else. */
const loneLabels = (
  links: readonly Link[],
  labelled: (name: string) => Named | undefined,
): readonly number[] | undefined => {
  const found = links.flatMap(({ name }) => {
    const label = name === undefined ? undefined : labelled(name)
    return label?.count === 1 ? [label.id] : []
  })
  return found.length === links.length ? found : undefined
}

/** SQLite: facts of the issues that carry all of the labels, one step for each label of each issue with the first. */
const carryingAll = (db: AnyDatabase, [first, ...others]: readonly number[]): Query => {
  const start = first as number
  const carrying = others.reduce<Query>(
    (rows, id, at) => rows.crossJoin(`issueLabelKey as key${at}`).where(labelKeys.carries(`key${at}.link`, id, start)),
    db.selectFrom('issueLabelKey as link').where(labelKeys.of(start)),
  )
  return carrying.crossJoin('issueFact as fact').where('fact.issueId', '=', labelKeys.issueId)
}

/**
 * One query whose first table decides what it costs: links of the rarest label or assignee where there are any, otherwise
 * an index of words or issues by the best index. What decides who reads an issue is looked up in its narrow row, last.
 */
const fromRows = async (
  ctx: Context,
  place: IssuePlace,
  { links, conditions }: Demands,
  labelled: (name: string) => Named | undefined,
): Promise<IssueCounts> => {
  const start = await rarest(ctx, links)
  const words = start ? undefined : conditions.find((condition) => condition.words)
  const byIds = start || words ? undefined : conditions.find(({ way }) => way === 'ids')
  const rest = links.filter((link) => link !== start)
  const keys = start && rest.length && ctx.dialect === 'sqlite' ? loneLabels([start, ...rest], labelled) : undefined
  const others = [
    ...conditions.filter((condition) => condition !== words),
    ...(keys ? [] : rest.map((link) => linked(ctx, link))),
  ]
  const ofIssue = others.some((condition) => condition.ofIssue)
  const first = keys
    ? 'fact.issueId'
    : start
      ? 'link.issueId'
      : words
        ? 'words.rowid'
        : ofIssue
          ? 'issue.id'
          : 'fact.issueId'
  const row: IssueRow = { id: first, ...fact }

  // Cross joins keep SQLite from starting at the other end.
  const db = ctx.db as AnyDatabase
  let rows: Query
  if (keys) rows = carryingAll(db, keys)
  else if (start) rows = linksTo(ctx, start)
  else if (words?.words) {
    const { table, matches } = matchedWords(words.words)
    rows = db.selectFrom(table).where(matches)
  } else rows = db.selectFrom(ofIssue ? 'issue' : 'issueFact as fact')
  if (ofIssue && (start || words)) rows = rows.crossJoin('issue').whereRef('issue.id', '=', first)
  if (first !== 'fact.issueId') rows = rows.crossJoin('issueFact as fact').whereRef('fact.issueId', '=', first)
  for (const condition of others) rows = rows.where((eb: Rows) => condition.holds(eb, row, condition !== byIds))
  rows = rows.where(readableIssueRows(ctx, place, row))

  const twice = start?.name !== undefined && labelled(start.name)?.twice
  const counted = await rows
    .select((eb: Rows) => {
      const count = twice ? eb.fn.count<number>(row.id).distinct() : eb.fn.countAll<number>()
      return [
        count.filterWhere('fact.closed', '=', false).as('opened'),
        count.filterWhere('fact.closed', '=', true).as('closed'),
      ]
    })
    .execute()
  return countsOf(counted as { opened: number; closed: number }[])
}

/** How many issues of the place match the filters, as far as the caller may read them. */
export async function countIssues(ctx: Context, place: IssuePlace, filters: IssueFilters): Promise<IssueCounts> {
  if (place.kind === 'project' && !may(ctx.actor, place, 'issue.list')) return countsOf([])
  const demands = await demandsOf(ctx, place, filters)
  const { confidential } = filters
  const asked = demands.links.length + demands.conditions.length - (confidential === undefined ? 0 : 1)
  if (asked === 0) return countsOf(await fromCounters(ctx, place, confidential))
  const labelled = await labelsBy(ctx, place, demands.links)
  if (demands.links.some(({ name }) => name !== undefined && !labelled(name))) return countsOf([])
  if (asked === 1) {
    const [link] = demands.links
    const condition = link ? linked(ctx, link) : demands.conditions.find((one) => one.tally)
    const tally = link ?? condition?.tally
    const twice = link?.name !== undefined && labelled(link.name)?.twice
    if (condition && tally && !twice) return countsOf(await fromTallies(ctx, place, tally, condition, confidential))
  }
  return fromRows(ctx, place, demands, labelled)
}
