import { jsonOf } from './bounded-body.ts'
import { type Challenge, readChallenge } from './challenge.ts'
import type { RegistryAnswer } from './client.ts'
import { unavailable } from './failures.ts'

/** What a registry knows the platform by. */
export interface RegistryCredentials {
  readonly username: string
  readonly password: string
}

/** The `Authorization` headers of requests, by what they open. */
export interface Authorization {
  known(scope: string): string | undefined
  /** Answers a 401: true when there is something new to try. */
  obtain(scope: string, headers: Headers): Promise<boolean>
}

interface Options {
  readonly url: URL
  readonly credentials: RegistryCredentials | undefined
  ask(url: URL, init: RequestInit): Promise<RegistryAnswer>
}

interface Held {
  readonly header: string
  /** On the clock that never goes back. */
  readonly until: number
}

/** Tokens live at least so long, where their giver does not say (Docker token authentication specification). */
const shortestLife = 60
const longestLife = 3_600
/** Seconds before its end at which a token is not used any more. */
const margin = 10
const mostHeld = 1_000

const basic = ({ username, password }: RegistryCredentials) =>
  `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`

type Bearer = Extract<Challenge, { scheme: 'bearer' }>

const tokenAddress = ({ realm, service, scope }: Bearer, wanted: string, registry: URL): URL => {
  const address = new URL(realm)
  // Over a line that everybody reads, the password would be given away.
  if (address.protocol !== 'https:' && address.protocol !== registry.protocol) {
    throw unavailable('it hands out tokens at an address that is not secure')
  }
  if (service !== undefined) address.searchParams.set('service', service)
  address.searchParams.set('scope', scope ?? wanted)
  return address
}

const readToken = (body: Buffer): { readonly token: string; readonly seconds: number } => {
  const answer = jsonOf(body) as { token?: unknown; access_token?: unknown; expires_in?: unknown } | null
  const token = answer?.token ?? answer?.access_token
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) throw unavailable('it hands out no token')
  const given = typeof answer?.expires_in === 'number' ? answer.expires_in : shortestLife
  return { token, seconds: Math.min(Math.max(given, shortestLife), longestLife) }
}

/** Answers what a registry demands: a password with every request, or a token for each scope that a password obtains. */
export const authorizations = ({ url, credentials, ask }: Options): Authorization => {
  const held = new Map<string, Held>()
  let everywhere: string | undefined

  const known = (scope: string) => {
    if (everywhere !== undefined) return everywhere
    const one = held.get(scope)
    if (one && one.until > performance.now()) return one.header
    held.delete(scope)
    return undefined
  }

  const withPassword = () => {
    if (credentials === undefined || everywhere !== undefined) return false
    everywhere = basic(credentials)
    return true
  }

  const withToken = async (scope: string, challenge: Bearer) => {
    const { status, body } = await ask(tokenAddress(challenge, scope, url), {
      headers: credentials === undefined ? {} : { Authorization: basic(credentials) },
    })
    if (status !== 200) throw unavailable(`it refused the platform a token (${status})`)
    const { token, seconds } = readToken(body)
    if (held.size >= mostHeld) held.clear()
    held.set(scope, { header: `Bearer ${token}`, until: performance.now() + (seconds - margin) * 1_000 })
    return true
  }

  return {
    known,
    async obtain(scope, headers) {
      const challenge = readChallenge(headers.get('www-authenticate'))
      if (challenge === undefined) return false
      return challenge.scheme === 'basic' ? withPassword() : withToken(scope, challenge)
    },
  }
}
