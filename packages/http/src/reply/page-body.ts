import { Readable } from 'node:stream'

/** Reads an item of a page again, by its index on the page; undefined if the list has become shorter. */
export type ReadItem = (index: number) => Promise<unknown>

/** Characters of a page that is serialized as a whole. */
const maxPageLength = 4 * 1024 * 1024

/** Items that are serialized at once, to notice a long page early: the default size of a page, which needs no joining then. */
const groupSize = 20

const joinArrays = (arrays: readonly string[]): string =>
  arrays.length === 1 ? (arrays[0] as string) : `[${arrays.map((array) => array.slice(1, -1)).join()}]`

/** @yields the array in `start`, followed by the other items, one at a time as fast as the client receives them */
async function* streamItems(start: string, from: number, count: number, readItem: ReadItem): AsyncGenerator<Buffer> {
  yield Buffer.from(start.slice(0, -1))
  for (let index = from; index < count; index++) {
    const item = await readItem(index)
    if (item === undefined) break
    yield Buffer.from((index > 0 ? ',' : '') + JSON.stringify(item))
  }
  yield Buffer.from(']')
}

/**
 * Serializes the items of a page. A long page becomes a stream that keeps the first part only and reads the other items again
 * when they are sent: a hundred notes of 1 MB would otherwise stay in memory until a slow client has received them.
 */
export const serializePage = (items: readonly unknown[], readItem: ReadItem): string | Readable => {
  const groups: string[] = items.length === 0 ? ['[]'] : []
  let length = 0
  for (let from = 0; from < items.length; from += groupSize) {
    const group = JSON.stringify(items.length > groupSize ? items.slice(from, from + groupSize) : items)
    length += group.length
    if (length > maxPageLength) {
      const start = joinArrays(groups.length ? groups : ['[]'])
      return Readable.from(streamItems(start, from, items.length, readItem), { objectMode: false })
    }
    groups.push(group)
  }
  return joinArrays(groups)
}
