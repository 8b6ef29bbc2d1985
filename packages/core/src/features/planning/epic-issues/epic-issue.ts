import type { Epic } from '../epics/epic.ts'
import type { Issue, IssueDetails } from '../issues/issue.ts'

/** An issue in the list of an epic. */
export interface EpicIssue extends IssueDetails {
  /** Id of the link between the issue and the epic. */
  epicIssueId: number
  /** Place in the epic: the smallest number is the first. */
  relativePosition: number
}

/** The link between an issue and its epic. */
export interface EpicIssueLink {
  /** Unique among the links of all epics. */
  id: number
  /** The epic that contains the issue. */
  epic: Epic
  /** The issue of a project of the group or its subgroups. */
  issue: Issue
}
