import type { Generated } from 'kysely'

export interface IssueTables {
  issue: {
    id: Generated<number>
    iid: number
    projectId: number
    authorId: number
    title: string
    description: string | null
    state: 'opened' | 'closed'
    confidential: boolean
    discussionLocked: boolean
    milestoneId: number | null
    dueDate: string | null
    createdAt: string
    updatedAt: string
    closedAt: string | null
    closedById: number | null
  }
  issueAssignee: { issueId: number; userId: number }
  issueLabel: { issueId: number; labelId: number }
}
