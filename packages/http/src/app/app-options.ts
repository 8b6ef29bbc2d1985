import type { Identity, Platform } from '@forgelet/core'
import { assertOptions, optionNames } from '@forgelet/core/operations'
import { assertOpenidOptions, type OpenidOptions } from '../openid/openid-options.ts'
import type { HostRequest } from '../request/incoming-request.ts'
import type { Middleware } from './middleware.ts'

/** Receives one line per request, and errors. Compatible with pino and most other loggers. */
export interface Logger {
  /** One line per request. */
  info(entry: object, message?: string): void
  /** A failure. `error` is its stack trace, or one line if the database or another service is not available. */
  error(entry: object, message?: string): void
}

/** What `identify` returns. */
export type HostIdentity = Identity | undefined | Promise<Identity | undefined>

/** Options of the HTTP API. */
export interface AppOptions {
  /**
   * The URL under which clients reach this server, for links in replies: `https://forge.example`. By default `Link` headers
   * are relative. If it has a path, such as `https://example.com/forge`, that prefix is removed from request paths.
   */
  readonly baseUrl?: string
  /** The port of git over SSH in addresses of repositories, where a server accepts it at the host of the API. Default: 22. */
  readonly sshPort?: number
  /**
   * Status of successful creations by the routes of the specification: 200 as it says, or 201 as in GitLab. Creations by all
   * other routes have 201. Default 200.
   */
  readonly createdStatus?: 200 | 201
  /** Receives requests and errors. Default: no log, and a process warning for each error that is answered with 500. */
  readonly logger?: Logger
  /**
   * Authenticates requests by the host's own sign-in. Return null for an anonymous request, undefined to authenticate by
   * the request's token. `header` takes names in lower case; `request` is the host's request object, including properties
   * that other middleware has set. A promise is awaited.
   */
  readonly identify?: (header: (name: string) => string | undefined, request: HostRequest) => HostIdentity
  /** Whether rate limits apply (archives, new issues, raw files). Default true. */
  readonly rateLimits?: boolean
  /**
   * Trusted reverse proxies: IP addresses, networks such as `10.0.0.0/8`, or `loopback`. Only their `X-Forwarded-For`,
   * `-Proto` and `-Host` headers are evaluated, and only under node:http. Default: none.
   */
  readonly trustedProxies?: readonly string[]
  /** Bearer token that `/-/metrics` requires. Without one, only requests from this machine can read the metrics. */
  readonly metricsToken?: string
  /**
   * Whether `/-/reference` shows browsers an API reference. It is rendered by the package `@scalar/api-reference` if installed;
   * otherwise the page contains links only. Default true.
   */
  readonly reference?: boolean
  /** Whether the API reference links to the control page at `/_forgelet`. Default false. */
  readonly controlPage?: boolean
  /**
   * Whether browsers see pages at `/` and at every `web_url`: HTML with the permissions of the API. Default true.
   * Without them, `/` shows the API reference.
   */
  readonly pages?: boolean
  /**
   * Whether applications can sign in users and access the API for them (OAuth 2.0, OpenID Connect). Requires the package
   * `oidc-provider`, and a key for secrets. Users sign in with the pages, or by `identify`. Default false.
   */
  readonly oauth?: boolean
  /**
   * The OpenID Connect provider at which users can sign in on the pages. Requires the package `openid-client`, and a key for secrets. Default: none.
   */
  readonly openid?: OpenidOptions
  /**
   * Whether `/jwt/auth` issues tokens with which clients such as docker access an external container registry. Requires the package `jose`, and a
   * key for secrets. Default false.
   */
  readonly registryTokens?: boolean
  /**
   * The secret that an external container registry sends with its notifications to `/api/v4/container_registry_event/events`, so that pushed images
   * are visible at once. Default: notifications are not received.
   */
  readonly registryNotificationSecret?: string
  /** Middleware around the API, the first one outermost. */
  readonly middleware?: readonly Middleware[]
}

/** The names of all options of the handlers. */
export const appOptions: readonly string[] = optionNames<AppOptions>({
  baseUrl: true,
  sshPort: true,
  createdStatus: true,
  logger: true,
  identify: true,
  rateLimits: true,
  trustedProxies: true,
  metricsToken: true,
  reference: true,
  controlPage: true,
  pages: true,
  oauth: true,
  openid: true,
  registryTokens: true,
  registryNotificationSecret: true,
  middleware: true,
})

/**
 * Checks the arguments of a handler or server, for callers in plain JavaScript.
 *
 * @throws TypeError for another first argument than a platform, an unknown option, a `baseUrl` that is not a URL, or an
 * `identify` that is not a function
 */
export const assertAppArguments = (
  owner: string,
  platform: Platform,
  options: AppOptions,
  names: readonly string[] = appOptions,
): void => {
  if (typeof platform?.as !== 'function')
    throw new TypeError(`${owner} requires a platform: ${owner}(createPlatform(sqlite('forge.db')))`)
  assertOptions(owner, options, names)
  const { baseUrl, identify, openid } = options
  if (openid !== undefined) assertOpenidOptions(openid)
  if (baseUrl !== undefined && !/^https?:\/\//.test(baseUrl))
    throw new TypeError(`baseUrl must be a URL such as https://forge.example, not '${baseUrl}'`)
  if (identify !== undefined && typeof identify !== 'function')
    throw new TypeError("identify must be a function that returns an identity: (header) => ({ user: 'alice' })")
}
