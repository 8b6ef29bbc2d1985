import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Platform } from '@forgelet/core'
import { type AppOptions, createApp } from './app.ts'
import { BodyTooLarge, bodyLimit, collectStream } from './body-limits.ts'
import { commonHeaders } from './common-headers.ts'
import type { Reply } from './reply.ts'

type Listener = (request: IncomingMessage, response: ServerResponse) => void

const empty = new Uint8Array()

const announces = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined ||
  (headers['content-length'] !== undefined && headers['content-length'] !== '0')

const readBody = async (request: IncomingMessage, header: (name: string) => string | undefined) => {
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

const common = Object.entries(commonHeaders).flat()

const given = /^[\w.:-]{1,128}$/

const lengthOf = (bytes: Reply['bytes']) => {
  if (bytes === undefined || bytes instanceof Readable) return undefined
  return typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.length
}

const send = async (
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  reply: Reply,
  seconds: number,
) => {
  if (response.destroyed) return
  const { bytes } = reply
  const length = lengthOf(bytes)
  const headers = [...common, 'X-Request-Id', requestId, 'X-Runtime', seconds.toFixed(6)]
  for (const name in reply.headers) headers.push(name, reply.headers[name] as string)
  if (length !== undefined) headers.push('Content-Length', String(length))
  // A flat list is what node writes without looking at it twice.
  response.writeHead(reply.status, headers)
  if (request.method === 'HEAD' || bytes === undefined) response.end()
  else if (bytes instanceof Readable) await pipeline(bytes, response)
  else response.end(bytes)
}

/**
 * A listener for node:http and everything that takes one: `createServer(handler(platform))`.
 *
 * @throws nothing: every failure is answered
 */
export function handler(platform: Platform, options: AppOptions = {}): Listener {
  const app = createApp(platform, options)

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const start = performance.now()
    const header = headerOf(request)
    const asked = header('x-request-id')
    const requestId = asked !== undefined && given.test(asked) ? asked : randomUUID()
    const method = request.method ?? 'GET'
    // Some hosts mount the handler under a path and keep the whole one in originalUrl.
    const target = (request as { originalUrl?: string }).originalUrl ?? request.url ?? '/'
    const reply = await app({
      method,
      target,
      requestId,
      address: request.socket.remoteAddress,
      header,
      body: () => readBody(request, header),
    })
    const seconds = (performance.now() - start) / 1_000
    await send(request, response, requestId, reply, seconds)
    options.logger?.info({
      requestId,
      method,
      // Queries can hold credentials: only the path is logged.
      path: target.split('?', 1)[0],
      status: reply.status,
      milliseconds: Math.round((performance.now() - start) * 1_000) / 1_000,
    })
  }

  return (request, response) => {
    request.on('error', () => undefined)
    serve(request, response).catch((error: unknown) => {
      // The client has gone, or the reply's own stream broke: nothing can be said to anybody but the log.
      options.logger?.error({ error: String((error as Error)?.stack ?? error) }, 'aborted')
      response.destroy()
    })
  }
}
