import type { Handle } from './store.ts'

/** What a store says about itself. */
export interface StoreState {
  /** How many migrations have run. */
  readonly applied: number
  /** Migrations that have not run yet. */
  readonly pending: readonly string[]
  /** Migrations of a newer version that have run. */
  readonly newer: readonly string[]
  /** How often a write had to begin anew because another process was writing, since this one opened the store. */
  readonly busyRetries: number
}

/** How the work after commits stands. */
export interface JobCounts {
  /** Due or for later, those that failed and will be tried again included. */
  readonly waiting: number
  /** Taken by a process that has not finished yet, or that died less than a lease ago. */
  readonly running: number
  /** Failed too often; a person has to look at them. */
  readonly parked: number
  /** For how many seconds the one that is due longest has been due; null where none is due. */
  readonly oldestDueSeconds: number | null
}

/** How a platform is, for health checks and figures. */
export interface Vitals {
  /** The schema, and how often writers were in the way of each other. */
  readonly store: StoreState
  /** The queue. All zero before the first migration. */
  readonly jobs: JobCounts
}

const emptyCounts = { pending: 0, running: 0, parked: 0 }

/** Counts the jobs by state. */
export async function countJobs({ db }: Handle, now: string): Promise<JobCounts> {
  const rows = await db
    .selectFrom('job')
    .groupBy('state')
    .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
    .execute()
  const counts = { ...emptyCounts }
  for (const { state, count } of rows) counts[state] = count
  const oldest = await db
    .selectFrom('job')
    .where('state', '=', 'pending')
    .where('runAfter', '<=', now)
    .orderBy('runAfter')
    .select('runAfter')
    .limit(1)
    .executeTakeFirst()
  return {
    waiting: counts.pending,
    running: counts.running,
    parked: counts.parked,
    oldestDueSeconds: oldest ? Math.max(0, (Date.parse(now) - Date.parse(oldest.runAfter)) / 1_000) : null,
  }
}
