import { type Identity, isPlatformError, type Platform, type PlatformError } from '@forgelet/core'
import { getClientNetwork } from '@forgelet/core/operations'
import type { AppOptions } from '../app/app-options.ts'
import { logUnavailable } from '../app/log-unavailable.ts'
import { findMoved } from '../app/moved.ts'
import type { RequestContext } from '../app/request-context.ts'
import { createErrorReply, misdirectedRequest } from '../reply/error-replies.ts'
import type { Reply } from '../reply/reply.ts'
import type { Site } from '../reply/wire.ts'
import { createRateLimitHeaders, type RequestLog } from '../request/request-log.ts'
import type { TargetParts } from '../request/target.ts'
import { acceptsHtml } from './asset.ts'
import { readForm, type Submit, seeOther } from './form.ts'
import { html } from './html.ts'
import { replyWithAsset } from './page-assets.ts'
import type { PageContent, PageContext } from './page-context.ts'
import { privateHeaders, toPageReply } from './page-reply.ts'
import { matchPage, type PageMatch } from './page-routes.ts'
import { createPageSlots } from './page-slots.ts'
import { formatExpiredCookie } from './session-cookie.ts'
import { createSignInReply, createSignOutReply, isSameOrigin } from './sign-in-reply.ts'
import { createPageContext, readViewer, readVisitor } from './visitor.ts'

/** Replies to requests of pages; undefined for all others. */
export type HandlePage = (context: RequestContext) => Promise<Reply | undefined>

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

const isContent = (result: PageContent | Reply): result is PageContent => 'body' in result && 'title' in result

type PageAction = (ctx: PageContext, match: PageMatch | undefined) => Promise<PageContent | Reply>

/** Bytes of the forms of users, such as those with a key of at most 100,000 characters. */
const maxUserFormSize = 512 * 1024

const sessionForms: Readonly<Record<string, Submit>> = {
  '/-/sign_in': createSignInReply,
  '/-/sign_out': createSignOutReply,
}

/** The forms of the pages. Forms of other sites are rejected, and those of sessions if the host has a sign-in of its own. */
const createFormAction = (platform: Platform, path: string, match: PageMatch | undefined): PageAction | undefined => {
  const sessionForm = sessionForms[path]
  if (sessionForm === undefined && !match?.acceptsForms) return undefined
  return async (ctx) => {
    if ((sessionForm && !ctx.hasSignIn) || !isSameOrigin(ctx.request, ctx.siteUrl))
      return { ...misdirectedRequest, status: 403, body: { error: 'The form is not from a page of this server' } }
    const submit = sessionForm ?? (await match?.load())?.submit
    if (submit === undefined) return createErrorContent(ctx, 404, {})
    const result = await submit(ctx, await readForm(ctx.request, sessionForm ? undefined : maxUserFormSize), platform)
    return { ...result, headers: { 'Cache-Control': 'no-store', ...result.headers } }
  }
}

/** The address of a page of a project or a group that had another path. */
const findMovedUrl = async ({ session, request, siteUrl }: PageContext): Promise<string | undefined> => {
  const [, isGroup = '', path = '', rest = ''] = /^\/(groups\/)?(.+?)(\/-\/.*|[?].*)?$/.exec(request.target) ?? []
  const moved = path === '' ? undefined : await findMoved(session, decodeURIComponent(path))
  return moved && `${siteUrl}/${isGroup}${moved.fullPath}${rest}`
}

/** The page of the terms of service, for users who have to accept them first and request another page. */
const findTermsPage = (
  { viewer, url, request }: PageContext,
  match: PageMatch | undefined,
  path: string,
): string | undefined => {
  if (!viewer?.mustAcceptTerms || path in sessionForms || match?.route === '/-/users/terms') return undefined
  return `${url('-/users/terms')}?${new URLSearchParams({ return_to: request.target })}`
}

const showPage: PageAction = async (ctx, match) => {
  if (match === undefined) return createErrorContent(ctx, 404, {})
  const { view } = await match.load()
  const result = await view(ctx, match.parameters)
  if (isContent(result)) return result
  return { ...result, headers: { ...privateHeaders, 'Referrer-Policy': 'same-origin', ...result.headers } }
}

const findMatch = (target: TargetParts): { readonly match: PageMatch | undefined; readonly isEncoded: boolean } => {
  try {
    return { match: matchPage(target), isEncoded: true }
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return { match: undefined, isEncoded: false }
  }
}

/** Creates the function that replies with pages: HTML for browsers, with the permissions of the API. */
export const createPageHandler = (platform: Platform, options: AppOptions, site: Site): HandlePage => {
  const slots = createPageSlots()
  const run = async (context: RequestContext, action: PageAction, match: PageMatch | undefined, log: RequestLog) => {
    const { request } = context
    const siteUrl = request.site ?? site.url
    const visitor = await readVisitor(platform, context, options, match?.acceptsTokens)
    const { identity } = visitor
    let ctx = createPageContext(context, visitor, { platform, siteUrl, options, log, place: match?.parameters })
    try {
      ctx = { ...ctx, viewer: await readViewer(ctx.session, identity) }
      const terms = findTermsPage(ctx, match, context.path)
      if (terms !== undefined) return seeOther(terms, { 'Cache-Control': 'no-store' })
      const create = async () => {
        const result = await action(ctx, match)
        return isContent(result) ? await toPageReply(ctx, result) : result
      }
      const { ipAddress } = request
      if (action !== showPage) return await create()
      return await slots.run(ipAddress === undefined ? '' : getClientNetwork(ipAddress), create)
    } catch (error) {
      if (!isPlatformError(error)) throw error
      logUnavailable(request, error, options.logger)
      const status = toErrorStatus(error, identity)
      const moved = status === 404 ? await findMovedUrl(ctx) : undefined
      if (moved !== undefined) return { status: 301, headers: { Location: moved, 'Cache-Control': 'no-store' } }
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
    const { match, isEncoded } = findMatch(context)
    const keyedForm = match?.hasKey ? showPage : undefined
    const form = request.method === 'POST' ? (createFormAction(platform, path, match) ?? keyedForm) : undefined
    if (!form && (!isRead || !isEncoded)) return undefined
    const log: RequestLog = {}
    if (match ?? form) log.route = match?.route ?? path
    const reply = await run(context, form ?? showPage, match, log)
    // Clients of the API that request a wrong address receive the error of the API.
    const isOwnError = [401, 429, 503].includes(reply.status)
    if (reply.status >= 400 && !isOwnError && !form && !acceptsHtml(request)) return undefined
    Object.assign(context.log, log)
    return reply
  }
}
