import { type RawBuilder, sql } from 'kysely'

const marked = /\{(#?[a-z_]+)\}/

/**
 * A statement in SQL. `{issue}` in it names a table or a function, `{#issue_author}` an index or a trigger – what has its
 * place by its table – so that they are called what the store calls them. What is no name stands as it is: no value of a
 * caller may be in it.
 */
export const statement = <R>(text: string): RawBuilder<R> =>
  sql<R>`${sql.join(
    text.split(marked).map((part, at) => {
      if (at % 2 === 0) return sql.raw(part)
      return part.startsWith('#') ? sql.id(part.slice(1)) : sql.table(part)
    }),
    sql``,
  )}`
