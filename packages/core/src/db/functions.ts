import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { SearchTerms } from '../kernel/search-text.ts'
import type { Dialect } from '../kernel/store.ts'

/** Lowercase (ASCII only on SQLite), for case-insensitive comparison of names and paths. */
export const lower = (column: Expression<string> | string): RawBuilder<string> =>
  sql<string>`lower(${typeof column === 'string' ? sql.ref(column) : column})`

/** Case-insensitive `LIKE` with a pattern whose special characters are escaped with `\\`. */
export const matchesPattern = (column: string, pattern: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`lower(${sql.ref(column)}) like lower(${pattern}) escape '\\'`

/**
 * The column contains the text, ignoring case. Unlike `LIKE`, whose time can be the product of both lengths: 5 seconds for a
 * pattern of 1,000 characters and a text of 1 MB.
 */
export const containsText = (dialect: Dialect, column: string, text: string): RawBuilder<SqlBool> => {
  const position = sql.raw(dialect === 'sqlite' ? 'instr' : 'strpos')
  return sql<SqlBool>`${position}(lower(${sql.ref(column)}), lower(${text})) > 0`
}

/**
 * Every word of the search text occurs in one of the columns, or one of them equals a text without words. Undefined for a blank
 * text, which matches everything.
 */
export const matchesSearch = (
  dialect: Dialect,
  columns: readonly string[],
  { words, wholeText }: SearchTerms,
): RawBuilder<SqlBool> | undefined => {
  if (!words.length && wholeText === '') return undefined
  const anyColumn = (matches: (column: string) => RawBuilder<SqlBool>) =>
    sql<SqlBool>`(${sql.join(columns.map(matches), sql` or `)})`
  if (!words.length) return anyColumn((name) => sql<SqlBool>`lower(${sql.ref(name)}) = lower(${wholeText})`)
  const found = words.map((word) => anyColumn((name) => containsText(dialect, name, word)))
  return sql<SqlBool>`(${sql.join(found, sql` and `)})`
}

/** The smaller of two numbers. */
export const least = (left: Expression<number>, right: Expression<number>): RawBuilder<number> =>
  sql<number>`case when ${left} < ${right} then ${left} else ${right} end`

/** A text that is part of the SQL instead of a parameter: SQLite uses a partial index only for a constant. */
export const constantText = <T extends string>(text: T): RawBuilder<T> => sql.lit(text)

/**
 * The position of an issue in the manual order: the one it was moved to, or one from its id. The same expression as that of the
 * index `issue_project_position`.
 */
export const issuePosition: RawBuilder<number> = sql<number>`coalesce(${sql.ref('issue.relativePosition')}, ${sql.ref('issue.id')} * 1048576)`

/** Prevents SQLite from using an index on the column, where scanning a few rows is faster than many lookups. */
export const withoutIndex = (column: string): RawBuilder<number> => sql<number>`+${sql.ref(column)}`

/** A column by its qualified name. */
export const column = (name: string): RawBuilder<number> => sql<number>`${sql.ref(name)}`

/** The column is one of the ids. One parameter for any number of them, so that the text of a statement is always the same. */
export const isOneOf = (dialect: Dialect, column: string, ids: readonly number[]): RawBuilder<SqlBool> =>
  dialect === 'sqlite'
    ? sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${`[${ids}]`}))`
    : sql<SqlBool>`${sql.ref(column)} = any(${`{${ids}}`}::bigint[])`

/** The date in the column is absent or after today: the last day of a membership or share is the day before. */
export const isUnexpired = (column: string, today: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(column)} is null or ${sql.ref(column)} > ${today})`

/** A text in a JSON column; null without one. */
export const jsonText = (column: string, key: string): RawBuilder<string | null> =>
  sql<string | null>`(${sql.ref(column)} ->> ${sql.lit(key)})`

/**
 * Conditions on SQLite's table `issue_label_key`, aliased as `link`: one integer per label and issue, `label << 32 | issue`.
 * `hasLabel`: the key of the same issue with another label.
 */
export const labelKeys = {
  hasStartLabel: (labelId: number): RawBuilder<SqlBool> =>
    sql<SqlBool>`(${sql.ref('link.link')} >= (${labelId} << 32) and ${sql.ref('link.link')} < ((${labelId} + 1) << 32))`,
  issueId: sql<number>`(${sql.ref('link.link')} & 4294967295)`,
  hasLabel: (key: string, labelId: number, startId: number): RawBuilder<SqlBool> =>
    sql<SqlBool>`(${sql.ref(key)} = (${sql.ref('link.link')} + ((${labelId} - ${startId}) << 32)))`,
}
