import type { Session } from '@forgelet/core'
import { oauthScopes } from '@forgelet/core/operations'
import type { Interaction, ProviderContext, errors as ProviderErrors } from 'oidc-provider'
import { formatInteractionPath, oauthRoutes } from './oauth-paths.ts'
import { createAdapter } from './provider-adapter.ts'
import type { ProviderPages } from './provider-pages.ts'

type Claims = Readonly<Record<string, unknown>>

/** A user as the provider sees it. */
interface Account {
  readonly accountId: string
  claims(use: 'id_token' | 'userinfo'): Promise<Claims>
}

/** Claims with the direct memberships of a role. */
const roleClaims = ['owner', 'maintainer', 'developer'] as const

const toRoleClaim = (role: (typeof roleClaims)[number]) => `https://gitlab.org/claims/groups/${role}`

/** The claims of each scope (OpenID Connect Core, section 5.4), as GitLab has them. */
const claimsOfScopes = {
  openid: ['sub', 'groups', 'groups_direct', ...roleClaims.map(toRoleClaim)],
  profile: ['name', 'nickname', 'preferred_username', 'profile', 'picture'],
  email: ['email', 'email_verified'],
}

/** ID tokens contain the direct memberships only, so that they stay small. Roles without groups are omitted. */
const readGroupClaims = async (host: Session, user: number, use: 'id_token' | 'userinfo'): Promise<Claims> => {
  const claims = await host.oauthProvider.getGroupClaims({ user })
  if (use === 'id_token') return { groups_direct: claims.groupsDirect }
  const roles = roleClaims.filter((role) => claims[role].length)
  return { groups: claims.groups, ...Object.fromEntries(roles.map((role) => [toRoleClaim(role), claims[role]])) }
}

/** Undefined for users who are removed or may not sign in; their tokens cannot be refreshed then. */
const findAccount = async (host: Session, siteUrl: string, sub: string): Promise<Account | undefined> => {
  const user = await host.oauthProvider.findUser({ user: Number(sub) })
  if (user?.state !== 'active') return undefined
  const { id, name, username, email, avatarUrl } = user
  return {
    accountId: String(id),
    claims: async (use) => ({
      sub: String(id),
      name,
      nickname: username,
      preferred_username: username,
      profile: `${siteUrl}/${username}`,
      picture: avatarUrl,
      email,
      // Only administrators and the host set the primary address.
      email_verified: true,
      ...(await readGroupClaims(host, id, use)),
    }),
  }
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Seconds. An access token is valid for as long as in GitLab. */
const lifetimes = {
  AccessToken: 2 * hour,
  AuthorizationCode: 10 * minute,
  DeviceCode: 10 * minute,
  Grant: 365 * day,
  IdToken: hour,
  Interaction: hour,
  RefreshToken: 30 * day,
  Session: 14 * day,
}

interface ConfigurationInput {
  readonly host: Session
  readonly errors: typeof ProviderErrors
  readonly keys: Awaited<ReturnType<Session['oauthProvider']['getKeys']>>
  readonly siteUrl: string
  /** The path of the site. */
  readonly base: string
  readonly pages: ProviderPages
}

const isEnabled = { enabled: true }
const isDisabled = { enabled: false }

/** The configuration of `oidc-provider`. Everything that it does not name keeps its default. */
export const createConfiguration = ({ host, errors, keys, siteUrl, base, pages }: ConfigurationInput): object => {
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true }
  return {
    adapter: createAdapter(host, errors),
    jwks: { keys: [keys.signingKey] },
    cookies: {
      keys: [keys.cookieKey],
      names: {
        session: 'forgelet_oauth_session',
        interaction: 'forgelet_oauth_interaction',
        resume: 'forgelet_oauth_resume',
      },
      long: { ...cookie, path: `${base}/` },
      short: cookie,
    },
    routes: oauthRoutes,
    scopes: oauthScopes,
    claims: claimsOfScopes,
    // ID tokens contain the claims of the granted scopes, as in GitLab.
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
    },
    allowOmittingSingleRegisteredRedirectUri: false,
    enableHttpPostMethods: false,
    features: {
      devInteractions: isDisabled,
      // Tokens bound to keys or resources would have to be checked by every operation.
      dPoP: isDisabled,
      resourceIndicators: isDisabled,
      pushedAuthorizationRequests: isDisabled,
      introspection: { ...isEnabled, allowedPolicy: isOwnToken },
      revocation: { ...isEnabled, allowedPolicy: isOwnToken },
      userinfo: isEnabled,
      deviceFlow: {
        ...isEnabled,
        deviceInfo: () => ({}),
        userCodeInputSource: pages.showCodeInput,
        userCodeConfirmSource: pages.showCodeConfirmation,
        successSource: pages.showDeviceSuccess,
      },
      rpInitiatedLogout: {
        ...isEnabled,
        logoutSource: pages.showSignOut,
        postLogoutSuccessSource: pages.showSignOutSuccess,
      },
    },
    renderError: pages.showError,
    interactions: { url: (_: ProviderContext, { uid }: Interaction) => base + formatInteractionPath(uid) },
    findAccount: (_: ProviderContext, sub: string) => findAccount(host, siteUrl, sub),
    // Applications that run on a server keep access after the user has signed out.
    expiresWithSession: () => false,
    issueRefreshToken: () => true,
    rotateRefreshToken: () => true,
    ttl: lifetimes,
  }
}

/** An application can neither read nor revoke the tokens of others. */
const isOwnToken = (_: ProviderContext, client: { readonly clientId: string }, token: { readonly clientId?: string }) =>
  token.clientId === client.clientId
