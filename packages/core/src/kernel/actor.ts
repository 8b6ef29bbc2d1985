import type { Scope } from './scopes.ts'

/**
 * Who a caller says to be. A claim: whether the user is active, an administrator or a member is read anew with each call.
 *
 * - `null` – nobody
 * - `{ user }` – a user by id or username, vouched for by the host
 * - `{ token }` – whoever the personal access token belongs to, within its scopes; `sudo` acts as another user
 * - `{ scim }` – the identity provider of the one group that the SCIM token belongs to
 * - `{ system }` – the host itself, allowed everything; the reason reaches logs and reactions
 */
export type Identity =
  | null
  | { readonly user: number | string }
  | { readonly token: string; readonly sudo?: number | string }
  | { readonly scim: string }
  | { readonly system: string }

/** Who a caller was found to be. */
export type Actor = Nobody | Person | Provisioner | System

export interface Nobody {
  readonly kind: 'nobody'
}

export interface Person {
  readonly kind: 'user'
  readonly id: number
  readonly username: string
  readonly name: string
  readonly admin: boolean
  readonly external: boolean
  /** What the token opens; null when the host vouched for the user. */
  readonly scopes: readonly Scope[] | null
}

/** The identity provider of a group: manages the people of that group, and nothing else. */
export interface Provisioner {
  readonly kind: 'scim'
  readonly groupId: number
}

export interface System {
  readonly kind: 'system'
  readonly reason: string
}

/** The acting person's id; 0, which no row has, for anybody else. Serves as a parameter of queries. */
export const personId = (actor: Actor): number => (actor.kind === 'user' ? actor.id : 0)

/** Allowed everything that is not refused to everybody. */
export const isAdministrator = (actor: Actor): boolean =>
  actor.kind === 'system' || (actor.kind === 'user' && actor.admin)

export const nobody: Nobody = { kind: 'nobody' }
