import { type Page, PlatformError } from '@forgelet/core'
import type { Site, Wire } from '../reply/wire.ts'
import type { Arguments, Json } from './resolver.ts'

/** The default and the greatest number of items in a list. */
const maxItems = 100

/** The number of items that a list returns at most, for any value of `first`. */
export const readFirst = (first: unknown): number =>
  typeof first === 'number' ? Math.min(Math.max(first, 0), maxItems) : maxItems

const encodeCursor = (position: number) => Buffer.from(`{"position":${position}}`).toString('base64url')

/** The number of items before the first one of the page. */
const readOffset = (after: unknown): number => {
  if (after === undefined || after === null || after === '') return 0
  const text = Buffer.from(String(after).slice(0, 100), 'base64url').toString()
  const position = /^\{"position":([0-9]{1,10})\}$/.exec(text)?.[1]
  if (position === undefined) throw new PlatformError('invalid_input', 'The cursor is not valid')
  return Number(position)
}

interface Window {
  readonly page: number
  readonly perPage: number
}

interface Slice<T> {
  readonly items: readonly T[]
  readonly total: number | undefined
  readonly hasNext: boolean
}

/** The items from an offset, from one or two pages of a list. */
const readSlice = async <T>(
  read: (window: Window) => Promise<Page<T>>,
  offset: number,
  count: number,
): Promise<Slice<T>> => {
  const perPage = Math.max(count, 1)
  const skipped = offset % perPage
  const page = Math.floor(offset / perPage) + 1
  const first = await read({ page, perPage })
  const second = skipped > 0 && first.hasNext ? await read({ page: page + 1, perPage }) : undefined
  const rest = [...first.items, ...(second?.items ?? [])].slice(skipped)
  const items = rest.slice(0, count)
  return { items, total: first.total, hasNext: items.length < rest.length || (second ?? first).hasNext }
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
export const readConnection = async <T>(
  { first, after }: Arguments,
  // biome-ignore lint/suspicious/noExplicitAny: wires have any fields
  shape: Wire<T, any>,
  site: Site,
  read: (window: Window) => Promise<Page<T>>,
) => {
  const offset = readOffset(after)
  const slice = await readSlice(read, offset, readFirst(first))
  return toConnection({ ...slice, items: slice.items.map((item) => shape(item, site)) }, offset)
}

/** A part of a list that the object already has. */
export const sliceConnection = ({ first, after }: Arguments, items: readonly Json[]) => {
  const offset = readOffset(after)
  const end = offset + readFirst(first)
  return toConnection({ items: items.slice(offset, end), total: items.length, hasNext: end < items.length }, offset)
}
