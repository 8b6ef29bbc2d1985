import type { UserSummary } from '../accounts/user.ts'

/** An emoji that a user gave to an issue or a merge request. */
export interface Award {
  id: number
  /** Without colons: `thumbsup`. */
  name: string
  user: UserSummary
  createdAt: string
  awardableId: number
  awardableType: 'Issue' | 'MergeRequest'
}

export interface AwardResult extends Award {
  /** False if the user had already given the emoji. */
  changed: boolean
}
