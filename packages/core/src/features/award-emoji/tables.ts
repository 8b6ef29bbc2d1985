import type { Generated } from 'kysely'

export interface AwardEmojiTables {
  /** An emoji that a user gave to exactly one of an issue and a merge request. */
  awardEmoji: {
    id: Generated<number>
    userId: number
    /** Without colons: `thumbsup`. */
    name: string
    issueId: number | null
    mergeRequestId: number | null
    createdAt: string
  }
}
