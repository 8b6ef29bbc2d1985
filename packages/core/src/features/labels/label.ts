/** A label, as the current user sees it in a project or a group. */
export interface Label {
  id: number
  name: string
  /** `#` and hexadecimal digits: `#FF0000`. */
  color: string
  /** `#333333` on light colors, `#FFFFFF` on dark ones. */
  textColor: string
  description: string | null
  /** The description as one line of HTML; empty without a description. */
  descriptionHtml: string
  /** Whether the current user is subscribed to the label in this project. */
  subscribed: boolean
  /** The position in the project's list of prioritized labels, from 0; null without a priority. */
  priority: number | null
  /** False for the label of a group. */
  isProjectLabel: boolean
  /** Only if counts are requested. A group label counts in all projects of the group that the current user may read. */
  openIssuesCount?: number
  closedIssuesCount?: number
  openMergeRequestsCount?: number
}

/** The number of issues and merge requests with a label that the current user may read. */
export type LabelCounts = Required<Pick<Label, 'openIssuesCount' | 'closedIssuesCount' | 'openMergeRequestsCount'>>

export const zeroCounts: LabelCounts = { openIssuesCount: 0, closedIssuesCount: 0, openMergeRequestsCount: 0 }
