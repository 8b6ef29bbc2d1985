import type { EventFeedState } from './event-feed.ts'
import type { ReplicaState } from './replica-state.ts'

/** The state of a store's schema and writes. */
export interface StoreState {
  /** The number of applied migrations. */
  readonly applied: number
  /** Migrations that are not applied yet. */
  readonly pending: readonly string[]
  /** Applied migrations that this version does not have: those of a newer version, or of one from before the first release. */
  readonly unknown: readonly string[]
  /** The number of writes that were retried because another process was writing, since this process opened the store. */
  readonly busyRetries: number
  /** The delivery of domain events; omitted on stores without a feed. */
  readonly events?: EventFeedState | undefined
  /** The read replicas; omitted on stores without any. */
  readonly replicas?: readonly ReplicaState[] | undefined
}
