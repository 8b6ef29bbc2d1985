import { isPlatformError } from '../../kernel/errors.ts'
import type { Abortable } from '../git.ts'
import { type Authorization, createAuthorization, type RegistryCredentials } from './authorization.ts'
import { registryUnavailableError } from './errors.ts'
import type { OciLimits } from './limits.ts'
import { type RegistryResponse, readBoundedBody } from './response.ts'

/** Runs at most `limit` functions at once, in the order of the calls. */
const createConcurrencyLimiter = (limit: number): (<T>(work: () => Promise<T>) => Promise<T>) => {
  const waiting: (() => void)[] = []
  let free = limit
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // Passes the slot on directly, so that no later call can take it first.
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}

interface RegistryRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  /** The scope of the token: `repository:acme/web:pull`. */
  readonly scope: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
  /** Maximum size of the response body. */
  readonly maximumBytes?: number
  /** Milliseconds. */
  readonly timeout?: number
  readonly signal?: AbortSignal | undefined
}

/** Sends requests to one registry. */
export interface RegistryClient {
  readonly limits: OciLimits
  /**
   * `target` is a path relative to the registry's URL, such as `v2/_catalog`, or a URL of the same origin. Throws `unavailable`
   * for status 401, 403, 429 and 5xx; returns every other response.
   */
  send(target: string | URL, request: RegistryRequest): Promise<RegistryResponse>
}

/** A client whose requests the signal aborts. */
export const withSignal = (client: RegistryClient, { signal }: Abortable = {}): RegistryClient =>
  signal ? { ...client, send: (target, request) => client.send(target, { ...request, signal }) } : client

interface ClientOptions {
  readonly url: URL
  readonly credentials?: RegistryCredentials | undefined
  readonly createToken?: ((scopes: string[]) => Promise<string>) | undefined
  readonly fetch: typeof fetch
  readonly limits: OciLimits
}

/** A longer `Retry-After` is not passed on. */
const maximumRetryAfterSeconds = 3_600

const parseRetryAfter = (headers: Headers): number | undefined => {
  const text = headers.get('retry-after') ?? ''
  return /^[0-9]{1,4}$/.test(text) && Number(text) <= maximumRetryAfterSeconds ? Number(text) : undefined
}

const assertAvailable = ({ status, headers }: RegistryResponse): void => {
  if (status === 401 || status === 403) {
    throw registryUnavailableError(`it rejected the credentials of the platform (${status})`)
  }
  if (status === 429 || status >= 500) {
    throw registryUnavailableError(`it responded with ${status}`, { retryAfter: parseRetryAfter(headers) })
  }
}

export const createRegistryClient = ({
  url,
  credentials,
  createToken,
  fetch,
  limits,
}: ClientOptions): RegistryClient => {
  const limitConcurrency = createConcurrencyLimiter(limits.concurrentRequests)
  const exchange = async (
    target: URL,
    init: RequestInit,
    maximumBytes: number,
    timeout: number,
  ): Promise<RegistryResponse> => {
    try {
      const timeLimit = AbortSignal.timeout(timeout)
      const signal = init.signal ? AbortSignal.any([init.signal, timeLimit]) : timeLimit
      const response = await fetch(target, { ...init, signal })
      const body = await readBoundedBody(response, maximumBytes)
      return { status: response.status, headers: response.headers, body, url: target }
    } catch (cause) {
      if (isPlatformError(cause)) throw cause
      throw registryUnavailableError('it does not respond', { cause })
    }
  }
  const authorization: Authorization = createAuthorization({
    url,
    credentials,
    createToken,
    send: (target, init) => exchange(target, init, limits.documentBytes, limits.requestTimeout),
  })

  const attempt = (target: URL, request: RegistryRequest) => {
    const { method = 'GET', scope, headers, body, signal } = request
    const { maximumBytes = limits.documentBytes, timeout = limits.requestTimeout } = request
    const header = authorization.cachedHeader(scope)
    const init: RequestInit = {
      method,
      ...(signal && { signal }),
      headers: { ...headers, ...(header !== undefined && { Authorization: header }) },
      ...(body && { body: new Uint8Array(body) }),
    }
    return exchange(target, init, maximumBytes, timeout)
  }

  return {
    limits,
    send: (target, request) => {
      const targetUrl = new URL(target, url)
      // A link in a response must not redirect credentials to another server.
      if (targetUrl.origin !== url.origin) throw registryUnavailableError('its response links to another server')
      return limitConcurrency(async () => {
        let response = await attempt(targetUrl, request)
        if (response.status === 401 && (await authorization.obtain(request.scope, response.headers))) {
          response = await attempt(targetUrl, request)
        }
        assertAvailable(response)
        return response
      })
    },
  }
}
