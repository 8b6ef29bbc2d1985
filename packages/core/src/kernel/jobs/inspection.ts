import type { Ports } from '../../ports/ports.ts'
import type { Store } from '../store.ts'
import type { Job } from './job.ts'

/** A job of the queue, without its payload, which may contain secrets. */
export interface QueuedJob {
  /** Increasing; never reused. */
  readonly id: number
  /** The kind of work: `remoteMirrors.push`. */
  readonly kind: string
  /** `parked`: failed, or ended its process, in 10 attempts; kept for an operator. */
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

const dayMs = 86_400_000

/** The first midnight, UTC, that is not before the instant. */
const ceilToDay = (instant: string) => new Date(Math.ceil(Date.parse(instant) / dayMs) * dayMs).toISOString()

/**
 * When the next pending job is due that has an effect, provided that the data does not change until then: daily jobs can
 * have nothing to do for years.
 */
export const findNextEffectiveTime = async (
  store: Store,
  jobs: readonly Job[],
  context: { readonly now: string; readonly ports: Ports },
): Promise<string | undefined> => {
  let first: string | undefined
  for (const { kind, findNextEffect } of jobs) {
    const due = await findNextDueTime(store, [kind])
    if (due === undefined) continue
    const effect = findNextEffect ? await store.read((handle) => findNextEffect(handle, context)) : due
    if (effect === undefined) continue
    const time = effect <= due ? due : ceilToDay(effect)
    if (first === undefined || time < first) first = time
  }
  return first
}

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
