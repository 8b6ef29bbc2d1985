import { hash } from 'node:crypto'
import type { CompiledQuery, QueryResult } from 'kysely'
import type { QueryArrayResult } from 'pg'
import type { RecordedEvent } from '../../kernel/event-feed.ts'
import { chain, type Handle, type MaybePromise, type Row } from '../../kernel/store.ts'
import { createKysely } from '../kysely.ts'
import type { CachedTables, RowCache } from '../row-cache.ts'
import { createRowReader, type Decoder } from '../row-reader.ts'
import type { Connection } from './connections.ts'

const maxNamedStatements = 2_000

/** `pg` returns bigint and numeric values as text, because they can exceed 2^53. Counts and sums here do not. */
const decoders: Readonly<Record<number, Decoder>> = {
  20: (value) => (value === null ? null : Number(value)),
  1700: (value) => (value === null ? null : Number(value)),
}

const encodeParameter = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Buffer.isBuffer(value) ? JSON.stringify(value) : (value ?? null)

type ReadRow = (values: readonly unknown[]) => Row

/** Shared by all connections of a store: a name for each statement and a reader for its rows. */
export const createStatementCache = () => {
  const names = new Map<string, string>()
  const readers = new Map<string, ReadRow>()
  return {
    /** Named statements are planned once for each connection. Above the limit they stay unnamed, because the server keeps each name. */
    named(sql: string) {
      const cached = names.get(sql)
      if (cached !== undefined) return { name: cached }
      if (names.size >= maxNamedStatements) return {}
      const name = hash('sha256', sql, 'hex').slice(0, 40)
      names.set(sql, name)
      return { name }
    },
    reader(sql: string, { fields }: QueryArrayResult<unknown[]>) {
      const cached = readers.get(sql)
      if (cached) return cached
      const reader = createRowReader(fields.map(({ name, dataTypeID }) => ({ name, decode: decoders[dataTypeID] })))
      if (readers.size < maxNamedStatements) readers.set(sql, reader)
      return reader
    },
  }
}

type StatementCache = ReturnType<typeof createStatementCache>

interface CachedQueryOptions {
  readonly run: Handle['run']
  readonly cache: RowCache
  /** The version number of the cache for the rows to read. */
  readonly getVersion: () => MaybePromise<number>
  /** Groups of tables with uncommitted changes, which are not cached. */
  readonly changed?: ReadonlySet<CachedTables>
}

export const createCachedQuery =
  ({ run, cache, getVersion, changed }: CachedQueryOptions): NonNullable<Handle['queryCached']> =>
  (query, values) => {
    const read = () => run(query.sql, query.getParameters(values))
    if (changed?.has(cache.groupOf(query))) return read()
    const key = query.getKey(values)
    return chain(
      getVersion(),
      (version) => cache.get(query, key, version) ?? chain(read(), (rows) => cache.set(query, key, version, rows)),
    )
  }

interface HandleOptions {
  readonly query: Connection['query']
  readonly statements: StatementCache
  readonly schema: string | undefined
  readonly cache: RowCache
  readonly getVersion: CachedQueryOptions['getVersion']
  /** Runs after a statement that changed rows, with the cached tables that it may have changed. */
  readonly onChange?: (groups: readonly CachedTables[]) => void
  readonly outbox?: RecordedEvent[] | undefined
}

const changingStatement = /^\s*(?:insert|update|delete|merge|truncate)\b/i
/** A statement that can change rows in any of its parts; the row count is that of the last part. */
const changingExpression = /^\s*with\b.*\b(?:insert\s+into|update\s+(?!set\b)|delete\s+from|merge\s+into)\b/is

const mayChangeRows = (sql: string, rowCount: number | null) =>
  changingStatement.test(sql) ? rowCount !== 0 : changingExpression.test(sql)

export const createHandle = ({
  query,
  statements,
  schema,
  cache,
  getVersion,
  onChange,
  outbox,
}: HandleOptions): Handle => {
  const changed = new Set<CachedTables>()
  const send = async (sql: string, parameters: readonly unknown[]) => {
    const result = await query({ ...statements.named(sql), text: sql, values: parameters.map(encodeParameter) })
    if (mayChangeRows(sql, result.rowCount)) {
      const groups = cache.groupsChangedBy(sql)
      for (const group of groups) changed.add(group)
      onChange?.(groups)
    }
    const read = result.fields.length ? statements.reader(sql, result) : undefined
    return { rows: read ? result.rows.map((row) => read(row)) : [], count: result.rowCount ?? 0 }
  }
  const execute = async ({ sql, parameters }: CompiledQuery): Promise<QueryResult<unknown>> => {
    const { rows, count } = await send(sql, parameters)
    return { rows, numAffectedRows: BigInt(count) }
  }
  const run = async (sql: string, parameters: readonly unknown[]): Promise<readonly Row[]> =>
    (await send(sql, parameters)).rows
  return {
    dialect: 'postgres',
    schemaKey: `postgres ${schema ?? ''}`,
    db: createKysely('postgres', execute, { schema }),
    run,
    outbox,
    queryCached: createCachedQuery({ run, cache, getVersion, changed }),
  }
}
