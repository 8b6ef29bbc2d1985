import type { UserSummary } from '../accounts/user.ts'
import type { Member } from '../members/member.ts'

/** Somebody who asks to become a member. */
export interface AccessRequest extends UserSummary {
  createdAt: string
  /** The same instant as `createdAt`. */
  requestedAt: string
}

/** Somebody whose request was granted. */
export interface ApprovedRequest extends Member {
  /** When they asked. */
  createdAt: string
}
