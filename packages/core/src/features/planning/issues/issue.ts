import type { UserSummary } from '../../accounts/users/user.ts'
import type { LabelDetails } from '../labels/label.ts'
import type { Milestone } from '../milestones/milestone.ts'

export const issueTypes = ['issue', 'incident', 'test_case', 'task'] as const

export type IssueType = (typeof issueTypes)[number]

export const healthStatuses = ['on_track', 'needs_attention', 'at_risk'] as const

export type HealthStatus = (typeof healthStatuses)[number]

/** An issue without its relations, as stored. Sufficient for permission checks. */
export interface IssueRecord {
  /** Unique among issues; operations and URLs use `iid`. */
  id: number
  /** Number of the issue within the project, from 1. */
  iid: number
  /** Id of the project that contains the issue. */
  projectId: number
  /** Id of the user who created the issue. */
  authorId: number
  /** Not blank, at most 255 characters. */
  title: string
  /** Markdown, at most 1,000,000 characters; null for none. */
  description: string | null
  /** Whether the issue is open or closed; a new one is open. */
  state: 'opened' | 'closed'
  /** Kind of issue. */
  issueType: IssueType
  /** Whether only the author, assignees, and reporters and above can read the issue. */
  confidential: boolean
  /** Whether only members of the project can comment. */
  discussionLocked: boolean
  /** Id of the milestone; null for none. */
  milestoneId: number | null
  /** Day such as `2026-11-21`; null for none. */
  dueDate: string | null
  /** Estimated effort in units of the team, from 0; null for none. */
  weight: number | null
  /** Time of creation; ISO 8601 in UTC with milliseconds. */
  createdAt: string
  /** Time of the last change or comment; ISO 8601 in UTC with milliseconds. */
  updatedAt: string
  /** Time of the closing, ISO 8601 in UTC with milliseconds; null while the issue is open. */
  closedAt: string | null
  /** User id of who closed the issue; null while it is open, or if the host closed it. */
  closedById: number | null
  /** Estimated work in seconds; 0 for none. */
  timeEstimate: number
  /** Recorded work in seconds. */
  totalTimeSpent: number
  /** Id of the issue that replaced this one when it was moved to another project; null for none. */
  movedToId: number | null
  /** How likely the issue is done in time; null if unknown. */
  healthStatus: HealthStatus | null
}

/** The epic that contains an issue. */
export interface IssueEpic {
  /** Id of the epic on the instance. */
  id: number
  /** Number of the epic in its group. */
  iid: number
  /** Title of the epic. */
  title: string
  /** Id of the group of the epic. */
  groupId: number
  /** Full path of that group. */
  groupPath: string
}

/** An issue with its relations. */
export interface Issue extends IssueRecord {
  /** The epic that contains the issue; null for none, for one that the current user cannot read, and without the paid tier. */
  epic: IssueEpic | null
  /** Number of merge requests that the current user can read and whose title or description closes the issue. */
  mergeRequestsCount: number
  /** Number of open issues that this issue blocks. */
  blockingIssuesCount: number
  /** The user who created the issue. */
  author: UserSummary
  /** The assigned users, ordered by id. */
  assignees: readonly UserSummary[]
  /** The user who closed the issue; null while it is open, or if the host closed it. */
  closedBy: UserSummary | null
  /** Label names in alphabetical order. */
  labels: readonly string[]
  /** The labels with their colors, in the same order. Only in lists with `withLabelsDetails`. */
  labelDetails?: readonly LabelDetails[]
  /** A milestone of the project or of a group above it; null for none. */
  milestone: Milestone | null
  /** Number of `thumbsup` emoji. */
  upvotes: number
  /** Number of `thumbsdown` emoji. */
  downvotes: number
  /** Number of comments that the current user can read, without system notes. */
  userNotesCount: number
  /** Full path of the project: `acme/web`. */
  projectPath: string
  /** Where the list is that contains it: the full path of a group, or an empty text for all projects. Omitted in a project. */
  listedIn?: string
}

/** An issue as one of its readers sees it. */
export interface IssueDetails extends Issue {
  /** Whether the current user gets notifications of the issue: as the author, an assignee, a commenter or by subscription. */
  subscribed: boolean
}

/** The discussions of a merge request that an issue continues. */
export interface FollowUp {
  /** Number of the merge request in the project of the issue. */
  readonly mergeRequest: number
  /** Ids of the first notes of the discussions. */
  readonly discussions: readonly number[]
}
