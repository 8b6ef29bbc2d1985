/** The state of one read replica, as one process sees it. */
export interface ReplicaState {
  /** The host, port and database, without credentials; `replica 2` for a pool. */
  readonly name: string
  /** `behind`: it has not replayed the latest changes in time. `down`: it cannot be used. */
  readonly status: 'used' | 'behind' | 'down'
  /** Why it is down. */
  readonly error: string | null
  /** The bytes of the log that it has not replayed; null if it is down. */
  readonly lagBytes: number | null
  /** The reads that this process has sent to it. */
  readonly reads: number
}
