import { isPlatformError, type Platform, type Session } from '@forgelet/core'
import type { AppOptions } from '../app/app-options.ts'
import { logUnavailable } from '../app/log-unavailable.ts'
import type { RequestContext } from '../app/request-context.ts'
import type { Reply } from '../reply/reply.ts'
import type { Site } from '../reply/wire.ts'
import { createCall } from '../request/call.ts'
import { readBasicCredentials, readProgramIdentity } from '../request/credentials.ts'
import { createCallObserver } from '../request/request-log.ts'
import { deniedReply, registryErrorReply, toRegistryErrorReply, unauthorizedReply } from './registry-errors.ts'

/** Where registries send clients without a token (Docker registry token authentication). */
const registryTokenPath = '/jwt/auth'

/** The name under which a registry requests tokens. */
const registryService = 'container_registry'

type Sessions = (identity: Parameters<Platform['as']>[0]) => Session

/** The user with this name and password; undefined if there is none. */
const signInWithPassword = async (
  sessions: Sessions,
  { username, token: password }: { readonly username: string; readonly token: string },
): Promise<Session | undefined> => {
  if (username === '' || password === '') return undefined
  try {
    const user = await sessions({ service: 'sign-in' }).passwords.verify({ username, password })
    return user && sessions({ user: user.userId })
  } catch (error) {
    // Passwords are turned off, or it is none.
    if (isPlatformError(error) && ['forbidden', 'invalid_input'].includes(error.code)) return undefined
    throw error
  }
}

const isUnknownToken = (error: unknown) => isPlatformError(error) && error.reason === 'unknown'

/**
 * Issues tokens to clients of the container registry, such as docker: `GET /jwt/auth?service=container_registry&scope=…`. They authenticate with a
 * token or a password. The returned function returns undefined for all other requests.
 */
export const createRegistryTokenResponder = (platform: Platform, options: AppOptions, site: Site) => {
  const createReply = async (session: Session, query: URLSearchParams, isAnonymous: boolean): Promise<Reply> => {
    const scopes = query.getAll('scope').flatMap((list) => list.split(' ').filter((scope) => scope !== ''))
    const result = await session.registryTokens.create({ service: registryService, scopes })
    // Others receive a token without access, with which the registry names the missing scope.
    if (isAnonymous && result.access.length === 0) return deniedReply
    const { token, expiresIn, issuedAt } = result
    const bytes = JSON.stringify({ token, expires_in: expiresIn, issued_at: issuedAt })
    return { status: 200, bytes, headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' } }
  }

  const respond = async ({ request, query: text, log }: RequestContext): Promise<Reply> => {
    const query = new URLSearchParams(text)
    if (query.get('service') !== registryService) {
      return registryErrorReply(404, 'UNSUPPORTED', `The service must be ${registryService}`)
    }
    log.operation = 'registryTokens.create'
    const hostIdentity = await options.identify?.(request.header, request.hostRequest)
    const identity = hostIdentity === undefined ? readProgramIdentity(request.header) : hostIdentity
    const replySite = request.site === undefined ? site : { ...site, url: request.site }
    const call = createCall(request, replySite, options.rateLimits ?? true, createCallObserver(log))
    const sessions: Sessions = (caller) => platform.as(caller, call)
    const credentials = hostIdentity === undefined ? readBasicCredentials(request.header) : undefined
    try {
      try {
        return await createReply(sessions(identity), query, identity === null)
      } catch (error) {
        if (credentials === undefined || !isUnknownToken(error)) throw error
        const session = await signInWithPassword(sessions, credentials)
        return session === undefined ? unauthorizedReply : await createReply(session, query, false)
      }
    } catch (error) {
      const reply = toRegistryErrorReply(error)
      if (reply === undefined) throw error
      log.error = error
      logUnavailable(request, error, options.logger)
      return reply
    }
  }

  return (context: RequestContext): Promise<Reply> | Reply | undefined => {
    if (!options.registryTokens || context.path !== registryTokenPath) return undefined
    context.log.route = registryTokenPath
    const { method } = context.request
    if (method === 'GET' || method === 'HEAD') return respond(context)
    return registryErrorReply(405, 'UNSUPPORTED', 'The method is not allowed', { Allow: 'GET, HEAD' })
  }
}
