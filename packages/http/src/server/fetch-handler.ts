import { randomUUID } from 'node:crypto'
import { addAbortSignal, Readable } from 'node:stream'
import type { Platform } from '@forgelet/core'
import { defined } from '@forgelet/core/operations'
import { type AppOptions, assertAppArguments } from '../app/app-options.ts'
import { createSentHeaders } from '../reply/common-headers.ts'
import { statusesWithoutBody } from '../reply/reply.ts'
import { ClientDisconnectedError, collectChunks } from '../request/body-limits.ts'
import { createApp } from './app.ts'
import { limitReply, stalledTimeout } from './limit-reply.ts'
import { createMemoryBudget, type RequestMemory } from './memory-budget.ts'

/** Bytes of content that a reader receives at once. */
const chunkSize = 1024 * 1024

function* splitContent(content: Uint8Array | string): Generator<Uint8Array> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  for (let start = 0; start < bytes.length; start += chunkSize) yield bytes.subarray(start, start + chunkSize)
}

/** A body that counts until it has been read, was canceled, or was not read for a minute. */
const createCountedBody = (content: Readable, memory: RequestMemory, isLarge: boolean): ReadableStream => {
  content.once('close', memory.release)
  const body = Readable.toWeb(content) as ReadableStream
  if (!isLarge) return body
  const stop = () => content.destroy(new Error(`The body was not read for ${stalledTimeout / 1_000} seconds`))
  const timer = setTimeout(stop, stalledTimeout).unref()
  content.on('data', () => timer.refresh()).once('close', () => clearTimeout(timer))
  return body
}

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
  const budget = createMemoryBudget()
  return async (input, init) => {
    const request = new Request(input, init)
    const { pathname, search } = new URL(request.url)
    const header = (name: string) => request.headers.get(name) ?? undefined
    const requestId = randomUUID()
    const memory = budget.open(() => undefined)
    const answer = app({
      memory,
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
    try {
      const { reply, isLarge } = limitReply(await answer, memory)
      const { bytes, status } = reply
      const sent = createSentHeaders(reply, { 'X-Request-Id': requestId })
      const headers = new Headers()
      for (let index = 0; index < sent.length; index += 2)
        headers.append(defined(sent[index]), defined(sent[index + 1]))
      const withBody = bytes !== undefined && request.method !== 'HEAD' && !statusesWithoutBody.has(status)
      if (withBody && (isLarge || bytes instanceof Readable)) {
        const content = bytes instanceof Readable ? bytes : Readable.from(splitContent(bytes), { objectMode: false })
        return new Response(createCountedBody(addAbortSignal(request.signal, content), memory, isLarge), {
          status,
          headers,
        })
      }
      if (bytes instanceof Readable) bytes.destroy()
      memory.release()
      return new Response(withBody ? (bytes as BodyInit) : null, { status, headers })
    } catch (error) {
      memory.release()
      throw error
    }
  }
}
