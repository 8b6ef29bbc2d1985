import type { Platform } from '@forgelet/core'
import type { GetHeader } from '../request/credentials.ts'

/** Only pages read the cookie; the API ignores it. */
const cookieName = 'forgelet_session'

/** Binds the encrypted text to this use: other secrets of the platform cannot be sent as a cookie. */
const sealContext = 'pages.session'

/** Seconds after which a session ends that lasts until the browser closes. */
const maxUnlimited = 7 * 24 * 60 * 60

/** Browsers limit a cookie to 4,096 bytes. */
const maxCookieLength = 4_096

/** How the user has signed in: with a token, or with the password that was set at a time. */
export type SignIn = { readonly token: string } | { readonly user: number; readonly passwordChangedAt: string }

type StoredSession = SignIn & {
  /** Milliseconds since 1970. */
  readonly signedInAt: number
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

interface CookieScope {
  readonly siteUrl: string
  /** The path of the site. */
  readonly base: string
}

const formatCookie = (value: string, maxAge: number | undefined, { siteUrl, base }: CookieScope): string =>
  [
    `${cookieName}=${value}`,
    `Path=${base}/`,
    ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
    'HttpOnly',
    'SameSite=Lax',
    ...(siteUrl.startsWith('https:') ? ['Secure'] : []),
  ].join('; ')

/**
 * A `Set-Cookie` header with the encrypted session. Nothing is stored on the server: revoking the token, or changing the password,
 * ends the session.
 *
 * @param lifetime in seconds; 0 for a session that lasts until the browser closes
 * @throws PlatformError `unavailable` if the platform has no key to encrypt with
 */
export const formatSessionCookie = (
  platform: Platform,
  signIn: SignIn,
  lifetime: number,
  scope: CookieScope,
): string => {
  const signedInAt = platform.ports.clock.now()
  const session: StoredSession = { ...signIn, signedInAt, expiresAt: signedInAt + (lifetime || maxUnlimited) * 1_000 }
  return formatCookie(platform.ports.secrets.seal(JSON.stringify(session), sealContext), lifetime || undefined, scope)
}

/** A `Set-Cookie` header that removes the cookie. */
export const formatExpiredCookie = (scope: CookieScope): string => formatCookie('', 0, scope)

const findCookie = (header: GetHeader): string | undefined => {
  const pairs = (header('cookie') ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1)
}

/** The session of a cookie. */
interface CookieSession {
  readonly signIn: SignIn
  /** Milliseconds since 1970. */
  readonly signedInAt: number
}

/** Undefined without a cookie and if it has expired or cannot be decrypted. */
export const readSessionCookie = (platform: Platform, header: GetHeader): CookieSession | undefined => {
  const sealed = findCookie(header)
  if (sealed === undefined || sealed === '' || sealed.length > maxCookieLength) return undefined
  try {
    const { expiresAt, signedInAt, ...signIn } = JSON.parse(
      platform.ports.secrets.open(sealed, sealContext),
    ) as StoredSession
    if (expiresAt <= platform.ports.clock.now()) return undefined
    return { signIn, signedInAt }
  } catch {
    return undefined
  }
}
