import { type Identity, isPlatformError, type Platform } from '@forgelet/core'
import type { AppOptions } from '../app/app-options.ts'
import { logUnavailable } from '../app/log-unavailable.ts'
import type { App, Middleware } from '../app/middleware.ts'
import { createRequestContext } from '../app/request-context.ts'
import { mainProtocol } from '../protocols/main-protocol.ts'
import { finalizeReply } from '../reply/finalize-reply.ts'
import type { Reply } from '../reply/reply.ts'
import type { Site } from '../reply/wire.ts'
import { createCall } from '../request/call.ts'
import { readIdentity } from '../request/credentials.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'
import { createCallObserver, type RequestLog } from '../request/request-log.ts'
import { splitTarget } from '../request/target.ts'
import { createHostCheck, readHost } from './site-hosts.ts'
import { toTextReply } from './text-reply.ts'

/** The path of all sites on the host of the forge. */
const previewPath = '/-/pages'

const errorTexts: Readonly<Record<string, readonly [number, string]>> = {
  unauthenticated: [401, 'The token is not valid'],
  invalid_input: [400, 'The address is not valid'],
  unavailable: [503, 'The site is not available at the moment'],
}

const toErrorReply = (error: unknown): Reply | undefined => {
  if (!isPlatformError(error)) return undefined
  const [status, text] = errorTexts[error.code] ?? [404, 'Page not found']
  return toTextReply(status, text)
}

interface SiteRequest {
  /** Undefined on the host of the forge. */
  readonly host: string | undefined
  readonly path: string
  readonly isSecure: boolean
  readonly readIdentity: () => Promise<Identity> | Identity
}

/** The path of all sites, with that of the base URL. */
const toPrefix = ({ url }: Site) => `${URL.parse(url)?.pathname.replace(/\/+$/, '') ?? ''}${previewPath}`

const createAnswer = (platform: Platform, options: AppOptions, site: Site) => {
  const prefix = toPrefix(site)
  return async (request: IncomingRequest, wanted: SiteRequest): Promise<Reply> => {
    const { method } = request
    const log: RequestLog = { route: `${previewPath}/*` }
    const finish = (reply: Reply) => ({ ...finalizeReply(request, reply, mainProtocol.mediaType), log })
    if (request.malformed !== undefined) return finish(toTextReply(400, request.malformed))
    if (method !== 'GET' && method !== 'HEAD')
      return finish(toTextReply(405, 'A site has files only', { Allow: 'GET, HEAD' }))
    const { host, path, isSecure } = wanted
    try {
      const call = createCall(request, site, options.rateLimits ?? true, createCallObserver(log))
      const { pagesSites } = platform.as(await wanted.readIdentity(), call)
      const reply = await pagesSites.getFile({ ...(host !== undefined && { host }), path, isSecure })
      // With its list of types, which only sites need.
      const { toSiteReply } = await import('./site-reply.ts')
      return finish(toSiteReply(reply, host === undefined ? prefix : undefined))
    } catch (error) {
      const reply = toErrorReply(error)
      if (!reply) throw error
      logUnavailable(request, error, options.logger)
      return finish(reply)
    }
  }
}

/** Whether the client has encrypted the request, as a trusted proxy says. */
const isEncrypted = ({ site, addressTrusted = false, header }: IncomingRequest): boolean =>
  site?.startsWith('https:') ?? (addressTrusted && header('x-forwarded-proto')?.split(',', 1)[0]?.trim() === 'https')

/** The program's token in a header. Cookies of the forge do not reach other hosts, and a query is not secret there. */
const readToken = ({ header }: IncomingRequest): Identity => readIdentity(header, [])

/**
 * Answers requests for sites, outside of everything else: the host of a site has no API. On the host of the forge, sites are previews below
 * `/-/pages/`, for which the session of the pages counts, too.
 */
export const createSiteLayer = (platform: Platform, options: AppOptions, site: Site): Middleware => {
  const answer = createAnswer(platform, options, site)
  const isSite = createHostCheck(platform, site.url)
  const prefix = toPrefix(site)
  return (next) => async (request) => {
    const host = readHost(request)
    const isSecure = isEncrypted(request)
    if (host !== undefined && (await isSite(host)))
      return answer(request, {
        host,
        path: splitTarget(request.target).path,
        isSecure,
        readIdentity: () => readToken(request),
      })
    const { path } = splitTarget(request.target)
    if (!path.startsWith(`${prefix}/`)) return next(request)
    const readVisitorIdentity = async () => {
      const { readVisitor } = await import('../pages/visitor.ts')
      return (await readVisitor(platform, createRequestContext(request), options, true)).identity
    }
    const wanted = {
      host: undefined,
      path: path.slice(prefix.length),
      isSecure,
      readIdentity: readVisitorIdentity,
    }
    return answer(request, wanted)
  }
}

/** Answers requests for sites only, on a port of their own. */
export const createSitesApp = (platform: Platform, options: AppOptions, site: Site): App => {
  const answer = createAnswer(platform, options, site)
  return async (request) => {
    const host = readHost(request)
    const { path } = splitTarget(request.target)
    if (host === undefined) return toTextReply(404, 'Page not found')
    return answer(request, { host, path, isSecure: true, readIdentity: () => readToken(request) })
  }
}
