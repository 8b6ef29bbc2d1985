import type { Handle, Store } from './store.ts'
import type { StoreState } from './store-state.ts'

/** The number of jobs by state. */
export interface JobCounts {
  /** Pending jobs, due or scheduled, including those that failed and will be retried. */
  readonly waiting: number
  /** Jobs claimed by a process that is running them, or that died less than 60 seconds ago (the lease). */
  readonly running: number
  /** Jobs that failed 10 times; an operator has to look at them. */
  readonly parked: number
  /** How long the oldest due job has been waiting, in seconds; null when no job is due. */
  readonly oldestDueSeconds: number | null
}

/** The state of a platform, for health checks and metrics. */
export interface Health {
  /** Schema version and write conflicts. */
  readonly store: StoreState
  /** The job queue. All 0 while migrations are pending. */
  readonly jobs: JobCounts
}

const emptyCounts = { pending: 0, running: 0, parked: 0 }

async function countJobs({ db }: Handle, now: string): Promise<JobCounts> {
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

/** Reads the state of the schema and the job queue. Works on a database without migrations. */
export async function readHealth(store: Store, now: string): Promise<Health> {
  const state = (await store.readState?.()) ?? { applied: 0, pending: [], newer: [], busyRetries: 0 }
  // The job table exists only after the migrations.
  const noJobs = { waiting: 0, running: 0, parked: 0, oldestDueSeconds: null }
  return { store: state, jobs: state.pending.length ? noJobs : await store.read((handle) => countJobs(handle, now)) }
}
