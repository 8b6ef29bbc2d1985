import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Platform } from '@forgelet/core'
import { type AppOptions, createApp } from './app.ts'
import { bodyLimit, collect } from './body-limits.ts'
import { commonHeaders } from './common-headers.ts'

/** Statuses whose replies must not have a body. */
const bodyless = new Set([204, 205, 304])

/**
 * The same server without a socket: `Request` in, `Response` out. Takes what `fetch` takes, so that it can stand in for
 * the global one in tests.
 */
export function fetchHandler(
  platform: Platform,
  options: AppOptions = {},
): (input: Request | URL | string, init?: RequestInit) => Promise<Response> {
  const app = createApp(platform, options)
  return async (input, init) => {
    const request = new Request(input, init)
    const { pathname, search } = new URL(request.url)
    const header = (name: string) => request.headers.get(name) ?? undefined
    const requestId = randomUUID()
    const reply = await app({
      method: request.method,
      target: pathname + search,
      requestId,
      request,
      header,
      gone: () => request.signal,
      headers: () => Object.fromEntries(request.headers),
      body: async () => (request.body ? collect(request.body, bodyLimit(header)) : new Uint8Array()),
    })
    const headers = { ...commonHeaders, 'X-Request-Id': requestId, ...reply.headers }
    const withBody = reply.bytes !== undefined && request.method !== 'HEAD' && !bodyless.has(reply.status)
    if (!withBody && reply.bytes instanceof Readable) reply.bytes.destroy()
    const body = reply.bytes instanceof Readable ? (Readable.toWeb(reply.bytes) as ReadableStream) : reply.bytes
    return new Response(withBody ? (body as BodyInit) : null, { status: reply.status, headers })
  }
}
