import type { CompleteRow } from '../db/complete-row.ts'
import type { EnqueueOptions } from './context.ts'
import type { Job, JobContext } from './job.ts'
import { addSeconds, correctFutureTimes, leaseSeconds, maxBackoffSeconds } from './job-times.ts'
import type { Handle, Store } from './store.ts'

/** Milliseconds between renewals of the lease of a running job. */
const leaseRenewalInterval = 20_000
const maxAttempts = 10
const recurringKey = 'every day'

const startOfNextDay = (now: string) => `${addSeconds(now, 86_400).slice(0, 10)}T00:00:00.000Z`

/** 2, 4, 8 … seconds; at most an hour. */
const backoffSeconds = (attempts: number) => Math.min(2 ** attempts, maxBackoffSeconds)

/** Adds a job in the caller's transaction. Does nothing when a pending job of the kind has the same key. */
export async function enqueue(
  handle: Handle,
  now: string,
  kind: string,
  payload: unknown,
  { key, runAfter }: EnqueueOptions = {},
): Promise<void> {
  await handle.db
    .insertInto('job')
    .values({
      kind,
      key: key ?? null,
      payload,
      state: 'pending',
      runAfter: runAfter ?? now,
      attempts: 0,
      leaseUntil: null,
      lastError: null,
      createdAt: now,
    } satisfies CompleteRow<'job'>)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

interface ClaimedJob {
  readonly id: number
  readonly kind: string
  readonly payload: unknown
  readonly attempts: number
}

/** The job that has been due longest: pending, or running with an expired lease. */
const selectLongestDue = ({ db }: Handle, now: string, kinds: readonly string[]) =>
  db
    .selectFrom('job')
    .where('kind', 'in', kinds)
    .where((eb) =>
      eb.or([
        eb.and([eb('state', '=', 'pending'), eb('runAfter', '<=', now)]),
        eb.and([eb('state', '=', 'running'), eb('leaseUntil', '<=', now)]),
      ]),
    )
    .orderBy('runAfter')
    .orderBy('id')
    .select('id')
    .limit(1)

/** Claims the job that has been due longest. Reads first, so that an idle queue never takes the write lock. */
const claim = async (store: Store, now: string, kinds: readonly string[]): Promise<ClaimedJob | undefined> => {
  const waiting = await store.read((handle) => selectLongestDue(handle, now, kinds).executeTakeFirst())
  if (!waiting) return undefined
  return store.write(async (handle) => {
    const { db } = handle
    const due = selectLongestDue(handle, now, kinds)
    const next = await (store.dialect === 'postgres' ? due.forUpdate().skipLocked() : due).executeTakeFirst()
    if (!next) return undefined
    const [job] = await db
      .updateTable('job')
      .set((eb) => ({ state: 'running', leaseUntil: addSeconds(now, leaseSeconds), attempts: eb('attempts', '+', 1) }))
      .where('id', '=', next.id)
      .returning(['id', 'kind', 'payload', 'attempts'])
      .execute()
    return job
  })
}

/** Matches the job while this claim is the latest one: only the latest claim may finish, fail or renew it. */
const matchClaim = ({ id, attempts }: ClaimedJob) => ({ id, attempts, state: 'running' as const })

const finish = (store: Store, now: string, claimed: ClaimedJob, recurring: boolean) =>
  store.write(async ({ db }) => {
    if (!recurring)
      return db
        .deleteFrom('job')
        .where((eb) => eb.and(matchClaim(claimed)))
        .execute()
    return db
      .updateTable('job')
      .set({ state: 'pending', runAfter: startOfNextDay(now), attempts: 0, leaseUntil: null, lastError: null })
      .where((eb) => eb.and(matchClaim(claimed)))
      .execute()
  })

const fail = (store: Store, now: string, claimed: ClaimedJob, error: unknown) => {
  const { attempts } = claimed
  const lastError = error instanceof Error ? error.message : String(error)
  const parked = attempts >= maxAttempts
  return store.write(({ db }) =>
    db
      .updateTable('job')
      .set({
        state: parked ? 'parked' : 'pending',
        ...(parked && { key: null }),
        runAfter: addSeconds(now, backoffSeconds(attempts)),
        leaseUntil: null,
        lastError,
      })
      .where((eb) => eb.and(matchClaim(claimed)))
      .execute(),
  )
}

/** Renews the lease while the job runs, so that no other process claims it. Returns a function that stops the renewal. */
const renewLease = (store: Store, now: () => string, claimed: ClaimedJob) => {
  const timer = setInterval(() => {
    const leaseUntil = addSeconds(now(), leaseSeconds)
    store
      .write(({ db }) =>
        db
          .updateTable('job')
          .set({ leaseUntil })
          .where((eb) => eb.and(matchClaim(claimed)))
          .execute(),
      )
      // Retried at the next interval, and jobs may run twice.
      .catch(() => undefined)
  }, leaseRenewalInterval)
  timer.unref()
  return () => clearInterval(timer)
}

/** Enqueues the recurring jobs that are missing. Usually none are, so it reads before it writes. */
const enqueueRecurring = async (store: Store, now: string, recurring: readonly Job[]) => {
  if (!recurring.length) return
  const kinds = recurring.map(({ kind }) => kind)
  const enqueued = await store.read(({ db }) =>
    db.selectFrom('job').where('kind', 'in', kinds).where('key', '=', recurringKey).select('kind').execute(),
  )
  const missing = recurring.filter((job) => !enqueued.some(({ kind }) => kind === job.kind))
  if (!missing.length) return
  await store.write(async (handle) => {
    for (const { kind } of missing) await enqueue(handle, now, kind, {}, { key: recurringKey })
  })
}

/**
 * Runs all due jobs one after another, including those that become due while it runs.
 *
 * @returns the number of jobs that ran, including failed ones, which are retried later and parked after 10 attempts
 */
export async function drain(
  store: Store,
  jobs: readonly Job[],
  now: () => string,
  tools: () => Omit<JobContext, 'isLastAttempt'>,
): Promise<number> {
  const byKind = new Map<string, Job>(jobs.map((job) => [job.kind, job]))
  const recurring = jobs.filter(({ every }) => every)
  await correctFutureTimes(store, now())
  await enqueueRecurring(store, now(), recurring)
  for (let ran = 0; ; ran++) {
    const claimed = await claim(store, now(), [...byKind.keys()])
    if (!claimed) return ran
    const { run, every } = byKind.get(claimed.kind) as Job
    const release = renewLease(store, now, claimed)
    try {
      await run({ ...tools(), isLastAttempt: claimed.attempts >= maxAttempts }, claimed.payload as never)
      await finish(store, now(), claimed, every !== undefined)
    } catch (error) {
      await fail(store, now(), claimed, error)
    } finally {
      release()
    }
  }
}
