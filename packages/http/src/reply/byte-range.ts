import { Readable } from 'node:stream'
import { defined } from '@forgelet/core/operations'
import type { IncomingRequest } from '../request/incoming-request.ts'
import type { Reply } from './reply.ts'

type Content = NonNullable<Reply['bytes']>

/** Positions of the first and the last byte. */
interface ByteRange {
  readonly first: number
  readonly last: number
}

/** The bytes of a reply; undefined if they are not known before it is sent. */
const getSize = ({ bytes, headers }: Reply): number | undefined => {
  if (!(bytes instanceof Readable)) return bytes === undefined ? undefined : Buffer.byteLength(bytes)
  const length = headers?.['Content-Length']
  return length === undefined ? undefined : Number(length)
}

/** `bytes=0-99`, `bytes=100-` or `bytes=-100`. */
const rangePattern = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/

/**
 * Parses `Range` (RFC 9110, section 14.2). Several ranges, other units and malformed ones return undefined: they are ignored.
 *
 * @returns `unsatisfiable` for a range after the end
 */
const parseRange = (header: string, size: number): ByteRange | 'unsatisfiable' | undefined => {
  const [matched, from, to, suffix] = rangePattern.exec(header.trim()) ?? []
  if (matched === undefined) return undefined
  const first = suffix === undefined ? Number(from) : Math.max(size - Number(suffix), 0)
  const last = to ? Math.min(Number(to), size - 1) : size - 1
  if (to && Number(to) < Number(from)) return undefined
  return first >= size || suffix === '0' ? 'unsatisfiable' : { first, last }
}

async function* sliceStream(stream: Readable, { first, last }: ByteRange) {
  let position = 0
  for await (const data of stream) {
    const chunk = data as Uint8Array
    const part = chunk.subarray(Math.max(first - position, 0), last + 1 - position)
    position += chunk.length
    if (position > first) yield part
    if (position > last) return
  }
}

const slice = (content: Content, range: ByteRange): Content => {
  if (!(content instanceof Readable)) {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    return bytes.subarray(range.first, range.last + 1)
  }
  const part = Readable.from(sliceStream(content, range))
  // A reply that is never sent is destroyed before it is read.
  part.once('close', () => content.destroy())
  return part
}

/** A changed file is sent as a whole: `If-Range` contains the `ETag` of the part that the client has. */
const isCurrent = ({ header }: IncomingRequest, { headers }: Reply): boolean => {
  const condition = header('if-range')
  return condition === undefined || (condition === headers?.ETag && !condition.startsWith('W/'))
}

/** Replies with the part of a file that a GET request asks for, if its size is known. */
export const applyRange = (request: IncomingRequest, reply: Reply): Reply => {
  const header = request.header('range')
  if (header === undefined || !reply.hasRanges || request.method !== 'GET' || reply.status !== 200) return reply
  const size = getSize(reply)
  if (size === undefined || !isCurrent(request, reply)) return reply
  const range = parseRange(header, size)
  if (range === undefined) return reply
  const { bytes, headers } = reply
  if (range === 'unsatisfiable') {
    if (bytes instanceof Readable) bytes.destroy()
    const body = { message: '416 Range Not Satisfiable' }
    return { status: 416, body, headers: { 'Content-Range': `bytes */${size}` } }
  }
  const { 'Content-Length': _, ...rest } = headers ?? {}
  const contentLength = range.last - range.first + 1
  return {
    ...reply,
    status: 206,
    bytes: slice(defined(bytes), range),
    headers: {
      ...rest,
      ...(bytes instanceof Readable && { 'Content-Length': String(contentLength) }),
      'Content-Range': `bytes ${range.first}-${range.last}/${size}`,
    },
  }
}

/** Declares that parts of a file can be requested. */
export const addAcceptRanges = (reply: Reply): Reply =>
  reply.hasRanges && getSize(reply) !== undefined
    ? { ...reply, headers: { ...reply.headers, 'Accept-Ranges': 'bytes' } }
    : reply
