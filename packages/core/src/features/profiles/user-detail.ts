import type { User } from '../accounts/user.ts'

/** Everything that is known of a user: specification 2, "SSH key record". Texts that nobody wrote are empty. */
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
  /** When the address was confirmed; for most, when the host made the account. */
  confirmedAt: string
  /** A day. */
  lastActivityOn: string | null
  themeId: number
  colorSchemeId: number
  projectsLimit: number
  canCreateGroup: boolean
  canCreateProject: boolean
  twoFactorEnabled: boolean
  /** Minutes a month; null for no limit of their own. */
  sharedRunnersMinutesLimit: number | null
  extraSharedRunnersMinutesLimit: number | null
  /** Under which names the identity providers of groups know them. */
  identities: readonly UserIdentity[]
}

export interface UserIdentity {
  provider: string
  externUid: string
  /** The sign-in of the group that knows them; null when the group has none at present. */
  samlProviderId: number | null
}
