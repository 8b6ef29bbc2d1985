import type { Scope } from './scopes.ts'

/**
 * The claimed identity of a caller. Each call reads the state, admin flag and memberships of the user again.
 *
 * - `null` – anonymous
 * - `{ user }` – a user by id or username, authenticated by the host
 * - `{ provider, externalUid }` – the user linked to this external identity, authenticated by the host
 * - `{ token }` – the owner of a personal access token, limited to its scopes; `sudo` acts as another user
 * - `{ scim }` – the identity provider of the group that the SCIM token belongs to
 * - `{ service: 'sign-in' }` – the sign-in pages and the OAuth provider of an adapter: their state, and nothing else
 * - `{ system }` – the host itself, allowed everything; the reason appears in logs and reactions
 */
export type Identity =
  | null
  | { readonly user: number | string }
  | { readonly provider: string; readonly externalUid: string }
  | { readonly token: string; readonly sudo?: number | string }
  | { readonly scim: string }
  | { readonly service: 'sign-in' }
  | { readonly system: string }

/** The authenticated caller. */
export type Actor = AnonymousActor | UserActor | ScimActor | ServiceActor | SystemActor

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
  /** The scopes of the token; null when the host authenticated the user. */
  readonly scopes: readonly Scope[] | null
  /** The id of the personal access token that authenticates the call; absent without one. */
  readonly tokenId?: number
  /** The id of the administrator who acts as this user (sudo), for logs. */
  readonly substitutedBy?: number
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

/** Whether the actor has the permissions of an administrator. */
export const isAdministrator = (actor: Actor): boolean =>
  actor.kind === 'system' || (actor.kind === 'user' && actor.admin)

export const anonymous: AnonymousActor = { kind: 'anonymous' }
