import { isPlatformError } from '../../kernel/errors.ts'
import { type Authorization, authorizations, type RegistryCredentials } from './authorization.ts'
import { boundedBody } from './bounded-body.ts'
import { unavailable } from './failures.ts'
import { gate } from './gate.ts'
import type { OciLimits } from './limits.ts'

interface RegistryRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  /** What a token must open: `repository:acme/web:pull`. */
  readonly scope: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
  /** Bytes that the answer may have. */
  readonly maximum?: number
  /** Milliseconds. */
  readonly time?: number
}

export interface RegistryAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
  /** Where it came from. */
  readonly url: URL
}

/** Sends requests to one registry. Answers that are no answers to the request are refusals. */
export interface RegistryClient {
  readonly limits: OciLimits
  /** `place` is below the registry's address, such as `v2/_catalog`, or the address of something at the same registry. */
  send(place: string | URL, request: RegistryRequest): Promise<RegistryAnswer>
}

interface ClientOptions {
  readonly url: URL
  readonly credentials?: RegistryCredentials | undefined
  readonly fetch: typeof fetch
  readonly limits: OciLimits
}

/** Waiting longer than this is for whoever asks to decide. */
const longestRetry = 3_600

const retryAfterOf = (headers: Headers): number | undefined => {
  const text = headers.get('retry-after') ?? ''
  return /^[0-9]{1,4}$/.test(text) && Number(text) <= longestRetry ? Number(text) : undefined
}

/** What no request can go on from. Other statuses are for the caller to judge. */
const judge = ({ status, headers }: RegistryAnswer): void => {
  if (status === 401 || status === 403) throw unavailable(`it refused the platform (${status})`)
  if (status === 429 || status >= 500) {
    throw unavailable(`it answered ${status}`, { retryAfter: retryAfterOf(headers) })
  }
}

export const registryClient = ({ url, credentials, fetch, limits }: ClientOptions): RegistryClient => {
  const inTurn = gate(limits.requests)
  const exchange = async (at: URL, init: RequestInit, maximum: number, time: number): Promise<RegistryAnswer> => {
    try {
      const signal = AbortSignal.timeout(time)
      const response = await fetch(at, { ...init, signal })
      const body = await boundedBody(response, maximum)
      return { status: response.status, headers: response.headers, body, url: at }
    } catch (cause) {
      if (isPlatformError(cause)) throw cause
      throw unavailable('it does not answer', { cause })
    }
  }
  const authorization: Authorization = authorizations({
    url,
    credentials,
    ask: (at, init) => exchange(at, init, limits.documentBytes, limits.time),
  })

  const attempt = (at: URL, request: RegistryRequest) => {
    const { method = 'GET', scope, headers, body, maximum = limits.documentBytes, time = limits.time } = request
    const bearer = authorization.known(scope)
    const init: RequestInit = {
      method,
      headers: { ...headers, ...(bearer !== undefined && { Authorization: bearer }) },
      ...(body && { body: new Uint8Array(body) }),
    }
    return exchange(at, init, maximum, time)
  }

  return {
    limits,
    send: (place, request) => {
      const at = new URL(place, url)
      // Credentials go to the registry only, whatever it says in its answers.
      if (at.origin !== url.origin) throw unavailable('it pointed to another server')
      return inTurn(async () => {
        let answer = await attempt(at, request)
        if (answer.status === 401 && (await authorization.obtain(request.scope, answer.headers))) {
          answer = await attempt(at, request)
        }
        judge(answer)
        return answer
      })
    },
  }
}
