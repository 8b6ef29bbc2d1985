import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Platform } from '@forgelet/core'
import { createSentHeaders } from '../reply/common-headers.ts'
import { statusesWithoutBody } from '../reply/reply.ts'
import { ClientDisconnectedError, collectChunks } from '../request/body-limits.ts'
import { createApp } from './app.ts'
import { type AppOptions, assertAppArguments } from './app-options.ts'

/**
 * The API as a function with the signature of `fetch`; needs no socket. In tests it can replace the global `fetch`.
 *
 * @example
 * ```ts
 * import { createPlatform, sqlite } from '@forgelet/core'
 * import { fetchHandler } from '@forgelet/http'
 *
 * const platform = createPlatform(sqlite(':memory:'))
 * const handle = fetchHandler(platform)
 * const response = await handle('http://forge.test/api/v4/projects')
 * console.log(await response.text()) // → []
 * await platform.close()
 * ```
 */
export function fetchHandler(
  platform: Platform,
  options: AppOptions = {},
): (input: Request | URL | string, init?: RequestInit) => Promise<Response> {
  assertAppArguments('fetchHandler', platform, options)
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
      hostRequest: request,
      header,
      signal: () => request.signal,
      headers: () => Object.fromEntries(request.headers),
      bodySize: request.body ? undefined : 0,
      stream: () => request.body ?? Readable.from([]),
      body: async (limit) => {
        if (!request.body) return new Uint8Array()
        try {
          return await collectChunks(request.body, limit)
        } catch (error) {
          if (request.signal.aborted) throw new ClientDisconnectedError('The request was aborted')
          throw error
        }
      },
    })
    const headers = new Headers(createSentHeaders(reply, { 'X-Request-Id': requestId }))
    const withBody = reply.bytes !== undefined && request.method !== 'HEAD' && !statusesWithoutBody.has(reply.status)
    if (!withBody && reply.bytes instanceof Readable) reply.bytes.destroy()
    const body = reply.bytes instanceof Readable ? (Readable.toWeb(reply.bytes) as ReadableStream) : reply.bytes
    return new Response(withBody ? (body as BodyInit) : null, { status: reply.status, headers })
  }
}
