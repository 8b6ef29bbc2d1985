import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import type { Handle, Soon } from './store.ts'

const slot = Symbol('slot')

interface Compilable<R> {
  compile(): { readonly sql: string; readonly parameters: readonly unknown[] }
  /** Only for its type: what one row is. */
  execute(): Promise<R[]>
}

interface Compiled {
  readonly sql: string
  readonly fill: readonly ((values: Readonly<Record<string, unknown>>) => unknown)[]
}

/**
 * A query that is compiled once a wording – a dialect, and what tables are called – and then only run. `build` sees slots
 * where the values will stand, so the shape of the query cannot depend on them: branch outside, with two prepared queries.
 */
export const prepared = <P extends object, R>(
  build: (db: Kysely<Database>, slots: P) => Compilable<R>,
): ((handle: Handle, values: P) => Soon<readonly R[]>) => {
  const slots = new Proxy({}, { get: (_, name) => ({ [slot]: name }) }) as P
  const compiled = new Map<string, Compiled>()

  const compile = (db: Kysely<Database>): Compiled => {
    const { sql, parameters } = build(db, slots).compile()
    const fill = parameters.map((parameter) => {
      const name =
        typeof parameter === 'object' && parameter !== null ? (parameter as { [slot]?: string })[slot] : undefined
      return name === undefined ? () => parameter : (values: Readonly<Record<string, unknown>>) => values[name]
    })
    return { sql, fill }
  }

  return (handle, values) => {
    let query = compiled.get(handle.wording)
    if (!query) {
      query = compile(handle.db)
      compiled.set(handle.wording, query)
    }
    const parameters = query.fill.map((value) => value(values as Readonly<Record<string, unknown>>))
    return handle.run(query.sql, parameters) as Soon<readonly R[]>
  }
}

/** One prepared query for each shape in which it can be asked: what a shape says is not a value but part of the query. */
export const eachShape = <S extends readonly (string | number)[], Q>(
  build: (...shape: S) => Q,
): ((...shape: S) => Q) => {
  const known = new Map<string, Q>()
  return (...shape) => {
    const key = shape.join(' ')
    const made = known.get(key) ?? build(...shape)
    known.set(key, made)
    return made
  }
}
