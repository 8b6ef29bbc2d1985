import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { toContainsPattern } from '../../kernel/search-text.ts'
import type { Dialect } from '../../kernel/store.ts'
import { containsText } from '../functions.ts'

export type TextColumn = 'title' | 'description'

/** Both databases use trigram indexes, which do not contain shorter texts. */
const minIndexedLength = 3

/**
 * Both indexes compare the positions of all trigrams of a word, which takes a minute for a word of 1,000 characters and a text of
 * 1 MB. So only the start of a longer word is looked up as it is.
 */
const maxIndexedLength = 10

/** Trigrams after the start of a longer word that a matching text must contain, at any place. */
const maxTrigrams = 32

const splitWord = (word: string): { readonly start: string; readonly rest: readonly string[] } => {
  const characters = [...word]
  const start = characters.slice(0, maxIndexedLength).join('')
  return { start, rest: characters.slice(maxIndexedLength) }
}

const quoteFtsTerm = (word: string) => `"${word.replaceAll('"', '""')}"`

/** The terms of the full-text query that every text with the word matches. */
const toFtsTerms = (word: string): readonly string[] => {
  const { start, rest } = splitWord(word)
  const end = [...start.slice(-2), ...rest]
  const trigrams = end.slice(2).map((_, index) => end.slice(index, index + 3).join(''))
  return [start, ...[...new Set(trigrams)].slice(0, maxTrigrams)]
}

/** A query on SQLite's full-text indexes: all of the words, each in any of the columns. */
export interface FullTextQuery {
  readonly words: readonly string[]
  readonly columns: readonly TextColumn[]
}

const anyOf = (conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.join(conditions, sql` or `)})`

const allOf = (conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.join(conditions, sql` and `)})`

/** SQLite lowers ASCII letters only, so other letters of a longer word are compared as trigrams only. */
const asciiParts = (word: string): readonly string[] => word.match(/[ -~]+/g) ?? []

/** `words` is the alias of the full-text index, whose columns are those of the issue. */
const containsParts = (word: string) => (column: TextColumn) =>
  allOf(asciiParts(word).map((part) => containsText('sqlite', `words.${column}`, part)))

/** The condition on the full-text index. Titles have an index of their own, several times smaller than that of both columns. */
const matchIndex = ({ words, columns }: FullTextQuery) => {
  const hasDescription = columns.includes('description')
  const table = hasDescription ? 'issue_text' : 'issue_title'
  const terms = words.flatMap(toFtsTerms).map(quoteFtsTerm).join(' AND ')
  const query = hasDescription && !columns.includes('title') ? `description : (${terms})` : terms
  const longWords = words.filter((word) => splitWord(word).rest.length > 0 && asciiParts(word).length > 0)
  const whole = longWords.map((word) => anyOf(columns.map(containsParts(word))))
  return { table, condition: allOf([sql<SqlBool>`${sql.table(table)} match ${query}`, ...whole]) }
}

/** SQLite: the full-text index as a table `words`, and the condition on it. Its `rowid` is the issue id. */
export const matchFullText = (search: FullTextQuery) => {
  const { table, condition } = matchIndex(search)
  return { table: sql<{ rowid: number }>`${sql.table(table)}`.as('words'), matches: condition }
}

const selectMatchingIds = (search: FullTextQuery): RawBuilder<number> => {
  const { table, condition } = matchIndex(search)
  return sql`(select rowid from ${sql.table(table)} as words where ${condition})`
}

const issueColumn = (column: TextColumn) => sql.ref(`issue.${column}`)

/** PostgreSQL: the index finds the start of a longer word. */
const containsWord = (word: string) => (column: TextColumn) => {
  const { start, rest } = splitWord(word)
  const startMatches = sql<SqlBool>`lower(${issueColumn(column)}) like lower(${toContainsPattern(start)}) escape '\\'`
  return rest.length ? allOf([startMatches, containsText('postgres', `issue.${column}`, word)]) : startMatches
}

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
