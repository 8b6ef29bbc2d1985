import type { UserSummary } from '../accounts/user.ts'

/** An emoji that a user gave to an issue or a merge request. */
export interface Award {
  /** Unique among emoji of issues and merge requests. */
  id: number
  /** Emoji name without colons: `thumbsup`. */
  name: string
  /** The user who gave the emoji. */
  user: UserSummary
  /** Time of creation; ISO 8601 in UTC with milliseconds. */
  createdAt: string
  /** Id, not iid, of the issue or merge request. */
  awardableId: number
  /** Whether `awardableId` is the id of an issue or of a merge request. */
  awardableType: 'Issue' | 'MergeRequest'
}

/** The emoji after an attempt to give it. */
export interface AwardResult extends Award {
  /** False if the user had already given the emoji. */
  changed: boolean
}
