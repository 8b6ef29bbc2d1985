import {
  type AliasableExpression,
  type Expression,
  ExpressionWrapper,
  expressionBuilder,
  type KyselyPlugin,
  type SelectQueryBuilder,
  type SqlBool,
} from 'kysely'
import * as v from 'valibot'
import { defined } from '../shared/defined.ts'
import { isStorableText } from '../shared/text.ts'
import { invalidInput, type PlatformError } from './errors.ts'
import type { InputRule } from './operation.ts'
import { chain, type MaybePromise } from './store.ts'

const integer = v.pipe(v.number(), v.safeInteger())

/** Input fields of paginated lists. */
export const pagingEntries = {
  /** Page number from 1; smaller numbers mean 1. Default: 1. */
  page: v.optional(integer, 1),
  /** Maximum number of items on a page, 1 to 100. More than 100 means 100, less than 0 means 20; 0 is rejected. Default: 20. */
  perPage: v.optional(v.pipe(integer, v.notValue(0)), 20),
}

export interface PagingInput {
  readonly page: number
  readonly perPage: number
}

/**
 * Input fields of lists that also have keyset pagination: pages continue after the last row of the previous page, so that rows
 * added or removed in the meantime are neither repeated nor omitted, and late pages cost as much as the first one.
 */
export const keysetEntries = {
  ...pagingEntries,
  /**
   * `offset` (default): pages by number. `keyset`: pages that continue after a `cursor`, so that changes of the list cause
   * no repeated or omitted items.
   */
  pagination: v.optional(v.picklist(['offset', 'keyset'])),
  /**
   * `nextCursor` of the previous page, after which the page starts. Default: the first page. Requires `pagination:
   * 'keyset'`.
   */
  cursor: v.optional(v.string()),
}

/** The input of a list with keyset pagination. */
export interface KeysetInput extends PagingInput {
  readonly pagination?: 'offset' | 'legacy' | 'keyset' | 'none' | undefined
  readonly cursor?: string | undefined
}

/** Keyset pagination has cursors instead of page numbers. */
export const cursorInsteadOfPage: InputRule<KeysetInput> = ({ pagination, cursor, page }) => {
  if (pagination !== 'keyset') {
    return cursor === undefined ? undefined : { fields: ['cursor'], message: 'requires keyset pagination' }
  }
  return page > 1
    ? { fields: ['page'], message: 'cannot be used with keyset pagination, follow the next link' }
    : undefined
}

export const invalidCursor = (): PlatformError => invalidInput([{ fields: ['cursor'], message: 'is invalid' }])

/** Lists with more rows have no total. */
const maxCountedRows = 10_000

/** Counting stops here: enough to know that a list has more than 10,000 rows. */
export const countLimit: number = maxCountedRows + 1

/** One page of a list. */
export interface Page<T> {
  /** The items of this page, in the order of the list. */
  readonly items: readonly T[]
  /** Number of this page, from 1. */
  readonly page: number
  /** Maximum number of items on a page, 1 to 100. */
  readonly perPage: number
  /**
   * Number of items on all pages; undefined for more than 10,000, since counting them would cost more than the page, and
   * with keyset pagination.
   */
  readonly total: number | undefined
  /** Whether there is a next page; also set without a total. */
  readonly hasNext: boolean
  /** The `cursor` of the next page; present only with keyset pagination, except on the last page. */
  readonly nextCursor?: string
}

/** The rows of a page. The offset is capped at 2^31, so that huge page numbers return an empty page instead of an error. */
export const getPageWindow = ({ page, perPage }: PagingInput) => {
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

/**
 * Fetches one page of a query. The total has the same conditions as the page, so it never counts invisible rows.
 *
 * @param findTotal reads the same total without a look at the rows; undefined if that is not possible
 */
export async function paginate<Row, T>(
  // biome-ignore lint/suspicious/noExplicitAny: a page can be taken of a query over any tables
  rows: SelectQueryBuilder<any, any, Row>,
  input: PagingInput,
  map: (row: Row) => T,
  findTotal?: () => Promise<number | undefined>,
): Promise<Page<T>> {
  const page = await fetchPage(input, {
    find: ({ limit, offset }) => rows.limit(limit).offset(offset).execute(),
    count: async (most) => (await findTotal?.()) ?? (await countUpTo(rows, most)),
  })
  return { ...page, items: page.items.map(map) }
}

/** A column that determines the order of a list. The last one is unique. */
export interface SortKey {
  /** With its table, and selected under its own name: `event.createdAt`. */
  readonly column: string
  readonly sort: 'asc' | 'desc'
  /** A number that no column contains; the list selects it under the name in `column`. */
  readonly value?: AliasableExpression<number>
}

/** The order by a column, then by id. */
export const listSortKeys = (
  column: string,
  id: string,
  sort: SortKey['sort'],
  idSort: SortKey['sort'] = sort,
): readonly [SortKey, ...SortKey[]] =>
  column === id
    ? [{ column, sort }]
    : [
        { column, sort },
        { column: id, sort: idSort },
      ]

type CursorValues = Readonly<Record<string, string | number>>

const getName = ({ column }: SortKey) => column.slice(column.indexOf('.') + 1)

const formatCursor = (keys: readonly SortKey[], row: Readonly<Record<string, unknown>>): string =>
  Buffer.from(
    JSON.stringify(
      Object.fromEntries(
        keys.map((key) => {
          const value = row[getName(key)]
          // PostgreSQL returns a count as text.
          return [getName(key), key.value ? Number(value) : value]
        }),
      ),
    ),
  ).toString('base64url')

/** @throws PlatformError `invalid_input` for a cursor of another list or order */
const parseCursor = (keys: readonly SortKey[], cursor: string): CursorValues => {
  let values: CursorValues | null
  try {
    values = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    throw invalidCursor()
  }
  const isValid = keys.every((key) => {
    const value = values?.[getName(key)]
    return getName(key) === 'id' || key.value
      ? Number.isSafeInteger(value)
      : typeof value === 'string' && isStorableText(value)
  })
  if (!isValid || Object.keys(defined(values)).length !== keys.length) throw invalidCursor()
  return defined(values)
}

/** The rows after the one with these values. */
const isAfter = ([key, ...others]: readonly SortKey[], values: CursorValues): Expression<SqlBool> => {
  // biome-ignore lint/suspicious/noExplicitAny: columns of any tables
  const eb = expressionBuilder<any, any>()
  const { column, sort, value: left = eb.ref(column) } = defined(key)
  const value = values[getName(defined(key))]
  const isLater = eb(left, sort === 'asc' ? '>' : '<', value)
  return others.length ? eb.or([isLater, eb.and([eb(left, '=', value), isAfter(others, values)])]) : isLater
}

/** Fetches one page of a query in the order of the keys, by page number or after a cursor. */
export async function paginateByKeys<Row, T>(
  // biome-ignore lint/suspicious/noExplicitAny: a page can be taken of a query over any tables
  rows: SelectQueryBuilder<any, any, Row>,
  keys: readonly SortKey[],
  input: KeysetInput,
  map: (row: Row) => T,
): Promise<Page<T>> {
  const ordered = keys.reduce((query, { column, sort }) => query.orderBy(column, sort), rows)
  if (input.pagination !== 'keyset') return paginate(ordered, input, map)
  const { page, perPage, limit } = getPageWindow(input)
  const { cursor } = input
  const following = cursor === undefined ? ordered : ordered.where(isAfter(keys, parseCursor(keys, cursor)))
  const found = await following.limit(limit + 1).execute()
  const hasNext = found.length > limit
  const items = hasNext ? found.slice(0, limit) : found
  const last = items.at(-1) as Readonly<Record<string, unknown>>
  return {
    items: items.map(map),
    page,
    perPage,
    total: undefined,
    hasNext,
    ...(hasNext && { nextCursor: formatCursor(keys, last) }),
  }
}

/** One page of a list in memory. */
export const paginateArray = <T>(all: readonly T[], input: PagingInput): Page<T> => {
  const { page, perPage, limit, offset } = getPageWindow(input)
  const total = all.length > maxCountedRows ? undefined : all.length
  return { items: all.slice(offset, offset + limit), page, perPage, total, hasNext: offset + limit < all.length }
}
