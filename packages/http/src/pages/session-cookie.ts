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

/** How the user has signed in: with a token, with the password that was set at a time, or at an identity provider. */
export type SignIn =
  | { readonly token: string }
  | { readonly user: number; readonly passwordChangedAt: string }
  | { readonly provider: string; readonly externalUid: string }

type StoredSession = SignIn & {
  /** Of the row that sign-out removes. */
  readonly secret: string
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
 * A `Set-Cookie` header with the encrypted session, which has a row in the database. Signing out, revoking the token, or changing the
 * password ends the session.
 *
 * @param lifetime in seconds; 0 for a session that lasts until the browser closes
 * @throws PlatformError `unavailable` if the platform has no key to encrypt with
 */
export const formatSessionCookie = async (
  platform: Platform,
  signIn: SignIn,
  lifetime: number,
  scope: CookieScope,
): Promise<string> => {
  const signedInAt = platform.ports.clock.now()
  const expiresAt = signedInAt + (lifetime || maxUnlimited) * 1_000
  const { passwords } = platform.as({ service: 'sign-in' })
  const { secret } = await passwords.startSession({ expiresAt: new Date(expiresAt).toISOString() })
  const session: StoredSession = { ...signIn, secret, signedInAt, expiresAt }
  return formatCookie(platform.ports.secrets.seal(JSON.stringify(session), sealContext), lifetime || undefined, scope)
}

/** A `Set-Cookie` header that removes the cookie. */
export const formatExpiredCookie = (scope: CookieScope): string => formatCookie('', 0, scope)

const findCookie = (header: GetHeader): string | undefined => {
  const pairs = (header('cookie') ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1)
}

/** Ends the session of a cookie, so that copies of it are worthless. */
export const endSession = async (platform: Platform, header: GetHeader): Promise<void> => {
  const session = readSessionCookie(platform, header)
  if (session) await platform.as({ service: 'sign-in' }).passwords.endSession({ secret: session.secret })
}

/** The session of a cookie. */
interface CookieSession {
  readonly secret: string
  readonly signIn: SignIn
  /** Milliseconds since 1970. */
  readonly signedInAt: number
}

/** Undefined without a cookie and if it has expired or cannot be decrypted. */
export const readSessionCookie = (platform: Platform, header: GetHeader): CookieSession | undefined => {
  const sealed = findCookie(header)
  if (sealed === undefined || sealed === '' || sealed.length > maxCookieLength) return undefined
  try {
    const { expiresAt, signedInAt, secret, ...signIn } = JSON.parse(
      platform.ports.secrets.open(sealed, sealContext),
    ) as StoredSession
    if (expiresAt <= platform.ports.clock.now()) return undefined
    return { signIn, secret, signedInAt }
  } catch {
    return undefined
  }
}
