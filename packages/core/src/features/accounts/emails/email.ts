/** An e-mail address of a user in addition to the primary one. */
export interface EmailAddress {
  /** Unique among these addresses. */
  id: number
  /** The address in its original case; unique regardless of case. */
  email: string
  /** When it was confirmed: ISO 8601, UTC, with milliseconds; null if it was not. Only confirmed addresses receive mail. */
  confirmedAt: string | null
}
