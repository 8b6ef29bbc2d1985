import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  formatPartTables,
  listPostgresFiles,
  listSqliteFiles,
  listTestFiles,
  postgresPaths,
  slowPaths,
  sqliteFirstPaths,
} from './parts.ts'

test('every test file runs in exactly one part on SQLite', () => {
  const both = [...listSqliteFiles('main'), ...listSqliteFiles('rest')]
  expect(both.toSorted()).toEqual(listTestFiles())
})

test('every file that runs on PostgreSQL runs in exactly one part', () => {
  const both = [...listPostgresFiles('main'), ...listPostgresFiles('rest')]
  expect(both.toSorted()).toEqual(listPostgresFiles())
  expect(listSqliteFiles()).toEqual(expect.arrayContaining(both))
})

test('every path of the tables exists', () => {
  const hasFiles = (path: string) => listTestFiles().some((file) => file.startsWith(path))
  expect(Object.keys(slowPaths).filter((path) => !hasFiles(path))).toEqual([])
  const isLater = (path: string) => listPostgresFiles('rest').some((file) => file.startsWith(path))
  expect(Object.keys(sqliteFirstPaths).filter((path) => !isLater(path))).toEqual([])
  const onPostgres = (path: string) => listPostgresFiles('main').some((file) => file.startsWith(path))
  expect(Object.keys(postgresPaths).filter((path) => !onPostgres(path))).toEqual([])
})

test('every contract test whose result depends on the database runs on PostgreSQL in the first part', () => {
  const exceptions = [...Object.keys(sqliteFirstPaths), ...Object.keys(slowPaths)]
  const isException = (file: string) => exceptions.some((path) => file.startsWith(path))
  const contracts = listPostgresFiles().filter((file) => file.startsWith('test/contract/') && !isException(file))
  expect(contracts.length).toBeGreaterThan(0)
  expect(listPostgresFiles('main')).toEqual(expect.arrayContaining(contracts))
})

test('test/README.md contains the tables', () => {
  const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')
  // The formatter aligns the columns.
  const rows = readme.split('\n').map((line) => line.replaceAll(/ +\|/g, ' |'))
  for (const row of formatPartTables().flat()) expect(rows).toContain(row)
})
