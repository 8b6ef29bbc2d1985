import type { UserSummary } from '../../accounts/users/user.ts'
import type { EpicDetails } from '../../planning/epics/epic.ts'
import type { IssueDetails } from '../../planning/issues/issue.ts'
import type { ProjectNamespace } from '../../spaces/projects/project-record.ts'
import type { MergeRequest } from '../merge-requests/merge-request.ts'

/** The causes of to-do items on issues, merge requests and epics. */
export const itemActions = [
  'assigned',
  'mentioned',
  'build_failed',
  'marked',
  'approval_required',
  'unmergeable',
  'directly_addressed',
  'review_requested',
] as const

/** Each mention opens a to-do item of its own. */
export const mentionActions = ['mentioned', 'directly_addressed'] as const satisfies readonly TodoAction[]

/** A user requests access to a project or group: the only cause with such a target. */
export const accessRequested = 'member_access_requested'

export type TodoAction = (typeof itemActions)[number] | typeof accessRequested

/** The values of filters in the GitLab API. The platform has no merge trains. */
export const filterActions = [...itemActions, accessRequested, 'merge_train_removed'] as const

/** The kinds of targets that exist. */
export type TodoTargetType = 'Issue' | 'MergeRequest' | 'Epic' | 'Project' | 'Namespace'

/** The values of filters in the GitLab API. No to-do item has a target of the last kinds. */
export const filterTargetTypes = [
  ...(['Issue', 'MergeRequest', 'Epic', 'Project', 'Namespace'] as const satisfies readonly TodoTargetType[]),
  'Commit',
  'DesignManagement::Design',
  'AlertManagement::Alert',
  'Vulnerability',
  'WikiPage::Meta',
] as const

/** The project of a todo. */
export interface TodoProject {
  /** Id of the project. */
  id: number
  /** Description of the project in Markdown; null without one. */
  description: string | null
  /** Name of the project, for display. */
  name: string
  /** Names of all ancestor groups and of the project, joined with ` / `. */
  nameWithNamespace: string
  /** Last segment of the project's path. */
  path: string
  /** Full path of the project: `acme/web`. */
  pathWithNamespace: string
  /** When the project was created: ISO 8601, UTC, with milliseconds. */
  createdAt: string
}

export interface TodoBase {
  /** Unique on the instance. */
  id: number
  /** Project of the target; omitted for an epic and a group. */
  project?: TodoProject
  /** Group of an epic, or the group itself; omitted for other targets. */
  group?: ProjectNamespace
  /** The user who caused the todo. */
  author: UserSummary
  /**
   * Cause of the to-do item: `assigned`; `review_requested`; `mentioned`; `directly_addressed` at the beginning of a text; `marked` by
   * the user; `approval_required`: a rule names the user as an approver; `build_failed` and `unmergeable`, because of conflicts, of
   * the author's merge request, or of one that the user has set to merge automatically; `member_access_requested` for owners.
   */
  actionName: TodoAction
  /** Id of the note that caused the todo; null for another cause. */
  noteId: number | null
  /** The current text of the note, or the current title of the target; the full path of a project or group. */
  body: string
  /** `pending` until the user marks it as done or acts on the target. */
  state: 'pending' | 'done'
  /** When it was created: ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** When it was last changed: ISO 8601, UTC, with milliseconds. */
  updatedAt: string
}

/** A merge request as the target of a todo. */
export interface MergeRequestTarget extends MergeRequest {
  /** Whether the current user gets notifications: as a participant or by subscription. */
  subscribed: boolean
}

type TodoTargetFields =
  | {
      /** Kind of the target: an issue. */
      targetType: 'Issue'
      /** The issue, as the current user sees it. */
      target: IssueDetails
    }
  | {
      /** Kind of the target: a merge request. */
      targetType: 'MergeRequest'
      /** The merge request, as the current user sees it. */
      target: MergeRequestTarget
    }
  | {
      /** Kind of the target: an epic. */
      targetType: 'Epic'
      /** The epic, as the current user sees it. */
      target: EpicDetails
    }
  | {
      /** Kind of the target: a project. */
      targetType: 'Project'
      /** The project to which a user requests access. */
      target: TodoProject
    }
  | {
      /** Kind of the target: a group. */
      targetType: 'Namespace'
      /** The group to which a user requests access. */
      target: ProjectNamespace
    }

/** Specification 1, "Todo". */
export type Todo = TodoBase & TodoTargetFields

/** Number of a user's todos with readable targets. */
export interface TodoCounts {
  /** Number of open issues that are assigned to the user. */
  assignedIssues: number
  /** Number of open merge requests that are assigned to the user. */
  assignedMergeRequests: number
  /** Number of open merge requests that the user is to review. */
  reviewRequestedMergeRequests: number
  /** Number of todos that are not done. */
  pending: number
  /** Number of todos that are done. */
  done: number
}
