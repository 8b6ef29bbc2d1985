/** The scopes of personal access tokens. All are accepted on creation; a scope that no operation names permits nothing. */
export const scopes = [
  'api',
  'read_api',
  'read_user',
  'sudo',
  'read_repository',
  'write_repository',
  'read_registry',
  'write_registry',
  'create_runner',
  'manage_runner',
  'self_rotate',
  'k8s_proxy',
  'admin_mode',
] as const

/** The scopes of OAuth applications. Those that personal access tokens do not have concern the ID token and the user info only. */
export const oauthScopes = [
  'api',
  'read_api',
  'read_user',
  'read_repository',
  'write_repository',
  'openid',
  'profile',
  'email',
] as const

export type OauthScope = (typeof oauthScopes)[number]

export const isScope = (name: string): name is Scope => (scopes as readonly string[]).includes(name)

export type Scope = (typeof scopes)[number]

/** The scopes of deploy tokens. */
export const deployTokenScopes = [
  'read_repository',
  'read_registry',
  'write_registry',
  'read_package_registry',
  'write_package_registry',
] as const

export type DeployTokenScope = (typeof deployTokenScopes)[number]

/** The scope of every job token. Operations that GitLab documents for job tokens name it. */
export type JobTokenScope = 'job_token'

/** A scope that permits operations which name it. */
export type NamedScope = Scope | DeployTokenScope | JobTokenScope

/**
 * The scopes each of which permits an operation: `api` permits all, `read_api` those with `allowsReadScope`, and operations
 * may name narrower ones, some of them for subjects of one kind. `insufficient_scope` errors list them in this order.
 */
export const getSufficientScopes = (
  operation: {
    readonly allowsReadScope: boolean
    readonly scopes: readonly NamedScope[]
    readonly scopesByKind: Readonly<Record<string, readonly NamedScope[]>>
  },
  kinds: readonly string[],
): readonly NamedScope[] => [
  ...operation.scopes,
  ...kinds.flatMap((kind) => operation.scopesByKind[kind] ?? []),
  'api',
  ...(operation.allowsReadScope ? (['read_api'] as const) : []),
]
