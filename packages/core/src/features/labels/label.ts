/** A label as one reader of a project sees it. */
export interface Label {
  id: number
  name: string
  /** `#` and hexadecimal digits: `#FF0000`. */
  color: string
  /** `#333333` on light colours, `#FFFFFF` on dark ones. */
  textColor: string
  description: string | null
  /** The description as one line of HTML; empty when there is none. */
  descriptionHtml: string
  /** The reader gets notifications of the label in this project. */
  subscribed: boolean
  /** The project's own order, 0 first; null when it has none. */
  priority: number | null
  /** False for a label of the project's group or of a group above. */
  isProjectLabel: boolean
  /** Present when counts were asked for: only what the reader may see, across the label's own scope. */
  openIssuesCount?: number
  closedIssuesCount?: number
  openMergeRequestsCount?: number
}

/** How many of the things that carry a label the reader may see. */
export type LabelCounts = Required<Pick<Label, 'openIssuesCount' | 'closedIssuesCount' | 'openMergeRequestsCount'>>

export const noCounts: LabelCounts = { openIssuesCount: 0, closedIssuesCount: 0, openMergeRequestsCount: 0 }
