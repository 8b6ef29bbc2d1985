export const availabilities = ['not_set', 'busy'] as const

/** What a user says about the current situation. */
export interface UserStatus {
  /** Name of an emoji without colons: `coffee`. */
  emoji: string
  /** Plain text; empty for none. */
  message: string
  /** The message as HTML. */
  messageHtml: string
  /** `busy`, or `not_set`. */
  availability: (typeof availabilities)[number]
  /** When the status ends: ISO 8601, UTC, with milliseconds; null for a status without end. */
  clearStatusAt: string | null
}
