import type { UserSummary } from '../accounts/user.ts'

/** An epic without its relations, as stored. Sufficient for permission checks. */
export interface EpicRecord {
  id: number
  /** The epic number within the group. */
  iid: number
  groupId: number
  authorId: number
  title: string
  description: string | null
  state: 'opened' | 'closed'
  confidential: boolean
  createdAt: string
  updatedAt: string
  closedAt: string | null
  closedById: number | null
}

/** An epic with its users. */
export interface Epic extends EpicRecord {
  author: UserSummary
  closedBy: UserSummary | null
}
