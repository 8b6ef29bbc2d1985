import type { ExpressionBuilder, Kysely, SelectQueryBuilder } from 'kysely'
import { type IssueRowColumns, type IssueScope, readableIssueRows } from '../../../../access/issue-rows.ts'
import { matchFullText } from '../../../../db/counters/full-text.ts'
import { labelKeys } from '../../../../db/functions.ts'
import type { Context } from '../../../../kernel/context.ts'
import { defined } from '../../../../shared/defined.ts'
import { hasLink, type Link, selectLabelsByName } from '../conditions.ts'
import type { IssueCriteria } from '../criteria.ts'
import { countTally, type StateCounts } from './counters.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows of `issue` or of one of its links, by the names in `IssueRowColumns`
type AnyDatabase = Kysely<any>
// biome-ignore lint/suspicious/noExplicitAny: as above
type RowExpressions = ExpressionBuilder<any, any>
// biome-ignore lint/suspicious/noExplicitAny: as above
type Query = SelectQueryBuilder<any, any, object>

const factColumns = { projectId: 'fact.projectId', confidential: 'fact.confidential' }

const selectLinks = (ctx: Context, { table, column, subjectIds }: Link): Query =>
  (ctx.db as AnyDatabase).selectFrom(`${table} as link`).where(`link.${column}`, 'in', subjectIds(ctx) as never)

/** The link that the fewest issues have: the count starts there, and the other links are checked for those issues only. */
const findRarestLink = async (ctx: Context, links: readonly Link[]): Promise<Link | undefined> => {
  if (links.length < 2) return links[0]
  const sizes: { link: Link; size: number }[] = []
  for (const link of links) sizes.push({ link, size: await countTally(ctx, link) })
  return sizes.sort((a, b) => a.size - b.size)[0]?.link
}

/** The labels of the scope that have one name. */
export interface LabelMatch {
  readonly count: number
  /** An issue may carry two labels of the name: its project's and a group's. */
  readonly hasDuplicates: boolean
  /** The lowest id. */
  readonly id: number
}

export type GetLabelMatch = (name: string) => LabelMatch | undefined

export const loadLabelMatches = async (
  ctx: Context,
  scope: IssueScope,
  links: readonly Link[],
): Promise<GetLabelMatch> => {
  const names = links.flatMap(({ name }) => (name === undefined ? [] : [name]))
  if (!names.length) return () => undefined
  const rows = await selectLabelsByName(ctx, scope, names)
    .groupBy('name')
    .select((eb) => [
      'name',
      eb.fn.countAll<number>().as('count'),
      eb.fn.count<number>('groupId').as('groupLabelCount'),
      eb.fn.min<number>('id').as('id'),
    ])
    .execute()
  const matches = new Map(
    rows.map(({ name, count, groupLabelCount, id }) => [
      name,
      { count: Number(count), hasDuplicates: Number(groupLabelCount) > 0 && Number(count) > 1, id: Number(id) },
    ]),
  )
  return (name) => matches.get(name)
}

/** The label ids of the links; undefined unless every link is a label with a unique name in the scope. */
const findUniqueLabelIds = (links: readonly Link[], getLabelMatch: GetLabelMatch): readonly number[] | undefined => {
  const ids = links.flatMap(({ name }) => {
    const label = name === undefined ? undefined : getLabelMatch(name)
    return label?.count === 1 ? [label.id] : []
  })
  return ids.length === links.length ? ids : undefined
}

/** SQLite: facts of the issues that carry all of the labels, one key lookup per further label of each issue with the first. */
const selectIssuesWithAllLabels = (db: AnyDatabase, [first, ...others]: readonly number[]): Query => {
  const start = defined(first)
  const withLabels = others.reduce<Query>(
    (rows, id, index) =>
      rows.crossJoin(`issueLabelKey as key${index}`).where(labelKeys.hasLabel(`key${index}.link`, id, start)),
    db.selectFrom('issueLabelKey as link').where(labelKeys.hasStartLabel(start)),
  )
  return withLabels.crossJoin('issueFact as fact').where('fact.issueId', '=', labelKeys.issueId)
}

/**
 * Counts in one query. Its first table determines the cost: the rarest label or assignee if the criteria have links,
 * otherwise the full-text index, otherwise the issues by their best index. The read permission is checked last, on the narrow
 * `issueFact` row.
 */
export const countFromRows = async (
  ctx: Context,
  scope: IssueScope,
  { links, conditions }: IssueCriteria,
  getLabelMatch: GetLabelMatch,
): Promise<readonly StateCounts[]> => {
  const startLink = await findRarestLink(ctx, links)
  const fullText = startLink ? undefined : conditions.find((condition) => condition.fullTextQuery)
  const idLookup = startLink || fullText ? undefined : conditions.find(({ lookup }) => lookup === 'ids')
  const otherLinks = links.filter((link) => link !== startLink)
  const labelIds =
    startLink && otherLinks.length && ctx.dialect === 'sqlite'
      ? findUniqueLabelIds([startLink, ...otherLinks], getLabelMatch)
      : undefined
  const checks = [
    ...conditions.filter((condition) => condition !== fullText),
    ...(labelIds ? [] : otherLinks.map((link) => hasLink(ctx, link))),
  ]
  const needsIssueRow = checks.some((condition) => condition.needsIssueRow)
  const idColumn = labelIds
    ? 'fact.issueId'
    : startLink
      ? 'link.issueId'
      : fullText
        ? 'words.rowid'
        : needsIssueRow
          ? 'issue.id'
          : 'fact.issueId'
  const row: IssueRowColumns = { id: idColumn, ...factColumns }

  // SQLite keeps the table order of cross joins, so the query starts at the first table.
  const db = ctx.db as AnyDatabase
  let rows: Query
  if (labelIds) rows = selectIssuesWithAllLabels(db, labelIds)
  else if (startLink) rows = selectLinks(ctx, startLink)
  else if (fullText?.fullTextQuery) {
    const { table, matches } = matchFullText(fullText.fullTextQuery)
    rows = db.selectFrom(table).where(matches)
  } else rows = db.selectFrom(needsIssueRow ? 'issue' : 'issueFact as fact')
  if (needsIssueRow && (startLink || fullText)) rows = rows.crossJoin('issue').whereRef('issue.id', '=', idColumn)
  if (idColumn !== 'fact.issueId') rows = rows.crossJoin('issueFact as fact').whereRef('fact.issueId', '=', idColumn)
  for (const condition of checks)
    rows = rows.where((eb: RowExpressions) => condition.toExpression(eb, row, condition !== idLookup))
  rows = rows.where(readableIssueRows(ctx, scope, row))

  const hasDuplicates = startLink?.name !== undefined && getLabelMatch(startLink.name)?.hasDuplicates
  return rows
    .select((eb: RowExpressions) => {
      const count = hasDuplicates ? eb.fn.count<number>(row.id).distinct() : eb.fn.countAll<number>()
      return [
        count.filterWhere('fact.closed', '=', false).as('opened'),
        count.filterWhere('fact.closed', '=', true).as('closed'),
      ]
    })
    .$castTo<StateCounts>()
    .execute()
}
