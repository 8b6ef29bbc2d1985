import { canonicalHost } from '../../access/addresses.ts'
import { hostComplaint } from '../../access/host-check.ts'

/** Where a mirror is pushed to, its credentials kept apart. */
export interface MirrorUrl {
  /** Canonical and without credentials: what is stored in the open. */
  readonly url: string
  /** Decoded. */
  readonly user: string | null
  /** Decoded; a secret. */
  readonly password: string | null
}

export type MirrorUrlResult = { readonly mirror: MirrorUrl } | { readonly complaint: string }

export interface MirrorUrlRules {
  /** Why the host of a URL may not be called; nothing in the platform's own network when left out. */
  readonly hostComplaint?: (host: string) => string | undefined
  /** Where the platform itself is served; that address is always allowed. */
  readonly ownUrl?: string
}

const schemes: readonly string[] = ['ssh', 'git', 'http', 'https']
const longest = 2048
const mask = '*****'

const blocked = (reason: string): MirrorUrlResult => ({ complaint: `is blocked: ${reason}` })

const invalidUri = blocked('URI is invalid')
const invalidHost = blocked('Hostname or IP address invalid')

interface Parts {
  readonly scheme: string
  readonly authority: string
  /** From the slash after the authority. */
  readonly rest: string
}

const split = (text: string): Parts | undefined => {
  const [, scheme = '', authority = '', rest = ''] = /^([a-z]+):\/\/([^/?#]*)(.*)$/i.exec(text) ?? []
  return scheme === '' ? undefined : { scheme: scheme.toLowerCase(), authority, rest }
}

/** Control characters, written out or percent-encoded: git and its helpers would read a second line there. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const holdsControl = (text: string) => /[\x00-\x1f\x7f]|%(?:[01][0-9a-f]|7f)/i.test(text)

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/**
 * The parsed URL under a scheme whose hosts every URL parser reads alike: `ssh` and `git` would otherwise keep spellings of
 * addresses that the resolver understands later.
 */
const parsed = ({ authority, rest }: Parts): URL | undefined => {
  const url = `http://${authority}${rest}`
  return URL.canParse(url) ? new URL(url) : undefined
}

const defaultPorts: Readonly<Record<string, string>> = { http: '80', https: '443' }

/** With its colon; `''` where the scheme's own port is meant. */
const portOf = ({ scheme, authority }: Parts): string => {
  const [, digits] = /:0*([0-9]+)$/.exec(authority) ?? []
  return digits === undefined || digits === defaultPorts[scheme] ? '' : `:${digits}`
}

const isOwn = (url: string, ownUrl: string | undefined): boolean =>
  ownUrl !== undefined && /^https?:/.test(url) && new URL(url).origin === new URL(ownUrl).origin

/**
 * Reads the URL of a mirror: one of the schemes ssh, git, http and https, a host that is not in the platform's own network, user and
 * password cut off. Complaints continue the sentence that begins with the field's name: `url is blocked: URI is invalid`.
 * A name is not resolved here: that is asked for on creation and before every push.
 */
export const readMirrorUrl = (given: string, rules: MirrorUrlRules = {}): MirrorUrlResult => {
  if (given.trim() === '') return { complaint: "can't be blank" }
  if (given.length > longest) return { complaint: `is too long (maximum is ${longest} characters)` }
  const text = given.replace(/^ +| +$/g, '')
  if (holdsControl(text)) return invalidUri
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]*):/i.exec(text) ?? []
  if (!schemes.includes(scheme.toLowerCase())) return blocked(`Only allowed schemes are ${schemes.join(', ')}`)
  const parts = split(text)
  if (parts === undefined) return invalidUri

  const host = parts.authority.replace(/^.*@/, '').replace(/:[0-9]*$/, '')
  const canonical = canonicalHost(host)
  if (canonical === undefined || !/^[a-z0-9[]/.test(canonical)) return invalidHost
  const url = parsed(parts)
  const user = decoded(url?.username ?? '')
  const password = decoded(url?.password ?? '')
  if (url === undefined || url.hostname !== canonical || user === undefined || password === undefined) return invalidUri
  if (user !== '' && !/^[\p{L}\p{N}]/u.test(user))
    return blocked('Username needs to start with an alphanumeric character')

  const path = parts.rest.startsWith('/') ? url.pathname : ''
  const open = `${parts.scheme}://${canonical}${portOf(parts)}${path}${url.search}`
  const judge = rules.hostComplaint ?? hostComplaint
  const complaint = isOwn(open, rules.ownUrl) ? undefined : judge(canonical)
  if (complaint !== undefined) return blocked(complaint)
  return { mirror: { url: open, user: user || null, password: password || null } }
}

/** What may be shown: `https://*****:*****@example.com/x.git`. The user `git` says nothing and stays. */
export const maskedMirrorUrl = ({ url, user, password }: MirrorUrl): string => {
  const shown = `${user === null || user === 'git' ? (user ?? '') : mask}${password === null ? '' : `:${mask}`}`
  return shown === '' ? url : url.replace('://', () => `://${shown}@`)
}
