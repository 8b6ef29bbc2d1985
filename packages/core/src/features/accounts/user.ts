import { hash } from 'node:crypto'

/** A user as everybody may see them. */
export interface UserSummary {
  id: number
  username: string
  name: string
  /** `active` or `blocked`. */
  state: 'active' | 'blocked'
  /** Their own picture, or the one that Gravatar keeps for their e-mail address. */
  avatarUrl: string
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

export const toUserSummary = (row: SummaryRow): UserSummary => ({
  id: row.id,
  username: row.username,
  name: row.name,
  state: row.state,
  avatarUrl: row.avatarUrl ?? gravatar(row.email),
})
