import type { UserSummary } from '../accounts/user.ts'
import type { SamlIdentity } from '../sso/identity.ts'

/** A user's membership of a project or a group: a direct one, or the one that counts among several. */
export interface Member extends UserSummary {
  /** 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner (groups only). */
  accessLevel: number
  /** The first day without access, `2026-11-21`, or null. */
  expiresAt: string | null
  /**
   * Whether the level may differ from the one that the directory gives. Only for memberships of groups that a directory
   * keeps in step.
   */
  override?: boolean
  /**
   * What the group's provider of single sign-on calls them, null for nothing. Only for groups that have a provider, and
   * only for those who administer the group.
   */
  groupSamlIdentity?: SamlIdentity | null
}

/** What came of adding one user or several. */
export type Joined =
  | { readonly member: Member }
  | {
      readonly member: null
      readonly status: 'success' | 'error'
      /** Why users did not become members, by username. */
      readonly refused: Readonly<Record<string, string>>
    }
