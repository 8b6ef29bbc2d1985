import { LRUCache } from 'lru-cache'
import { registryUnavailableError } from './errors.ts'
import { parseJson, type RegistryResponse } from './response.ts'

/** A challenge of the `WWW-Authenticate` header (RFC 9110, section 11.6.1). */
type Challenge =
  | { readonly scheme: 'basic' }
  | {
      readonly scheme: 'bearer'
      /** The URL of the token server. */
      readonly realm: string
      readonly service?: string | undefined
      readonly scope?: string | undefined
    }

const maximumHeaderLength = 4_096

/** Parses a `WWW-Authenticate` header; `undefined` for an unknown scheme. */
const parseChallenge = (header: string | null): Challenge | undefined => {
  if (header === null || header.length > maximumHeaderLength) return undefined
  const [scheme = '', rest = ''] = [header.split(' ', 1)[0]?.toLowerCase(), header.slice(header.indexOf(' ') + 1)]
  if (scheme === 'basic') return { scheme: 'basic' }
  if (scheme !== 'bearer') return undefined
  const fields = new Map(
    Array.from(rest.matchAll(/([a-z_]+)="([^"]*)"/gi), ([, name, value]) => [name?.toLowerCase(), value] as const),
  )
  const realm = fields.get('realm')
  if (realm === undefined || !URL.canParse(realm)) return undefined
  return { scheme: 'bearer', realm, service: fields.get('service'), scope: fields.get('scope') }
}

export interface RegistryCredentials {
  readonly username: string
  readonly password: string
}

/** Provides the `Authorization` header for each scope. */
export interface Authorization {
  cachedHeader(scope: string): string | undefined
  /** Processes a 401 response. Returns whether to retry the request with a new header. */
  obtain(scope: string, headers: Headers): Promise<boolean>
}

interface AuthorizationOptions {
  readonly url: URL
  readonly credentials: RegistryCredentials | undefined
  /** Creates tokens without a token server. */
  readonly createToken?: ((scopes: string[]) => Promise<string>) | undefined
  send(url: URL, init: RequestInit): Promise<RegistryResponse>
}

/** The minimum and default of `expires_in` (Docker token authentication specification). */
const minimumLifetimeSeconds = 60
const maximumLifetimeSeconds = 3_600
/** A token is not used in its last 10 seconds. */
const expiryMarginSeconds = 10
const maximumCachedTokens = 1_000

const encodeBasicCredentials = ({ username, password }: RegistryCredentials) =>
  `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`

type BearerChallenge = Extract<Challenge, { scheme: 'bearer' }>

const buildTokenUrl = ({ realm, service, scope }: BearerChallenge, requestedScope: string, registry: URL): URL => {
  const url = new URL(realm)
  // The request contains the password.
  if (url.protocol !== 'https:' && url.protocol !== registry.protocol) {
    throw registryUnavailableError('the URL of its token server does not use https')
  }
  if (service !== undefined) url.searchParams.set('service', service)
  url.searchParams.set('scope', scope ?? requestedScope)
  return url
}

const parseToken = (body: Buffer): { readonly token: string; readonly seconds: number } => {
  const parsed = parseJson(body) as { token?: unknown; access_token?: unknown; expires_in?: unknown } | null
  const token = parsed?.token ?? parsed?.access_token
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token))
    throw registryUnavailableError('its token server responded without a valid token')
  const lifetime = typeof parsed?.expires_in === 'number' ? parsed.expires_in : minimumLifetimeSeconds
  return { token, seconds: Math.min(Math.max(lifetime, minimumLifetimeSeconds), maximumLifetimeSeconds) }
}

/** Authenticates as the challenge of the registry requires: with the password for all requests, or with a token for each scope. */
export const createAuthorization = ({ url, credentials, createToken, send }: AuthorizationOptions): Authorization => {
  const bearerHeaders = new LRUCache<string, string>({ max: maximumCachedTokens })
  let basicHeader: string | undefined

  const useBasic = () => {
    if (credentials === undefined || basicHeader !== undefined) return false
    basicHeader = encodeBasicCredentials(credentials)
    return true
  }

  const storeToken = (scope: string, token: string, seconds: number) => {
    bearerHeaders.set(scope, `Bearer ${token}`, { ttl: (seconds - expiryMarginSeconds) * 1_000 })
    return true
  }

  const fetchToken = async (scope: string, challenge: BearerChallenge) => {
    if (createToken) return storeToken(scope, await createToken([challenge.scope ?? scope]), minimumLifetimeSeconds)
    const { status, body } = await send(buildTokenUrl(challenge, scope, url), {
      headers: credentials === undefined ? {} : { Authorization: encodeBasicCredentials(credentials) },
    })
    if (status !== 200) throw registryUnavailableError(`its token server rejected the platform (${status})`)
    const { token, seconds } = parseToken(body)
    return storeToken(scope, token, seconds)
  }

  return {
    cachedHeader: (scope) => basicHeader ?? bearerHeaders.get(scope),
    async obtain(scope, headers) {
      const challenge = parseChallenge(headers.get('www-authenticate'))
      if (challenge === undefined) return false
      return challenge.scheme === 'basic' ? useBasic() : fetchToken(scope, challenge)
    },
  }
}
