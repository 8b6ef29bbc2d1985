import type { UserSummary } from '../accounts/user.ts'

/** An emoji that somebody gave to an issue or a merge request. */
export interface Award {
  id: number
  /** Without colons: `thumbsup`. */
  name: string
  user: UserSummary
  createdAt: string
  awardableId: number
  awardableType: 'Issue' | 'MergeRequest'
}

/** `changed` is false for one that the same user had given before. */
export interface GivenAward extends Award {
  changed: boolean
}
