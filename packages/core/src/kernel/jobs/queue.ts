import type { CompleteRow } from '../../db/complete-row.ts'
import type { HookChain } from '../call.ts'
import type { Context, EnqueueOptions } from '../context.ts'
import { getProcessIdentity, isProcessGone } from '../process-identity.ts'
import type { Handle, Store } from '../store.ts'
import type { QueuedJob } from './inspection.ts'
import type { Job } from './job.ts'
import { addSeconds, leaseSeconds, maxBackoffSeconds, writeQueue } from './times.ts'

/** Milliseconds between renewals of the lease of a running job. */
const leaseRenewalInterval = 20_000
export const maxAttempts = 10
const recurringKey = 'every day'

const startOfNextDay = (now: string) => `${addSeconds(now, 86_400).slice(0, 10)}T00:00:00.000Z`

/** 2, 4, 8 … seconds; at most an hour. */
const backoffSeconds = (attempts: number) => Math.min(2 ** attempts, maxBackoffSeconds)

interface NewJob extends EnqueueOptions {
  readonly payload: unknown
}

/**
 * Adds jobs of a kind in the caller's transaction, except those with the key of another job of the kind: a pending one will see
 * all that this transaction changed, and a running one runs once more. The conflict locks the other job until the transaction
 * ends, so that it neither starts nor ends before.
 */
export async function enqueue(
  handle: Handle,
  { now, call }: Pick<Context, 'now' | 'call'>,
  kind: string,
  jobs: readonly NewJob[],
): Promise<void> {
  // One statement cannot change a row twice.
  const keys = new Set<string>()
  const distinct = jobs.filter(({ key }) => key === undefined || (!keys.has(key) && keys.add(key)))
  await handle.db
    .insertInto('job')
    .values(
      distinct.map(
        ({ payload, key, runAfter, destination }) =>
          ({
            kind,
            key: key ?? null,
            payload,
            destination: destination ?? null,
            hookChain: call.hookChain ?? null,
            state: 'pending',
            runAfter: runAfter ?? now,
            attempts: 0,
            claimedBy: null,
            leaseUntil: null,
            lastError: null,
            requestedAgain: false,
            createdAt: now,
          }) satisfies CompleteRow<'job'>,
      ),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'key'])
        .doUpdateSet((eb) => ({ requestedAgain: true, runAfter: eb.ref('excluded.runAfter') }))
        .where('job.state', '=', 'running'),
    )
    .execute()
}

/** Removes a pending job in the caller's transaction; a running one does not run once more. Returns whether there was a pending one. */
export async function cancel(handle: Handle, kind: string, key: string): Promise<boolean> {
  const [job] = await handle.db
    .updateTable('job')
    .set({ requestedAgain: false })
    .where('kind', '=', kind)
    .where('key', '=', key)
    .returning(['id', 'state'])
    .execute()
  if (job?.state !== 'pending') return false
  await handle.db.deleteFrom('job').where('id', '=', job.id).execute()
  return true
}

export interface ClaimedJob {
  readonly id: number
  readonly payload: unknown
  readonly attempts: number
  readonly hookChain: HookChain | null
}

/** Due jobs of one kind: pending, or running with an expired lease. */
const selectDue = ({ db }: Handle, now: string, kind: string) =>
  db
    .selectFrom('job')
    .where('kind', '=', kind)
    .where((eb) =>
      eb.or([
        eb.and([eb('state', '=', 'pending'), eb('runAfter', '<=', now)]),
        eb.and([eb('state', '=', 'running'), eb('leaseUntil', '<=', now)]),
      ]),
    )

/** Destinations for which as many jobs are running as the lane permits. */
const selectBusyDestinations = ({ db }: Handle, now: string, { kind, concurrencyPerDestination = 0 }: Job) =>
  db
    .selectFrom('job as busy')
    .where('busy.kind', '=', kind)
    .where('busy.state', '=', 'running')
    .where('busy.leaseUntil', '>', now)
    .where('busy.destination', 'is not', null)
    .groupBy('busy.destination')
    .having((eb) => eb.fn.countAll<number>(), '>=', concurrencyPerDestination)
    .select('busy.destination')

/** The job of a lane that has been due longest, with a destination that is not busy. */
const selectNext = (handle: Handle, now: string, job: Job) =>
  selectDue(handle, now, job.kind)
    .$if(job.concurrencyPerDestination !== undefined, (due) =>
      due.where((eb) =>
        eb.or([eb('destination', 'is', null), eb('destination', 'not in', selectBusyDestinations(handle, now, job))]),
      ),
    )
    .orderBy('runAfter')
    .orderBy('id')
    .select('id')
    .limit(1)

/** The kinds of these jobs that a lane can claim a job of. */
export const findDueKinds = (store: Store, now: string, jobs: readonly Job[]): Promise<ReadonlySet<string>> =>
  store.read(async (handle) => {
    const [first, ...rest] = jobs.map((job) =>
      handle.db.selectFrom(selectNext(handle, now, job).select('kind').as('due')).select('due.kind'),
    )
    if (!first) return new Set()
    const rows = await rest.reduce((union, next) => union.unionAll(next), first).execute()
    return new Set(rows.map(({ kind }) => kind))
  })

/**
 * Removes the due jobs with the same destination. Their transactions are visible to this one, so the claimed job sees all that
 * they were enqueued for.
 */
const removeOthers = ({ db }: Handle, now: string, { kind }: Job, destination: string | null) =>
  db
    .deleteFrom('job')
    .where('kind', '=', kind)
    .where('state', '=', 'pending')
    .where('runAfter', '<=', now)
    .where('destination', '=', destination)
    .execute()

/** The columns of a claimed job. */
interface Claim {
  readonly id: number
  readonly attempts: number
  readonly state: QueuedJob['state']
}

/** Matches the job while this claim is the latest one: only the latest claim may finish, fail, return or renew it. */
const matchClaim = ({ id, attempts }: ClaimedJob): Claim => ({ id, attempts, state: 'running' })

/** Returns a job that was requested again while it ran to the queue, with all its attempts, while it is as claimed. */
const runAgain = async ({ db }: Handle, claimed: Claim) => {
  await db
    .updateTable('job')
    .set({ state: 'pending', attempts: 0, leaseUntil: null, lastError: null })
    .where((eb) => eb.and({ ...claimed, requestedAgain: true }))
    .execute()
}

/** Parks a job in the caller's transaction, while it is as claimed. A daily job runs again on the next day. */
const park = async (handle: Handle, now: string, { kind, every }: Job, claimed: Claim, lastError: string) => {
  const parked = await handle.db
    .updateTable('job')
    .set({ state: 'parked', key: null, leaseUntil: null, lastError })
    .where((eb) => eb.and({ ...claimed, requestedAgain: false }))
    .returning('id')
    .execute()
  if (!parked.length) return runAgain(handle, claimed)
  const next = { payload: {}, key: recurringKey, runAfter: startOfNextDay(now) }
  if (every) await enqueue(handle, { now, call: {} }, kind, [next])
}

const abandonedError = 'The process ended while the job ran, or the job lost its lease'

/**
 * Claims the next job of a lane. Reads first, so that an idle queue never takes the write lock. Attempts are counted here: a job
 * that ends its process never fails, and is parked when it would be claimed once more.
 */
export const claim = async (store: Store, now: string, job: Job): Promise<ClaimedJob | undefined> => {
  const waiting = await store.read((handle) => selectNext(handle, now, job).executeTakeFirst())
  if (!waiting) return undefined
  return writeQueue(store, async (handle) => {
    const due = selectNext(handle, now, job).select(['attempts', 'state'])
    const findNext = () => (store.dialect === 'postgres' ? due.forUpdate().skipLocked() : due).executeTakeFirst()
    let next = await findNext()
    for (; next && next.attempts >= maxAttempts; next = await findNext())
      await park(handle, now, job, next, abandonedError)
    if (!next) return undefined
    const [claimed] = await handle.db
      .updateTable('job')
      .set((eb) => ({
        state: 'running',
        leaseUntil: addSeconds(now, leaseSeconds),
        claimedBy: getProcessIdentity(),
        requestedAgain: false,
        attempts: eb('attempts', '+', 1),
      }))
      .where('id', '=', next.id)
      .returning(['id', 'payload', 'attempts', 'destination', 'hookChain'])
      .execute()
    if (claimed && job.coalesces) await removeOthers(handle, now, job, claimed.destination)
    return claimed
  })
}

/** Ends the leases of processes that are known to have ended, so that their jobs need not wait. Usually there are none. */
export const endAbandonedLeases = async (store: Store, now: string): Promise<void> => {
  const owners = await store.read(({ db }) =>
    db
      .selectFrom('job')
      .where('state', '=', 'running')
      .where('claimedBy', 'is not', null)
      .select('claimedBy')
      .distinct()
      .execute(),
  )
  const gone = owners.flatMap(({ claimedBy }) => (claimedBy !== null && isProcessGone(claimedBy) ? [claimedBy] : []))
  if (!gone.length) return
  await writeQueue(store, ({ db }) =>
    db
      .updateTable('job')
      .set({ leaseUntil: now })
      .where('state', '=', 'running')
      .where('claimedBy', 'in', gone)
      .execute(),
  )
}

/** Deletes a completed job, unless it was requested again while it ran, or schedules a daily one for the next day. */
export const finish = (store: Store, now: string, claimed: ClaimedJob, { every }: Job) =>
  writeQueue(store, async (handle) => {
    const { db } = handle
    const claim = matchClaim(claimed)
    if (!every) {
      const [deleted] = await db
        .deleteFrom('job')
        .where((eb) => eb.and({ ...claim, requestedAgain: false }))
        .returning('id')
        .execute()
      return deleted ? undefined : runAgain(handle, claim)
    }
    await db
      .updateTable('job')
      .set({ state: 'pending', runAfter: startOfNextDay(now), attempts: 0, leaseUntil: null, lastError: null })
      .where((eb) => eb.and(claim))
      .execute()
  })

/** Schedules a failed job for a retry, or parks it after the last attempt. */
export const fail = (store: Store, now: string, claimed: ClaimedJob, job: Job, error: unknown) => {
  const { attempts } = claimed
  const lastError = error instanceof Error ? error.message : String(error)
  return writeQueue(store, async (handle) => {
    if (attempts >= maxAttempts) return park(handle, now, job, matchClaim(claimed), lastError)
    await handle.db
      .updateTable('job')
      .set({ state: 'pending', runAfter: addSeconds(now, backoffSeconds(attempts)), leaseUntil: null, lastError })
      .where((eb) => eb.and(matchClaim(claimed)))
      .execute()
  })
}

/** Returns a job that a shutdown interrupted to the queue. The interrupted run does not count as an attempt. */
export const returnToQueue = (store: Store, claimed: ClaimedJob) =>
  writeQueue(store, ({ db }) =>
    db
      .updateTable('job')
      .set({ state: 'pending', attempts: claimed.attempts - 1, leaseUntil: null })
      .where((eb) => eb.and(matchClaim(claimed)))
      .execute(),
  )

/** Renews the lease while the job runs, so that no other process claims it. Returns a function that stops the renewal. */
export const renewLease = (store: Store, now: () => string, claimed: ClaimedJob): (() => void) => {
  const timer = setInterval(() => {
    const leaseUntil = addSeconds(now(), leaseSeconds)
    writeQueue(store, ({ db }) =>
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
export const enqueueRecurring = async (store: Store, now: string, recurring: readonly Job[]) => {
  if (!recurring.length) return
  const kinds = recurring.map(({ kind }) => kind)
  const enqueued = await store.read(({ db }) =>
    db.selectFrom('job').where('kind', 'in', kinds).where('key', '=', recurringKey).select('kind').execute(),
  )
  const missing = recurring.filter((job) => !enqueued.some(({ kind }) => kind === job.kind))
  if (!missing.length) return
  await writeQueue(store, async (handle) => {
    for (const { kind } of missing) await enqueue(handle, { now, call: {} }, kind, [{ payload: {}, key: recurringKey }])
  })
}
