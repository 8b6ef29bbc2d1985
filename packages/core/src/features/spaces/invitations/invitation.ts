/** An e-mail address without a user that is invited to a project or a group. */
export interface Invitation {
  /** Id of the invitation on the instance. */
  id: number
  /** The invited address, in its original case. */
  inviteEmail: string
  /** When the address was invited: ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** Level of the future member: 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner (groups only). */
  accessLevel: number
  /** The first day without access, such as `2026-11-21`; null for a membership without end. */
  expiresAt: string | null
  /** Name of the user who invited the address; null if it was the host or a removed user. */
  createdByName: string | null
}

/** The result of inviting users and e-mail addresses. */
export interface InvitationResult {
  /** `error` if at least one of them was rejected; the others are members or invited nevertheless. */
  readonly status: 'success' | 'error'
  /** Reasons of the rejections, by e-mail address, by username or, for an unknown user, by id. */
  readonly errors: Readonly<Record<string, string>>
}
