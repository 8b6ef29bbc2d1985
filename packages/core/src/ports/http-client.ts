import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'

/** A request of the platform to a URL that a user entered. */
export interface OutboundRequest {
  readonly method: 'POST'
  /** `http` or `https`, without user and password. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The checked IP address to connect to instead of resolving the host again; absent for any address. */
  readonly ipAddress?: string
  /** False accepts any certificate of the server. */
  readonly verifiesCertificate: boolean
  /** Milliseconds from the start to the end of the response. */
  readonly timeout: number
  /** The rest of a longer response body is not read. */
  readonly maximumResponseBytes: number
  /** Aborts when the platform shuts down. */
  readonly signal: AbortSignal
}

/** The response to an outbound request. Redirects are responses like all others. */
export interface OutboundResponse {
  readonly status: number
  /** By lowercase name; several values are joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  /** Decoded as UTF-8 and cut off at the maximum size. */
  readonly body: string
}

/** Sends HTTP requests to the servers of others. Rejects if no response arrives. */
export interface HttpClient {
  /** False for a client that needs no addresses, such as a proxy: names that cannot be resolved are accepted. Default true. */
  readonly usesDns?: boolean
  send(request: OutboundRequest): Promise<OutboundResponse>
}

const readBody = (response: IncomingMessage, maximumBytes: number) =>
  new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const finish = () => resolve(Buffer.concat(chunks).subarray(0, maximumBytes).toString('utf8'))
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size < maximumBytes) return
      finish()
      response.destroy()
    })
    response.on('end', finish)
    response.on('error', reject)
  })

const toHeaders = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )

/** Returns the checked address for every name. */
const lookupAs =
  (address: string): LookupFunction =>
  (_name, { all }, callback) => {
    const family = isIPv6(address) ? 6 : 4
    if (all) callback(null, [{ address, family }])
    else callback(null, address, family)
  }

/** Starts the request. Host header and certificate check use the name of the URL also when the IP address is given. */
const start = (options: OutboundRequest, signal: AbortSignal): ClientRequest => {
  const { url, method, headers, body, ipAddress, verifiesCertificate } = options
  const shared = {
    method,
    signal,
    // A connection of its own: a kept connection could lead to an address that was checked for another URL.
    agent: false as const,
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    ...(ipAddress !== undefined && { lookup: lookupAs(ipAddress) }),
  }
  return new URL(url).protocol === 'https:'
    ? requestHttps(url, { ...shared, rejectUnauthorized: verifiesCertificate })
    : requestHttp(url, shared)
}

/** Sends with the HTTP client of Node.js. Does not follow redirects, which could lead to addresses that are not allowed. */
export const nodeHttpClient: HttpClient = {
  async send(options) {
    const timeout = AbortSignal.timeout(options.timeout)
    const request = start(options, AbortSignal.any([options.signal, timeout]))
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        request.on('response', resolve)
        request.on('error', reject)
        request.end(options.body)
      })
      const body = await readBody(response, options.maximumResponseBytes)
      return { status: response.statusCode ?? 0, headers: toHeaders(response), body }
    } catch (error) {
      if (timeout.aborted) throw new Error(`No response within ${options.timeout / 1_000} seconds`, { cause: error })
      throw error
    } finally {
      request.destroy()
    }
  },
}
