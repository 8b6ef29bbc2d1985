import type { Readable } from 'node:stream'
import { defined } from '@forgelet/core/operations'

const megabyte = 1024 * 1024

/** Bytes. A note can have 1,000,000 characters, each up to 12 bytes in escaped JSON and in forms. */
export const maxBodySize: number = 16 * megabyte

/** Bytes of a body that are read before the credential is known. */
export const maxAnonymousBodySize: number = 2 * megabyte

export class BodyTooLargeError extends Error {}

/** The client did not send the body in time. */
export class BodyTimeoutError extends Error {}

/** The client closed the connection before the end of the body. */
export class ClientDisconnectedError extends Error {
  constructor(message = 'The connection closed before the end of the body') {
    super(message)
  }
}

/** Something before the handler, such as a body parser, has consumed the body, so that its end would never come. */
export class BodyAlreadyReadError extends Error {
  constructor() {
    super('The body of the request was already read: mount the handler before body parsers')
  }
}

/** How much of a body is read. */
export interface BodyLimit {
  /** Bytes. */
  readonly size: number
  /**
   * Called once with the bytes read so far when the body exceeds `size`. Unless it throws, the body can have `maxBodySize`
   * bytes.
   *
   * @throws BodyTooLargeError if the limit remains
   */
  extend?(start: Uint8Array): Promise<void>
}

/** A token parameter as a field of a form, of a JSON object and of a multipart body. */
const tokenPattern =
  /(?:(?:^|&)(?:private|access|job)_token=|[{,]\s*"(?:private|access|job)_token"\s*:\s*"|name="(?:private|access|job)_token"(?:\r\n[^\r\n]+){0,3}\r\n\r\n)([^&"\r\n]+)/

/** Finds a token at the start of a body of any type. The token is not proven: the complete body can contain another one. */
export const findToken = (start: Uint8Array): string | undefined =>
  tokenPattern.exec(Buffer.from(start.buffer, start.byteOffset, start.byteLength).toString('latin1'))?.[1]

const concatenate = (chunks: readonly Uint8Array[]): Uint8Array =>
  chunks.length === 1 ? defined(chunks[0]) : Buffer.concat(chunks)

/** Collects chunks up to a limit that can be extended once. */
const createCollector = (limit: BodyLimit) => {
  const collected: Uint8Array[] = []
  let { size: maximum, extend } = limit
  let size = 0
  return {
    /** @returns what to wait for before the next chunk */
    add(chunk: Uint8Array): Promise<void> | undefined {
      collected.push(chunk)
      size += chunk.length
      if (size <= maximum) return undefined
      const pending = extend
      extend = undefined
      maximum = maxBodySize
      if (size > maxBodySize || !pending) return Promise.reject(new BodyTooLargeError())
      return pending(concatenate(collected))
    },
    finish: () => concatenate(collected),
  }
}

/** @throws BodyTooLargeError as soon as the limit is exceeded */
export async function collectChunks(chunks: AsyncIterable<Uint8Array>, limit: BodyLimit): Promise<Uint8Array> {
  const collector = createCollector(limit)
  for await (const chunk of chunks) await collector.add(chunk)
  return collector.finish()
}

/** Milliseconds in which a client must send a body that is read as a whole. */
const bodyTimeout = 60_000

/**
 * The same for node streams. Uses events, because an async iterator costs as much as the rest of a small request. The
 * caller must handle `error` events. After a rejection the stream is paused and can be resumed to discard its rest.
 */
export const collectStream = (stream: Readable, limit: BodyLimit): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    // A stream that is closed already emits no further events.
    if (stream.destroyed && !stream.readableEnded) throw new ClientDisconnectedError()
    const collector = createCollector(limit)
    const stop = (error: unknown) => {
      clearTimeout(timer)
      stream.off('data', onData)
      reject(error)
    }
    const timer = setTimeout(() => stop(new BodyTimeoutError()), bodyTimeout)
    const onData = (chunk: Uint8Array) => {
      const pending = collector.add(chunk)
      if (!pending) return
      stream.pause()
      pending.then(() => stream.resume(), stop)
    }
    stream.on('data', onData)
    stream.on('end', () => {
      clearTimeout(timer)
      resolve(collector.finish())
    })
    // Every error, including a client that disconnects, closes the stream before its end.
    stream.on('close', () => {
      clearTimeout(timer)
      if (!stream.readableEnded) reject(new ClientDisconnectedError())
    })
  })
