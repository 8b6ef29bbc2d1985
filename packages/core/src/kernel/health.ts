import type { Job } from './jobs/job.ts'
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

/** The jobs of one kind, which run in a lane of their own: they do not wait for jobs of other kinds. */
export interface JobLane extends JobCounts {
  /** The kind of work: `remoteMirrors.push`. */
  readonly kind: string
  /** The maximum number of jobs that one process runs at the same time. */
  readonly concurrency: number
}

/** The state of a platform, for health checks and metrics. */
export interface Health {
  /** Schema version and write conflicts. */
  readonly store: StoreState
  /** The job queue. All 0 while migrations are pending. */
  readonly jobs: JobCounts
  /** The same by lane, in a fixed order. */
  readonly lanes: readonly JobLane[]
}

const noJobs: JobCounts = { waiting: 0, running: 0, parked: 0, oldestDueSeconds: null }

const readLanes = async ({ db }: Handle, now: string, jobs: readonly Job[]): Promise<readonly JobLane[]> => {
  const rows = await db
    .selectFrom('job')
    .groupBy(['kind', 'state'])
    .select((eb) => ['kind', 'state', eb.fn.countAll<number>().as('count'), eb.fn.min('runAfter').as('firstDue')])
    .execute()
  return jobs.map(({ kind, concurrency = 1 }) => {
    const find = (state: string) => rows.find((row) => row.kind === kind && row.state === state)
    const pending = find('pending')
    const waited = pending ? (Date.parse(now) - Date.parse(pending.firstDue)) / 1_000 : -1
    return {
      kind,
      concurrency,
      waiting: pending?.count ?? 0,
      running: find('running')?.count ?? 0,
      parked: find('parked')?.count ?? 0,
      oldestDueSeconds: waited < 0 ? null : waited,
    }
  })
}

const sumLanes = (lanes: readonly JobLane[]): JobCounts =>
  lanes.reduce<JobCounts>(
    (sum, lane) => ({
      waiting: sum.waiting + lane.waiting,
      running: sum.running + lane.running,
      parked: sum.parked + lane.parked,
      oldestDueSeconds:
        lane.oldestDueSeconds === null
          ? sum.oldestDueSeconds
          : Math.max(sum.oldestDueSeconds ?? 0, lane.oldestDueSeconds),
    }),
    noJobs,
  )

/** Reads the state of the schema and the job queue. Works on a database without migrations. */
export async function readHealth(store: Store, now: string, jobs: readonly Job[]): Promise<Health> {
  const state = (await store.readState?.()) ?? { applied: 0, pending: [], unknown: [], busyRetries: 0 }
  const lanes = state.pending.length
    ? // The job table exists only after the migrations.
      jobs.map(({ kind, concurrency = 1 }) => ({ kind, concurrency, ...noJobs }))
    : await store.read((handle) => readLanes(handle, now, jobs))
  return { store: state, jobs: sumLanes(lanes), lanes }
}
