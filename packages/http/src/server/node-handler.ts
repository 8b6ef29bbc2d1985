import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { BlockList } from 'node:net'
import { performance } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Platform, PlatformError } from '@forgelet/core'
import { commonHeaders } from '../reply/common-headers.ts'
import type { Reply } from '../reply/reply.ts'
import { BodyTooLargeError, collectStream, getBodyLimit } from '../request/body-limits.ts'
import { parseNetworks, resolveOrigin } from '../request/forwarding.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'
import { redactPath } from '../request/redact-path.ts'
import type { RequestLog } from '../request/request-log.ts'
import { createApp } from './app.ts'
import type { AppOptions } from './app-options.ts'
import type { ServerState } from './operator-endpoints.ts'

type Listener = (request: IncomingMessage, response: ServerResponse) => void

const emptyBody = new Uint8Array()

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined ||
  (headers['content-length'] !== undefined && headers['content-length'] !== '0')

/** @throws BodyTooLargeError at once if `Content-Length` exceeds the limit */
const readBody = (request: IncomingMessage, header: (name: string) => string | undefined) => {
  if (!hasBody(request)) return emptyBody
  const limit = getBodyLimit(header)
  if (Number(header('content-length') ?? 0) > limit) throw new BodyTooLargeError()
  return collectStream(request, limit)
}

const createHeaderReader =
  ({ headers }: IncomingMessage) =>
  (name: string) => {
    const value = headers[name]
    return Array.isArray(value) ? value[0] : value
  }

const flattenHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

const commonHeaderList = Object.entries(commonHeaders).flat()

const requestIdPattern = /^[\w.:-]{1,128}$/

const getContentLength = (bytes: Reply['bytes']) => {
  if (bytes === undefined || bytes instanceof Readable) return undefined
  return typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.length
}

/** Aborts when the connection closes before the reply is complete. Created on demand: few operations need it. */
const createCloseSignal = (response: ServerResponse): AbortSignal => {
  const controller = new AbortController()
  const onClose = () => {
    if (!response.writableFinished) controller.abort(new PlatformError('unavailable', 'The client has disconnected'))
  }
  if (response.destroyed) onClose()
  else response.once('close', onClose)
  return controller.signal
}

const toIncomingRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  { baseUrl }: AppOptions,
  trustedProxies: BlockList | undefined,
): IncomingRequest => {
  const header = createHeaderReader(request)
  const requestId = header('x-request-id')
  const origin = resolveOrigin(request.socket.remoteAddress, header, trustedProxies)
  return {
    method: request.method ?? 'GET',
    // Frameworks that mount the handler under a path keep the full URL in `originalUrl`.
    target: (request as { originalUrl?: string }).originalUrl ?? request.url ?? '/',
    requestId: requestId !== undefined && requestIdPattern.test(requestId) ? requestId : randomUUID(),
    hostRequest: request,
    ipAddress: origin.address,
    addressTrusted: origin.isTrusted,
    site: baseUrl === undefined ? origin.site : undefined,
    header,
    signal: () => createCloseSignal(response),
    headers: () => flattenHeaders(request.headers),
    body: () => readBody(request, header),
  }
}

interface ReplyContext {
  readonly requestId: string
  readonly seconds: number
  /** Whether the server closes the connection after this reply. */
  readonly isLast: boolean
}

/** @returns the number of body bytes sent; undefined if the client disconnected */
const sendReply = async (
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  { requestId, seconds, isLast }: ReplyContext,
): Promise<number | undefined> => {
  const { bytes } = reply
  if (response.destroyed) {
    if (bytes instanceof Readable) bytes.destroy()
    return undefined
  }
  const length = getContentLength(bytes)
  // A flat list is the form that node writes without another conversion.
  const headers = [...commonHeaderList, 'X-Request-Id', requestId, 'X-Runtime', seconds.toFixed(6)]
  for (const name in reply.headers) headers.push(name, reply.headers[name] as string)
  if (length !== undefined) headers.push('Content-Length', String(length))
  if (isLast) headers.push('Connection', 'close')
  response.writeHead(reply.status, headers)
  if (request.method === 'HEAD' || bytes === undefined) {
    if (bytes instanceof Readable) bytes.destroy()
    response.end()
    return 0
  }
  if (bytes instanceof Readable) return sendStream(response, bytes)
  // A string with one byte per character is ASCII, which node writes faster as latin1.
  if (typeof bytes === 'string') response.end(bytes, length === bytes.length ? 'latin1' : 'utf8')
  else response.end(bytes)
  return length
}

const sendStream = async (response: ServerResponse, bytes: Readable): Promise<number | undefined> => {
  let sentBytes = 0
  let isBroken = false
  // Registered before `pipeline`, which destroys the response: afterwards the two causes look the same.
  bytes.once('error', () => {
    isBroken = !response.destroyed
  })
  const finished = pipeline(bytes, response)
  bytes.on('data', (chunk: Uint8Array | string) => {
    sentBytes += chunk.length
  })
  try {
    await finished
  } catch (error) {
    // A client that disconnects, as every client of an event stream does, is not an error.
    if (isBroken || !response.destroyed) throw error
    return undefined
  }
  return sentBytes
}

interface Outcome {
  readonly status: number
  readonly milliseconds: number
  /** Undefined if the client disconnected. */
  readonly bytes: number | undefined
  readonly log: RequestLog
}

const createLogEntry = (
  { requestId, method, target }: IncomingRequest,
  { status, milliseconds, bytes, log }: Outcome,
): object => ({
  requestId,
  method,
  route: log.route,
  // Queries, headers and bodies are never logged: credentials occur there in too many forms to redact reliably.
  path: redactPath(target),
  status,
  milliseconds: Math.round(milliseconds * 1_000) / 1_000,
  bytes,
  userId: log.userId,
  substitutedBy: log.substitutedBy,
  operation: log.operation,
  ...(bytes === undefined && { aborted: true }),
})

/**
 * A request listener for node:http and compatible frameworks: `createServer(handler(platform))`.
 *
 * @throws nothing: every error becomes a reply
 */
export function handler(platform: Platform, options: AppOptions = {}): Listener {
  return createListener(platform, options)
}

/**
 * The request listener for our own server.
 *
 * @param server its URL, and its state: whether it is draining, and its metrics
 */
export function createListener(
  platform: Platform,
  options: AppOptions,
  server: { readonly state?: ServerState; readonly url?: string } = {},
): Listener {
  const { state, url } = server
  const app = createApp(platform, url === undefined ? options : { baseUrl: url, ...options }, state)
  const trustedProxies = options.trustedProxies?.length ? parseNetworks(options.trustedProxies) : undefined
  const metrics = state?.metrics

  const serve = async (message: IncomingMessage, response: ServerResponse) => {
    const start = performance.now()
    const request = toIncomingRequest(message, response, options, trustedProxies)
    const { requestId, method } = request
    metrics?.started()
    // 499, as proxies use it, is logged when a middleware cuts the connection.
    let status = 499
    let bytes: number | undefined
    let log: RequestLog = {}
    try {
      const reply = await app(request)
      status = reply.status
      log = reply.log ?? log
      const seconds = (performance.now() - start) / 1_000
      // Without `Connection: close` an idle keep-alive connection would delay the shutdown by seconds.
      bytes = await sendReply(message, response, reply, { requestId, seconds, isLast: state?.isClosing() ?? false })
    } finally {
      const milliseconds = performance.now() - start
      metrics?.finished({ method, route: log.route, status, seconds: milliseconds / 1_000 })
      options.logger?.info(createLogEntry(request, { status, milliseconds, bytes, log }))
    }
  }

  return (request, response) => {
    request.on('error', () => undefined)
    serve(request, response).catch((error: unknown) => {
      // The connection or the reply's stream broke after the headers were sent, so no error reply is possible.
      options.logger?.error({ error: String((error as Error)?.stack ?? error) }, 'aborted')
      response.destroy()
    })
  }
}
