import {
  CamelCasePlugin,
  type CompiledQuery,
  type DialectAdapter,
  Kysely,
  type Dialect as KyselyDialect,
  type KyselyPlugin,
  PostgresAdapter,
  type QueryResult,
  SqliteAdapter,
} from 'kysely'
import type { Database } from '../database.ts'
import type { Dialect, Soon } from '../kernel/store.ts'
import { compilers, type Naming } from './naming.ts'

/** Runs one compiled query and returns its rows as features see them. */
export type Execute = (query: CompiledQuery) => Soon<QueryResult<unknown>>

const refuse = async () => {
  throw new Error('A store owns its transactions: use store.write')
}

/** snake_case in the SQL only: results are named by the row reader, so nothing walks the rows again. */
const camel = new CamelCasePlugin()
const casing: KyselyPlugin = {
  transformQuery: (given) => camel.transformQuery(given),
  transformResult: async ({ result }) => result,
}

const adapters = { sqlite: SqliteAdapter, postgres: PostgresAdapter }

/**
 * Kysely as a typed SQL compiler whose driver does nothing but hand the query to `execute`. `naming` says what tables are
 * called in the SQL: features never know.
 */
export const kyselyOver = (dialect: Dialect, execute: Execute, naming: Naming = {}): Kysely<Database> => {
  const connection = {
    executeQuery: async <R>(query: CompiledQuery) => (await execute(query)) as QueryResult<R>,
    streamQuery: () => {
      throw new Error('Lists are paged, not streamed')
    },
  }
  const driver: KyselyDialect = {
    createDriver: () => ({
      init: async () => undefined,
      acquireConnection: async () => connection,
      beginTransaction: refuse,
      commitTransaction: refuse,
      rollbackTransaction: refuse,
      releaseConnection: async () => undefined,
      destroy: async () => undefined,
    }),
    createQueryCompiler: () => compilers[dialect](naming),
    createAdapter: (): DialectAdapter => new adapters[dialect](),
    createIntrospector: () => {
      throw new Error('The schema is known from the migrations')
    },
  }
  return new Kysely<Database>({ dialect: driver, plugins: [casing] })
}
