import type { Generated, GeneratedAlways } from 'kysely'

/** What triggers keep on the links of an issue, so that links can be counted alone. */
interface IssueFacts {
  projectId: GeneratedAlways<number>
  state: GeneratedAlways<'opened' | 'closed'>
  confidential: GeneratedAlways<boolean>
}

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
  issueAssignee: IssueFacts & { issueId: number; userId: number }
  issueLabel: IssueFacts & { issueId: number; labelId: number }
  /** How many issues a project has, kept by triggers: public ones and, apart from them, confidential ones. No row for none. */
  issueCount: { projectId: number; opened: number; closed: number; secretOpened: number; secretClosed: number }
}
