import type { UserSummary } from '../accounts/user.ts'
import type { Epic } from '../epics/epic.ts'
import type { Issue } from '../issues/issue.ts'
import type { MergeRequest } from '../merge-requests/merge-request.ts'

/** Why a todo arose: specification 1, "Todos". */
export const todoActions = [
  'assigned',
  'mentioned',
  'build_failed',
  'marked',
  'approval_required',
  'unmergeable',
  'directly_addressed',
] as const

export type TodoAction = (typeof todoActions)[number]

export const todoTargetTypes = ['Issue', 'MergeRequest', 'Epic'] as const

/** What lists tell of a todo's project. */
export interface TodoProject {
  id: number
  description: string | null
  name: string
  /** Names of all groups above and its own, joined with ` / `. */
  nameWithNamespace: string
  path: string
  pathWithNamespace: string
  createdAt: string
}

/** What lists tell of the group of an epic's todo. */
export interface TodoGroup {
  id: number
  name: string
  path: string
  fullPath: string
}

/** What the reader has to do with a target, besides what it is. */
export interface Attention {
  /** The reader wrote it, is assigned to it, commented on it or was mentioned there. */
  subscribed: boolean
  /** Comments; records of changes do not count. */
  userNotesCount: number
}

export interface TodoBase {
  id: number
  /** Absent for an epic. */
  project?: TodoProject
  /** For an epic only. */
  group?: TodoGroup
  author: UserSummary
  actionName: TodoAction
  /** The note it came from. */
  noteId: number | null
  /** Text of that note, or else the title of the target; both as they are now. */
  body: string
  state: 'pending' | 'done'
  createdAt: string
  updatedAt: string
}

/** An issue somebody is asked to look at. */
export type IssueTarget = Issue & Attention
/** A merge request somebody is asked to look at. */
export type MergeRequestTarget = MergeRequest & Attention
/** An epic somebody is asked to look at. */
export type EpicTarget = Epic & Attention

type OnTarget =
  | { targetType: 'Issue'; target: IssueTarget }
  | { targetType: 'MergeRequest'; target: MergeRequestTarget }
  | { targetType: 'Epic'; target: EpicTarget }

/** A todo as its owner reads it: specification 1, "Todo". */
export type Todo = TodoBase & OnTarget

/** How many todos on readable things a user has. */
export interface TodoCounts {
  pending: number
  done: number
}
