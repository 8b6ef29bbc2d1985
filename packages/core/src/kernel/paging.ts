import { ExpressionWrapper, expressionBuilder, type KyselyPlugin, type SelectQueryBuilder } from 'kysely'
import * as v from 'valibot'
import { after, type Soon } from './store.ts'

const whole = v.pipe(v.number(), v.safeInteger())

/** Input fields of every paginated list. `perPage` is cut to 100; a page below 1 is the first one. */
export const paging = {
  page: v.optional(whole, 1),
  perPage: v.optional(v.pipe(whole, v.notValue(0)), 20),
}

export interface PagingInput {
  readonly page: number
  readonly perPage: number
}

/** The most rows that a list counts. */
const countedRows = 10_000

/** What is enough to know of a list's length. */
export const lengthLimit: number = countedRows + 1

/** One page of a list. */
export interface Page<T> {
  /** What is on this page, in the order of the list. */
  readonly items: readonly T[]
  /** 1-based. */
  readonly page: number
  /** How many a page holds at most: 1 to 100. */
  readonly perPage: number
  /**
   * Rows on all pages together; undefined when there are more than 10,000, since nobody reads on that far and counting
   * them would cost more than the page.
   */
  readonly total: number | undefined
  /** Whether a page comes after this one. Right for lists of any length. */
  readonly hasNext: boolean
}

/** Which rows a page covers. Pages so far away that no table reaches them are empty, not an error. */
const window = ({ page, perPage }: PagingInput) => {
  const size = perPage < 0 ? 20 : Math.min(perPage, 100)
  const number = Math.max(page, 1)
  return { page: number, perPage: size, limit: size, offset: Math.min((number - 1) * size, 2 ** 31) }
}

/**
 * Turns a query into one that counts its rows: a query knows the database that it runs on, so that is where the outer one
 * has to be put around it.
 */
const counting: KyselyPlugin = {
  transformQuery: ({ node }) =>
    expressionBuilder()
      .selectFrom(new ExpressionWrapper<never, never, object>(node).as('counted') as never)
      .select((eb) => eb.fn.countAll().as('total'))
      .toOperationNode(),
  transformResult: async ({ result }) => result,
}

/** How many rows a query has, but never more than `most`. */
// biome-ignore lint/suspicious/noExplicitAny: a query over any tables
export async function countUpTo(rows: SelectQueryBuilder<any, any, any>, most: number): Promise<number> {
  const counted = await rows
    .clearSelect()
    .clearOrderBy()
    .select((eb) => eb.lit(1).as('one'))
    .limit(most)
    .withPlugin(counting)
    .executeTakeFirstOrThrow()
  return Number((counted as unknown as { total: unknown }).total)
}

/** How a list is read. */
interface Source<Row> {
  /** The rows of a stretch. */
  find(stretch: { readonly limit: number; readonly offset: number }): Soon<readonly Row[]>
  /** How many there are, but never more than `most`; or just the number, up to `lengthLimit`, where it is known before. */
  readonly count: ((most: number) => Soon<number>) | number
}

/**
 * One page of a list. Unless the length is known before, it asks for one row more than the page has: the last page then says
 * how long the list is, and only a list that goes on is counted, up to one row more than `countedRows`.
 */
export function pageFrom<Row>(input: PagingInput, { find, count }: Source<Row>): Soon<Page<Row>> {
  const { page, perPage, limit, offset } = window(input)
  if (typeof count === 'number' && count <= countedRows) {
    return after(find({ limit, offset }), (items) => {
      return { items, page, perPage, total: count, hasNext: offset + limit < count }
    })
  }
  return after(find({ limit: limit + 1, offset }), (found) => {
    const hasNext = found.length > limit
    const reached = offset + found.length
    const isKnown = found.length > 0 ? !hasNext || reached > countedRows : offset === 0
    const total = isKnown ? reached : typeof count === 'number' ? count : count(lengthLimit)
    return after(total, (total) => ({
      items: hasNext ? found.slice(0, limit) : found,
      page,
      perPage,
      total: total > countedRows ? undefined : total,
      hasNext,
    }))
  })
}

/** One page of a query and its total. The total comes from the same conditions, so it never counts a hidden row. */
export async function paginate<Row, T>(
  // biome-ignore lint/suspicious/noExplicitAny: a page can be taken of a query over any tables
  rows: SelectQueryBuilder<any, any, Row>,
  input: PagingInput,
  map: (row: Row) => T,
): Promise<Page<T>> {
  const page = await pageFrom(input, {
    find: ({ limit, offset }) => rows.limit(limit).offset(offset).execute(),
    count: (most) => countUpTo(rows, most),
  })
  return { ...page, items: page.items.map(map) }
}

/** A page of a list that is already in memory. */
export const pageOf = <T>(all: readonly T[], input: PagingInput): Page<T> => {
  const { page, perPage, limit, offset } = window(input)
  const total = all.length > countedRows ? undefined : all.length
  return { items: all.slice(offset, offset + limit), page, perPage, total, hasNext: offset + limit < all.length }
}
