import type { Store } from './store.ts'

/** A job of the queue, without what it is about, which may be secret. */
export interface QueuedJob {
  /** Counted up; never used again. */
  readonly id: number
  /** What is to be done: `mirror.push`. */
  readonly kind: string
  /** `parked`: failed too often; kept for a person to look at. */
  readonly state: 'pending' | 'running' | 'parked'
  /** Not before this instant. */
  readonly runAfter: string
  /** How often it was tried. */
  readonly attempts: number
  /** What the last try failed with; null where none has failed. */
  readonly lastError: string | null
}

/** When the job that falls due first falls due; undefined when none of these kinds waits. */
export const nextDue = (store: Store, kinds: readonly string[]): Promise<string | undefined> =>
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

/** The first jobs of the queue, those that fall due first at the front; at most `limit`. */
export const queuedJobs = (store: Store, limit: number): Promise<readonly QueuedJob[]> =>
  store.read(({ db }) =>
    db
      .selectFrom('job')
      .orderBy('runAfter')
      .orderBy('id')
      .select(['id', 'kind', 'state', 'runAfter', 'attempts', 'lastError'])
      .limit(limit)
      .execute(),
  )
