import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { IncomingRequest } from '../request/incoming-request.ts'
import { addAcceptRanges, applyRange } from './byte-range.ts'
import { createCorsHeaders } from './cors.ts'
import { serializeBody } from './page-body.ts'
import type { Reply } from './reply.ts'

const isNotModified = ({ header }: IncomingRequest, { status, headers }: Reply): boolean =>
  status === 200 && headers?.ETag !== undefined && header('if-none-match') === headers.ETag

const toNotModifiedReply = ({ bytes, headers }: Reply): Reply => {
  if (bytes instanceof Readable) bytes.destroy()
  const { 'Content-Length': _, ...rest } = headers ?? {}
  return { status: 304, headers: rest }
}

/**
 * Serializes the body, adds CORS headers and an `ETag`, replies 304 if the client has the content already, and with the requested
 * part of a file.
 */
export const finalizeReply = (request: IncomingRequest, fullReply: Reply, mediaType: string): Reply => {
  // A client that has the content already gets no part of it.
  const reply = isNotModified(request, fullReply) ? fullReply : applyRange(request, addAcceptRanges(fullReply))
  const cors = createCorsHeaders(request)
  if (reply.body === undefined) {
    const raw = cors ? { ...reply, headers: { ...cors, ...reply.headers } } : reply
    return isNotModified(request, raw) ? toNotModifiedReply(raw) : raw
  }
  const { bytes, heldBytes } = serializeBody(reply.body, reply.readItem)
  // A stream has no `ETag`: its content is not known before it is sent.
  if (bytes instanceof Readable || reply.status !== 200 || (request.method !== 'GET' && request.method !== 'HEAD')) {
    return { status: reply.status, bytes, heldBytes, headers: { ...cors, 'Content-Type': mediaType, ...reply.headers } }
  }
  const headers = {
    ...cors,
    'Content-Type': mediaType,
    ...reply.headers,
    ETag: `W/"${hash('sha1', bytes, 'base64url')}"`,
    'Cache-Control': 'max-age=0, private, must-revalidate',
  }
  const full: Reply = { status: 200, bytes, headers }
  return isNotModified(request, full) ? toNotModifiedReply(full) : full
}
