import type { Generated } from 'kysely'
import type { ItemState, ResourceAction, ResourceEventKind } from './resource-event.ts'

export interface ResourceEventTables {
  /** A change of the labels, the milestone, the state or the weight of exactly one issue, merge request or epic. */
  resourceEvent: {
    id: Generated<number>
    issueId: number | null
    mergeRequestId: number | null
    epicId: number | null
    /** Null for a change by the host application and for a removed user. */
    userId: number | null
    kind: ResourceEventKind
    action: ResourceAction
    /** Null for other kinds and for a removed label. */
    labelId: number | null
    /** Null for other kinds. */
    milestoneId: number | null
    /** The weight after the change; null for other kinds and for a removed weight. */
    weight: number | null
    /** The state of the item at the change of its milestone; null for other kinds. */
    state: ItemState | null
    createdAt: string
  }
}
