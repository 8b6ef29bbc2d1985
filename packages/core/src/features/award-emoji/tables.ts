import type { Generated } from 'kysely'

export interface AwardEmojiTables {
  /** An emoji given by a user to exactly one thing. */
  awardEmoji: {
    id: Generated<number>
    userId: number
    /** An emoji name without colons: `thumbsup`. */
    name: string
    issueId: number | null
    mergeRequestId: number | null
    createdAt: string
  }
}
