import { isPlatformError, type Platform } from '@forgelet/core'
import { normalizeLocalPath } from '../reply/local-path.ts'
import type { Reply } from '../reply/reply.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'
import type { Submit } from './form.ts'
import type { PageContext } from './page-context.ts'
import { endSession, formatExpiredCookie, formatSessionCookie, type SignIn } from './session-cookie.ts'

/** Only paths of this site: another site could otherwise use the sign-in page to redirect to itself. */
export const readReturnPath = (path: string | null): string =>
  (path === null ? undefined : normalizeLocalPath(path)) ?? '/'

/**
 * Whether a form comes from a page of this site. Browsers send `Sec-Fetch-Site` to HTTPS and local sites, and `Origin` to all;
 * clients that send neither are no browsers, and have no cookies that another site could use.
 */
export const isSameOrigin = ({ header }: IncomingRequest, siteUrl: string): boolean => {
  const fetchSite = header('sec-fetch-site')
  if (fetchSite !== undefined) return fetchSite === 'same-origin' || fetchSite === 'none'
  const origin = header('origin')
  if (origin === undefined) return true
  const host = URL.parse(origin)?.host
  return host !== undefined && (host === header('host') || host === URL.parse(siteUrl)?.host)
}

/** The error of a rejected sign-in, for the query of the sign-in page. */
type SignInError = 'token' | 'scope' | 'key' | 'password' | 'disabled'

const findSignInError = async (platform: Platform, token: string): Promise<SignInError | undefined> => {
  try {
    await platform.as({ token }).users.get()
    return undefined
  } catch (error) {
    if (!isPlatformError(error)) throw error
    if (error.code === 'insufficient_scope') return 'scope'
    if (error.code === 'unauthenticated' || error.code === 'forbidden') return 'token'
    throw error
  }
}

/** A cookie for a new session; undefined on a server without a key to encrypt it with. */
export const createSessionCookie = async (
  platform: Platform,
  signIn: SignIn,
  ctx: PageContext,
): Promise<string | undefined> => {
  const { sessionExpireDelay } = await ctx.readSettings()
  try {
    return await formatSessionCookie(platform, signIn, sessionExpireDelay * 60, ctx)
  } catch (error) {
    if (isPlatformError(error) && error.reason === 'no_secret_key') return undefined
    throw error
  }
}

/** The sign-in with a password, or why it is refused. @throws PlatformError `limited` after too many attempts */
export const checkPassword = async (
  { service }: PageContext,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<SignIn | SignInError> => {
  if (username === '' || password === '') return 'password'
  try {
    const session = await service.passwords.verify({ username, password })
    return session ? { user: session.userId, passwordChangedAt: session.changedAt } : 'password'
  } catch (error) {
    if (isPlatformError(error) && error.code === 'invalid_input') return 'password'
    if (isPlatformError(error) && error.code === 'forbidden') return 'disabled'
    throw error
  }
}

const checkToken = async (
  platform: Platform,
  { request }: PageContext,
  form: URLSearchParams,
): Promise<SignIn | SignInError> => {
  const user = form.get('user')
  const users = request.signInUsers ?? {}
  const chosen = user !== null && Object.hasOwn(users, user) ? users[user] : undefined
  const token = chosen ?? form.get('token')?.trim() ?? ''
  const error = token === '' ? 'token' : await findSignInError(platform, token)
  return error ?? { token }
}

/** Signs in with the password or the token of the form, or as one of the users that a test server offers. */
export const createSignInReply: Submit = async (ctx, form, platform) => {
  const returnPath = readReturnPath(form.get('return_to'))
  const reject = (error: SignInError): Reply => ({
    status: 303,
    headers: { Location: `${ctx.url('-/sign_in')}?${new URLSearchParams({ error, return_to: returnPath })}` },
  })
  const signIn = await (form.has('password')
    ? checkPassword(ctx, { username: form.get('username')?.trim() ?? '', password: form.get('password') ?? '' })
    : checkToken(platform, ctx, form))
  if (typeof signIn === 'string') return reject(signIn)
  const cookie = await createSessionCookie(platform, signIn, ctx)
  if (cookie === undefined) return reject('key')
  return { status: 303, headers: { Location: ctx.base + returnPath, 'Set-Cookie': cookie } }
}

/** Ends the session of this browser. */
export const createSignOutReply: Submit = async (ctx, _form, platform) => {
  await endSession(platform, ctx.request.header)
  const { afterSignOutPath } = await ctx.readSettings()
  return {
    status: 303,
    headers: { Location: afterSignOutPath || `${ctx.base}/`, 'Set-Cookie': formatExpiredCookie(ctx) },
  }
}
