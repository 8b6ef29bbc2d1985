import type { Group } from '../../../contract/namespace.ts'
import type { UserSummary } from '../../accounts/users/user.ts'
import type { ProjectRecord } from '../../spaces/projects/project-record.ts'
import type { Milestone } from '../milestones/milestone.ts'

/** A label of a board. */
export interface BoardLabel {
  /** Id of the label on the instance. */
  id: number
  /** Name of the label. */
  name: string
  /** Color of the label: `#5CB85C`. */
  color: string
  /** Text of the label; null for none. */
  description: string | null
}

/** A column of a board: the issues with a label, a milestone or an assignee. */
export interface BoardList {
  /** Id of the list on the instance. */
  id: number
  /** Label of its issues; null for a list of another kind. */
  label: BoardLabel | null
  /** Milestone of its issues; null for a list of another kind. */
  milestone: Milestone | null
  /** Assignee of its issues; null for a list of another kind. */
  assignee: UserSummary | null
  /** Place from the left, from 0. */
  position: number
}

/** An issue board: columns of issues. */
export interface Board {
  /** Id of the board on the instance. */
  id: number
  /** Name of the board. */
  name: string
  /** Whether the list of open issues without a list of their own is hidden. */
  hideBacklogList: boolean
  /** Whether the list of closed issues is hidden. */
  hideClosedList: boolean
  /** Project of the board; null for a board of a group. */
  project: ProjectRecord | null
  /** Group of the board; null for a board of a project. */
  group: Group | null
  /** Milestone of the issues of the board; null for any. */
  milestone: Milestone | null
  /** Assignee of the issues of the board; null for any. */
  assignee: UserSummary | null
  /** Labels that all issues of the board have. */
  labels: readonly BoardLabel[]
  /** Weight of the issues of the board; null for any. */
  weight: number | null
  /** Columns, from left to right. */
  lists: readonly BoardList[]
}
