import type { IncomingMessage } from 'node:http'
import type { Session } from '@forgelet/core'
import type { Provider } from 'oidc-provider'
import type { Logger } from '../app/app-options.ts'
import type { PageContext } from '../pages/page-context.ts'
import { formatExpiredCookie } from '../pages/session-cookie.ts'
import { loadProviderPackage } from './load-provider.ts'
import { createConfiguration } from './provider-configuration.ts'
import { createProviderPages } from './provider-pages.ts'

/** What the provider needs of a request, beside the request itself. */
export interface RequestState {
  readonly page: PageContext
  /** Cookies that the reply sets in addition to those of the provider. */
  readonly cookies: string[]
}

interface ProviderInput {
  readonly host: Session
  readonly siteUrl: string
  readonly base: string
  readonly stateOf: (request: IncomingMessage) => RequestState
  readonly logger: Logger | undefined
}

/** Creates the provider of a site. */
export const createProvider = async (input: ProviderInput): Promise<Provider> => {
  const { host, siteUrl, base, stateOf, logger } = input
  const { Provider: OidcProvider, errors } = await loadProviderPackage()
  const keys = await host.oauthProvider.getKeys()
  const pages = createProviderPages((request) => stateOf(request).page)
  const provider = new OidcProvider(siteUrl, createConfiguration({ host, errors, keys, siteUrl, base, pages }))
  // Our own headers, not those of the client: see `createExchange`.
  provider.proxy = true
  provider.Client.prototype.compareClientSecret = function (secret) {
    return host.oauthProvider.checkSecret({ applicationId: this.clientId, secret })
  }
  provider.use(async (context, next) => {
    await next()
    const { oidc, status } = context
    // By default the provider shows a page that submits itself with a script.
    if (oidc?.route === 'end_session' && status === 200 && !oidc.session.accountId) await pages.showSignOut(context)
    const tokens = context.body as { readonly access_token?: string } | undefined
    if (oidc?.route === 'token' && tokens?.access_token !== undefined)
      context.body = { ...tokens, created_at: Math.floor(Date.now() / 1_000) }
  })
  provider.on('end_session.success', ({ req, oidc }) => {
    const { page, cookies } = stateOf(req)
    if (oidc.params.logout) cookies.push(formatExpiredCookie(page))
  })
  const logError = (error: unknown) =>
    logger?.error({ error: String((error as Error)?.stack ?? error) }, 'OAuth provider failed')
  provider.on('server_error', (_, error) => logError(error))
  provider.on('error', logError)
  return provider
}
