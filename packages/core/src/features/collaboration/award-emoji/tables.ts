import type { Generated } from 'kysely'

export interface AwardEmojiTables {
  /** An emoji that a user gave to exactly one of an issue, a merge request, a note, a snippet and an epic. */
  awardEmoji: {
    id: Generated<number>
    userId: number
    /** Without colons: `thumbsup`. */
    name: string
    issueId: number | null
    mergeRequestId: number | null
    noteId: number | null
    snippetId: number | null
    epicId: number | null
    createdAt: string
  }
}
