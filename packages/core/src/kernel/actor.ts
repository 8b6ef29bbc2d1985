import type { DeployTokenScope, JobTokenScope, Scope } from './scopes.ts'

/**
 * The claimed identity of a caller. Each call reads the state, admin flag and memberships of the user again.
 *
 * - `null` – anonymous
 * - `{ user }` – a user by id or username, authenticated by the host
 * - `{ provider, externalUid }` – the user linked to this external identity, authenticated by the host
 * - `{ token }` – the user of an access token, limited to its scopes; `sudo` acts as another user. Or a deploy token or job
 *   token: if a `username` is set, it must be that of the deploy token or `gitlab-ci-token`; for access tokens it has no effect
 * - `{ sshKey }` – the user of an SSH key, or the deploy key, with this SHA256 fingerprint: limited to git. The caller has verified the
 *   signature of the key
 * - `{ scim }` – the identity provider of the group that the SCIM token belongs to
 * - `{ service: 'sign-in' }` – the sign-in pages, the OAuth provider and the registry notifications of an adapter: their state, and nothing else
 * - `{ system }` – the host itself, allowed everything; the reason appears in logs and reactions
 */
export type Identity =
  | null
  | { readonly user: number | string }
  | { readonly provider: string; readonly externalUid: string }
  | { readonly token: string; readonly sudo?: number | string; readonly username?: string }
  | { readonly sshKey: string }
  | { readonly scim: string }
  | { readonly service: 'sign-in' }
  | { readonly system: string }

/** The authenticated caller. */
export type Actor =
  | AnonymousActor
  | UserActor
  | DeployTokenActor
  | DeployKeyActor
  | ScimActor
  | ServiceActor
  | SystemActor

/** A caller without an identity. */
export interface AnonymousActor {
  readonly kind: 'anonymous'
}

/** An active user. */
export interface UserActor {
  readonly kind: 'user'
  /** The user's id. */
  readonly id: number
  /** The name in URLs and mentions. */
  readonly username: string
  /** The display name. */
  readonly name: string
  /** Whether the user is an administrator. */
  readonly admin: boolean
  /** External users can see internal projects and groups only as members. */
  readonly external: boolean
  /** Whether the user acts for an access token of a project or a group. */
  readonly bot: boolean
  /** Whether only calls that concern the terms of service are permitted until the user accepts them; omitted if not. */
  readonly mustAcceptTerms?: boolean
  /** The scopes of the token; null when the host authenticated the user. */
  readonly scopes: readonly (Scope | JobTokenScope)[] | null
  /** The running job whose token authenticates the call; omitted without one. */
  readonly job?: ActorJob
  /** The id of the personal access token that authenticates the call; omitted without one. */
  readonly tokenId?: number
  /** The id of the SSH key that authenticates the call; omitted without one. */
  readonly sshKeyId?: number
  /** The id of the token of the call, if no use of it was recorded today. */
  readonly unrecordedToken?: number
  /** The id of the administrator who acts as this user (sudo), for logs. */
  readonly substitutedBy?: number
}

/** A job that acts with its token for the user who runs it. */
export interface ActorJob {
  /** The id of the job. */
  readonly id: number
  /** The project of the job. */
  readonly projectId: number
  /** Whether the user is an administrator. The actor is not one: the role counts only in projects that permit the token. */
  readonly isOfAdministrator: boolean
}

/** A deploy token: reads and writes what its scopes name in one project, or in the projects of one group. */
export interface DeployTokenActor {
  readonly kind: 'deployToken'
  /** The id of the deploy token. */
  readonly id: number
  /** The user name that clients send with the token. */
  readonly username: string
  /** The project of the token; null for a token of a group. */
  readonly projectId: number | null
  /** The group of the token; null for a token of a project. */
  readonly groupId: number | null
  /** The scopes of the token. */
  readonly scopes: readonly DeployTokenScope[]
}

/** A deploy key: reads and, where it may push, writes the code of the projects that it was added to. */
export interface DeployKeyActor {
  readonly kind: 'deployKey'
  /** The id of the key. */
  readonly sshKeyId: number
  /** The id of the user who added the key. Its pushes are attributed to this user; null after their removal. */
  readonly creatorId: number | null
  /** The scopes of git. */
  readonly scopes: readonly Scope[]
}

/** The identity provider of a group: manages the users of that group and nothing else. */
export interface ScimActor {
  readonly kind: 'scim'
  /** The id of the group. */
  readonly groupId: number
}

/** The sign-in pages and the OAuth provider of an adapter, which act before a user is known. */
export interface ServiceActor {
  readonly kind: 'service'
}

/** The host itself. */
export interface SystemActor {
  readonly kind: 'system'
  /** The reason that the host gave: `import`. */
  readonly reason: string
}

/** The id of the acting user as a query parameter; for other actors 0, which no row has. */
export const getUserId = (actor: Actor): number => (actor.kind === 'user' ? actor.id : 0)

/** The key of a caller over SSH; undefined for others. */
export const getSshKeyId = (actor: Actor): number | undefined =>
  actor.kind === 'user' || actor.kind === 'deployKey' ? actor.sshKeyId : undefined

/** Whether the actor has the permissions of an administrator. */
export const isAdministrator = (actor: Actor): boolean =>
  actor.kind === 'system' || (actor.kind === 'user' && actor.admin)

export const anonymous: AnonymousActor = { kind: 'anonymous' }
