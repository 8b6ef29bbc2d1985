import type { Dialect } from '../../kernel/store.ts'
import { createSchema } from './schema.ts'

export interface Migration {
  readonly name: string
  /** The statements for one database; see `renderSql`. */
  sql(dialect: Dialect): string
}

/** The first migration. Only databases of development versions, from before the first release, have others without this one. */
export const baseline = '0001_baseline'

/** All migrations in order. A released migration is never edited: every change is a new migration. */
export const migrations: readonly Migration[] = [{ name: baseline, sql: createSchema }]
