/** The paths of the provider, below that of the site. Those that GitLab has too are the same as there. */
export const oauthRoutes = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
  userinfo: '/oauth/userinfo',
  jwks: '/oauth/discovery/keys',
  device_authorization: '/oauth/authorize_device',
  code_verification: '/oauth/device',
  end_session: '/oauth/logout',
} as const

/** Describes the token that authenticates the request. */
export const tokenInfoPath = '/oauth/token/info'

const interactionPath = /^\/oauth\/interactions\/([\w-]{1,64})$/

const metadataPaths: readonly string[] = [
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
]

/** The path of the page on which a user signs in or consents. */
export const formatInteractionPath = (uid: string): string => `/oauth/interactions/${uid}`

export const isInteractionPath = (path: string): boolean => interactionPath.test(path)

const routesWithId: readonly string[] = [oauthRoutes.authorization, oauthRoutes.code_verification]
const endings = ['', '/confirm', '/success']

/** The template of a path of the provider, for logs and metrics; undefined for other paths. */
export const matchOauthPath = (path: string): string | undefined => {
  if (metadataPaths.includes(path) || path === tokenInfoPath) return path
  if (isInteractionPath(path)) return '/oauth/interactions/:uid'
  for (const route of Object.values(oauthRoutes)) if (path === route) return route
  for (const ending of endings) if (path === oauthRoutes.end_session + ending) return path
  const parent = path.slice(0, path.lastIndexOf('/'))
  return routesWithId.includes(parent) ? `${parent}/:uid` : undefined
}
