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

/** A yes or no in a JSON column was set to no. SQLite reads it as a number, PostgreSQL as a word. */
export const switchedOff = (column: string, key: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`coalesce(cast(${sql.ref(column)} ->> ${sql.lit(key)} as text), '') in ('0', 'false')`

/**
 * `issue_label_key` of SQLite, read as `link`: issues that carry a label, in order, one number each. `issueId` is read out of
 * that number; `carries` steps to the same issue's number of another label.
 */
export const labelKeys = {
  of: (labelId: number): RawBuilder<SqlBool> =>
    sql<SqlBool>`(${sql.ref('link.link')} >= (${labelId} << 32) and ${sql.ref('link.link')} < ((${labelId} + 1) << 32))`,
  issueId: sql<number>`(${sql.ref('link.link')} & 4294967295)`,
  carries: (key: string, labelId: number, startId: number): RawBuilder<SqlBool> =>
    sql<SqlBool>`(${sql.ref(key)} = (${sql.ref('link.link')} + ((${labelId} - ${startId}) << 32)))`,
}
