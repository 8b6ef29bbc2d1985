import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { BlockList } from 'node:net'
import { performance } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Platform, PlatformError } from '@forgelet/core'
import { defined, getClientNetwork } from '@forgelet/core/operations'
import { type AppOptions, assertAppArguments } from '../app/app-options.ts'
import type { App } from '../app/middleware.ts'
import { createSentHeaders } from '../reply/common-headers.ts'
import { clientDisconnected } from '../reply/error-replies.ts'
import type { Reply } from '../reply/reply.ts'
import {
  BodyAlreadyReadError,
  type BodyLimit,
  BodyTooLargeError,
  ClientDisconnectedError,
  collectStream,
  maxBodySize,
} from '../request/body-limits.ts'
import { parseNetworks, resolveOrigin } from '../request/forwarding.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'
import { redactPath } from '../request/redact-path.ts'
import type { RequestLog } from '../request/request-log.ts'
import { createApp } from './app.ts'
import { limitReply, stalledTimeout } from './limit-reply.ts'
import { createMemoryBudget, type MemoryBudget, type RequestMemory } from './memory-budget.ts'
import type { ServerState } from './operator-endpoints.ts'

type Listener = (request: IncomingMessage, response: ServerResponse) => void

const emptyBody = new Uint8Array()

const getBodySize = ({ headers }: IncomingMessage): number | undefined =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined

/** @throws BodyAlreadyReadError if there was a body that something else has read */
const assertUnread = (request: IncomingMessage, bodySize: number | undefined) => {
  if (bodySize !== 0 && request.readableEnded) throw new BodyAlreadyReadError()
}

/** @throws BodyTooLargeError at once if `Content-Length` exceeds the limit */
const readBody = (request: IncomingMessage, bodySize: number | undefined, limit: BodyLimit) => {
  if (bodySize === 0) return emptyBody
  assertUnread(request, bodySize)
  if (bodySize !== undefined && bodySize > (limit.extend ? maxBodySize : limit.size)) throw new BodyTooLargeError()
  return collectStream(request, limit)
}

/** An early end does not destroy the request, so that a reply can still be sent; the rest of the body is discarded. */
async function* streamBody(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* request.iterator({ destroyOnReturn: false })
    if (!request.complete) throw new ClientDisconnectedError()
  } finally {
    request.resume()
  }
}

/** Milliseconds for which the rest of a body is received and discarded after the reply. */
const discardTimeout = 5_000

/**
 * Receives the rest of a body and discards it. Closing a connection with unread data resets it, and many clients read the
 * reply only after they have sent the whole body.
 *
 * @returns whether the end of the body was received
 */
const discardBody = (request: IncomingMessage) =>
  new Promise<boolean>((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      resolve(request.complete)
    }
    const timer = setTimeout(finish, discardTimeout)
    request.once('end', finish).once('close', finish).resume()
  })

/** Names of headers that determine where a request goes and who sends it. Proxies can read another value than this server. */
const singleHeaders: readonly string[] = ['host', 'authorization']

/** Why the headers are malformed (RFC 9112, section 3.2). Node keeps the first value of these headers. */
const findMalformedHeader = ({ rawHeaders = [] }: IncomingMessage): string | undefined => {
  for (const name of singleHeaders) {
    let count = 0
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const header = defined(rawHeaders[index])
      if (header.length === name.length && header.toLowerCase() === name) count += 1
    }
    if (count > 1) return `The request has more than one ${name} header`
  }
  return undefined
}

const createHeaderReader =
  ({ headers }: IncomingMessage) =>
  (name: string) => {
    const value = headers[name]
    return Array.isArray(value) ? value[0] : value
  }

const flattenHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

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
  budget: MemoryBudget,
): IncomingRequest & { readonly memory: RequestMemory } => {
  const header = createHeaderReader(request)
  const requestId = header('x-request-id')
  const bodySize = getBodySize(request)
  let closeSignal: AbortSignal | undefined
  const origin = resolveOrigin(request.socket.remoteAddress, header, trustedProxies)
  const memory = budget.open(
    () => (origin.address === undefined ? undefined : getClientNetwork(origin.address)),
    (release) => {
      if (response.closed) release()
      else response.once('close', release)
    },
  )
  return {
    memory,
    method: request.method ?? 'GET',
    // Frameworks that mount the handler under a path keep the full URL in `originalUrl`.
    target: (request as { originalUrl?: string }).originalUrl ?? request.url ?? '/',
    requestId: requestId !== undefined && requestIdPattern.test(requestId) ? requestId : randomUUID(),
    malformed: findMalformedHeader(request),
    bodySize,
    hostRequest: request,
    ipAddress: origin.address,
    addressTrusted: origin.isTrusted,
    site: baseUrl === undefined ? origin.site : undefined,
    header,
    signal: () => {
      closeSignal ??= createCloseSignal(response)
      return closeSignal
    },
    headers: () => flattenHeaders(request.headers),
    body: (limit) => readBody(request, bodySize, limit),
    stream: () => {
      assertUnread(request, bodySize)
      return streamBody(request)
    },
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
  const headers = createSentHeaders(reply, {
    'X-Request-Id': requestId,
    'X-Runtime': seconds.toFixed(6),
    ...(length !== undefined && { 'Content-Length': String(length) }),
    ...(isLast && { Connection: 'close' }),
  })
  response.writeHead(reply.status, headers)
  const hasContent = request.method !== 'HEAD' && bytes !== undefined
  if (bytes instanceof Readable) {
    if (hasContent) return sendStream(response, bytes)
    bytes.destroy()
  }
  // Mounted in a framework, the request can be an object without this property.
  if (request.complete === false)
    return sendBeforeEndOfBody(request, response, hasContent ? (bytes as Content) : undefined)
  if (!hasContent) response.end()
  // A string with one byte per character is ASCII, which node writes faster as latin1.
  else if (typeof bytes === 'string') response.end(bytes, length === bytes.length ? 'latin1' : 'utf8')
  else response.end(bytes)
  return hasContent ? length : 0
}

type Content = Uint8Array | string

/** Sends a reply while the client is still sending the body, then discards the rest of the body. */
const sendBeforeEndOfBody = async (
  request: IncomingMessage,
  response: ServerResponse,
  content: Content | undefined,
): Promise<number | undefined> => {
  if (content?.length) response.write(content)
  else response.flushHeaders()
  const isComplete = await discardBody(request)
  if (response.destroyed) return undefined
  response.end(() => {
    if (!isComplete) request.destroy()
  })
  return getContentLength(content) ?? 0
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
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { createPlatform, sqlite } from '@forgelet/core'
 * import { handler } from '@forgelet/http'
 *
 * const platform = createPlatform(sqlite(':memory:'))
 * const server = createServer(handler(platform)).listen(0)
 * server.on('listening', () => console.log('listening')) // → listening
 * await new Promise((resolve) => server.once('listening', resolve))
 * server.close()
 * await platform.close()
 * ```
 */
export function handler(platform: Platform, options: AppOptions = {}): Listener {
  assertAppArguments('handler', platform, options)
  return createListener(platform, options)
}

/**
 * The request listener for our own server.
 *
 * @param server its URL, and its state: whether it is draining, and its metrics; `app` replaces the app of the forge
 */
export function createListener(
  platform: Platform,
  options: AppOptions,
  server: { readonly state?: ServerState; readonly url?: string; readonly app?: App } = {},
): Listener {
  const { state, url } = server
  const app = server.app ?? createApp(platform, url === undefined ? options : { baseUrl: url, ...options }, state)
  const trustedProxies = options.trustedProxies?.length ? parseNetworks(options.trustedProxies) : undefined
  const metrics = state?.metrics
  const budget = createMemoryBudget()

  const serve = async (message: IncomingMessage, response: ServerResponse) => {
    const start = performance.now()
    const request = toIncomingRequest(message, response, options, trustedProxies, budget)
    const { requestId, method } = request
    metrics?.started()
    // Logged when a middleware cuts the connection.
    let status = clientDisconnected
    let bytes: number | undefined
    let log: RequestLog = {}
    try {
      const { reply, isLarge } = limitReply(await app(request), request.memory)
      if (isLarge) response.setTimeout(stalledTimeout, () => response.destroy())
      log = reply.log ?? log
      status = response.destroyed ? clientDisconnected : reply.status
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
