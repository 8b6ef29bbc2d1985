import type { Session } from '@forgelet/core'

type Claims = Readonly<Record<string, unknown>>

/** A user as the provider sees it. */
interface Account {
  readonly accountId: string
  claims(): Promise<Claims>
}

/** The claims of each scope (OpenID Connect Core, section 5.4), as GitLab has them. */
export const claimsOfScopes = {
  openid: ['sub'],
  profile: ['name', 'nickname', 'preferred_username', 'profile', 'picture'],
  email: ['email', 'email_verified'],
}

/** Undefined for users who are removed or may not sign in; their tokens cannot be refreshed then. */
export const findAccount = async (host: Session, siteUrl: string, sub: string): Promise<Account | undefined> => {
  const user = await host.oauthProvider.findUser({ user: Number(sub) })
  if (user?.state !== 'active') return undefined
  const { id, name, username, email, avatarUrl } = user
  return {
    accountId: String(id),
    claims: async () => ({
      sub: String(id),
      name,
      nickname: username,
      preferred_username: username,
      profile: `${siteUrl}/${username}`,
      picture: avatarUrl,
      email,
      // Only administrators and the host set the primary address.
      email_verified: true,
    }),
  }
}
