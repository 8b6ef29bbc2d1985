import { type Page, PlatformError } from '@forgelet/core'
import type { Arguments, Json } from './resolver.ts'

/** The default and the greatest number of items in a list. */
const maxItems = 100

/** The number of items that a list returns at most, for any value of `first` or `last`. */
export const readCount = (count: unknown): number =>
  typeof count === 'number' ? Math.min(Math.max(count, 0), maxItems) : maxItems

const encodeCursor = (position: number) => Buffer.from(`{"position":${position}}`).toString('base64url')

/** The position of the item of a cursor, from 1; undefined without a cursor. */
const readPosition = (cursor: unknown): number | undefined => {
  if (cursor === undefined || cursor === null || cursor === '') return undefined
  const text = Buffer.from(String(cursor).slice(0, 100), 'base64url').toString()
  const position = /^\{"position":([0-9]{1,10})\}$/.exec(text)?.[1]
  if (position === undefined) throw new PlatformError('invalid_input', 'The cursor is not valid')
  return Number(position)
}

export interface Window {
  readonly page: number
  readonly perPage: number
}

/** The part of a page that connections need. */
export type Slice<T> = Pick<Page<T>, 'items' | 'total' | 'hasNext'>

export type ReadPage<T> = (window: Window) => Promise<Slice<T>>

/** The items from an offset, from one or two pages of a list. */
const readSlice = async <T>(read: ReadPage<T>, offset: number, count: number): Promise<Slice<T>> => {
  const perPage = Math.max(count, 1)
  const skipped = offset % perPage
  const page = Math.floor(offset / perPage) + 1
  const first = await read({ page, perPage })
  const second = skipped > 0 && first.hasNext ? await read({ page: page + 1, perPage }) : undefined
  const rest = [...first.items, ...(second?.items ?? [])].slice(skipped)
  const items = rest.slice(0, count)
  return { items, total: first.total, hasNext: items.length < rest.length || (second ?? first).hasNext }
}

/** The offset and the number of the items that the arguments request. */
const readRange = async (
  { first, after, last, before }: Arguments,
  countAll: () => Promise<number | undefined>,
): Promise<{ readonly offset: number; readonly count: number }> => {
  if (first != null && last != null)
    throw new PlatformError('invalid_input', 'Provide either first or last, not both of them')
  const start = readPosition(after) ?? 0
  const position = readPosition(before)
  if (last == null) {
    const count = readCount(first)
    return { offset: start, count: position === undefined ? count : Math.min(count, Math.max(position - 1 - start, 0)) }
  }
  const end = position === undefined ? await countAll() : position - 1
  if (end === undefined) throw new PlatformError('invalid_input', 'The list is too long for last without before')
  const offset = Math.max(end - readCount(last), start)
  return { offset, count: Math.max(end - offset, 0) }
}

const toConnection = ({ items, total, hasNext }: Slice<Json>, offset: number) => {
  const cursorOf = (index: number) => encodeCursor(offset + index + 1)
  return {
    nodes: items,
    edges: items.map((node, index) => ({ cursor: cursorOf(index), node })),
    count: total ?? null,
    page_info: {
      has_next_page: hasNext,
      has_previous_page: offset > 0,
      start_cursor: items.length ? cursorOf(0) : null,
      end_cursor: items.length ? cursorOf(items.length - 1) : null,
    },
  }
}

/** A page of a list of operations as a connection. */
export const readConnection = async <T>(args: Arguments, shape: (item: T) => Json, read: ReadPage<T>) => {
  const { offset, count } = await readRange(args, async () => (await read({ page: 1, perPage: 1 })).total)
  const slice = await readSlice(read, offset, count)
  return toConnection({ ...slice, items: slice.items.map(shape) }, offset)
}

/** A part of a list that the object already has. */
export const sliceConnection = async (args: Arguments, items: readonly Json[]) => {
  const { offset, count } = await readRange(args, async () => items.length)
  const slice = items.slice(offset, offset + count)
  return toConnection({ items: slice, total: items.length, hasNext: offset + count < items.length }, offset)
}

/** The items of two lists, one after the other. */
export const concatenate =
  <T>(first: ReadPage<T>, second: ReadPage<T>): ReadPage<T> =>
  async ({ page, perPage }) => {
    const start = (page - 1) * perPage
    const head = await first({ page, perPage })
    const length = head.total ?? start + head.items.length
    const missing = head.hasNext ? 0 : perPage - head.items.length
    const tail = await readSlice(second, Math.max(start - length, 0), missing)
    return {
      items: [...head.items, ...tail.items],
      total: head.total === undefined || tail.total === undefined ? undefined : head.total + tail.total,
      hasNext: head.hasNext || tail.hasNext,
    }
  }

/** A list in the opposite order; empty for one with more than 10,000 items. */
export const reverse =
  <T>(read: ReadPage<T>): ReadPage<T> =>
  async ({ page, perPage }) => {
    const { total = 0 } = await read({ page: 1, perPage: 1 })
    const end = Math.max(total - (page - 1) * perPage, 0)
    const offset = Math.max(end - perPage, 0)
    const { items } = await readSlice(read, offset, end - offset)
    return { items: [...items].reverse(), total, hasNext: offset > 0 }
  }
