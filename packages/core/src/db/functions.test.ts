import Database from 'better-sqlite3'
import { DummyDriver, Kysely, SqliteAdapter, SqliteQueryCompiler, sql } from 'kysely'
import { expect, test } from 'vitest'
import { parseSearchText } from '../kernel/search-text.ts'
import { matchesSearch } from './functions.ts'

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: () => {
      throw new Error('Not used')
    },
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})
const database = new Database(':memory:')

const matches = (value: string, search: string): boolean => {
  const condition = matchesSearch('sqlite', ['value'], parseSearchText(search))
  if (!condition) return true
  const query = sql`select ${condition} as hit from (select ${value} as value)`.compile(compiler)
  return (
    database
      .prepare(query.sql)
      .pluck()
      .get(...query.parameters) === 1
  )
}

test.each([
  ['The Login page', 'login', true],
  ['The Login page', 'page login', true],
  ['The Login page', 'login missing', false],
  ['The Login page', '"login page"', true],
  ['The page for Login', '"login page"', false],
  ['anything', '', true],
  ['ab', 'AB', true],
  ['abc', 'ab', false],
  ['a%', '%%', false],
  ['%%', '%%', true],
  ['discount 50% off', '50%', true],
  ['discount 500 off', '50%', false],
  ['snake_case', 'e_c', true],
  ['snakeXcase', 'e_c', false],
  [String.raw`c:\temp`, String.raw`:\t`, true],
  ['c:xtemp', String.raw`:\t`, false],
])('%j matches %j: %s', (value, search, expected) => {
  expect(matches(value, search)).toBe(expected)
})
