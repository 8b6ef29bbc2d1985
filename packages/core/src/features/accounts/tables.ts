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
    bio: Generated<string>
    location: Generated<string>
    publicEmail: Generated<string>
    skype: Generated<string>
    linkedin: Generated<string>
    twitter: Generated<string>
    websiteUrl: Generated<string>
    organization: Generated<string>
    lastSignInAt: Generated<string | null>
    currentSignInAt: Generated<string | null>
    confirmedAt: Generated<string | null>
    /** A day. */
    lastActivityOn: Generated<string | null>
    themeId: Generated<number>
    colorSchemeId: Generated<number>
    projectsLimit: Generated<number>
    canCreateGroup: Generated<boolean>
    twoFactorEnabled: Generated<boolean>
    /** Minutes a month; null for no limit of their own. */
    sharedRunnersMinutesLimit: Generated<number | null>
    extraSharedRunnersMinutesLimit: Generated<number | null>
  }
  /** Who a user is elsewhere. */
  userIdentity: {
    id: Generated<number>
    userId: number
    provider: string
    /** Unique at its provider; each user has at most one there. */
    externalUid: string
    createdAt: string
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
