import { getHostError } from './host-check.ts'
import { canonicalizeHost } from './ip-addresses.ts'

/** A URL that users entered, of a mirror or a webhook, and its credentials. */
export interface OutboundUrl {
  /** Canonical, without credentials; stored unencrypted. */
  readonly url: string
  /** Decoded. */
  readonly user: string | null
  /** Decoded. */
  readonly password: string | null
}

export type OutboundUrlResult =
  | { readonly target: OutboundUrl }
  /** `refusesHost`: the URL is valid, but its host is not allowed. */
  | { readonly problem: string; readonly refusesHost?: boolean }

export interface OutboundUrlRules {
  /** Why a host is not allowed; by default hosts in the local network are rejected. */
  readonly getHostError?: (host: string) => string | undefined
  /** URL of the platform itself. Its origin is always allowed. */
  readonly siteUrl?: string
  /** Accepted schemes, in lowercase. Default: those of git remotes. */
  readonly schemes?: readonly string[]
}

const gitSchemes: readonly string[] = ['ssh', 'git', 'http', 'https']
const maxUrlLength = 2048
const mask = '*****'

const blockedResult = (reason: string): OutboundUrlResult => ({ problem: `is blocked: ${reason}` })

const invalidUri = blockedResult('URI is invalid')
const invalidHost = blockedResult('Hostname or IP address invalid')

interface UrlParts {
  readonly scheme: string
  readonly authority: string
  /** Path, query and fragment. */
  readonly rest: string
}

const splitUrl = (text: string): UrlParts | undefined => {
  const [, scheme = '', authority = '', rest = ''] = /^([a-z]+):\/\/([^/?#]*)(.*)$/i.exec(text) ?? []
  return scheme === '' ? undefined : { scheme: scheme.toLowerCase(), authority, rest }
}

/** Control characters, plain or percent-encoded: git and its credential helpers could read them as line breaks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern detects control characters
const hasControlCharacters = (text: string) => /[\x00-\x1f\x7f]|%(?:[01][0-9a-f]|7f)/i.test(text)

const decodeComponent = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/**
 * Parses the URL as `http`. For `ssh` and `git` the parser would not normalize IP addresses in alternative notations,
 * which a resolver accepts.
 */
const parseAsHttp = ({ authority, rest }: UrlParts): URL | undefined => {
  const url = `http://${authority}${rest}`
  return URL.canParse(url) ? new URL(url) : undefined
}

const defaultPorts: Readonly<Record<string, string>> = { http: '80', https: '443' }

/** The port with its colon; `''` for the default port of the scheme. */
const portSuffix = ({ scheme, authority }: UrlParts): string => {
  const [, digits] = /:0*([0-9]+)$/.exec(authority) ?? []
  return digits === undefined || digits === defaultPorts[scheme] ? '' : `:${digits}`
}

const isSiteUrl = (url: string, siteUrl: string | undefined): boolean =>
  siteUrl !== undefined && /^https?:/.test(url) && new URL(url).origin === new URL(siteUrl).origin

/**
 * Parses the URL of a mirror or webhook and splits off user and password. Accepts hosts outside the local network. Host names
 * are not resolved here, but on creation and before every request. `problem`
 * continues a sentence that begins with the field name: `url is blocked: URI is invalid`.
 */
export const parseOutboundUrl = (input: string, rules: OutboundUrlRules = {}): OutboundUrlResult => {
  if (input.trim() === '') return { problem: "can't be blank" }
  if (input.length > maxUrlLength) return { problem: `is too long (maximum is ${maxUrlLength} characters)` }
  const text = input.replace(/^ +| +$/g, '')
  if (hasControlCharacters(text)) return invalidUri
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]*):/i.exec(text) ?? []
  const { schemes = gitSchemes } = rules
  if (!schemes.includes(scheme.toLowerCase())) return blockedResult(`Only allowed schemes are ${schemes.join(', ')}`)
  const parts = splitUrl(text)
  if (parts === undefined) return invalidUri

  const host = parts.authority.replace(/^.*@/, '').replace(/:[0-9]*$/, '')
  const canonical = canonicalizeHost(host)
  if (canonical === undefined || !/^[a-z0-9[]/.test(canonical)) return invalidHost
  const url = parseAsHttp(parts)
  const user = decodeComponent(url?.username ?? '')
  const password = decodeComponent(url?.password ?? '')
  if (url === undefined || url.hostname !== canonical || user === undefined || password === undefined) return invalidUri
  if (user !== '' && !/^[\p{L}\p{N}]/u.test(user))
    return blockedResult('Username needs to start with an alphanumeric character')

  const path = parts.rest.startsWith('/') ? url.pathname : ''
  const canonicalUrl = `${parts.scheme}://${canonical}${portSuffix(parts)}${path}${url.search}`
  const checkHost = rules.getHostError ?? getHostError
  const hostError = isSiteUrl(canonicalUrl, rules.siteUrl) ? undefined : checkHost(canonical)
  if (hostError !== undefined) return { ...blockedResult(hostError), refusesHost: true }
  return { target: { url: canonicalUrl, user: user || null, password: password || null } }
}

/** The URL for display: `https://*****:*****@example.com/x.git`. */
export const maskOutboundUrl = ({ url, user, password }: OutboundUrl): string => {
  const userInfo = `${user === null ? '' : mask}${password === null ? '' : `:${mask}`}`
  return userInfo === '' ? url : url.replace('://', () => `://${userInfo}@`)
}
