import type { SelectQueryBuilder } from 'kysely'
import * as v from 'valibot'

const whole = v.pipe(v.number(), v.safeInteger())

/** Input fields of every paginated list. `perPage` is cut to 100; a page below 1 is the first one. */
export const paging = {
  page: v.optional(whole, 1),
  perPage: v.optional(v.pipe(whole, v.notValue(0)), 20),
}

interface PagingInput {
  readonly page: number
  readonly perPage: number
}

export interface Page<T> {
  readonly items: readonly T[]
  /** 1-based. */
  readonly page: number
  readonly perPage: number
  /** Rows on all pages together. */
  readonly total: number
}

/** Which rows a page covers. Pages so far away that no table reaches them are empty, not an error. */
export const window = ({ page, perPage }: PagingInput) => {
  const size = perPage < 0 ? 20 : Math.min(perPage, 100)
  const number = Math.max(page, 1)
  return { page: number, perPage: size, limit: size, offset: Math.min((number - 1) * size, 2 ** 31) }
}

/** One page of a query and its total. The total comes from the same conditions, so it never counts a hidden row. */
export async function paginate<Row, T>(
  // biome-ignore lint/suspicious/noExplicitAny: a page can be taken of a query over any tables
  rows: SelectQueryBuilder<any, any, Row>,
  input: PagingInput,
  map: (row: Row) => T,
): Promise<Page<T>> {
  const { page, perPage, limit, offset } = window(input)
  const counted = await rows
    .clearSelect()
    .clearOrderBy()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const total = Number((counted as { total: unknown }).total)
  const found = offset < total ? await rows.limit(limit).offset(offset).execute() : []
  return { items: found.map(map), page, perPage, total }
}

/** A page of a list that is already in memory. */
export const pageOf = <T>(all: readonly T[], input: PagingInput): Page<T> => {
  const { page, perPage, limit, offset } = window(input)
  return { items: all.slice(offset, offset + limit), page, perPage, total: all.length }
}
