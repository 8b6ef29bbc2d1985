import type { Platform } from '@forgelet/core'
import type { AppOptions } from '../app/app-options.ts'
import type { App } from '../app/middleware.ts'
import { createRequestContext, type RequestContext } from '../app/request-context.ts'
import { createGitResponder } from '../git/git-responder.ts'
import { createGraphqlResponder } from '../graphql/graphql-responder.ts'
import { createOauthResponder } from '../oauth/oauth-responder.ts'
import { createOpenidResponder } from '../openid/openid-responder.ts'
import type { HandlePage } from '../pages/page-handler.ts'
import { createReferencePage } from '../pages/reference-page.ts'
import { createSiteLayer } from '../pages-sites/site-layer.ts'
import { mainProtocol } from '../protocols/main-protocol.ts'
import { createNotificationResponder } from '../registry/notification-responder.ts'
import { createRegistryTokenResponder } from '../registry/token-responder.ts'
import { createPreflightHeaders } from '../reply/cors.ts'
import {
  badRequest,
  clientDisconnected,
  contentTooLarge,
  internalServerError,
  requestTimeout,
  routeNotFound,
  uriTooLong,
} from '../reply/error-replies.ts'
import { finalizeReply } from '../reply/finalize-reply.ts'
import type { Reply } from '../reply/reply.ts'
import type { Site } from '../reply/wire.ts'
import { UnsupportedContentTypeError } from '../request/body.ts'
import {
  BodyAlreadyReadError,
  BodyTimeoutError,
  BodyTooLargeError,
  ClientDisconnectedError,
} from '../request/body-limits.ts'
import { InvalidParametersError } from '../request/parameters.ts'
import { matchRoute } from '../routing/match-route.ts'
import type { Method } from '../routing/route.ts'
import { createEarlyReplies } from './early-replies.ts'
import { explainMethod, explainNotFound, hintHeader } from './hints.ts'
import type { ServerState } from './operator-endpoints.ts'
import { createRouteRunner } from './route-runner.ts'

/** Characters. The links of a list repeat its URL, and clients accept 16 KiB of response headers. */
const maxTargetLength = 8 * 1024

const defaultServerState: ServerState = { isDraining: () => false, isClosing: () => false }

/** @param server state of the server around the app, if it is our own */
export function createApp(platform: Platform, options: AppOptions = {}, server: ServerState = defaultServerState): App {
  const site: Site = { url: (options.baseUrl ?? 'http://localhost').replace(/\/+$/, ''), sshPort: options.sshPort }
  const replyEarly = createEarlyReplies(platform, options, site, server)
  const runRoute = createRouteRunner(platform, options, site)
  const replyToGit = createGitResponder(platform, options, site)
  const replyToGraphql = createGraphqlResponder(platform, options, site)
  const issueRegistryToken = createRegistryTokenResponder(platform, options, site)
  const receiveNotification = createNotificationResponder(platform, options)
  const signInAtProvider = createOpenidResponder(platform, options, site)
  const replyToOauth = createOauthResponder(platform, options, site)
  const replyWithPage = options.pages === false ? undefined : createLazyPages(platform, options, site)

  const dispatch = (context: RequestContext): Promise<Reply> | Reply => {
    const match = matchRoute(context.request.method, context.path)
    if (match.kind === 'route') return runRoute(context, match.route, match.path)
    const unmatched = createUnmatchedReply(context, match)
    if (match.kind !== 'none' || !replyWithPage || !canBePage(context)) return unmatched
    return replyWithPage(context).then((page) => page ?? unmatched)
  }

  const app: App = async (request) => {
    const context = createRequestContext(request)
    const { protocol, log } = context
    try {
      const reply =
        rejectUnreadable(context) ??
        (await replyEarly(context)) ??
        (await (replyToGit(context) ??
          replyToOauth(context) ??
          signInAtProvider(context) ??
          issueRegistryToken(context) ??
          receiveNotification(context) ??
          replyToGraphql(context) ??
          dispatch(context)))
      return { ...finalizeReply(request, reply, protocol.mediaType), log }
    } catch (error) {
      // Logged like every request, and not as an error of this server.
      if (error instanceof ClientDisconnectedError) return { status: clientDisconnected, log }
      const reply = toRequestErrorReply(error) ?? logAndReplyInternalError(context, error, options)
      return { ...finalizeReply(request, protocol.convertErrorReply(reply), protocol.mediaType), log }
    }
  }

  const middleware = [
    ...(options.reference === false
      ? []
      : [
          createReferencePage({
            atRoot: options.pages === false,
            linksToControlPage: options.controlPage ?? false,
          }),
        ]),
    ...(options.middleware ?? []),
  ]
  const forge = middleware.reduceRight((next, layer) => serializeBodies(layer(next)), app)
  return createSiteLayer(platform, options, site)(stripBasePath(site.url, forge))
}

/** Serializes the bodies of replies that a middleware creates. Those of the app are serialized already. */
const serializeBodies =
  (app: App): App =>
  async (request) => {
    const reply = await app(request)
    return reply.body === undefined ? reply : finalizeReply(request, reply, mainProtocol.mediaType)
  }

const rejectUnreadable = ({ request: { target, malformed }, protocol }: RequestContext): Reply | undefined => {
  if (malformed !== undefined) return protocol.convertErrorReply(badRequest(malformed))
  return target.length > maxTargetLength ? protocol.convertErrorReply(uriTooLong) : undefined
}

/** Removes the path of the base URL from requests, for proxies that do not remove it themselves. */
const stripBasePath = (url: string, app: App): App => {
  const base = URL.parse(url)?.pathname.replace(/\/+$/, '') ?? ''
  if (base === '') return app
  return (request) =>
    app(request.target.startsWith(`${base}/`) ? { ...request, target: request.target.slice(base.length) } : request)
}

/** Pages are imported on first use: serving the API does not need them. */
const createLazyPages = (platform: Platform, options: AppOptions, site: Site) => {
  let handler: Promise<HandlePage> | undefined
  return async (context: RequestContext): Promise<Reply | undefined> => {
    handler ??= import('../pages/page-handler.ts').then(({ createPageHandler }) =>
      createPageHandler(platform, options, site),
    )
    return (await handler)(context)
  }
}

/** Whether a client that requests a path outside of the API can display a page. */
const canBePage = ({ path, request: { header } }: RequestContext): boolean => {
  if (path.startsWith('/api/')) return false
  const accepted = header('accept')
  if (accepted !== undefined && /\btext\/html\b/i.test(accepted)) return true
  return path !== '/' && (accepted === undefined || accepted.includes('*/*'))
}

const formatAllowHeader = (methods: readonly Method[]) =>
  [
    'OPTIONS',
    ...(methods.includes('GET') ? ['GET', 'HEAD'] : []),
    ...methods.filter((method) => method !== 'GET'),
  ].join(', ')

const createUnmatchedReply = (
  { request, path, protocol }: RequestContext,
  match: Exclude<ReturnType<typeof matchRoute>, { kind: 'route' }>,
): Reply => {
  switch (match.kind) {
    case 'method': {
      const allow = formatAllowHeader(match.allow)
      return request.method === 'OPTIONS'
        ? { status: 204, headers: createPreflightHeaders(request, allow) }
        : {
            ...protocol.createMethodNotAllowedReply(),
            headers: { Allow: allow, [hintHeader]: explainMethod(request.method, allow) },
          }
    }
    case 'encoding':
      return protocol.convertErrorReply(badRequest('The path is not valid percent-encoded UTF-8'))
    case 'none':
      return protocol.convertErrorReply({
        ...routeNotFound,
        headers: { [hintHeader]: explainNotFound(request.method, path) },
      })
  }
}

const toRequestErrorReply = (error: unknown): Reply | undefined => {
  if (error instanceof InvalidParametersError) return badRequest(error.message)
  if (error instanceof UnsupportedContentTypeError) return { status: 415, body: { error: error.message } }
  if (error instanceof BodyTooLargeError) return contentTooLarge
  if (error instanceof BodyTimeoutError) return requestTimeout
  return undefined
}

/** The client receives a plain 500; the log line has the stack trace under the same request id. */
const logAndReplyInternalError = (context: RequestContext, error: unknown, { logger }: AppOptions): Reply => {
  const { requestId, method } = context.request
  const text = String((error as Error)?.stack ?? error)
  if (logger) logger.error({ requestId, method, error: text }, 'failed')
  else process.emitWarning(`${method} ${context.path} failed`, { type: 'RequestWarning', detail: text })
  if (!(error instanceof BodyAlreadyReadError)) return internalServerError
  return { ...internalServerError, headers: { [hintHeader]: error.message } }
}
