import type { InsertQueryBuilder, InsertResult, Kysely } from 'kysely'
import type { Database } from '../contract/database.ts'
import { type CachedQuery, chain, type Handle, type MaybePromise } from './store.ts'

const parameterName = Symbol('slot')

interface Compilable<R> {
  compile(): { readonly sql: string; readonly parameters: readonly unknown[] }
  /** Used for the row type only. */
  execute(): Promise<R[]>
}

type Values = Readonly<Record<string, unknown>>

class CompiledQuery implements CachedQuery {
  readonly sql: string
  readonly #parameters: readonly unknown[]
  /** For each parameter, the name of its value; undefined for a constant. */
  readonly #parameterNames: readonly (string | undefined)[]
  /** The distinct names of the values. */
  readonly #names: readonly string[]

  constructor(sql: string, parameters: readonly unknown[]) {
    this.sql = sql
    this.#parameters = parameters
    this.#parameterNames = parameters.map((parameter) =>
      typeof parameter === 'object' && parameter !== null
        ? (parameter as { [parameterName]?: string })[parameterName]
        : undefined,
    )
    this.#names = [...new Set(this.#parameterNames)].filter((name) => name !== undefined)
  }

  getParameters(values: Values): readonly unknown[] {
    return this.#parameterNames.map((name, index) => (name === undefined ? this.#parameters[index] : values[name]))
  }

  getKey(values: Values): readonly unknown[] {
    return this.#names.map((name) => values[name])
  }
}

type Build<P, R> = (db: Kysely<Database>, slots: P) => Compilable<R>
type PreparedQuery<P, R> = (handle: Handle, values: P) => MaybePromise<readonly R[]>

const compilePerSchema = <P extends object, R>(build: Build<P, R>): ((handle: Handle) => CompiledQuery) => {
  const slots = new Proxy({}, { get: (_, name) => ({ [parameterName]: name }) }) as P
  const compiled = new Map<string, CompiledQuery>()
  // Most processes use a single schema key.
  let lastKey: string | undefined
  let last: CompiledQuery | undefined

  return (handle) => {
    if (last && lastKey === handle.schemaKey) return last
    lastKey = handle.schemaKey
    last = compiled.get(lastKey)
    if (!last) {
      const { sql, parameters } = build(handle.db, slots).compile()
      last = new CompiledQuery(sql, parameters)
      compiled.set(lastKey, last)
    }
    return last
  }
}

/**
 * A query that is compiled once per schema key (dialect and table names). `build` receives placeholders instead of values, so
 * the shape of the query cannot depend on a value: use two prepared queries and branch between them.
 */
export const preparedQuery = <P extends object, R>(build: Build<P, R>): PreparedQuery<P, R> => {
  const compiled = compilePerSchema(build)
  return (handle, values) => {
    const query = compiled(handle)
    return handle.run(query.sql, query.getParameters(values as Values)) as MaybePromise<readonly R[]>
  }
}

/**
 * A prepared insert of one row into a table with an `id` column. Returns the id, or undefined if the row was in conflict and
 * `build` contains `on conflict do nothing`. SQLite reports the id without a `returning` clause, which would double the cost.
 */
export const preparedInsert = <P extends object, T extends keyof Database>(
  build: (db: Kysely<Database>, slots: P) => InsertQueryBuilder<Database, T, InsertResult>,
): ((handle: Handle, values: P) => MaybePromise<number | undefined>) => {
  const withoutReturning = compilePerSchema(build)
  // The type of T does not show that the table has an `id` column.
  const returning = preparedQuery(
    (db, slots: P) => build(db, slots).returning('id' as never) as unknown as Compilable<{ id: number }>,
  )
  return (handle, values) => {
    if (!handle.insert) return chain(returning(handle, values), ([row]) => row?.id)
    const query = withoutReturning(handle)
    return handle.insert(query.sql, query.getParameters(values as Values))
  }
}

/**
 * A prepared query over one group of cached tables (`db/row-cache.ts`). The store returns cached rows as long as no table of
 * the group has changed, so rows are never older than the call. They are shared and frozen: copy them before returning them.
 */
export const cachedQuery = <P extends object, R>(build: Build<P, R>): PreparedQuery<P, R> => {
  const compiled = compilePerSchema(build)
  return (handle, input) => {
    const query = compiled(handle)
    const values = input as Values
    const rows = handle.queryCached
      ? handle.queryCached(query, values)
      : handle.run(query.sql, query.getParameters(values))
    return rows as MaybePromise<readonly R[]>
  }
}

/** Caches one prepared query per shape. A shape consists of values that are part of the SQL text, such as a sort column. */
export const preparedFor = <S extends readonly (string | number)[], Q>(
  build: (...shape: S) => Q,
): ((...shape: S) => Q) => {
  const queries = new Map<unknown, Q>()
  return (...shape) => {
    const key = shape.length === 1 ? shape[0] : shape.join(' ')
    const query = queries.get(key) ?? build(...shape)
    queries.set(key, query)
    return query
  }
}
