import { hash } from 'node:crypto'
import type { Settings } from '../settings/definition.ts'

/** The public data of a user. */
export interface UserSummary {
  id: number
  username: string
  name: string
  state: 'active' | 'blocked'
  /** URL of the user's own picture, else of the Gravatar of the e-mail address; null if Gravatar is disabled. */
  avatarUrl: string | null
}

/** A user with the data that only the user and administrators can read. */
export interface User extends UserSummary {
  email: string
  admin: boolean
  external: boolean
  privateProfile: boolean
  createdAt: string
}

/** Gravatar returns a generated pattern for an unknown address. */
const gravatarUrl = (email: string) =>
  `https://www.gravatar.com/avatar/${hash('md5', email.trim().toLowerCase(), 'hex')}?s=80&d=identicon`

interface UserSummaryRow {
  readonly id: number
  readonly username: string
  readonly name: string
  readonly state: 'active' | 'blocked'
  readonly avatarUrl: string | null
  readonly email: string
}

export const toUserSummary =
  ({ avatarserviceEnabled }: Pick<Settings, 'avatarserviceEnabled'>) =>
  (row: UserSummaryRow): UserSummary => ({
    id: row.id,
    username: row.username,
    name: row.name,
    state: row.state,
    avatarUrl: row.avatarUrl ?? (avatarserviceEnabled ? gravatarUrl(row.email) : null),
  })
