import { isIP } from 'node:net'
import { invalid } from '../../kernel/errors.ts'
import type { PushRequest } from '../git.ts'

/** Where to push, with everything secret apart from what may stand among the arguments of a process. */
export interface RemoteAddress {
  /** Without a password. */
  readonly url: string
  readonly protocol: string
  readonly settings: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** Words that no message may repeat. */
  readonly secrets: readonly string[]
}

/** Strict, because other forms of URL allow much more than names of hosts. */
const hostName = /^(?:[a-z0-9][a-z0-9._-]*|\[[0-9a-f:.]+\])$/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const control = /[\u0000-\u0020\u007f]/

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const refused = (message: string) => invalid({ url: [message] })

const parsed = (text: string, protocols: readonly string[]): URL => {
  const url = control.test(text) ? null : URL.parse(text)
  if (url === null) throw refused('is not an address')
  if (!protocols.includes(url.protocol.slice(0, -1))) throw refused(`is not one of ${protocols.join(', ')}`)
  const local = url.protocol === 'file:'
  if (!local && !hostName.test(url.hostname)) throw refused('has no usable host name')
  if (url.username !== '' && !/^[a-z0-9]/i.test(decoded(url.username))) throw refused('has no usable user name')
  return url
}

/** Settings given through the environment, which other users of the machine cannot read, as `GIT_CONFIG_COUNT` wants them. */
const secretSettings = (settings: readonly (readonly [string, string])[]): Record<string, string> => ({
  GIT_CONFIG_COUNT: String(settings.length),
  ...Object.fromEntries(
    settings.flatMap(([name, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, name],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ),
})

const portOf = (url: URL) => url.port || (url.protocol === 'https:' ? '443' : '80')

/**
 * Splits a mirror's address. Credentials of HTTP go into a header that git reads from its environment; a checked address is
 * what is connected to, whatever the name service says by then, while certificates are still those of the host name.
 */
export const remoteAddress = (request: PushRequest, protocols: readonly string[]): RemoteAddress => {
  const url = parsed(request.url, protocols)
  const { address } = request
  if (address !== undefined && isIP(address) === 0) throw refused('has no usable address')
  const inUrl = { username: decoded(url.username), password: decoded(url.password) }
  const { username, password } = request.credentials ?? inUrl
  const bracketed = address !== undefined && isIP(address) === 6 ? `[${address}]` : address
  const secrets = [password, inUrl.password, encodeURIComponent(password), url.password].filter((word) => word !== '')
  const http = url.protocol === 'http:' || url.protocol === 'https:'
  url.password = ''
  if (http) {
    url.username = ''
    const token = Buffer.from(`${username}:${password}`).toString('base64')
    const pin = bracketed === undefined ? [] : [`http.curloptResolve=${url.hostname}:${portOf(url)}:${bracketed}`]
    return {
      url: url.href,
      protocol: url.protocol.slice(0, -1),
      settings: [
        'http.followRedirects=false',
        'http.lowSpeedLimit=1',
        'http.lowSpeedTime=60',
        'credential.helper=',
        ...pin,
      ],
      environment:
        username === '' && password === ''
          ? {}
          : secretSettings([[`http.${url.origin}/.extraHeader`, `Authorization: Basic ${token}`]]),
      secrets: [...secrets, token],
    }
  }
  if (url.protocol === 'ssh:') {
    if (username !== '') url.username = username
    // A shell reads this. Nothing in an address or a host name means anything to it.
    const alias = url.hostname.startsWith('[') ? '' : ` -o HostKeyAlias=${url.hostname}`
    const pin = address === undefined ? '' : ` -o HostName=${address}${alias}`
    const program = `ssh -o BatchMode=yes -o ConnectTimeout=30${pin}`
    return { url: url.href, protocol: 'ssh', settings: [], environment: { GIT_SSH_COMMAND: program }, secrets }
  }
  url.username = ''
  if (bracketed !== undefined) url.hostname = bracketed
  return { url: url.href, protocol: url.protocol.slice(0, -1), settings: [], environment: {}, secrets }
}

const credentialsInUrl = /:\/\/[^/@\s]{1,512}@/g

/** git's words without anything secret in them, on one line, at most 1,000 characters. */
export const scrubbed = (text: string, secrets: readonly string[]): string =>
  secrets
    .reduce((clean, word) => clean.replaceAll(word, '*****'), text)
    .replace(credentialsInUrl, '://*****:*****@')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ')
    .slice(0, 1000)
