import { ExpressionWrapper, expressionBuilder, type KyselyPlugin, type SelectQueryBuilder } from 'kysely'
import * as v from 'valibot'
import { chain, type MaybePromise } from './store.ts'

const integer = v.pipe(v.number(), v.safeInteger())

/** Input fields of paginated lists. `perPage` above 100 means 100, below 0 means 20; a page below 1 means 1. */
export const pagingEntries = {
  page: v.optional(integer, 1),
  perPage: v.optional(v.pipe(integer, v.notValue(0)), 20),
}

export interface PagingInput {
  readonly page: number
  readonly perPage: number
}

/** Lists with more rows have no total. */
const maxCountedRows = 10_000

/** Counting stops here: enough to know that a list has more than 10,000 rows. */
const countLimit: number = maxCountedRows + 1

/** One page of a list. */
export interface Page<T> {
  /** The items of this page, in the order of the list. */
  readonly items: readonly T[]
  /** 1-based. */
  readonly page: number
  /** The maximum number of items on a page: 1 to 100. */
  readonly perPage: number
  /** The number of rows on all pages; undefined for more than 10,000, since counting them would cost more than the page. */
  readonly total: number | undefined
  /** Whether there is a next page; also set without a total. */
  readonly hasNext: boolean
}

/** The rows of a page. The offset is capped at 2^31, so that huge page numbers return an empty page instead of an error. */
const getPageWindow = ({ page, perPage }: PagingInput) => {
  const size = perPage < 0 ? 20 : Math.min(perPage, 100)
  const number = Math.max(page, 1)
  return { page: number, perPage: size, limit: size, offset: Math.min((number - 1) * size, 2 ** 31) }
}

/** Wraps a query in one that counts its rows. A plugin, because only the inner query knows its database. */
const countPlugin: KyselyPlugin = {
  transformQuery: ({ node }) =>
    expressionBuilder()
      .selectFrom(new ExpressionWrapper<never, never, object>(node).as('counted') as never)
      .select((eb) => eb.fn.countAll().as('total'))
      .toOperationNode(),
  transformResult: async ({ result }) => result,
}

/** The number of rows of a query, at most `most`. */
// biome-ignore lint/suspicious/noExplicitAny: a query over any tables
export async function countUpTo(rows: SelectQueryBuilder<any, any, any>, most: number): Promise<number> {
  const counted = await rows
    .clearSelect()
    .clearOrderBy()
    .select((eb) => eb.lit(1).as('one'))
    .limit(most)
    .withPlugin(countPlugin)
    .executeTakeFirstOrThrow()
  return Number((counted as unknown as { total: unknown }).total)
}

/** Reads a list. */
interface PageSource<Row> {
  /** Reads a range of rows. */
  find(range: { readonly limit: number; readonly offset: number }): MaybePromise<readonly Row[]>
  /** Counts the rows up to `most`; or the number itself, up to `countLimit`, when it is already known. */
  readonly count: ((most: number) => MaybePromise<number>) | number
}

/**
 * Fetches one page of a list. Without a known count it reads one row more than the page has: the last page then reveals the
 * total, and only a list with further pages is counted.
 */
export function fetchPage<Row>(input: PagingInput, { find, count }: PageSource<Row>): MaybePromise<Page<Row>> {
  const { page, perPage, limit, offset } = getPageWindow(input)
  if (typeof count === 'number' && count <= maxCountedRows) {
    return chain(find({ limit, offset }), (items) => {
      return { items, page, perPage, total: count, hasNext: offset + limit < count }
    })
  }
  return chain(find({ limit: limit + 1, offset }), (rows) => {
    const hasNext = rows.length > limit
    const end = offset + rows.length
    const isTotalKnown = rows.length > 0 ? !hasNext || end > maxCountedRows : offset === 0
    const total = isTotalKnown ? end : typeof count === 'number' ? count : count(countLimit)
    return chain(total, (total) => ({
      items: hasNext ? rows.slice(0, limit) : rows,
      page,
      perPage,
      total: total > maxCountedRows ? undefined : total,
      hasNext,
    }))
  })
}

/** Fetches one page of a query. The total has the same conditions as the page, so it never counts invisible rows. */
export async function paginate<Row, T>(
  // biome-ignore lint/suspicious/noExplicitAny: a page can be taken of a query over any tables
  rows: SelectQueryBuilder<any, any, Row>,
  input: PagingInput,
  map: (row: Row) => T,
): Promise<Page<T>> {
  const page = await fetchPage(input, {
    find: ({ limit, offset }) => rows.limit(limit).offset(offset).execute(),
    count: (most) => countUpTo(rows, most),
  })
  return { ...page, items: page.items.map(map) }
}

/** One page of a list in memory. */
export const paginateArray = <T>(all: readonly T[], input: PagingInput): Page<T> => {
  const { page, perPage, limit, offset } = getPageWindow(input)
  const total = all.length > maxCountedRows ? undefined : all.length
  return { items: all.slice(offset, offset + limit), page, perPage, total, hasNext: offset + limit < all.length }
}
