import type * as NodeHttp from 'node:http'
import type { AgentOptions, ClientRequest, IncomingMessage } from 'node:http'
import type * as NodeHttps from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'

// An import would also load the WebSocket of Node.js, an eighth of the start time of the command.
const http: typeof NodeHttp = process.getBuiltinModule('node:http')
const https: typeof NodeHttps = process.getBuiltinModule('node:https')

/** A certificate and its private key, both PEM. */
export interface ClientCertificate {
  readonly certificate: string
  readonly key: string
  /** Of an encrypted key. */
  readonly passphrase?: string
}

/** A request of the platform to a URL that a user entered. */
export interface OutboundRequest {
  readonly method: 'POST'
  /** `http` or `https`, without user and password. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The checked IP address to connect to instead of resolving the host again; omitted for any address. */
  readonly ipAddress?: string
  /** False accepts any certificate of the server. */
  readonly verifiesCertificate: boolean
  /** With which the platform authenticates to the server; omitted for none. */
  readonly clientCertificate?: ClientCertificate
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

interface ConnectionOptions {
  readonly ipAddress?: string
}

/** Kept connections are used again only for the same address, because another one was not checked for the URL. */
const pinned = (name: string, { ipAddress = '' }: ConnectionOptions) => `${name}:${ipAddress}`

class PinnedHttpAgent extends http.Agent {
  override getName(options: Parameters<NodeHttp.Agent['getName']>[0] & ConnectionOptions = {}): string {
    return pinned(super.getName(options), options)
  }
}

class PinnedHttpsAgent extends https.Agent {
  override getName(options: Parameters<NodeHttps.Agent['getName']>[0] & ConnectionOptions = {}): string {
    return pinned(super.getName(options), options)
  }
}

/** Connections are closed after a second without a request. Most servers keep them for at least 5 seconds. */
const agentOptions: AgentOptions = { keepAlive: true, timeout: 1_000 }

const agents = { http: new PinnedHttpAgent(agentOptions), https: new PinnedHttpsAgent(agentOptions) }

/** Starts the request. Host header and certificate check use the name of the URL also when the IP address is given. */
const start = (options: OutboundRequest, signal: AbortSignal, keepsConnection: boolean): ClientRequest => {
  const { method, headers, body, ipAddress, verifiesCertificate, clientCertificate } = options
  const url = new URL(options.url)
  const shared = {
    method,
    signal,
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    ...(ipAddress !== undefined && { lookup: lookupAs(ipAddress), ipAddress }),
  }
  return url.protocol === 'https:'
    ? https.request(url, {
        ...shared,
        agent: keepsConnection && agents.https,
        rejectUnauthorized: verifiesCertificate,
        ...(clientCertificate && {
          cert: clientCertificate.certificate,
          key: clientCertificate.key,
          passphrase: clientCertificate.passphrase,
        }),
      })
    : http.request(url, { ...shared, agent: keepsConnection && agents.http })
}

const isReset = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ECONNRESET'

const exchange = async (
  options: OutboundRequest,
  signal: AbortSignal,
  keepsConnection = true,
): Promise<OutboundResponse> => {
  const request = start(options, signal, keepsConnection)
  let response: IncomingMessage | undefined
  try {
    response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.on('response', resolve)
      request.on('error', reject)
      request.end(options.body)
    })
    const body = await readBody(response, options.maximumResponseBytes)
    return { status: response.statusCode ?? 0, headers: toHeaders(response), body }
  } catch (error) {
    // The server closed a kept connection before it received the request.
    if (request.reusedSocket && response === undefined && isReset(error)) return exchange(options, signal, false)
    throw error
  } finally {
    if (!response?.complete) request.destroy()
  }
}

/** Sends with the HTTP client of Node.js. Does not follow redirects, which could lead to addresses that are not allowed. */
export const nodeHttpClient: HttpClient = {
  async send(options) {
    const timeout = AbortSignal.timeout(options.timeout)
    try {
      return await exchange(options, AbortSignal.any([options.signal, timeout]))
    } catch (error) {
      if (timeout.aborted) throw new Error(`No response within ${options.timeout / 1_000} seconds`, { cause: error })
      throw error
    }
  },
}
