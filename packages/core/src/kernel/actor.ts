import type { Scope } from './scopes.ts'

/**
 * Who a caller says to be. A claim: whether the user is active, an administrator or a member is read anew with each call.
 *
 * - `null` – nobody
 * - `{ user }` – a user by id or username, vouched for by the host
 * - `{ provider, externalUid }` – the user whom the host has linked to that identity, vouched for by the host
 * - `{ token }` – whoever the personal access token belongs to, within its scopes; `sudo` acts as another user
 * - `{ scim }` – the identity provider of the one group that the SCIM token belongs to
 * - `{ system }` – the host itself, allowed everything; the reason reaches logs and reactions
 */
export type Identity =
  | null
  | { readonly user: number | string }
  | { readonly provider: string; readonly externalUid: string }
  | { readonly token: string; readonly sudo?: number | string }
  | { readonly scim: string }
  | { readonly system: string }

/** Who a caller was found to be. */
export type Actor = Nobody | Person | Provisioner | System

/** Somebody who did not say who they are. */
export interface Nobody {
  readonly kind: 'nobody'
}

/** A user of the platform, found to be active. */
export interface Person {
  readonly kind: 'user'
  /** The user's id. */
  readonly id: number
  /** What the user is called in addresses and mentions. */
  readonly username: string
  /** What the user is called by people. */
  readonly name: string
  /** Whether the user administers the platform. */
  readonly admin: boolean
  /** External users see internal projects and groups only as members. */
  readonly external: boolean
  /** What the token opens; null when the host vouched for the user. */
  readonly scopes: readonly Scope[] | null
  /** The administrator who acts as this person (sudo), for logs. */
  readonly substitutedBy?: number
}

/** The identity provider of a group: manages the people of that group, and nothing else. */
export interface Provisioner {
  readonly kind: 'scim'
  /** The group whose people it manages. */
  readonly groupId: number
}

/** The host itself. */
export interface System {
  readonly kind: 'system'
  /** Why the host acts, as it said: `import`. */
  readonly reason: string
}

/** The acting person's id; 0, which no row has, for anybody else. Serves as a parameter of queries. */
export const personId = (actor: Actor): number => (actor.kind === 'user' ? actor.id : 0)

/** Allowed everything that is not refused to everybody. */
export const isAdministrator = (actor: Actor): boolean =>
  actor.kind === 'system' || (actor.kind === 'user' && actor.admin)

export const nobody: Nobody = { kind: 'nobody' }
