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
