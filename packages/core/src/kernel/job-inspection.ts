import type { Store } from './store.ts'

/** A job of the queue, without its payload, which may contain secrets. */
export interface QueuedJob {
  /** Increasing; never reused. */
  readonly id: number
  /** The kind of work: `remoteMirrors.push`. */
  readonly kind: string
  /** `parked`: failed 10 times; kept for an operator. */
  readonly state: 'pending' | 'running' | 'parked'
  /** The job does not run before this instant. */
  readonly runAfter: string
  /** The number of attempts so far. */
  readonly attempts: number
  /** The error message of the last attempt; null when it did not fail. */
  readonly lastError: string | null
}

/** When the next pending job of these kinds is due; undefined when there is none. */
export const findNextDueTime = (store: Store, kinds: readonly string[]): Promise<string | undefined> =>
  store.read(async ({ db }) => {
    const first = await db
      .selectFrom('job')
      .where('kind', 'in', kinds)
      .where('state', '=', 'pending')
      .orderBy('runAfter')
      .select('runAfter')
      .limit(1)
      .executeTakeFirst()
    return first?.runAfter
  })

/** At most `limit` jobs, those due first at the front. */
export const listQueuedJobs = (store: Store, limit: number): Promise<readonly QueuedJob[]> =>
  store.read(({ db }) =>
    db
      .selectFrom('job')
      .orderBy('runAfter')
      .orderBy('id')
      .select(['id', 'kind', 'state', 'runAfter', 'attempts', 'lastError'])
      .limit(limit)
      .execute(),
  )
