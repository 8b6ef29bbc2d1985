import { type RawBuilder, sql } from 'kysely'

const placeholderPattern = /\{(#?[a-z_]+)\}/

/**
 * An SQL statement whose names follow the store's naming: `{issue}` is a table or a function, `{#issue_author}` an index or
 * a trigger, which get no schema. All other text is inserted unchanged, so it must not contain values of callers.
 */
export const statement = <R>(text: string): RawBuilder<R> =>
  sql<R>`${sql.join(
    text.split(placeholderPattern).map((part, index) => {
      if (index % 2 === 0) return sql.raw(part)
      return part.startsWith('#') ? sql.id(part.slice(1)) : sql.table(part)
    }),
    sql``,
  )}`
