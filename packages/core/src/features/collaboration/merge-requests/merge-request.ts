import type { Project } from '../../../contract/project.ts'
import type { UserSummary } from '../../accounts/users/user.ts'
import type { Pipeline } from '../../code/pipeline-records/pipeline.ts'
import type { LabelDetails } from '../../planning/labels/label.ts'
import type { Milestone } from '../../planning/milestones/milestone.ts'

/** A stored merge request without related records: enough for permission checks. */
export interface MergeRequestRecord {
  /** Unique on the instance. */
  id: number
  /** Number within the target project, from 1, as in `!7`. */
  iid: number
  /** Id of the target project. */
  projectId: number
  /**
   * Id of the project with the source branch: the target project, or another one of the same fork network. Null if it was removed,
   * and for users who cannot see it.
   */
  sourceProjectId: number | null
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
  /**
   * Whether the branches can be merged, from the last comparison. `unchecked` after a push to one of them, until the merge
   * request is read. Without a repository, `can_be_merged`.
   */
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
  /** Whether the merge combines the commits of the source branch, unless the project says otherwise. */
  squash: boolean
  /** Whether the merge removes the source branch. */
  removeSourceBranch: boolean
  /** Hexadecimal SHA of the merge commit. Null before the merge, and for merges without one. */
  mergeCommitSha: string | null
  /** Hexadecimal SHA of the commit that combines the commits of the source branch; null without one. */
  squashCommitSha: string | null
  /** Why the last rebase failed; null if it did not. */
  mergeError: string | null
  /** Whether it is merged as soon as its pipeline succeeds. Any change of its target, commits or approvals ends this. */
  mergeWhenPipelineSucceeds: boolean
  /** Estimated work in seconds; 0 for none. */
  timeEstimate: number
  /** Recorded work in seconds. */
  totalTimeSpent: number
  /** Whether those who may merge may also push to the source branch, if it is in a fork and both projects are not private. */
  allowCollaboration: boolean
  /** Time before which it cannot be merged: ISO 8601, UTC, with milliseconds; null for none. */
  mergeAfter: string | null
}

/** Whether it is too early for a merge. */
export const isTooEarly = ({ mergeAfter }: Pick<MergeRequestRecord, 'mergeAfter'>, now: string): boolean =>
  mergeAfter !== null && mergeAfter > now

/** Whether the source branch is in another project, or was until that project was removed. */
export const isFromFork = ({
  projectId,
  sourceProjectId,
}: Pick<MergeRequestRecord, 'projectId' | 'sourceProjectId'>): boolean => sourceProjectId !== projectId

/** A merge that happens when the pipeline succeeds: who set it, what that user has seen, and the choices of that user. */
export interface AutoMerge {
  /** Null: the host. */
  readonly userId: number | null
  /** The target branch when it was set; another one needs a new decision. */
  readonly targetBranch: string
  /** The tip of the source branch when it was set, in hexadecimal; null without a repository. No other commit is merged. */
  readonly sha: string | null
  readonly mergeCommitMessage?: string | undefined
  readonly squashCommitMessage?: string | undefined
  readonly squash?: boolean | undefined
  readonly shouldRemoveSourceBranch?: boolean | undefined
}

/** What happened to the waiting of a merge request for its pipeline. */
export type AutoMergeChange =
  | {
      /** A user has set it to merge when the pipeline succeeds. */
      readonly action: 'enabled'
      /** The commit that is merged, in hexadecimal; null without a repository. */
      readonly sha: string | null
    }
  | {
      /** A user has ended the waiting. */
      readonly action: 'canceled'
    }
  | {
      /** A change of the merge request has ended the waiting, or the merge was not possible. */
      readonly action: 'aborted'
      /** A clause such as `source branch was updated`. */
      readonly reason: string
    }

/** The commits between which the diffs of a merge request are taken. */
export interface DiffRefs {
  /** Hexadecimal SHA of the merge base of the branches; diffs start here. */
  baseSha: string
  /** Hexadecimal SHA of the tip of the source branch; diffs end here. */
  headSha: string
  /** Hexadecimal SHA of the tip of the target branch. */
  startSha: string
}

/** How far a reviewer is, without an approval. */
export type ReviewState = 'unreviewed' | 'review_started' | 'reviewed' | 'requested_changes' | 'unapproved'

/** The result of a rebase. */
export interface Rebase {
  /** Why the rebase failed; null if it succeeded. */
  mergeError: string | null
}

/** A user who is requested to review a merge request. */
export interface Reviewer {
  /** The reviewer. */
  user: UserSummary
  /**
   * `approved` if the reviewer has approved the merge request, `unapproved` if the approval was removed, `review_started` with draft
   * notes, `reviewed` after they were published, `requested_changes` after that, too.
   */
  state: ReviewState | 'approved'
  /** When the review was requested: ISO 8601, UTC, with milliseconds. */
  createdAt: string
}

/**
 * Whether a merge request can be merged, and if not, the first reason: it is not open, its time has not come, its branches were not compared since the
 * last push, it is a draft, a branch is missing or has no new commits, a discussion is not resolved, an approval is missing, a
 * reviewer has requested changes (in the paid tier), a
 * pipeline that the project requires has not succeeded or still runs, the branches have conflicts, or the source branch does not contain the target branch.
 */
export type DetailedMergeStatus =
  | 'mergeable'
  | 'not_open'
  | 'merge_time'
  | 'unchecked'
  | 'draft_status'
  | 'commits_status'
  | 'discussions_not_resolved'
  | 'not_approved'
  | 'requested_changes'
  | 'title_regex'
  | 'ci_must_pass'
  | 'ci_still_running'
  | 'conflict'
  | 'need_rebase'

/** Whether members of the target project could be allowed to push to the source branch. */
export const canCollaborate = (source: Project, target: Project): boolean =>
  source.id !== target.id && source.visibility !== 'private' && target.visibility !== 'private'

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
  /** The labels with their colors, in the same order. Only in lists with `withLabelsDetails`. */
  labelDetails?: readonly LabelDetails[]
  /** A milestone of the project or of a group above it; null without one. */
  milestone: Milestone | null
  /** Number of `thumbsup` reactions. */
  upvotes: number
  /** Number of `thumbsdown` reactions. */
  downvotes: number
  /** Number of comments that the current user can read, without system notes. */
  userNotesCount: number
  /** Full path of the target project. */
  projectPath: string
  /** Where the list is that contains it: the full path of a group, or an empty text for all projects. Omitted in a project. */
  listedIn?: string
  /** Whether the source branch is in another project, or was until that project was removed. */
  fromFork: boolean
  /** Whether the title starts with `Draft:`, `WIP:` or another mark of a draft. */
  workInProgress: boolean
  /** The requested reviewers, ordered by id; empty without any. */
  reviewers: readonly UserSummary[]
  /** Hexadecimal SHA of the newest known commit of the source branch. Null if a branch or the repository is missing. */
  sha: string | null
  /** The commits between which diffs are taken. Null if a branch or the repository is missing. */
  diffRefs: DiffRefs | null
  /** The newest pipeline for the newest known commit; null without one. */
  headPipeline: Pipeline | null
  /** Number of changed files, with a `+` if there are more than are counted; null if a branch is missing. */
  changesCount: string | null
  /** Whether it can be merged, or the first reason why not. */
  detailedMergeStatus: DetailedMergeStatus
  /** Whether the branches have conflicting changes, according to their last comparison. */
  hasConflicts: boolean
  /** Whether no discussion that must be resolved is open. */
  blockingDiscussionsResolved: boolean
  /** Whether a merge combines the commits of the source branch, with the setting of the project. */
  squashOnMerge: boolean
}

/** A merge request and what the current user may do with it. */
export interface MergeRequestDetails extends MergeRequest {
  /** Whether the current user may merge the merge request, once it can be merged. */
  canMerge: boolean
  /** Whether the current user gets notifications: as a participant or by subscription. */
  subscribed: boolean
  /**
   * When the first deployment with its commits to an environment of the tier `production` ended: ISO 8601, UTC, with milliseconds.
   * Null without one, and for users who cannot read deployments.
   */
  firstDeployedToProductionAt: string | null
  /** The title as HTML with links of references; only on request. */
  titleHtml?: string
  /** The description as sanitized HTML; only on request. */
  descriptionHtml?: string
  /**
   * Number of commits of the target branch that the source branch does not contain; only on request, and null if a branch is
   * missing.
   */
  divergedCommitsCount?: number | null
}

/** The marks of a draft at the start of a title, in lowercase. */
export const draftPrefixes = ['draft:', 'wip:', '[draft]', '[wip]', '(draft)'] as const

/** Whether a title starts with `WIP:`, `[WIP]`, `Draft:`, `[Draft]` or `(Draft)`. */
export const isWorkInProgress = (title: string): boolean => {
  const start = title.trimStart().toLowerCase()
  return draftPrefixes.some((prefix) => start.startsWith(prefix))
}
