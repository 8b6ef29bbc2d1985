import { Readable } from 'node:stream'
import { leaveLongTurn } from '@forgelet/core/operations'
import { measureJson, streamJson } from './json-stream.ts'

/** Reads an item of a page again, by its index on the page; undefined if the list has become shorter. */
export type ReadItem = (index: number) => Promise<unknown>

/** Characters of a body that is serialized as a whole, which takes a few milliseconds. */
const maxWholeLength = 1024 * 1024

const comma = Buffer.from(',')

/** @yields an array, one item after the other as fast as the client receives them */
async function* streamItems(count: number, readItem: ReadItem): AsyncGenerator<Buffer> {
  yield Buffer.from('[')
  for (let index = 0; index < count; index++) {
    const turn = leaveLongTurn()
    if (turn) await turn
    const item = await readItem(index)
    if (item === undefined) break
    if (index > 0) yield comma
    yield* streamJson(item)
  }
  yield Buffer.from(']')
}

/**
 * Serializes a body. A long one becomes a stream, so that neither its serialization blocks the event loop, nor its text stays in
 * memory until a slow client has received it.
 *
 * @param readItem reads an item of the page that the body is. The items of a long page are then read again when they are sent:
 * a hundred notes of 1 MB would otherwise stay in memory
 */
export const serializeBody = (
  body: unknown,
  readItem: ReadItem | undefined,
): { readonly bytes: string | Readable; readonly heldBytes?: number } => {
  if (measureJson(body, maxWholeLength) <= maxWholeLength) return { bytes: JSON.stringify(body) }
  if (readItem && Array.isArray(body)) {
    return { bytes: Readable.from(streamItems(body.length, readItem), { objectMode: false }) }
  }
  return { bytes: Readable.from(streamJson(body), { objectMode: false }), heldBytes: measureJson(body) }
}
