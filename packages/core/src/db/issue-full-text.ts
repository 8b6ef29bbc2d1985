import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from '../kernel/store.ts'
import { toContainsPattern } from '../shared/search-text.ts'

export type TextColumn = 'title' | 'description'

/** Both databases use trigram indexes, which do not contain shorter texts. */
const minIndexedLength = 3

const quoteFtsTerm = (word: string) => `"${word.replaceAll('"', '""')}"`

/** A query on SQLite's full-text indexes: all of the words, each in any of the columns. */
export interface FullTextQuery {
  readonly words: readonly string[]
  readonly columns: readonly TextColumn[]
}

/** Titles have an index of their own, which is several times smaller than the index of both columns. */
const chooseIndex = ({ words, columns }: FullTextQuery) => {
  const query = words.map(quoteFtsTerm).join(' AND ')
  if (!columns.includes('description')) return { table: 'issue_title', query }
  return { table: 'issue_text', query: columns.includes('title') ? query : `description : (${query})` }
}

/** SQLite: the full-text index as a table `words`, and the condition on it. Its `rowid` is the issue id. */
export const matchFullText = (search: FullTextQuery) => {
  const { table, query } = chooseIndex(search)
  return {
    table: sql<{ rowid: number }>`${sql.table(table)}`.as('words'),
    matches: sql<SqlBool>`${sql.table(table)} match ${query}`,
  }
}

const selectMatchingIds = (search: FullTextQuery): RawBuilder<number> => {
  const { table, query } = chooseIndex(search)
  return sql`(select rowid from ${sql.table(table)} where ${sql.table(table)} match ${query})`
}

const anyOf = (conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.join(conditions, sql` or `)})`

const allOf = (conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.join(conditions, sql` and `)})`

const issueColumn = (column: TextColumn) => sql.ref(`issue.${column}`)

const containsWord = (word: string) => (column: TextColumn) =>
  sql<SqlBool>`lower(${issueColumn(column)}) like lower(${toContainsPattern(word)}) escape '\\'`

const equalsText = (text: string) => (column: TextColumn) =>
  sql<SqlBool>`lower(${issueColumn(column)}) = lower(${text})`

const equalsShortText = (text: string) => (column: TextColumn) =>
  sql<SqlBool>`(length(${issueColumn(column)}) < ${sql.lit(minIndexedLength)} and lower(${issueColumn(column)}) = lower(${text}))`

/** Rows of `issue` that contain every word, each in any of the columns. `id`: the column with the issue id. */
export const containsWords = (
  dialect: Dialect,
  id: RawBuilder<unknown>,
  words: readonly string[],
  columns: readonly TextColumn[],
): RawBuilder<SqlBool> =>
  dialect === 'sqlite'
    ? sql<SqlBool>`${id} in ${selectMatchingIds({ words, columns })}`
    : allOf(words.map((word) => anyOf(columns.map(containsWord(word)))))

/** Rows of `issue` with a column that equals the whole text, ignoring case. */
export const equalsWholeText = (
  dialect: Dialect,
  id: RawBuilder<unknown>,
  text: string,
  columns: readonly TextColumn[],
): RawBuilder<SqlBool> =>
  [...text].length < minIndexedLength
    ? anyOf(columns.map(equalsShortText(text)))
    : allOf([containsWords(dialect, id, [text], columns), anyOf(columns.map(equalsText(text)))])
