import type { ExpressionBuilder, Kysely, SelectQueryBuilder } from 'kysely'
import { type IssuePlace, type IssueRow, readableIssueRows } from '../../access/issue-rows.ts'
import type { Context } from '../../kernel/context.ts'
import { may } from '../../policy.ts'
import { type Link, labelsNamed, linked } from './conditions.ts'
import { fromCounters } from './counters.ts'
import { type IssueFilters, isAny, isNone } from './filters.ts'
import { type Demands, demandsOf } from './matching.ts'

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

const issueRow: IssueRow = { id: 'issue.id', projectId: 'issue.projectId', confidential: 'issue.confidential' }
const linkRow: IssueRow = { id: 'link.issueId', projectId: 'link.projectId', confidential: 'link.confidential' }

const linksTo = (ctx: Context, place: IssuePlace, { table, column, among }: Link): Query => {
  const links = (ctx.db as AnyDatabase)
    .selectFrom(`${table} as link`)
    .where(`link.${column}`, 'in', among(ctx) as never)
  return place.kind === 'project' ? links.where('link.projectId', '=', place.project.id) : links
}

/** Beyond this many links it no longer matters which label has fewer. */
const enough = 20_000

/** The link that fewest issues have: the others are then looked up for those few. Assignees have fewer than labels. */
const rarest = async (ctx: Context, place: IssuePlace, links: readonly Link[]): Promise<Link | undefined> => {
  const [first] = links
  if (links.length < 2 || first?.table === 'issueAssignee') return first
  const sized: { link: Link; size: number }[] = []
  for (const link of links) {
    const few = linksTo(ctx, place, link).select('link.issueId').limit(enough).as('few')
    const row = await ctx.db
      .selectFrom(few)
      .select((eb) => eb.fn.countAll<number>().as('size'))
      .executeTakeFirstOrThrow()
    sized.push({ link, size: Number(row.size) })
  }
  return sized.sort((a, b) => a.size - b.size)[0]?.link
}

/** A project and a group above it may both have a label of the name, and an issue may carry both. */
const carriedTwice = async (ctx: Context, place: IssuePlace, names: readonly string[]): Promise<boolean> => {
  const rows = await labelsNamed(ctx, place, names)
    .groupBy('name')
    .select((eb) => [eb.fn.countAll<number>().as('all'), eb.fn.count<number>('groupId').as('ofGroups')])
    .execute()
  return rows.some(({ all, ofGroups }) => Number(ofGroups) > 0 && Number(all) > 1)
}

/**
 * One query whose first table decides what it costs: links of the rarest label or of an assignee where there are any,
 * otherwise issues by the best index.
 */
const fromRows = async (
  ctx: Context,
  place: IssuePlace,
  { links, conditions }: Demands,
  labels: readonly string[],
): Promise<IssueCounts> => {
  const byColumn = conditions.some(({ way }) => way === 'column')
  const byIds = conditions.find(({ way }) => way === 'ids')
  const start = await rarest(ctx, place, links)
  const row = start ? linkRow : issueRow
  const walk = start !== undefined || byColumn
  const others = [...conditions, ...links.filter((link) => link !== start).map((link) => linked(ctx, link))]

  let rows: Query = start ? linksTo(ctx, place, start) : (ctx.db as AnyDatabase).selectFrom('issue')
  if (start && others.some(({ ofIssue }) => ofIssue)) {
    // A cross join keeps SQLite from starting at the other end.
    rows = rows.crossJoin('issue').whereRef('issue.id', '=', 'link.issueId')
  }
  for (const condition of others) rows = rows.where((eb: Rows) => condition.holds(eb, row, walk || condition !== byIds))
  // Last, as SQLite checks in this order: only rows that match everything else are looked up among the projects.
  rows = rows.where(readableIssueRows(ctx, place, row, walk || byIds !== undefined))

  const state = start ? 'link.state' : 'issue.state'
  const twice = start?.table === 'issueLabel' && (await carriedTwice(ctx, place, labels))
  const counted = await rows
    .select((eb: Rows) => {
      const count = twice ? eb.fn.count<number>(row.id).distinct() : eb.fn.countAll<number>()
      return [
        count.filterWhere(state, '=', 'opened').as('opened'),
        count.filterWhere(state, '=', 'closed').as('closed'),
      ]
    })
    .execute()
  return countsOf(counted as { opened: number; closed: number }[])
}

/** How many issues of the place match the filters, as far as the caller may read them. */
export async function countIssues(ctx: Context, place: IssuePlace, filters: IssueFilters): Promise<IssueCounts> {
  if (place.kind === 'project' && !may(ctx.actor, place, 'issue.list')) return countsOf([])
  const demands = await demandsOf(ctx, place, filters)
  const asked = demands.links.length + demands.conditions.length
  if (asked === 0 || (asked === 1 && filters.confidential !== undefined)) {
    return countsOf(await fromCounters(ctx, place, filters.confidential))
  }
  const labels = (filters.labels ?? []).filter((name) => !isNone(name) && !isAny(name))
  return fromRows(ctx, place, demands, labels)
}
