import type { Issue, IssueDetails } from '../issues/issue.ts'

export const issueLinkTypes = ['relates_to', 'blocks', 'is_blocked_by'] as const

export type IssueLinkType = (typeof issueLinkTypes)[number]

/** An issue that another issue is linked to. */
export interface LinkedIssue extends Issue {
  /** Id of the link, for its removal. */
  issueLinkId: number
  /** `relates_to`; or `blocks` or `is_blocked_by`, from the side of the other issue. */
  linkType: IssueLinkType
  /** When the link was created: ISO 8601, UTC, with milliseconds. */
  linkCreatedAt: string
  /** When the link was last changed: ISO 8601, UTC, with milliseconds. */
  linkUpdatedAt: string
}

/** A link between two issues. */
export interface IssueLink {
  /** Unique among links. */
  id: number
  /** The issue on which the link was created. */
  sourceIssue: IssueDetails
  /** The other issue. */
  targetIssue: IssueDetails
  /** `relates_to`, `blocks` or `is_blocked_by`, from the side of `sourceIssue`. */
  linkType: IssueLinkType
}
