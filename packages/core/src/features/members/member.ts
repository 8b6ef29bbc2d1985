import type { UserSummary } from '../accounts/user.ts'
import type { SamlIdentity } from '../sso/identity.ts'

/** A user's membership of a project or a group: a direct one, or the nearest of several. */
export interface Member extends UserSummary {
  /** 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner (groups only). */
  accessLevel: number
  /** When the membership was created. */
  createdAt: string
  /** The first day without access, such as `2026-11-21`, or null. */
  expiresAt: string | null
  /**
   * Whether the level may differ from the directory's level. Present only for group memberships that a directory
   * synchronizes.
   */
  override?: boolean
  /**
   * The member's identity at the group's SAML provider, or null. Present only if the group has a provider and the viewer
   * can manage the group's members.
   */
  groupSamlIdentity?: SamlIdentity | null
}

/** The result of adding one user (`member`) or several users. */
export type AddMembersResult =
  | { readonly member: Member }
  | {
      readonly member: null
      readonly status: 'success' | 'error'
      /** Reasons why users were not added, by username. */
      readonly errors: Readonly<Record<string, string>>
    }
