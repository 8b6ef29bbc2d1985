import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Platform, PlatformError } from '@forgelet/core'
import { type AppOptions, createApp } from './app.ts'
import { BodyTooLarge, bodyLimit, collectStream } from './body-limits.ts'
import { commonHeaders } from './common-headers.ts'
import { networks, originOf } from './forwarding.ts'
import type { Host } from './operator-routes.ts'
import { redactedPath } from './redacted-path.ts'
import type { Reply } from './reply.ts'
import type { Seen } from './seen.ts'

type Listener = (request: IncomingMessage, response: ServerResponse) => void

const empty = new Uint8Array()

const announces = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined ||
  (headers['content-length'] !== undefined && headers['content-length'] !== '0')

/** @throws BodyTooLarge when the body says so itself */
const readBody = (request: IncomingMessage, header: (name: string) => string | undefined) => {
  if (!announces(request)) return empty
  const limit = bodyLimit(header)
  if (Number(header('content-length') ?? 0) > limit) throw new BodyTooLarge()
  return collectStream(request, limit)
}

const headerOf =
  ({ headers }: IncomingMessage) =>
  (name: string) => {
    const value = headers[name]
    return Array.isArray(value) ? value[0] : value
  }

const flat = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

const common = Object.entries(commonHeaders).flat()

const given = /^[\w.:-]{1,128}$/

const lengthOf = (bytes: Reply['bytes']) => {
  if (bytes === undefined || bytes instanceof Readable) return undefined
  return typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.length
}

/** Ends when the connection closes before the reply is whole. Made for those who ask: few replies take long enough. */
const departure = (response: ServerResponse): AbortSignal => {
  const leaving = new AbortController()
  const leave = () => {
    if (!response.writableFinished) leaving.abort(new PlatformError('unavailable', 'The caller has gone'))
  }
  if (response.destroyed) leave()
  else response.once('close', leave)
  return leaving.signal
}

interface About {
  readonly requestId: string
  readonly seconds: number
  /** Whether this is the last reply of its connection. */
  readonly isLast: boolean
}

/** @returns how many bytes of a body were sent; undefined where nobody was there to take them */
const send = (
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  { requestId, seconds, isLast }: About,
): number | undefined | Promise<number | undefined> => {
  if (response.destroyed) {
    if (reply.bytes instanceof Readable) reply.bytes.destroy()
    return undefined
  }
  const { bytes } = reply
  const length = lengthOf(bytes)
  const headers = [...common, 'X-Request-Id', requestId, 'X-Runtime', seconds.toFixed(6)]
  for (const name in reply.headers) headers.push(name, reply.headers[name] as string)
  if (length !== undefined) headers.push('Content-Length', String(length))
  if (isLast) headers.push('Connection', 'close')
  // A flat list is what node writes without looking at it twice.
  response.writeHead(reply.status, headers)
  if (request.method === 'HEAD' || bytes === undefined) {
    if (bytes instanceof Readable) bytes.destroy()
    response.end()
    return 0
  }
  if (!(bytes instanceof Readable)) {
    // A text of as many bytes as characters is all ASCII, which leaves faster when nobody looks for anything else in it.
    if (typeof bytes === 'string') response.end(bytes, length === bytes.length ? 'latin1' : 'utf8')
    else response.end(bytes)
    return length
  }
  return stream(response, bytes)
}

const stream = async (response: ServerResponse, bytes: Readable): Promise<number | undefined> => {
  let streamed = 0
  let isBroken = false
  // Heard before the connection is closed for it: afterwards nobody can tell who ended it.
  bytes.once('error', () => {
    isBroken = !response.destroyed
  })
  const piped = pipeline(bytes, response)
  bytes.on('data', (chunk: Uint8Array | string) => {
    streamed += chunk.length
  })
  try {
    await piped
  } catch (error) {
    // Whoever leaves in the middle, as every reader of an event stream does, is no failure.
    if (isBroken || !response.destroyed) throw error
    return undefined
  }
  return streamed
}

/**
 * A listener for node:http and everything that takes one: `createServer(handler(platform))`.
 *
 * @throws nothing: every failure is answered
 */
export function handler(platform: Platform, options: AppOptions = {}): Listener {
  return listenerOf(platform, options)
}

/**
 * The same for a server of ours.
 *
 * @param around what only the server knows: whether it is stopping, its figures, and where it listens
 */
export function listenerOf(
  platform: Platform,
  options: AppOptions,
  around: { readonly host?: Host; readonly url?: string } = {},
): Listener {
  const { host, url } = around
  const app = createApp(platform, url === undefined ? options : { baseUrl: url, ...options }, host)
  const trusted = options.trustedProxies?.length ? networks(options.trustedProxies) : undefined
  const metrics = host?.metrics

  const serve = async (request: IncomingMessage, response: ServerResponse, seen: Seen) => {
    const start = performance.now()
    const header = headerOf(request)
    const asked = header('x-request-id')
    const requestId = asked !== undefined && given.test(asked) ? asked : randomUUID()
    const method = request.method ?? 'GET'
    // Some hosts mount the handler under a path and keep the whole one in originalUrl.
    const target = (request as { originalUrl?: string }).originalUrl ?? request.url ?? '/'
    const origin = originOf(request.socket.remoteAddress, header, trusted)
    metrics?.started()
    const ended = (status: number, bytes: number | undefined) => {
      const milliseconds = performance.now() - start
      metrics?.finished({ method, route: seen.route, status, seconds: milliseconds / 1_000 })
      options.logger?.info({
        requestId,
        method,
        route: seen.route,
        // Queries, headers and bodies can hold credentials, in more spellings than anybody knows: none of them is logged.
        path: redactedPath(target),
        status,
        milliseconds: Math.round(milliseconds * 1_000) / 1_000,
        bytes,
        userId: seen.userId,
        substitutedBy: seen.substitutedBy,
        operation: seen.operation,
        ...(bytes === undefined && { aborted: true }),
      })
    }
    // What throws before there is a reply cuts the connection: 499, as proxies call it when the client has left.
    let status = 499
    let bytes: number | undefined
    try {
      const reply = await app({
        method,
        target,
        requestId,
        seen,
        request,
        address: origin.address,
        addressVouched: origin.vouched,
        site: options.baseUrl === undefined ? origin.site : undefined,
        header,
        gone: () => departure(response),
        headers: () => flat(request.headers),
        body: () => readBody(request, header),
      })
      status = reply.status
      const seconds = (performance.now() - start) / 1_000
      // A client would keep its connection, and a server that is to end with it, until the connection has idled for seconds.
      const sent = send(request, response, reply, { requestId, seconds, isLast: host?.draining() ?? false })
      bytes = sent instanceof Promise ? await sent : sent
    } finally {
      ended(status, bytes)
    }
  }

  return (request, response) => {
    request.on('error', () => undefined)
    serve(request, response, {}).catch((error: unknown) => {
      // The client has gone, or the reply's own stream broke: nothing can be said to anybody but the log.
      options.logger?.error({ error: String((error as Error)?.stack ?? error) }, 'aborted')
      response.destroy()
    })
  }
}
