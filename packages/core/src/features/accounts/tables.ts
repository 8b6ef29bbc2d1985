import type { Generated } from 'kysely'
import type { Scope } from '../../kernel/scopes.ts'

export interface AccountTables {
  user: {
    id: Generated<number>
    username: string
    name: string
    email: string
    state: 'active' | 'blocked'
    admin: boolean
    external: boolean
    privateProfile: boolean
    avatarUrl: string | null
    createdAt: string
    updatedAt: string
  }
  personalAccessToken: {
    id: Generated<number>
    userId: number
    name: string
    /** SHA-256 of the token, hexadecimal; the token itself is kept nowhere. */
    digest: string
    scopes: readonly Scope[]
    /** The first day on which it no longer works, or null. */
    expiresAt: string | null
    revokedAt: string | null
    createdAt: string
  }
}
