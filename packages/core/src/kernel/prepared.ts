import type { InsertQueryBuilder, InsertResult, Kysely } from 'kysely'
import type { Database } from '../database.ts'
import { after, type Handle, type RememberedQuery, type Soon } from './store.ts'

const slot = Symbol('slot')

interface Compilable<R> {
  compile(): { readonly sql: string; readonly parameters: readonly unknown[] }
  /** Only for its type: what one row is. */
  execute(): Promise<R[]>
}

type Values = Readonly<Record<string, unknown>>

class Compiled implements RememberedQuery {
  readonly sql: string
  readonly #parameters: readonly unknown[]
  /** For each parameter the value that stands there; undefined for one that is always the same. */
  readonly #asked: readonly (string | undefined)[]
  /** The values that it is asked with, each once. */
  readonly #names: readonly string[]

  constructor(sql: string, parameters: readonly unknown[]) {
    this.sql = sql
    this.#parameters = parameters
    this.#asked = parameters.map((parameter) =>
      typeof parameter === 'object' && parameter !== null ? (parameter as { [slot]?: string })[slot] : undefined,
    )
    this.#names = [...new Set(this.#asked)].filter((name) => name !== undefined)
  }

  parametersOf(values: Values): readonly unknown[] {
    return this.#asked.map((name, at) => (name === undefined ? this.#parameters[at] : values[name]))
  }

  keyOf(values: Values): readonly unknown[] {
    return this.#names.map((name) => values[name])
  }
}

type Build<P, R> = (db: Kysely<Database>, slots: P) => Compilable<R>
type Query<P, R> = (handle: Handle, values: P) => Soon<readonly R[]>

const compiledOnce = <P extends object, R>(build: Build<P, R>): ((handle: Handle) => Compiled) => {
  const slots = new Proxy({}, { get: (_, name) => ({ [slot]: name }) }) as P
  const compiled = new Map<string, Compiled>()
  // Most processes know one wording and never look further than this.
  let wording: string | undefined
  let last: Compiled | undefined

  return (handle) => {
    if (last && wording === handle.wording) return last
    wording = handle.wording
    last = compiled.get(wording)
    if (!last) {
      const { sql, parameters } = build(handle.db, slots).compile()
      last = new Compiled(sql, parameters)
      compiled.set(wording, last)
    }
    return last
  }
}

/**
 * A query that is compiled once a wording – a dialect, and what tables are called – and then only run. `build` sees slots
 * where the values will stand, so the shape of the query cannot depend on them: branch outside, with two prepared queries.
 */
export const prepared = <P extends object, R>(build: Build<P, R>): Query<P, R> => {
  const compiled = compiledOnce(build)
  return (handle, values) => {
    const query = compiled(handle)
    return handle.run(query.sql, query.parametersOf(values as Values)) as Soon<readonly R[]>
  }
}

/**
 * A prepared insert of one row into a table with ids; gives the new one, or nothing where the row was in conflict with another
 * and `build` says to do nothing then. A database that tells the id anyway is not asked to return it, which would cost as much
 * as the insert.
 */
export const inserting = <P extends object, T extends keyof Database>(
  build: (db: Kysely<Database>, slots: P) => InsertQueryBuilder<Database, T, InsertResult>,
): ((handle: Handle, values: P) => Soon<number | undefined>) => {
  const silent = compiledOnce(build)
  // Every table that this is for has one; that the types know of it would be said at each use.
  const returning = prepared(
    (db, slots: P) => build(db, slots).returning('id' as never) as unknown as Compilable<{ id: number }>,
  )
  return (handle, values) => {
    if (!handle.insert) return after(returning(handle, values), ([row]) => row?.id)
    const query = silent(handle)
    return handle.insert(query.sql, query.parametersOf(values as Values))
  }
}

/**
 * A prepared query over tables that say who somebody is and what they may do. The store may answer it from memory, as long as
 * none of them has changed: an answer is never older than the call that gets it. Its rows are shared by all who ask, so whoever
 * hands one out copies it.
 */
export const remembered = <P extends object, R>(build: Build<P, R>): Query<P, R> => {
  const compiled = compiledOnce(build)
  return (handle, given) => {
    const query = compiled(handle)
    const values = given as Values
    const rows = handle.remembered
      ? handle.remembered(query, values)
      : handle.run(query.sql, query.parametersOf(values))
    return rows as Soon<readonly R[]>
  }
}

/** One prepared query for each shape in which it can be asked: what a shape says is not a value but part of the query. */
export const eachShape = <S extends readonly (string | number)[], Q>(
  build: (...shape: S) => Q,
): ((...shape: S) => Q) => {
  const known = new Map<unknown, Q>()
  return (...shape) => {
    const key = shape.length === 1 ? shape[0] : shape.join(' ')
    const made = known.get(key) ?? build(...shape)
    known.set(key, made)
    return made
  }
}
