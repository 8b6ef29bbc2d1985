import type { Job, JobTools } from '../jobs.ts'
import type { EnqueueOptions } from './context.ts'
import type { Handle, Store } from './store.ts'

const leaseSeconds = 60
/** How often the lease of a job that runs long is made longer, in milliseconds. */
const renewal = 20_000
const maximumAttempts = 10
const recurringKey = 'every day'

const later = (now: string, seconds: number) => new Date(Date.parse(now) + seconds * 1_000).toISOString()
const nextDay = (now: string) => `${later(now, 86_400).slice(0, 10)}T00:00:00.000Z`

/** 2, 4, 8 … seconds, at most an hour. */
const backoff = (attempts: number) => Math.min(2 ** attempts, 3_600)

/** Adds a job in the caller's transaction. Of several pending ones with one key only the first is kept. */
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
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

interface Claimed {
  readonly id: number
  readonly kind: string
  readonly payload: unknown
  readonly attempts: number
}

/** The job that is due longest: pending, or left behind by a process that died. */
const longestDue = ({ db }: Handle, now: string, kinds: readonly string[]) =>
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

/** Takes the job that is due longest. A read looks first: a queue that is idle never takes the write lock. */
const claim = async (store: Store, now: string, kinds: readonly string[]): Promise<Claimed | undefined> => {
  const waiting = await store.read((handle) => longestDue(handle, now, kinds).executeTakeFirst())
  if (!waiting) return undefined
  return store.write(async (handle) => {
    const { db } = handle
    const due = longestDue(handle, now, kinds)
    const found = await (store.dialect === 'postgres' ? due.forUpdate().skipLocked() : due).executeTakeFirst()
    if (!found) return undefined
    const [job] = await db
      .updateTable('job')
      .set((eb) => ({ state: 'running', leaseUntil: later(now, leaseSeconds), attempts: eb('attempts', '+', 1) }))
      .where('id', '=', found.id)
      .returning(['id', 'kind', 'payload', 'attempts'])
      .execute()
    return job
  })
}

/** Only the process that claimed a job last decides what becomes of it. */
const mine = ({ id, attempts }: Claimed) => ({ id, attempts, state: 'running' as const })

const finish = (store: Store, now: string, claimed: Claimed, recurring: boolean) =>
  store.write(async ({ db }) => {
    const own = mine(claimed)
    if (!recurring)
      return db
        .deleteFrom('job')
        .where((eb) => eb.and(own))
        .execute()
    return db
      .updateTable('job')
      .set({ state: 'pending', runAfter: nextDay(now), attempts: 0, leaseUntil: null, lastError: null })
      .where((eb) => eb.and(own))
      .execute()
  })

const fail = (store: Store, now: string, claimed: Claimed, error: unknown) => {
  const { attempts } = claimed
  const lastError = error instanceof Error ? error.message : String(error)
  const parked = attempts >= maximumAttempts
  return store.write(({ db }) =>
    db
      .updateTable('job')
      .set({
        state: parked ? 'parked' : 'pending',
        ...(parked && { key: null }),
        runAfter: later(now, backoff(attempts)),
        leaseUntil: null,
        lastError,
      })
      .where((eb) => eb.and(mine(claimed)))
      .execute(),
  )
}

/** Makes the lease longer as long as the job runs, so that no other process takes it for one that was left behind. */
const keepLease = (store: Store, now: () => string, claimed: Claimed) => {
  const timer = setInterval(() => {
    const leaseUntil = later(now(), leaseSeconds)
    store
      .write(({ db }) =>
        db
          .updateTable('job')
          .set({ leaseUntil })
          .where((eb) => eb.and(mine(claimed)))
          .execute(),
      )
      // Tried again soon, and jobs bear being run twice.
      .catch(() => undefined)
  }, renewal)
  timer.unref()
  return () => clearInterval(timer)
}

/** Puts every recurring job in the queue once. As a rule all are there, and a read is enough to see it. */
const schedule = async (store: Store, now: string, recurring: readonly Job[]) => {
  if (!recurring.length) return
  const kinds = recurring.map(({ kind }) => kind)
  const there = await store.read(({ db }) =>
    db.selectFrom('job').where('kind', 'in', kinds).where('key', '=', recurringKey).select('kind').execute(),
  )
  const missing = recurring.filter((job) => !there.some(({ kind }) => kind === job.kind))
  if (!missing.length) return
  await store.write(async (handle) => {
    for (const { kind } of missing) await enqueue(handle, now, kind, {}, { key: recurringKey })
  })
}

/**
 * Runs every job that is due, one after another, until none is left.
 *
 * @returns how many ran, failed ones included; a failed one is tried again later and parked after ten times
 */
export async function drain(
  store: Store,
  jobs: readonly Job[],
  now: () => string,
  tools: () => Omit<JobTools, 'lastTry'>,
): Promise<number> {
  const byKind = new Map<string, Job>(jobs.map((job) => [job.kind, job]))
  const recurring = jobs.filter(({ every }) => every)
  await schedule(store, now(), recurring)
  for (let ran = 0; ; ran++) {
    const claimed = await claim(store, now(), [...byKind.keys()])
    if (!claimed) return ran
    const { run, every } = byKind.get(claimed.kind) as Job
    const release = keepLease(store, now, claimed)
    try {
      await run({ ...tools(), lastTry: claimed.attempts >= maximumAttempts }, claimed.payload as never)
      await finish(store, now(), claimed, every !== undefined)
    } catch (error) {
      await fail(store, now(), claimed, error)
    } finally {
      release()
    }
  }
}
