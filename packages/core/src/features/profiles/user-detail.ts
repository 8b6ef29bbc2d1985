import type { User } from '../accounts/user.ts'

/** All details of a user: specification 2, "SSH key record". Missing texts are empty strings. */
export interface UserDetail extends User {
  bio: string
  location: string
  publicEmail: string
  skype: string
  linkedin: string
  twitter: string
  websiteUrl: string
  organization: string
  lastSignInAt: string | null
  currentSignInAt: string | null
  /** When the email address was confirmed; defaults to the creation of the account. */
  confirmedAt: string
  /** A date such as `2026-11-21`, or null. */
  lastActivityOn: string | null
  themeId: number
  colorSchemeId: number
  projectsLimit: number
  canCreateGroup: boolean
  canCreateProject: boolean
  twoFactorEnabled: boolean
  /** Minutes per month; null without an individual limit. */
  sharedRunnersMinutesLimit: number | null
  extraSharedRunnersMinutesLimit: number | null
  /** The user's identities at sign-in services and at the SAML providers of groups. */
  identities: readonly UserIdentity[]
}

export interface UserIdentity {
  provider: string
  externUid: string
  /** The group's current SAML provider, or null. */
  samlProviderId: number | null
}
