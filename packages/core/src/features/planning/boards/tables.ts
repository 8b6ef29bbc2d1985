import type { Generated } from 'kysely'

export interface BoardTables {
  /** An issue board of exactly one of a project and a group. */
  board: {
    id: Generated<number>
    projectId: number | null
    groupId: number | null
    name: string
    hideBacklogList: boolean
    hideClosedList: boolean
    milestoneId: number | null
    assigneeId: number | null
    weight: number | null
    createdAt: string
  }
  /** The labels of the issues that a board shows. */
  boardLabel: { boardId: number; labelId: number }
  /** A column of a board, for exactly one of a label, a milestone and an assignee. */
  boardList: {
    id: Generated<number>
    boardId: number
    labelId: number | null
    milestoneId: number | null
    assigneeId: number | null
    /** Place from the left, from 0. */
    position: number
  }
}
