import { hash } from 'node:crypto'
import type { Settings } from '../settings/definition.ts'

/** A user as everybody may see them. */
export interface UserSummary {
  id: number
  username: string
  name: string
  /** `active` or `blocked`. */
  state: 'active' | 'blocked'
  /** Their own picture, or the one that Gravatar keeps for their e-mail address; null where that service is not used. */
  avatarUrl: string | null
}

/** A user as themselves and administrators see them. */
export interface User extends UserSummary {
  email: string
  admin: boolean
  external: boolean
  privateProfile: boolean
  createdAt: string
}

/** The picture that Gravatar keeps for an address; a pattern when it has none. */
const gravatar = (email: string) =>
  `https://www.gravatar.com/avatar/${hash('md5', email.trim().toLowerCase(), 'hex')}?s=80&d=identicon`

interface SummaryRow {
  readonly id: number
  readonly username: string
  readonly name: string
  readonly state: 'active' | 'blocked'
  readonly avatarUrl: string | null
  readonly email: string
}

/** Rows as everybody may see them, under the settings of the platform. */
export const toUserSummary =
  ({ avatarserviceEnabled }: Pick<Settings, 'avatarserviceEnabled'>) =>
  (row: SummaryRow): UserSummary => ({
    id: row.id,
    username: row.username,
    name: row.name,
    state: row.state,
    avatarUrl: row.avatarUrl ?? (avatarserviceEnabled ? gravatar(row.email) : null),
  })
