import type { UserSummary } from '../accounts/user.ts'

/** An epic as it is stored: enough to judge who may do what. */
export interface EpicRecord {
  id: number
  /** Its number within the group. */
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

/** An epic with the people who are part of it. */
export interface Epic extends EpicRecord {
  author: UserSummary
  closedBy: UserSummary | null
}
