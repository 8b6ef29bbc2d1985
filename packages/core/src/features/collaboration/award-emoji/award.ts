import type { UserSummary } from '../../accounts/users/user.ts'

/** An emoji that a user gave to an issue, a merge request, a note, a snippet or an epic. */
export interface Award {
  /** Unique among all emoji. */
  id: number
  /** Emoji name without colons: `thumbsup`. */
  name: string
  /** The user who gave the emoji. */
  user: UserSummary
  /** Time of creation; ISO 8601 in UTC with milliseconds. */
  createdAt: string
  /** Id, not iid, of the item. */
  awardableId: number
  /** Kind of the item. */
  awardableType: 'Issue' | 'MergeRequest' | 'Note' | 'Snippet' | 'Epic'
}

/** The emoji after an attempt to give it. */
export interface AwardResult extends Award {
  /** False if the user had already given the emoji. */
  changed: boolean
}
