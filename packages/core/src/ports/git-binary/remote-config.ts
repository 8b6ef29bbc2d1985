import { isIP } from 'node:net'
import { invalid } from '../../kernel/errors.ts'
import type { KnownCredentials } from '../../shared/mask-credentials.ts'
import type { RemoteRequest } from '../git.ts'

/** A remote repository. Secrets are only in `environment` and `secrets`, because arguments are visible to other users. */
export interface RemoteConfig {
  /** Without the password. */
  readonly url: string
  readonly protocol: string
  readonly settings: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** For `maskCredentials`. */
  readonly credentials: Required<KnownCredentials>
}

/** Strict, because URL parsers accept almost any host for schemes other than http and https. */
const hostNamePattern = /^(?:[a-z0-9][a-z0-9._-]*|\[[0-9a-f:.]+\])$/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const controlCharacters = /[\u0000-\u0020\u007f]/

const decodeComponent = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const invalidUrlError = (message: string) => invalid({ url: [message] })

const parseRemoteUrl = (text: string, protocols: readonly string[]): URL => {
  const url = controlCharacters.test(text) ? null : URL.parse(text)
  if (url === null) throw invalidUrlError('is not a valid URL')
  if (!protocols.includes(url.protocol.slice(0, -1))) {
    throw invalidUrlError(`must use one of the protocols ${protocols.join(', ')}`)
  }
  const isLocal = url.protocol === 'file:'
  if (!isLocal && !hostNamePattern.test(url.hostname)) throw invalidUrlError('has an invalid host name')
  if (url.username !== '' && !/^[a-z0-9]/i.test(decodeComponent(url.username)))
    throw invalidUrlError('has an invalid username')
  return url
}

/** Passes git settings as environment variables (`GIT_CONFIG_COUNT`), which other users of the machine cannot read. */
const buildSecretEnvironment = (settings: readonly (readonly [string, string])[]): Record<string, string> => ({
  GIT_CONFIG_COUNT: String(settings.length),
  ...Object.fromEntries(
    settings.flatMap(([name, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, name],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ),
})

const resolvePort = (url: URL) => url.port || (url.protocol === 'https:' ? '443' : '80')

/**
 * Builds the git configuration for a remote. HTTP credentials become an `Authorization` header in the environment. With
 * `ipAddress`, git connects to that address without a DNS lookup, but still verifies the certificate or host key of the host
 * name. A URL with an IP address needs no lookup, and curl cannot parse an IPv6 address as the host of `curloptResolve`.
 */
export const createRemoteConfig = (request: RemoteRequest, protocols: readonly string[]): RemoteConfig => {
  const url = parseRemoteUrl(request.url, protocols)
  const { ipAddress } = request
  if (ipAddress !== undefined && isIP(ipAddress) === 0) throw invalidUrlError('was resolved to an invalid IP address')
  const urlCredentials = { username: decodeComponent(url.username), password: decodeComponent(url.password) }
  const { username, password } = request.credentials ?? urlCredentials
  const addressHost = ipAddress !== undefined && isIP(ipAddress) === 6 ? `[${ipAddress}]` : ipAddress
  const secrets = [password, urlCredentials.password]
  const credentials = { user: username, secrets }
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:'
  url.password = ''
  if (isHttp) {
    url.username = ''
    const token = Buffer.from(`${username}:${password}`).toString('base64')
    const isLiteral = isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0
    const resolve =
      addressHost === undefined || isLiteral
        ? []
        : [`http.curloptResolve=${url.hostname}:${resolvePort(url)}:${addressHost}`]
    return {
      url: url.href,
      protocol: url.protocol.slice(0, -1),
      settings: [
        'http.followRedirects=false',
        'http.lowSpeedLimit=1',
        'http.lowSpeedTime=60',
        'credential.helper=',
        ...resolve,
      ],
      environment:
        username === '' && password === ''
          ? {}
          : buildSecretEnvironment([[`http.${url.origin}/.extraHeader`, `Authorization: Basic ${token}`]]),
      credentials: { user: username, secrets: [...secrets, token] },
    }
  }
  if (url.protocol === 'ssh:') {
    if (username !== '') url.username = username
    // git runs this command in a shell. The validated address and host name contain no special characters.
    const alias = url.hostname.startsWith('[') ? '' : ` -o HostKeyAlias=${url.hostname}`
    const hostOptions = ipAddress === undefined ? '' : ` -o HostName=${ipAddress}${alias}`
    const command = `ssh -o BatchMode=yes -o ConnectTimeout=30${hostOptions}`
    return { url: url.href, protocol: 'ssh', settings: [], environment: { GIT_SSH_COMMAND: command }, credentials }
  }
  url.username = ''
  if (addressHost !== undefined) url.hostname = addressHost
  return { url: url.href, protocol: url.protocol.slice(0, -1), settings: [], environment: {}, credentials }
}
