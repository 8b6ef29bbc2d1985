import { type Expression, type RawBuilder, sql } from 'kysely'

/** ASCII lower case: names and paths are compared without regard to case. */
export const lower = (column: Expression<string> | string): RawBuilder<string> =>
  sql<string>`lower(${typeof column === 'string' ? sql.ref(column) : column})`

/** The smaller of two numbers. */
export const smaller = (left: Expression<number>, right: Expression<number>): RawBuilder<number> =>
  sql<number>`case when ${left} < ${right} then ${left} else ${right} end`
