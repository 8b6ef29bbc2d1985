/** The framing of git's protocols (gitprotocol-common): four hexadecimal digits with the length, then the content. */

export const flushPacket = '0000'

/** Bytes of the content of one line. */
export const maxLineBytes = 65_516

/** One line with its length. */
export const formatLine = (content: string | Uint8Array): Buffer => {
  const bytes = Buffer.from(content)
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes])
}

export interface LineReader {
  /** The next line; null for a flush packet, undefined at the end. Throws for malformed lines. */
  readLine(): Promise<Buffer | null | undefined>
  /** The bytes after the lines that were read; undefined if there are none. Call it last. */
  readRest(): Promise<AsyncIterable<Uint8Array> | undefined>
  /** Ends the stream, so that its source can discard what was not read. */
  close(): Promise<void>
}

/** A stream that does not follow the protocol. */
export class ProtocolError extends Error {}

const parseLength = (digits: Buffer): number => {
  const text = digits.toString('latin1')
  const length = /^[0-9a-fA-F]{4}$/.test(text) ? Number.parseInt(text, 16) : Number.NaN
  if (Number.isNaN(length) || (length > 0 && length < 4) || length > maxLineBytes + 4) {
    throw new ProtocolError('The request has a line with an invalid length')
  }
  return length
}

/** Delimiter of sections in version 2 of the protocol. */
const delimiterPacket = '0001'

/**
 * Checks that a request consists of complete lines, flush and delimiter packets.
 *
 * @throws ProtocolError
 */
export const assertLines = (request: Buffer): void => {
  if (request.length === 0) throw new ProtocolError('The request is empty')
  for (let offset = 0; offset < request.length; ) {
    const digits = request.subarray(offset, offset + 4)
    const length = digits.toString('latin1') === delimiterPacket ? 0 : parseLength(digits)
    offset += Math.max(length, 4)
    if (offset > request.length) throw new ProtocolError('The request is incomplete')
  }
}

/** Reads lines from the start of a stream. */
export const createLineReader = (chunks: AsyncIterable<Uint8Array>): LineReader => {
  const iterator = chunks[Symbol.asyncIterator]()
  let buffered: Buffer = Buffer.alloc(0)
  let ended = false

  const fill = async (size: number): Promise<boolean> => {
    while (buffered.length < size && !ended) {
      const next = await iterator.next()
      if (next.done) ended = true
      else buffered = Buffer.concat([buffered, next.value])
    }
    return buffered.length >= size
  }

  const take = (size: number): Buffer => {
    const taken = buffered.subarray(0, size)
    buffered = buffered.subarray(size)
    return taken
  }

  async function* generateRest() {
    if (buffered.length > 0) yield buffered
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
  }

  return {
    async readLine() {
      if (!(await fill(4))) {
        if (buffered.length > 0) throw new ProtocolError('The request is incomplete')
        return undefined
      }
      const length = parseLength(take(4))
      if (length === 0) return null
      if (!(await fill(length - 4))) throw new ProtocolError('The request is incomplete')
      return take(length - 4)
    },
    readRest: async () => ((await fill(1)) ? generateRest() : undefined),
    close: async () => void (await iterator.return?.()),
  }
}
