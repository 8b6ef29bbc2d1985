/** A request to the provider. */
export interface OpenidRequest {
  /** `GET` or `POST`. */
  readonly method: string
  /** The headers. */
  readonly headers: Readonly<Record<string, string>>
  /** A body that `fetch` accepts. */
  readonly body?: unknown
}

/** The OpenID Connect provider at which users of a server sign in. */
export interface OpenidOptions {
  /** URL of the provider, below which its metadata is: `https://login.example.com`. HTTP is permitted on this machine only. */
  readonly issuer: string
  /** Id of the server at the provider. */
  readonly clientId: string
  /** Secret of the server at the provider; omitted for a public client. PKCE is used in any case. */
  readonly clientSecret?: string
  /** Name of the provider in identities of users, and in the redirect URI `<base URL>/users/auth/<name>/callback`. Default: `openid_connect`. */
  readonly name?: string
  /** Text of the button on the sign-in page. Default: the host of `issuer`. */
  readonly label?: string
  /** Whether accounts are created for users who have none, if the provider has verified their e-mail address. Default false. */
  readonly createUsers?: boolean
  /** Replaces the global `fetch`, for proxies and tests. */
  readonly fetch?: (url: string, request: OpenidRequest) => Promise<Response>
}

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

const isPermittedIssuer = (issuer: string) => {
  const url = URL.parse(issuer)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback.test(url.hostname))
}

/** @throws TypeError for an issuer without HTTPS on another machine, and for a name that is no part of a path */
export const assertOpenidOptions = ({ issuer, clientId, name = 'openid_connect' }: OpenidOptions): void => {
  if (!isPermittedIssuer(issuer)) throw new TypeError(`The issuer must be a URL with https:, not '${issuer}'`)
  if (clientId === '') throw new TypeError('The client id of the provider must not be empty')
  if (!/^[a-z][a-z0-9_-]{0,63}$/.test(name)) throw new TypeError(`'${name}' is not a name of a provider`)
}

/** The path at which users start to sign in at the provider. */
export const toSignInPath = ({ name = 'openid_connect' }: OpenidOptions): string => `/users/auth/${name}`

export const toLabel = ({ label, issuer }: OpenidOptions): string => label ?? URL.parse(issuer)?.host ?? issuer
