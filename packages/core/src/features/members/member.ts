import type { UserSummary } from '../accounts/user.ts'

/** A user's direct membership of a project or a group. */
export interface Member extends UserSummary {
  /** 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner (groups only). */
  accessLevel: number
  /** The first day without access, `2026-11-21`, or null. */
  expiresAt: string | null
}
