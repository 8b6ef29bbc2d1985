import type { Readable } from 'node:stream'

const megabyte = 1024 * 1024

/** A note may have 1,000,000 characters, six bytes each when escaped; whoever shows no credential gets less. */
export const bodyLimit = (header: (name: string) => string | undefined): number =>
  header('authorization') === undefined && header('private-token') === undefined ? 2 * megabyte : 10 * megabyte

/** The body is larger than its sender may send. */
export class BodyTooLarge extends Error {}

/** Collects a body chunk by chunk and stops at the limit, before anything larger is kept. */
export async function collect(chunks: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const kept: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > limit) throw new BodyTooLarge()
    kept.push(chunk)
  }
  return kept.length === 1 ? (kept[0] as Uint8Array) : Buffer.concat(kept)
}

/**
 * The same for a stream of node, by its events: an iterator costs as much as the rest of a small request. What hears of its
 * errors is the caller's: each ends in its being closed.
 */
export const collectStream = (stream: Readable, limit: number): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const kept: Uint8Array[] = []
    let size = 0
    stream.on('data', (chunk: Uint8Array) => {
      size += chunk.length
      if (size <= limit) kept.push(chunk)
      else {
        stream.pause()
        reject(new BodyTooLarge())
      }
    })
    stream.on('end', () => resolve(kept.length === 1 ? (kept[0] as Uint8Array) : Buffer.concat(kept)))
    // A client that hangs up closes the stream before its end, and so does whatever else goes wrong.
    stream.on('close', () => {
      if (!stream.readableEnded) reject(new Error('The client has gone'))
    })
  })
