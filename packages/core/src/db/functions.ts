import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'

/** ASCII lower case: names and paths are compared without regard to case. */
export const lower = (column: Expression<string> | string): RawBuilder<string> =>
  sql<string>`lower(${typeof column === 'string' ? sql.ref(column) : column})`

/** The text matches a `LIKE` pattern whose own signs are escaped with `\\`, without regard to case. */
export const matches = (column: string, pattern: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`lower(${sql.ref(column)}) like lower(${pattern}) escape '\\'`

/** The smaller of two numbers. */
export const smaller = (left: Expression<number>, right: Expression<number>): RawBuilder<number> =>
  sql<number>`case when ${left} < ${right} then ${left} else ${right} end`

/** A number that no index is asked for: where SQLite would look up each of a long list instead of walking a few rows. */
export const opaque = (column: string): RawBuilder<number> => sql<number>`+${sql.ref(column)}`

/** A column by its name, with its table's. */
export const column = (name: string): RawBuilder<number> => sql<number>`${sql.ref(name)}`
