import {
  type CompiledQuery,
  type DialectAdapter,
  Kysely,
  type Dialect as KyselyDialect,
  PostgresAdapter,
  type QueryResult,
  SqliteAdapter,
} from 'kysely'
import type { Database } from '../contract/database.ts'
import type { Dialect, MaybePromise } from '../kernel/store.ts'
import { queryCompilers, type TableNaming } from './naming.ts'

/** Runs a compiled query and returns its rows with camelCase keys and decoded values. */
export type Execute = (query: CompiledQuery) => MaybePromise<QueryResult<unknown>>

const rejectTransaction = async () => {
  throw new Error('A store owns its transactions: use store.write')
}

const adapters = { sqlite: SqliteAdapter, postgres: PostgresAdapter }

/** Kysely as a typed SQL compiler: its driver only passes the compiled query to `execute`. `naming` applies to the SQL only. */
export const createKysely = (dialect: Dialect, execute: Execute, naming: TableNaming = {}): Kysely<Database> => {
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
      beginTransaction: rejectTransaction,
      commitTransaction: rejectTransaction,
      rollbackTransaction: rejectTransaction,
      releaseConnection: async () => undefined,
      destroy: async () => undefined,
    }),
    createQueryCompiler: () => queryCompilers[dialect](naming),
    createAdapter: (): DialectAdapter => new adapters[dialect](),
    createIntrospector: () => {
      throw new Error('The schema is known from the migrations')
    },
  }
  return new Kysely<Database>({ dialect: driver })
}
