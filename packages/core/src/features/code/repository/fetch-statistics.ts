import { project } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { addSeconds } from '../../../kernel/jobs/times.ts'
import { query } from '../../../kernel/operation.ts'

/** Days that are counted, today included. */
const days = 30

/** The fetches of one day. */
export interface DailyFetches {
  /** Number of clones and pulls. */
  count: number
  /** Calendar date in UTC: `2026-01-31`. */
  date: string
}

/** The fetches of the last 30 days. */
export interface FetchStatistics {
  /** Clones and pulls with git over HTTP. */
  fetches: {
    /** Number in all days. */
    total: number
    /** Days with fetches, newest first. */
    days: DailyFetches[]
  }
}

const toDate = (instant: string) => instant.slice(0, 10)

const firstDate = (now: string) => toDate(addSeconds(now, -(days - 1) * 86_400))

/** Counts one fetch for today, and removes the counts of days that are not shown any more. */
export async function countFetch({ db, now }: Pick<Context, 'db' | 'now'>, projectId: number): Promise<void> {
  await db.deleteFrom('projectFetch').where('projectId', '=', projectId).where('date', '<', firstDate(now)).execute()
  await db
    .insertInto('projectFetch')
    .values({ projectId, date: toDate(now), count: 1 } satisfies CompleteRow<'projectFetch'>)
    .onConflict((existing) =>
      existing.columns(['projectId', 'date']).doUpdateSet((eb) => ({ count: eb('projectFetch.count', '+', 1) })),
    )
    .execute()
}

/** Objects that a client has, in the first request of a fetch: it sends more in the next ones (gitprotocol-pack). */
const maxFirstHaves = 16

/** Whether a request of git's protocol starts a transfer: it names wanted objects. Others list references or negotiate. */
export const startsFetch = (chunks: readonly Uint8Array[]): boolean => {
  const text = Buffer.concat(chunks).toString('latin1')
  return /[0-9a-f]{4}want [0-9a-f]{40}/.test(text) && text.split('have ').length <= maxFirstHaves + 1
}

export const statisticsOperations = {
  /** Gets the numbers of clones and pulls with git over HTTP in the last 30 days. */
  getFetchStatistics: query({
    on: project,
    can: 'fetchStatistics.read',
    async run({ db, now }, _input, subject): Promise<FetchStatistics> {
      const counts = await db
        .selectFrom('projectFetch')
        .where('projectId', '=', subject.project.id)
        .where('date', '>=', firstDate(now))
        .orderBy('date', 'desc')
        .select(['count', 'date'])
        .execute()
      return { fetches: { total: counts.reduce((sum, { count }) => sum + count, 0), days: counts } }
    },
  }),
}
