import type { UserSummary } from '../../accounts/users/user.ts'
import type { Member } from '../members/member.ts'

/** A user who requests membership. */
export interface AccessRequest extends UserSummary {
  /** Time of the request; ISO 8601 in UTC with milliseconds. */
  createdAt: string
  /** The same instant as `createdAt`. */
  requestedAt: string
}

/** The new member after an approval. */
export interface ApprovedRequest extends Member {
  /** Time of the request, not of the approval; ISO 8601 in UTC with milliseconds. */
  createdAt: string
}
