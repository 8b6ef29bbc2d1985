import type { UserSummary } from '../accounts/user.ts'
import type { Milestone } from '../milestones/milestone.ts'

/** A stored merge request without related records: enough for permission checks. */
export interface MergeRequestRecord {
  /** Unique on the instance. */
  id: number
  /** Number within the target project, from 1, as in `!7`. */
  iid: number
  /** Id of the target project. */
  projectId: number
  /** Id of the project with the source branch; always equal to `projectId`. */
  sourceProjectId: number
  /** Id of the user who opened the merge request. */
  authorId: number
  /** 1 to 255 characters. A title that starts with `Draft:` or `WIP:` marks a draft. */
  title: string
  /** Text in Markdown, at most 1,000,000 characters; null without one. */
  description: string | null
  /** `opened`, `closed` without a merge, or `merged`. */
  state: 'opened' | 'closed' | 'merged'
  /** Name of the branch with the changes. It may be missing in the repository. */
  sourceBranch: string
  /** Name of the branch that receives the changes. */
  targetBranch: string
  /** Whether only members of the project can comment. */
  discussionLocked: boolean
  /** Id of the milestone; null without one. */
  milestoneId: number | null
  /** Whether the branches can be merged. A new merge request is `can_be_merged`; the repository is not examined. */
  mergeStatus: 'unchecked' | 'can_be_merged' | 'cannot_be_merged'
  /** When it was opened: ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** When it or one of its comments was last changed: ISO 8601, UTC, with milliseconds. */
  updatedAt: string
  /** When it was merged: ISO 8601, UTC, with milliseconds. Null unless the state is `merged`. */
  mergedAt: string | null
  /** Id of the user who merged it. Null unless the state is `merged`, and for merges by the host application. */
  mergedById: number | null
  /** When it was closed: ISO 8601, UTC, with milliseconds. Null unless the state is `closed`. */
  closedAt: string | null
  /** Id of the user who closed it. Null unless the state is `closed`, and if the host application closed it. */
  closedById: number | null
  /** Estimated work in seconds; 0 for none. */
  timeEstimate: number
  /** Recorded work in seconds. */
  totalTimeSpent: number
}

/** A merge request with its related records. */
export interface MergeRequest extends MergeRequestRecord {
  /** The user who opened the merge request. */
  author: UserSummary
  /** Assigned users by id; empty without any. */
  assignees: readonly UserSummary[]
  /** The user who merged it; null as described for `mergedById`. */
  mergedBy: UserSummary | null
  /** The user who closed it; null as described for `closedById`. */
  closedBy: UserSummary | null
  /** Label names, in alphabetical order. */
  labels: readonly string[]
  /** A milestone of the project or of a group above it; null without one. */
  milestone: Milestone | null
  /** Number of `thumbsup` reactions. */
  upvotes: number
  /** Number of `thumbsdown` reactions. */
  downvotes: number
  /** Number of comments that the caller can read, without system notes. */
  userNotesCount: number
  /** Full path of the target project. */
  projectPath: string
  /** Whether the title starts with `Draft:`, `WIP:` or another mark of a draft. */
  workInProgress: boolean
}

/** The marks of a draft at the start of a title, in lowercase. */
export const draftPrefixes = ['draft:', 'wip:', '[draft]', '[wip]', '(draft)'] as const

/** Whether a title starts with `WIP:`, `[WIP]`, `Draft:`, `[Draft]` or `(Draft)`. */
export const isWorkInProgress = (title: string): boolean => {
  const start = title.trimStart().toLowerCase()
  return draftPrefixes.some((prefix) => start.startsWith(prefix))
}
