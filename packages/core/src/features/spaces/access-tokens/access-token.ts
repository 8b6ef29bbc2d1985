import type { NewToken, Token } from '../../accounts/tokens/token.ts'

/** A token of a project or a group. Calls with it are calls of a bot user, who is a member of the project or group. */
export interface AccessToken extends Token {
  /** The access level of the bot user in the project or group: 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner. */
  accessLevel: number
}

/** An access token with its secret, which only the result of its creation contains. */
export interface NewAccessToken extends NewToken {
  /** The access level of the bot user in the project or group: 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner. */
  accessLevel: number
}

/** The scopes of access tokens. Those that refer to users and administrators are missing. */
export const accessTokenScopes = [
  'api',
  'read_api',
  'read_repository',
  'write_repository',
  'read_registry',
  'write_registry',
  'create_runner',
  'manage_runner',
  'self_rotate',
  'k8s_proxy',
] as const
