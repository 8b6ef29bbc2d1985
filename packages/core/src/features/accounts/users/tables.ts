import type { Generated } from 'kysely'
import type { Scope } from '../../../kernel/scopes.ts'
import type { UserState } from './user.ts'

export interface AccountTables {
  user: {
    id: Generated<number>
    username: string
    name: string
    email: string
    state: UserState
    admin: boolean
    external: boolean
    /** Whether calls of the user fail until the user accepts the terms of service. */
    mustAcceptTerms: Generated<boolean>
    privateProfile: boolean
    /** Created for the access tokens of a project or a group. */
    bot: Generated<boolean>
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
    jobTitle: Generated<string>
    pronouns: Generated<string>
    discord: Generated<string>
    github: Generated<string>
    /** For administrators only. */
    note: Generated<string>
    /** Address in commits, `_private` for one that receives no mail; null for the primary one. */
    commitEmail: Generated<string | null>
    /** The administrator who created the account; null for the host and removed users. */
    createdById: Generated<number | null>
    lastSignInAt: Generated<string | null>
    currentSignInAt: Generated<string | null>
    lastSignInIp: Generated<string | null>
    currentSignInIp: Generated<string | null>
    confirmedAt: Generated<string | null>
    /** A date without time. */
    lastActivityOn: Generated<string | null>
    themeId: Generated<number>
    colorSchemeId: Generated<number>
    projectsLimit: Generated<number>
    canCreateGroup: Generated<boolean>
    twoFactorEnabled: Generated<boolean>
    /** Minutes per month; null if the user has no own limit. */
    sharedRunnersMinutesLimit: Generated<number | null>
    extraSharedRunnersMinutesLimit: Generated<number | null>
    viewDiffsFileByFile: Generated<boolean>
    showWhitespaceInDiffs: Generated<boolean>
    passUserIdentitiesToCiJwt: Generated<boolean>
  }
  /** A user who follows another one. */
  userFollow: { followerId: number; followedId: number; createdAt: string }
  /** An identity of a user at an external provider. */
  userIdentity: {
    id: Generated<number>
    userId: number
    provider: string
    /** Unique per provider; a user has at most one per provider. */
    externalUid: string
    createdAt: string
  }
  personalAccessToken: {
    id: Generated<number>
    userId: number
    name: string
    description: string | null
    /** SHA-256 of the token, in hexadecimal; the token itself is not stored. */
    digest: string
    scopes: readonly Scope[]
    /** Created by an administrator, to act as the user. */
    impersonation: Generated<boolean>
    /** The first day on which the token is invalid, or null. */
    expiresAt: string | null
    revokedAt: string | null
    createdAt: string
    /** The first use on the last day of use; null if the token was never used. */
    lastUsedAt: string | null
    /** The project of an access token; null for the tokens of users and groups. */
    projectId: number | null
    /** The group of an access token; null for the tokens of users and projects. */
    groupId: number | null
    /** The first of the tokens that rotation created from each other; null for this first one. */
    familyId: number | null
  }
}
