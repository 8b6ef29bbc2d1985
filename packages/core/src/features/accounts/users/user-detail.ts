import type { CustomAttributeValue } from '../../../contract/custom-attribute-value.ts'
import type { User, UserSummary } from './user.ts'

/** The profile of a user, for all signed-in users. Missing texts are empty strings. */
export interface UserProfile extends UserSummary {
  /** Self-description of the user. */
  bio: string
  /** Place of residence or work. */
  location: string
  /** Skype user name. */
  skype: string
  /** LinkedIn profile. */
  linkedin: string
  /** Twitter user name. */
  twitter: string
  /** Discord user id. */
  discord: string
  /** GitHub user name. */
  github: string
  /** URL of the user's website, `http` or `https`. */
  websiteUrl: string
  /** Company or other organization. */
  organization: string
  /** Role in the organization. */
  jobTitle: string
  /** How others should refer to the user, such as `they/them`. */
  pronouns: string
  /** Whether the user acts for the access tokens of a project or a group. */
  bot: boolean
  /** Time of creation; omitted for a private profile, except for the user and administrators. */
  createdAt?: string
  /** Number of users who follow the user; omitted in lists, and like `createdAt`. */
  followers?: number
  /** Number of users whom the user follows; omitted in lists, and like `createdAt`. */
  following?: number
  /** Whether the current user follows the user; omitted in lists, without a current user, and like `createdAt`. */
  isFollowed?: boolean
}

/** All details of a user: specification 2, "SSH key record". */
export interface UserDetail extends User, UserProfile {
  /** Time of creation; ISO 8601 in UTC with milliseconds. */
  createdAt: string
  /** Whether the user acts for the access tokens of a project or a group. */
  bot: boolean
  /** Id of the personal namespace; null for a user without one. */
  namespaceId: number | null
  /** Time of the sign-in before the current one: ISO 8601, UTC, with milliseconds; null for none. */
  lastSignInAt: string | null
  /** Time of the most recent sign-in: ISO 8601, UTC, with milliseconds; null for none. */
  currentSignInAt: string | null
  /** When the e-mail address was confirmed: ISO 8601, UTC, with milliseconds. Default: the creation of the account. */
  confirmedAt: string
  /** Day of the last activity, such as `2026-11-21`; null for none. */
  lastActivityOn: string | null
  /** Number of the color theme of the pages. */
  themeId: number
  /** Number of the color scheme for code. */
  colorSchemeId: number
  /** Maximum number of personal projects. Default: the setting `defaultProjectsLimit` when the user was created. */
  projectsLimit: number
  /** Whether clients should offer to create groups; false for external users, who cannot create top-level groups. */
  canCreateGroup: boolean
  /** Whether `projectsLimit` is greater than 0; false for external users, who can create projects only in groups. */
  canCreateProject: boolean
  /** Whether the user signs in with two factors, as reported by the host's sign-in. */
  twoFactorEnabled: boolean
  /** Pipeline minutes per month on shared runners; null for no limit of the user's own. */
  sharedRunnersMinutesLimit: number | null
  /** Additional pipeline minutes on shared runners; null for none. */
  extraSharedRunnersMinutesLimit: number | null
  /** The user's identities at sign-in services and at the SAML providers of groups. */
  identities: readonly LinkedIdentity[]
  /** Text about the user, for administrators. */
  note?: string
  /** Address of the client at the most recent sign-in, for administrators; null if it is not known. */
  currentSignInIp?: string | null
  /** Address of the client at the sign-in before that, for administrators; null if it is not known. */
  lastSignInIp?: string | null
  /** The administrator who created the account, for administrators; null if the host created it, or the administrator was removed. */
  createdBy?: UserSummary | null
  /** Custom attributes of the user, for administrators on request. */
  customAttributes?: readonly CustomAttributeValue[]
}

/** The account of a user at a sign-in service or at the SAML provider of a group. */
export interface LinkedIdentity {
  /** Name of the sign-in service; `group_saml` for the SAML provider of a group. */
  provider: string
  /** The user's identifier at the provider. */
  externUid: string
  /** Id of the group's current SAML provider; null for sign-in services and removed providers. */
  samlProviderId: number | null
}

/** Another user, for users who are no administrators: the profile only. */
export interface PublicUser
  extends UserProfile,
    Readonly<Partial<Record<Exclude<keyof UserDetail, keyof UserProfile>, never>>> {}

/** A user as the current user sees it: all details for administrators and the user themselves, otherwise the profile. */
export type ShownUser = UserDetail | PublicUser

/** Whether a user is shown with all details. */
export const hasDetails = (user: UserSummary & { readonly email?: string }): user is UserDetail =>
  user.email !== undefined

/** The details of a user who is shown to an administrator, to the host or to the user. */
export const requireDetails = (user: ShownUser): UserDetail => {
  if (!hasDetails(user)) throw new Error(`The details of ${user.username} are for administrators and the user`)
  return user
}
