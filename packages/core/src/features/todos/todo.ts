import type { UserSummary } from '../accounts/user.ts'
import type { Epic } from '../epics/epic.ts'
import type { Issue } from '../issues/issue.ts'
import type { MergeRequest } from '../merge-requests/merge-request.ts'

/** The causes of todos: specification 1, "Todos". */
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

/** The project of a todo. */
export interface TodoProject {
  id: number
  description: string | null
  name: string
  /** Names of all ancestor groups and of the project, joined with ` / `. */
  nameWithNamespace: string
  path: string
  pathWithNamespace: string
  createdAt: string
}

/** The group of an epic. */
export interface TodoGroup {
  id: number
  name: string
  path: string
  fullPath: string
}

/** Fields of a target that depend on the current user or on its notes. */
export interface Participation {
  /** The current user is the author, an assignee, a commenter or was mentioned. */
  subscribed: boolean
  /** Number of comments, without system notes. */
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
  /** The note that caused the todo. */
  noteId: number | null
  /** The current text of the note, or the current title of the target. */
  body: string
  state: 'pending' | 'done'
  createdAt: string
  updatedAt: string
}

/** An issue as the target of a todo. */
export type IssueTarget = Issue & Participation
/** A merge request as the target of a todo. */
export type MergeRequestTarget = MergeRequest & Participation
/** An epic as the target of a todo. */
export type EpicTarget = Epic & Participation

type TodoTargetFields =
  | { targetType: 'Issue'; target: IssueTarget }
  | { targetType: 'MergeRequest'; target: MergeRequestTarget }
  | { targetType: 'Epic'; target: EpicTarget }

/** Specification 1, "Todo". */
export type Todo = TodoBase & TodoTargetFields

/** Number of a user's todos with readable targets. */
export interface TodoCounts {
  pending: number
  done: number
}
