import { type Identity, isPlatformError, type Platform, type Session } from '@forgelet/core'
import type { PageSettings } from '@forgelet/core/operations'
import type { AppOptions } from '../app/app-options.ts'
import type { RequestContext } from '../app/request-context.ts'
import { toLabel, toSignInPath } from '../openid/openid-options.ts'
import { createCall } from '../request/call.ts'
import { readProgramIdentity } from '../request/credentials.ts'
import { parseQuery } from '../request/parameters.ts'
import { createCallObserver, type RequestLog } from '../request/request-log.ts'
import { encodePath, type PageContext, type PageParameters, type Viewer } from './page-context.ts'
import { readSessionCookie } from './session-cookie.ts'

/** Who requests a page. */
export interface Visitor {
  readonly identity: Identity
  /** When the visitor signed in, in milliseconds since 1970; undefined if the host knows. */
  readonly signedInAt: number | undefined
  /** Whether the pages, and not the host, sign in users. */
  readonly hasSignIn: boolean
}

const anonymousVisitor: Visitor = { identity: null, signedInAt: undefined, hasSignIn: true }

/** Any host identity counts; without one, the token of a program where one is accepted, then the session of the cookie. */
export const readVisitor = async (
  platform: Platform,
  { request, query }: RequestContext,
  { identify }: AppOptions,
  acceptsTokens = false,
): Promise<Visitor> => {
  const known = await identify?.(request.header, request.hostRequest)
  if (known !== undefined) return { identity: known, signedInAt: undefined, hasSignIn: false }
  const program = acceptsTokens ? readProgramIdentity(request.header, [parseQuery(query)]) : null
  if (program !== null) return { ...anonymousVisitor, identity: program }
  const session = readSessionCookie(platform, request.header)
  if (session === undefined) return anonymousVisitor
  const { signIn, secret, signedInAt } = session
  const { passwords } = platform.as({ service: 'sign-in' })
  if (typeof secret !== 'string') return anonymousVisitor
  const password = 'user' in signIn ? { user: signIn.user, changedAt: signIn.passwordChangedAt } : undefined
  if (!(await passwords.checkSession({ secret, ...password }))) return anonymousVisitor
  // The identity of a provider is looked up each time: unlinking it ends the session.
  const identity = 'user' in signIn ? { user: signIn.user } : signIn
  return { ...anonymousVisitor, identity, signedInAt }
}

/** @throws PlatformError `unauthenticated` if the token of the cookie was revoked or has expired */
export const readViewer = async (session: Session, identity: Identity): Promise<Viewer | undefined> => {
  if (identity === null) return undefined
  try {
    return await session.users.get()
  } catch (error) {
    if (isPlatformError(error) && error.reason === 'terms_not_accepted')
      return { name: 'Signed in', username: undefined, id: undefined, mustAcceptTerms: true }
    // The host itself has no user; a token of few scopes cannot read its user.
    const isNameless = isPlatformError(error) && (error.code === 'not_found' || error.code === 'insufficient_scope')
    if (!isNameless) throw error
    return { name: 'Signed in', username: undefined, id: undefined }
  }
}

/** Characters of a path that decide which messages its page shows. */
const maxPathLength = 8_192

/** The context of a page, before the viewer is read. */
export const createPageContext = (
  { request, path, query }: RequestContext,
  { identity, hasSignIn }: Visitor,
  { platform, siteUrl, options, log, place = {} }: PageEnvironment,
): PageContext => {
  const base = URL.parse(siteUrl)?.pathname.replace(/\/+$/, '') ?? ''
  let settings: Promise<PageSettings> | undefined
  const call = createCall(request, { url: siteUrl }, options.rateLimits ?? true, createCallObserver(log))
  const service = platform.as({ service: 'sign-in' }, call)
  return {
    session: platform.as(identity, call),
    service,
    place,
    readSettings() {
      settings ??= service.passwords.getPageSettings({ path: path.slice(0, maxPathLength) })
      return settings
    },
    siteUrl,
    sshPort: options.sshPort,
    hasSignIn,
    hasReference: options.reference !== false,
    identityProvider: options.openid && { path: toSignInPath(options.openid), label: toLabel(options.openid) },
    request,
    viewer: undefined,
    base,
    path,
    query: new URLSearchParams(query),
    url: (...segments) => `${base}/${segments.map(encodePath).join('/')}`,
  }
}

interface PageEnvironment {
  readonly platform: Platform
  readonly siteUrl: string
  readonly options: AppOptions
  readonly log: RequestLog
  /** The variable parts of the path. */
  readonly place?: PageParameters | undefined
}
