import { hash } from 'node:crypto'
import { type Identity, isPlatformError, type Platform, type PlatformError, type Session } from '@forgelet/core'
import { createErrorReply, misdirectedRequest } from '../reply/error-replies.ts'
import type { Reply } from '../reply/reply.ts'
import type { Site } from '../reply/wire.ts'
import { createCall } from '../request/call.ts'
import { createCallObserver, createRateLimitHeaders, type RequestLog } from '../request/request-log.ts'
import type { AppOptions } from '../server/app-options.ts'
import { logUnavailable } from '../server/log-unavailable.ts'
import type { RequestContext } from '../server/request-context.ts'
import { acceptsHtml } from './asset.ts'
import { layout } from './components/layout.ts'
import { html } from './html.ts'
import { getAssetPath, replyWithAsset } from './page-assets.ts'
import { encodePath, type PageContent, type PageContext, type Viewer } from './page-context.ts'
import { matchPage, type PageMatch } from './page-routes.ts'
import { readablePagePolicy } from './security-policy.ts'
import { formatExpiredCookie, readSessionToken } from './session-cookie.ts'
import { createSignInReply, createSignOutReply, isSameOrigin } from './sign-in-reply.ts'

/** Replies to requests of pages; undefined for all others. */
export type HandlePage = (context: RequestContext) => Promise<Reply | undefined>

const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': readablePagePolicy,
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
}

/** Every visitor sees other content. */
const privateHeaders = { 'Cache-Control': 'private, no-cache', Vary: 'Accept, Cookie' }

/** Any host identity counts; without one, the token of the cookie. Tokens of the API are not read. */
const readPageIdentity = (platform: Platform, { request }: RequestContext, { identify }: AppOptions): Identity => {
  const identity = identify?.(request.header, request.hostRequest)
  if (identity !== undefined) return identity
  const token = readSessionToken(platform, request.header)
  return token === undefined ? null : { token }
}

/** @throws PlatformError `unauthenticated` if the token of the cookie was revoked or has expired */
const readViewer = async (session: Session, identity: Identity): Promise<Viewer | undefined> => {
  if (identity === null) return undefined
  try {
    return await session.users.current()
  } catch (error) {
    // The host itself has no user; a token of few scopes cannot read its user.
    const isNameless = isPlatformError(error) && (error.code === 'not_found' || error.code === 'insufficient_scope')
    if (!isNameless) throw error
    return { name: 'Signed in', username: undefined }
  }
}

const explanations: Readonly<Record<number, readonly [title: string, text: string]>> = {
  400: ['Invalid request', 'The address or one of its parameters is invalid.'],
  401: ['Session ended', 'Your token was revoked or has expired. Sign in again.'],
  403: ['No permission', 'You do not have permission to see this page.'],
  404: ['Page not found', 'The page does not exist, or you do not have permission to see it.'],
  429: ['Too many requests', 'Wait a moment before you load the page again.'],
  503: ['Not available', 'The server cannot answer at the moment. Try again later.'],
}

const createErrorContent = (
  ctx: PageContext,
  status: number,
  headers: Readonly<Record<string, string>>,
): PageContent => {
  const [title, text] = explanations[status] ?? ['Error', 'The page cannot be shown.']
  const returnTo = new URLSearchParams({ return_to: ctx.request.target }).toString()
  const offersSignIn = ctx.viewer === undefined && ctx.hasSignIn && (status === 401 || status === 404)
  const body = html`<h1>${title}</h1>
<p>${text}</p>
${offersSignIn && html`<p><a class="button" href="${ctx.url('-/sign_in')}?${returnTo}">Sign in</a></p>`}
<p><a href="${ctx.url('')}">All projects</a></p>`
  return { title, body, status, headers }
}

/** What anonymous visitors may not see does not exist for them; the page offers to sign in. */
const toErrorStatus = (error: PlatformError, identity: Identity): number => {
  if (error.code === 'unauthenticated' && identity === null) return 404
  return createErrorReply(error, (field) => field)?.status ?? 500
}

const toPageReply = async (ctx: PageContext, content: PageContent): Promise<Reply> => {
  const { status = 200 } = content
  const bytes = layout(ctx, content, {
    styleSheet: await getAssetPath('site.css'),
    icon: await getAssetPath('icon.svg'),
  }).toString()
  const tag = status === 200 ? { ETag: `W/"${hash('sha1', bytes, 'base64url')}"` } : undefined
  return { status, bytes, headers: { ...pageHeaders, ...privateHeaders, ...tag, ...content.headers } }
}

const isContent = (result: PageContent | Reply): result is PageContent => 'body' in result && 'title' in result

const createPageContext = (
  { request, path, query }: RequestContext,
  parts: Pick<PageContext, 'session' | 'siteUrl' | 'hasSignIn' | 'hasReference'>,
): PageContext => {
  const base = URL.parse(parts.siteUrl)?.pathname.replace(/\/+$/, '') ?? ''
  return {
    ...parts,
    request,
    viewer: undefined,
    base,
    path,
    query: new URLSearchParams(query),
    url: (...segments) => `${base}/${segments.map(encodePath).join('/')}`,
  }
}

type PageAction = (ctx: PageContext, match: PageMatch | undefined) => Promise<PageContent | Reply>

/** The forms of the pages. Forms of other sites are rejected. */
const createFormAction = (platform: Platform, path: string): PageAction | undefined => {
  const reply = { '/-/sign_in': createSignInReply.bind(null, platform), '/-/sign_out': createSignOutReply }[path]
  if (reply === undefined) return undefined
  return async (ctx) => {
    if (!ctx.hasSignIn || !isSameOrigin(ctx.request, ctx.siteUrl))
      return { ...misdirectedRequest, status: 403, body: { error: 'The form is not from a page of this server' } }
    const result = await reply(ctx)
    return { ...result, headers: { 'Cache-Control': 'no-store', ...result.headers } }
  }
}

const showPage: PageAction = async (ctx, match) => {
  if (match === undefined) return createErrorContent(ctx, 404, {})
  const { view } = await match.load()
  const result = await view(ctx, match.parameters)
  if (isContent(result)) return result
  return { ...result, headers: { ...privateHeaders, 'Referrer-Policy': 'same-origin', ...result.headers } }
}

const findMatch = (path: string): { readonly match: PageMatch | undefined; readonly isEncoded: boolean } => {
  try {
    return { match: matchPage(path), isEncoded: true }
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return { match: undefined, isEncoded: false }
  }
}

/** Creates the function that replies with pages: HTML for browsers, with the permissions of the API. */
export const createPageHandler = (platform: Platform, options: AppOptions, site: Site): HandlePage => {
  const run = async (context: RequestContext, action: PageAction, match: PageMatch | undefined, log: RequestLog) => {
    const { request } = context
    const siteUrl = request.site ?? site.url
    const identity = readPageIdentity(platform, context, options)
    const call = createCall(request, { url: siteUrl }, options.rateLimits ?? true, createCallObserver(log))
    const session = platform.as(identity, call)
    const hasSignIn = options.identify?.(request.header, request.hostRequest) === undefined
    let ctx = createPageContext(context, { session, siteUrl, hasSignIn, hasReference: options.reference !== false })
    try {
      ctx = { ...ctx, viewer: await readViewer(session, identity) }
      const result = await action(ctx, match)
      return isContent(result) ? await toPageReply(ctx, result) : result
    } catch (error) {
      if (!isPlatformError(error)) throw error
      logUnavailable(request, error, options.logger)
      const status = toErrorStatus(error, identity)
      const headers = {
        ...createErrorReply(error, (field) => field)?.headers,
        ...(log.limit && createRateLimitHeaders(log.limit)),
        ...(status === 401 && { 'Set-Cookie': formatExpiredCookie(ctx) }),
      }
      return toPageReply(ctx, createErrorContent(ctx, status, headers))
    }
  }

  return async (context) => {
    const { request, path } = context
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const asset = isRead ? await replyWithAsset(request, path) : undefined
    if (asset) return asset
    const { match, isEncoded } = findMatch(path)
    const form = request.method === 'POST' ? createFormAction(platform, path) : undefined
    if (!form && (!isRead || !isEncoded)) return undefined
    const log: RequestLog = {}
    if (match ?? form) log.route = match?.route ?? path
    const reply = await run(context, form ?? showPage, match, log)
    // Clients of the API that request a wrong address receive the error of the API.
    if (reply.status >= 400 && !form && !acceptsHtml(request)) return undefined
    Object.assign(context.log, log)
    return reply
  }
}
