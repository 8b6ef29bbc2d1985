import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Reply } from '../reply/reply.ts'

/** A request to the provider, which requires the objects of node:http, and its reply. Both exist without a connection. */
export interface ProviderExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The reply; call it when the provider has ended the response. */
  toReply(): Reply
}

interface ExchangeInput {
  readonly method: string
  /** Path and query, without the path of the site. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The URL of the site, without a trailing slash. */
  readonly siteUrl: string
  /** The path of the site: empty, or such as `/forge`. */
  readonly base: string
}

/** The provider derives its URLs from these headers; those of the client are not trusted. */
const createHeaders = ({ headers, siteUrl, body }: ExchangeInput): Record<string, string> => {
  const { host, protocol } = new URL(siteUrl)
  const kept = Object.entries(headers).filter(
    ([name]) => !/^(?:x-forwarded-|transfer-encoding$|content-length$|expect$)/.test(name),
  )
  return {
    ...Object.fromEntries(kept),
    host,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'content-length': String(body.length),
  }
}

const toTitleCase = (name: string) => name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase())

const toReplyHeaders = (headers: OutgoingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== 'set-cookie' && name !== 'content-length')
      .map(([name, value]) => [toTitleCase(name), String(value)]),
  )

const listCookies = (value: OutgoingHttpHeaders[string]): readonly string[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [String(value)]

export const createExchange = (input: ExchangeInput): ProviderExchange => {
  const { method, target, body, base } = input
  const request = new IncomingMessage(new Socket())
  Object.assign(request, { method, url: target, originalUrl: base + target, headers: createHeaders(input) })
  request.push(body)
  request.push(null)
  request.complete = true
  const response = new ServerResponse(request)
  const chunks: Buffer[] = []
  const collect = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string))
  }
  Object.assign(response, {
    write: (chunk: unknown) => {
      collect(chunk)
      return true
    },
    end: (chunk?: unknown) => {
      collect(chunk)
      response.emit('finish')
      return response
    },
  })
  return {
    request,
    response,
    toReply() {
      const headers = response.getHeaders()
      return {
        status: response.statusCode,
        bytes: Buffer.concat(chunks),
        headers: toReplyHeaders(headers),
        cookies: listCookies(headers['set-cookie']),
      }
    },
  }
}
