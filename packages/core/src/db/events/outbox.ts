import type { QueryArrayResult } from 'pg'
import type { RecordedEvent } from '../../kernel/event-feed.ts'

/** Runs one statement; rows are arrays. */
export type RunStatement = (statement: {
  readonly text: string
  readonly values: unknown[]
}) => Promise<QueryArrayResult<unknown[]>>

/** An event of the outbox. */
export interface OutboxRow {
  readonly id: number
  readonly name: string
  /** JSON; undefined if the name was not requested. */
  readonly payload: string | undefined
}

/** Events after a position, and the transactions that were running when they were read. */
export interface OutboxBatch {
  readonly rows: readonly OutboxRow[]
  /** All transactions with lower ids have ended. */
  readonly oldestRunning: bigint
  /** Transactions with this id or a higher one began later. */
  readonly nextTransaction: bigint
  /** Whether there are no further events. */
  readonly isLast: boolean
}

const maxRows = 500
/** Compressed bytes of the payloads of one batch, apart from the last row. */
const maxBatchSize = 4_000_000
/** Events that one statement deletes. */
const maxDeleted = 1_000
/** The row of `signal_consumer` with the last deleted event. */
const deletedName = ''

/** The statements over the tables of the outbox on PostgreSQL. */
export const createOutbox = (schema: string | undefined) => {
  const prefix = schema === undefined ? '' : `"${schema}".`
  const events = `${prefix}signal_outbox`
  const consumers = `${prefix}signal_consumer`

  // Evaluated before the ids are allocated: readers rely on the fact that a transaction with an event has its own id first.
  const hasTransactionId = 'pg_current_xact_id() is not null'
  const insertEvents = `
    insert into ${events} (name, payload, created_at)
    select event.name, event.payload, $3 from unnest($1::text[], $2::text[]) with ordinality as event (name, payload, number)
    where ${hasTransactionId} order by event.number`

  const selectBatch = `
    with latest as materialized (
      select id, name, case when name = any($2) then payload end as payload
      from ${events} where id > $1 order by id limit ${maxRows}
    ), measured as (
      select *, sum(coalesce(pg_column_size(payload), 0)) over (order by id rows between unbounded preceding and 1 preceding) as size
      from latest
    )
    select id, name, payload, pg_snapshot_xmin(snapshot)::text, pg_snapshot_xmax(snapshot)::text,
      (select count(*) from latest)
    from measured, pg_current_snapshot() as snapshot
    where coalesce(size, 0) < ${maxBatchSize} order by id`

  const selectLatest = `
    select greatest((select max(id) from ${events}), (select position from ${consumers} where name = '${deletedName}'), 0)`

  const deleteOldest = `
    with oldest as (select id, created_at from ${events} order by id limit ${maxDeleted}),
    deleted as (
      delete from ${events} where id <= (select max(id) from oldest where created_at < $1) returning id
    ), noted as (
      insert into ${consumers} (name, position, updated_at)
      select '${deletedName}', max(id), $2 from deleted having count(*) > 0
      on conflict (name) do update set position = excluded.position, updated_at = excluded.updated_at
    )
    select count(*) from deleted`

  const readNumber = async (run: RunStatement, text: string, values: unknown[] = []) => {
    const [[value] = []] = (await run({ text, values })).rows
    return value === undefined || value === null ? undefined : Number(value)
  }

  return {
    /** Writes the events of a transaction. Must be its last statement, so that it holds all locks of its changes. */
    async write(run: RunStatement, recorded: readonly RecordedEvent[]): Promise<void> {
      const names = recorded.map(({ name }) => name)
      const payloads = recorded.map(({ payload }) => JSON.stringify(payload))
      await run({ text: insertEvents, values: [names, payloads, new Date().toISOString()] })
    },
    /** Reads the events after a position, with the payloads of the given names; undefined if there are none. */
    async read(run: RunStatement, position: number, names: readonly string[]): Promise<OutboxBatch | undefined> {
      const { rows } = await run({ text: selectBatch, values: [position, names] })
      const [first] = rows
      if (!first) return undefined
      return {
        rows: rows.map(([id, name, payload]) => ({
          id: Number(id),
          name: name as string,
          payload: (payload as string | null) ?? undefined,
        })),
        oldestRunning: BigInt(first[3] as string),
        nextTransaction: BigInt(first[4] as string),
        isLast: rows.length < maxRows && rows.length === Number(first[5]),
      }
    },
    /** The ids of the newest events, ascending; at most `count`, and no id is lower than the newest one by `count`. */
    async readNewestIds(run: RunStatement, count: number): Promise<readonly number[]> {
      const text = `select id from ${events} where id > (select max(id) from ${events}) - $1 order by id`
      return (await run({ text, values: [count] })).rows.map(([id]) => Number(id))
    },
    /** The id of the newest event that was ever committed, as far as the tables show; 0 if there was none. */
    readLatestId: async (run: RunStatement) => (await readNumber(run, selectLatest)) ?? 0,
    /** The id of the last event that was deleted because of its age. */
    readDeletedId: (run: RunStatement) => readPosition(run, deletedName),
    readPosition: (run: RunStatement, name: string) => readPosition(run, name),
    async writePosition(run: RunStatement, name: string, position: number): Promise<void> {
      const text = `
        insert into ${consumers} (name, position, updated_at) values ($1, $2, $3)
        on conflict (name) do update set position = excluded.position, updated_at = excluded.updated_at`
      await run({ text, values: [name, position, new Date().toISOString()] })
    },
    /** Deletes events from before an instant, ISO 8601. Returns whether there may be more of them. */
    async deleteBefore(run: RunStatement, instant: string): Promise<boolean> {
      const deleted = await readNumber(run, deleteOldest, [instant, new Date().toISOString()])
      return (deleted ?? 0) >= maxDeleted
    },
    /** When the oldest event after a position was committed, ISO 8601. */
    async readOldestTime(run: RunStatement, position: number): Promise<string | undefined> {
      const text = `select created_at from ${events} where id > $1 order by id limit 1`
      const [[createdAt] = []] = (await run({ text, values: [position] })).rows
      return createdAt as string | undefined
    },
  }

  function readPosition(run: RunStatement, name: string): Promise<number | undefined> {
    return readNumber(run, `select position from ${consumers} where name = $1`, [name])
  }
}

export type Outbox = ReturnType<typeof createOutbox>
