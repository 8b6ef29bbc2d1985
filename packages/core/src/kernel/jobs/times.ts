import type { ExpressionBuilder } from 'kysely'
import { latestStoredTime } from '../clock-skew.ts'
import type { Handle, MaybePromise, Store } from '../store.ts'
import type { JobTables } from './table.ts'

export const leaseSeconds = 60

/** The longest delay of a retry. */
export const maxBackoffSeconds = 3_600

/** The longest delay of any job: a recurring one runs every day. */
const maxDelaySeconds = 86_400

/** Changes the queue in one transaction. One at a time, so that the limits of lanes hold; commands add jobs without this lock. */
export const writeQueue = <T>(store: Store, work: (handle: Handle) => MaybePromise<T>): Promise<T> =>
  store.write(work, { locks: ['jobs'] })

export const addSeconds = (now: string, seconds: number): string =>
  new Date(Date.parse(now) + seconds * 1_000).toISOString()

type JobConditions = ExpressionBuilder<JobTables, 'job'>

/** A pending job with a time from before the clock was set back. */
const isDelayedByClock = (eb: JobConditions, now: string) => {
  const isLaterThan = (seconds: number) => eb('runAfter', '>', latestStoredTime(addSeconds(now, seconds)))
  return eb.and([
    eb('state', '=', 'pending'),
    eb('runAfter', '>', now),
    eb.or([
      eb('createdAt', '>', latestStoredTime(now)),
      eb.and([eb('attempts', '>', 0), isLaterThan(maxBackoffSeconds)]),
      isLaterThan(maxDelaySeconds),
    ]),
  ])
}

/** A running job with a lease from before the clock was set back. */
const isLeasedByClock = (eb: JobConditions, now: string) =>
  eb.and([eb('state', '=', 'running'), eb('leaseUntil', '>', latestStoredTime(addSeconds(now, leaseSeconds)))])

/**
 * Corrects times that were stored before the clock was set back, which would block jobs for the length of that step.
 * Pending jobs become due. Leases count from now, so that the jobs of a process that died are claimed after them. Usually
 * there is nothing to correct, so it reads before it writes.
 */
export const correctFutureTimes = async (store: Store, now: string): Promise<void> => {
  const future = await store.read(({ db }) =>
    db
      .selectFrom('job')
      .where((eb) => eb.or([isDelayedByClock(eb, now), isLeasedByClock(eb, now)]))
      .select('id')
      .executeTakeFirst(),
  )
  if (!future) return
  await writeQueue(store, async ({ db }) => {
    const dueNow = { runAfter: now, createdAt: now }
    await db
      .updateTable('job')
      .set(dueNow)
      .where((eb) => isDelayedByClock(eb, now))
      .execute()
    await db
      .updateTable('job')
      .set({ leaseUntil: addSeconds(now, leaseSeconds) })
      .where((eb) => isLeasedByClock(eb, now))
      .execute()
  })
}

/** Jobs are enqueued at most a day ahead; later times are reached in several steps. */
export const limitDelay = (now: string, dueAt: string): string => {
  const latest = addSeconds(now, maxDelaySeconds)
  return dueAt < latest ? dueAt : latest
}
