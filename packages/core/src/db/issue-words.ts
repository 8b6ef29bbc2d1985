import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { likePattern } from '../kernel/search-text.ts'
import type { Dialect } from '../kernel/store.ts'

export type TextColumn = 'title' | 'description'

/** Both databases index every three letters that follow each other; shorter texts are no part of that index. */
const shortest = 3

const quoted = (word: string) => `"${word.replaceAll('"', '""')}"`

/** What is looked for in SQLite's indexes of words: all of the words, each in any of the columns. */
export interface Words {
  readonly words: readonly string[]
  readonly columns: readonly TextColumn[]
}

/** Titles have an index of their own, several times as small as the one of both columns. */
const indexOf = ({ words, columns }: Words) => {
  const all = words.map(quoted).join(' AND ')
  if (!columns.includes('description')) return { table: 'issue_title', query: all }
  return { table: 'issue_text', query: columns.includes('title') ? all : `description : (${all})` }
}

/** SQLite: the index of words as a table `words`, and the condition on it. Its rows are named by `rowid`, the issue's id. */
export const matchedWords = (asked: Words) => {
  const { table, query } = indexOf(asked)
  return {
    table: sql<{ rowid: number }>`${sql.table(table)}`.as('words'),
    matches: sql<SqlBool>`${sql.table(table)} match ${query}`,
  }
}

const idsWith = (asked: Words): RawBuilder<number> => {
  const { table, query } = indexOf(asked)
  return sql`(select rowid from ${sql.table(table)} where ${sql.table(table)} match ${query})`
}

const any = (conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.join(conditions, sql` or `)})`

const all = (conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.join(conditions, sql` and `)})`

const text = (column: TextColumn) => sql.ref(`issue.${column}`)

const has = (word: string) => (column: TextColumn) =>
  sql<SqlBool>`lower(${text(column)}) like lower(${likePattern(word)}) escape '\\'`

const isAll = (whole: string) => (column: TextColumn) => sql<SqlBool>`lower(${text(column)}) = lower(${whole})`

const isShort = (whole: string) => (column: TextColumn) =>
  sql<SqlBool>`(length(${text(column)}) < ${sql.lit(shortest)} and lower(${text(column)}) = lower(${whole}))`

/** Rows of `issue` whose texts have every word, each in any of the columns. `id` names the column with the issue's id. */
export const hasWords = (
  dialect: Dialect,
  id: RawBuilder<unknown>,
  words: readonly string[],
  columns: readonly TextColumn[],
): RawBuilder<SqlBool> =>
  dialect === 'sqlite'
    ? sql<SqlBool>`${id} in ${idsWith({ words, columns })}`
    : all(words.map((word) => any(columns.map(has(word)))))

/** Rows of `issue` one of whose texts is this one, no more and no less. */
export const isText = (
  dialect: Dialect,
  id: RawBuilder<unknown>,
  whole: string,
  columns: readonly TextColumn[],
): RawBuilder<SqlBool> =>
  [...whole].length < shortest
    ? any(columns.map(isShort(whole)))
    : all([hasWords(dialect, id, [whole], columns), any(columns.map(isAll(whole)))])
