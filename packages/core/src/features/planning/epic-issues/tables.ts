import type { Generated } from 'kysely'

export interface EpicIssueTables {
  /** An issue of an epic. An issue is in at most one epic. */
  epicIssue: {
    id: Generated<number>
    epicId: number
    issueId: number
    /** Place among the issues of the epic; the smallest is the first. */
    relativePosition: number
  }
}
