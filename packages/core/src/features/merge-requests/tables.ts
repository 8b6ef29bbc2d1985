import type { Generated } from 'kysely'

export interface MergeRequestTables {
  mergeRequest: {
    id: Generated<number>
    iid: number
    /** The project that is to receive the changes. */
    projectId: number
    sourceProjectId: number
    authorId: number
    title: string
    description: string | null
    state: 'opened' | 'closed' | 'merged'
    sourceBranch: string
    targetBranch: string
    discussionLocked: boolean
    milestoneId: number | null
    mergeStatus: 'unchecked' | 'can_be_merged' | 'cannot_be_merged'
    createdAt: string
    updatedAt: string
    mergedAt: string | null
    mergedById: number | null
    closedAt: string | null
    closedById: number | null
  }
  mergeRequestAssignee: { mergeRequestId: number; userId: number }
  mergeRequestLabel: { mergeRequestId: number; labelId: number }
}
