/** A token with which programs read a repository, images or packages. It belongs to a project or a group, not to a user. */
export interface DeployToken {
  /** Unique among deploy tokens. */
  id: number
  /** Name for people; not necessarily unique. */
  name: string
  /** The user name that clients send with the token, such as `gitlab+deploy-token-1`. */
  username: string
  /** The project of the token; null for a token of a group. */
  projectId: number | null
  /** The group of the token; null for a token of a project. */
  groupId: number | null
  /** What the token permits in its project, or in the projects of its group. */
  scopes: readonly string[]
  /** Time from which the token is invalid; null if it does not expire. */
  expiresAt: string | null
  /** Whether the token has expired. */
  expired: boolean
  /** Always false: removed tokens do not exist any more. */
  revoked: boolean
  /** Time of creation; ISO 8601 in UTC with milliseconds. */
  createdAt: string
}

/** A deploy token with its secret, which only the result of its creation contains. */
export interface NewDeployToken extends DeployToken {
  /** The password that clients send with the user name. */
  secret: string
}
