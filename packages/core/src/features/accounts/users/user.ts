import { hash } from 'node:crypto'
import type { Settings } from '../../administration/settings/definition.ts'

/** No user can receive mail at this address, so that it identifies the account of removed users. */
export const ghostEmail = 'ghost@ghost.invalid'

/**
 * `active`, or why all calls of the user fail: `blocked` or `banned` by an administrator, `deactivated`, usually for lack of
 * activity, or `blocked_pending_approval` until an administrator approves a new account.
 */
export type UserState = 'active' | 'blocked' | 'banned' | 'deactivated' | 'blocked_pending_approval'

/** The public data of a user. */
export interface UserSummary {
  /** Unique among users. */
  id: number
  /** Name in URLs and mentions, unique regardless of case. */
  username: string
  /** Display name, not blank. */
  name: string
  /** `active`; all calls of a user who is `blocked`, `banned` or `deactivated` fail. */
  state: UserState
  /** URL of the user's own picture, or of the Gravatar of the public e-mail address or a generated pattern; null if there is none. */
  avatarUrl: string | null
  /** E-mail address that other users can see; empty for none. */
  publicEmail: string
}

/** A user with the data that only the user and administrators can read. */
export interface User extends UserSummary {
  /** Unique regardless of case. Ends in `@users.invalid`, which receives no mail, if none was set. */
  email: string
  /** Address that the platform writes into commits of the user. Default: `email`. */
  commitEmail: string
  /** Whether the user is an administrator, with access to all projects, groups and settings. */
  admin: boolean
  /** Whether the user sees internal projects and groups only as a member, and cannot create personal snippets. */
  external: boolean
  /** Whether only administrators and the user can list the user's events. */
  privateProfile: boolean
  /** Whether the user acts for the access tokens of a project or a group. */
  bot: boolean
  /** Time of creation; ISO 8601 in UTC with milliseconds. */
  createdAt: string
}

const gravatar = 'https://www.gravatar.com/avatar'

/**
 * URL of the Gravatar of the public e-mail address, otherwise of a pattern that depends on the id only: a private address could be
 * guessed from its hash.
 */
export const createGravatarUrl = ({ id, publicEmail }: Pick<UserSummaryRow, 'id' | 'publicEmail'>): string =>
  publicEmail.trim() === ''
    ? `${gravatar}/${hash('sha256', `user ${id}`)}?f=y&s=80&d=identicon`
    : createEmailGravatarUrl(publicEmail, 40)

/** URL of the Gravatar of an e-mail address, with two pixels per point of the size. */
export const createEmailGravatarUrl = (email: string, size: number): string =>
  `${gravatar}/${hash('sha256', email.trim().toLowerCase())}?s=${size * 2}&d=identicon`

interface UserSummaryRow {
  readonly id: number
  readonly username: string
  readonly name: string
  readonly state: UserState
  readonly avatarUrl: string | null
  readonly publicEmail: string
}

export const toUserSummary =
  ({ avatarserviceEnabled }: Pick<Settings, 'avatarserviceEnabled'>) =>
  (row: UserSummaryRow): UserSummary => ({
    id: row.id,
    username: row.username,
    name: row.name,
    state: row.state,
    avatarUrl: row.avatarUrl ?? (avatarserviceEnabled ? createGravatarUrl(row) : null),
    publicEmail: row.publicEmail,
  })
