/** A label of an issue or a merge request. */
export interface LabelDetails {
  /** Unique among labels of projects and groups; changes when the label is promoted. */
  id: number
  /** Unique within the project or group; case-sensitive, at most 255 characters. */
  name: string
  /** `#` and 6 hexadecimal digits: `#FF0000`. */
  color: string
  /** Readable color for text on `color`: `#333333` on light colors, `#FFFFFF` on dark ones. */
  textColor: string
  /** One line of Markdown; null for none. */
  description: string | null
  /** The description as one line of sanitized HTML; empty without a description. */
  descriptionHtml: string
}

/** A label, as the current user sees it in a project or a group. */
export interface Label extends LabelDetails {
  /** Whether the current user is subscribed to the label in this project or group. */
  subscribed: boolean
  /** Position in the prioritized labels of the project, from 0; null without a priority. */
  priority: number | null
  /** Whether the label belongs to a project; false for the label of a group. */
  isProjectLabel: boolean
  /**
   * Number of open issues with the label that the current user can read, for a group label in all projects of the group. Omitted
   * in lists without `withCounts`.
   */
  openIssuesCount?: number
  /** Number of closed issues with the label that the current user can read. Omitted in lists without `withCounts`. */
  closedIssuesCount?: number
  /** Number of open merge requests with the label that the current user can read. Omitted in lists without `withCounts`. */
  openMergeRequestsCount?: number
}

/** The number of issues and merge requests with a label that the current user may read. */
export type LabelCounts = Required<Pick<Label, 'openIssuesCount' | 'closedIssuesCount' | 'openMergeRequestsCount'>>

export const zeroCounts: LabelCounts = { openIssuesCount: 0, closedIssuesCount: 0, openMergeRequestsCount: 0 }

/** A label after a change of the current user's subscription. */
export interface LabelSubscription {
  /**
   * Whether the subscription changed: false if the current user already was, or was not, subscribed, and for the host, which has
   * no subscriptions.
   */
  changed: boolean
  /** The label after the change. */
  label: Label
}
