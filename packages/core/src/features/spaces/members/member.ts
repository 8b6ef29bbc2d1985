import type { UserSummary } from '../../accounts/users/user.ts'
import type { SamlIdentity } from '../sso/identity.ts'

/** A user's membership of a project or a group: a direct one, or the nearest of several. */
export interface Member extends UserSummary {
  /** 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner (groups only). */
  accessLevel: number
  /** When the membership was created: ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** The user who added the member; null if it was the host or a removed user. */
  createdBy: UserSummary | null
  /** The first day without access, such as `2026-11-21`; null for a membership without end. */
  expiresAt: string | null
  /**
   * Whether the level may differ from the directory's level. Present only for group memberships that a directory
   * synchronizes.
   */
  override?: boolean
  /** Whether the member counts as a user of the instance: active, and no bot. Present only with `showSeatInfo`. */
  isUsingSeat?: boolean
  /**
   * The member's identity at the group's SAML provider, or null. Present only if the group has a provider and the current user
   * can manage the group's members.
   */
  groupSamlIdentity?: SamlIdentity | null
}

/** The result of adding users. */
export interface AddedMembers {
  /** The new members, in the order of the input. */
  readonly members: readonly Member[]
  /** Reasons why other users were not added, by username. */
  readonly errors: Readonly<Record<string, string>>
}
