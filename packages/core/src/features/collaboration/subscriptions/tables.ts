import type { Generated } from 'kysely'

export interface SubscriptionTables {
  /** The choice of a user for exactly one of an issue, a merge request and an epic. Without a row, participants are subscribed. */
  subscription: {
    id: Generated<number>
    userId: number
    issueId: number | null
    mergeRequestId: number | null
    epicId: number | null
    subscribed: boolean
  }
}
