import type { Store } from '../../kernel/store.ts'

/** A named consumer of domain events. */
export interface ConsumerState {
  readonly name: string
  /** The number of events that it has not received, counted up to 1,000. */
  readonly waiting: number
  /** When the oldest of them was committed, ISO 8601. */
  readonly oldest: string | null
}

const maxConsumers = 100
const maxCounted = 1_000

/** The named consumers of `postgres(url, { events })`, by name; at most 100. */
export const listEventConsumers = (store: Store): Promise<readonly ConsumerState[]> =>
  store.read(async ({ db }) => {
    const consumers = await db
      .selectFrom('signalConsumer')
      // The row without a name is not a consumer.
      .where('name', '>', '')
      .select(['name', 'position'])
      .orderBy('name')
      .limit(maxConsumers)
      .execute()
    const states: ConsumerState[] = []
    for (const { name, position } of consumers) {
      const waiting = db.selectFrom('signalOutbox').where('id', '>', position)
      const rows = await waiting.select('createdAt').orderBy('id').limit(maxCounted).execute()
      states.push({ name, waiting: rows.length, oldest: rows[0]?.createdAt ?? null })
    }
    return states
  })
