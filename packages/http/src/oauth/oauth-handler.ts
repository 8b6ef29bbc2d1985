import type { IncomingMessage } from 'node:http'
import { isPlatformError, type Platform } from '@forgelet/core'
import { defined } from '@forgelet/core/operations'
import type { Provider } from 'oidc-provider'
import type { AppOptions } from '../app/app-options.ts'
import { logUnavailable } from '../app/log-unavailable.ts'
import type { RequestContext } from '../app/request-context.ts'
import type { PageContext, Viewer } from '../pages/page-context.ts'
import { endSession } from '../pages/session-cookie.ts'
import { createPageContext, readViewer, readVisitor, type Visitor } from '../pages/visitor.ts'
import type { Reply } from '../reply/reply.ts'
import type { Site } from '../reply/wire.ts'
import { createProvider, type RequestState } from './create-provider.ts'
import { handleInteraction } from './interaction.ts'
import { MissingProviderError } from './load-provider.ts'
import { isInteractionPath, oauthRoutes, tokenInfoPath } from './oauth-paths.ts'
import { createExchange, type ProviderExchange } from './provider-exchange.ts'
import { createTokenInfo } from './token-info.ts'

/** Bytes of a request body. */
const maxBodySize = 56 * 1024

/** Providers of sites, one for each URL under which trusted proxies reach this server. */
const maxProviders = 16

const createUnavailableReply = (description: string): Reply => ({
  status: 503,
  headers: { 'Cache-Control': 'no-store' },
  body: { error: 'temporarily_unavailable', error_description: description },
})

const isBrowserPath = (path: string): boolean =>
  isInteractionPath(path) ||
  [oauthRoutes.authorization, oauthRoutes.code_verification, oauthRoutes.end_session].some(
    (route) => path === route || path.startsWith(`${route}/`),
  )

/** An ended session is none: the user signs in again. */
const findViewer = async ({ session }: PageContext, { identity }: Visitor): Promise<Viewer | undefined> => {
  try {
    return await readViewer(session, identity)
  } catch (error) {
    if (isPlatformError(error) && (error.code === 'unauthenticated' || error.code === 'forbidden')) return undefined
    throw error
  }
}

/** The session of the pages determines the user: that of the provider ends when another user, or none, is signed in. */
const endOtherSession = async (provider: Provider, { request, response }: ProviderExchange, viewer?: Viewer) => {
  const session = await provider.Session.get(provider.createContext(request, response))
  if (session.accountId !== undefined && session.accountId !== String(viewer?.id)) await session.destroy()
}

/** Creates the function that replies to requests of the OAuth provider. */
export const createOauthHandler = (platform: Platform, options: AppOptions, site: Site) => {
  const host = platform.as({ service: 'sign-in' })
  const states = new WeakMap<IncomingMessage, RequestState>()
  const stateOf = (request: IncomingMessage) => defined(states.get(request))
  const providers = new Map<string, Promise<Provider>>()

  const getProvider = (siteUrl: string, base: string): Promise<Provider> => {
    const existing = providers.get(siteUrl)
    if (existing) return existing
    if (providers.size >= maxProviders) providers.clear()
    const created = createProvider({ host, siteUrl, base, stateOf, logger: options.logger })
    providers.set(siteUrl, created)
    created.catch(() => providers.delete(siteUrl))
    return created
  }

  const run = async (context: RequestContext): Promise<Reply> => {
    const { request, path, query, log } = context
    if (path === tokenInfoPath) return createTokenInfo(platform, host, context)
    const siteUrl = request.site ?? site.url
    const visitor = await readVisitor(platform, context, options)
    let page = createPageContext(context, visitor, { platform, siteUrl, options, log })
    const provider = await getProvider(siteUrl, page.base)
    const body = request.method === 'POST' ? await request.body({ size: maxBodySize }) : new Uint8Array()
    // The page for the code of a device fills in the code of the query itself.
    const target = query === '' || path === oauthRoutes.code_verification ? path : `${path}?${query}`
    const { method } = request
    const exchange = createExchange({ method, target, headers: request.headers(), body, siteUrl, base: page.base })
    if (isBrowserPath(path)) page = { ...page, viewer: await findViewer(page, visitor) }
    const cookies: string[] = []
    states.set(exchange.request, { page, cookies })
    if (isInteractionPath(path)) {
      const form = new URLSearchParams(Buffer.from(body).toString('utf8'))
      const now = platform.ports.clock.now()
      return handleInteraction({ provider, exchange, host, page, visitor, form, now })
    }
    if (isBrowserPath(path)) await endOtherSession(provider, exchange, page.viewer)
    await provider.callback()(exchange.request, exchange.response)
    const reply = exchange.toReply()
    // The provider signed the user out.
    if (cookies.length) await endSession(platform, context.request.header)
    return { ...reply, cookies: [...(reply.cookies ?? []), ...cookies] }
  }

  return async (context: RequestContext): Promise<Reply> => {
    try {
      return await run(context)
    } catch (error) {
      if (error instanceof MissingProviderError) {
        options.logger?.error({ error: error.message }, 'OAuth is not available')
        return createUnavailableReply(error.message)
      }
      if (!isPlatformError(error) || error.code !== 'unavailable') throw error
      logUnavailable(context.request, error, options.logger)
      return createUnavailableReply(error.message)
    }
  }
}
