import type { Platform } from '@forgelet/core'
import type { GetHeader } from '../request/credentials.ts'

/** What a sign-in has to find at its end, in the browser that started it. */
export interface SignInFlow {
  readonly state: string
  readonly nonce: string
  /** The secret of PKCE. */
  readonly verifier: string
  /** Where the user wants to go. */
  readonly returnPath: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

const cookieName = 'forgelet_openid'
const sealContext = 'openid.flow'

/** Seconds in which a user signs in at the provider. */
export const flowLifetime = 600

interface CookieScope {
  readonly siteUrl: string
  readonly base: string
}

const formatCookie = (value: string, maxAge: number, { siteUrl, base }: CookieScope): string =>
  [
    `${cookieName}=${value}`,
    `Path=${base}/users/auth/`,
    `Max-Age=${maxAge}`,
    'HttpOnly',
    // The provider redirects to this site.
    'SameSite=Lax',
    ...(siteUrl.startsWith('https:') ? ['Secure'] : []),
  ].join('; ')

/** @throws PlatformError `unavailable` if the platform has no key to encrypt with */
export const formatFlowCookie = ({ ports }: Platform, flow: SignInFlow, scope: CookieScope): string =>
  formatCookie(ports.secrets.seal(JSON.stringify(flow), sealContext), flowLifetime, scope)

/** Ends the flow in this browser. */
export const formatEndedFlowCookie = (scope: CookieScope): string => formatCookie('', 0, scope)

/** Undefined without a cookie, and if it has expired or cannot be decrypted. */
export const readFlowCookie = ({ ports }: Platform, header: GetHeader): SignInFlow | undefined => {
  const pairs = (header('cookie') ?? '').split(';').map((pair) => pair.trim())
  const sealed = pairs.find((pair) => pair.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1)
  if (!sealed || sealed.length > 4_096) return undefined
  try {
    const flow: SignInFlow = JSON.parse(ports.secrets.open(sealed, sealContext))
    return flow.expiresAt > ports.clock.now() ? flow : undefined
  } catch {
    return undefined
  }
}
