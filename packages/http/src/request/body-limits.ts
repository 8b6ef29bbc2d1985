import type { Readable } from 'node:stream'

const megabyte = 1024 * 1024

/**
 * Bytes. A note can have 1,000,000 characters, each up to six bytes in escaped JSON. Requests without a credential have a
 * lower limit.
 */
export const getBodyLimit = (header: (name: string) => string | undefined): number =>
  header('authorization') === undefined && header('private-token') === undefined ? 2 * megabyte : 10 * megabyte

export class BodyTooLargeError extends Error {}

/** @throws BodyTooLargeError as soon as the limit is exceeded */
export async function collectChunks(chunks: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const collected: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > limit) throw new BodyTooLargeError()
    collected.push(chunk)
  }
  return collected.length === 1 ? (collected[0] as Uint8Array) : Buffer.concat(collected)
}

/**
 * The same for node streams. Uses events, because an async iterator costs as much as the rest of a small request. The
 * caller must handle `error` events.
 */
export const collectStream = (stream: Readable, limit: number): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const collected: Uint8Array[] = []
    let size = 0
    stream.on('data', (chunk: Uint8Array) => {
      size += chunk.length
      if (size <= limit) collected.push(chunk)
      else {
        stream.pause()
        reject(new BodyTooLargeError())
      }
    })
    stream.on('end', () => resolve(collected.length === 1 ? (collected[0] as Uint8Array) : Buffer.concat(collected)))
    // Every error, including a client that disconnects, closes the stream before its end.
    stream.on('close', () => {
      if (!stream.readableEnded) reject(new Error('The connection closed before the end of the body'))
    })
  })
