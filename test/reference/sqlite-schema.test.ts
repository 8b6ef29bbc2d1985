import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SqliteOptions, sqlite } from '@forgelet/core'
import { expect, test } from 'vitest'
import { migrations } from '../../packages/core/src/db/migrations/migrations.ts'
import { openDatabase } from '../../packages/core/src/db/sqlite/file.ts'
import { root } from './descriptions/program.ts'
import { createMigratedDatabase, createSqliteSchemaModule, readStatements, sqliteSchemaPath } from './sqlite-schema.ts'

test('the schema of new SQLite databases is up to date', async () => {
  const module = await createSqliteSchemaModule()
  expect(readFileSync(join(root, sqliteSchemaPath), 'utf8'), 'run pnpm docs:reference and review the diff').toBe(module)
})

const withoutSpaces = (statements: readonly string[]) => statements.map((text) => text.replaceAll(/\s/g, ''))

test.each([
  ['a new database', {}, ''],
  ['a database of a host', { prefix: 'forge_' }, 'create table host_table (id integer)'],
])('%s receives the schema that the migrations create', async (_, options: SqliteOptions, hostStatement) => {
  const host = openDatabase(':memory:')
  host.exec(hostStatement)
  const store = sqlite(hostStatement ? (host.native as never) : ':memory:', options)
  await store.migrate()
  expect(await store.readState?.()).toMatchObject({ applied: migrations.length, pending: [], newer: [] })
  const created = openDatabase(store.serialize())
  const migrated = await createMigratedDatabase(options.prefix)
  const expected = readStatements(migrated, options.prefix)
  const statements = readStatements(created, options.prefix).filter((text) => !text.includes('host_table'))
  expect(withoutSpaces(statements)).toEqual(withoutSpaces(expected))
  // New databases do not receive rows that migrations insert.
  const names = migrated
    .prepare(`select name from pragma_table_list where type = 'table' and name not like 'sqlite_%'`)
    .all()
  const filled = names.filter(([name]) => migrated.prepare(`select 1 from "${name}" limit 1`).all().length)
  expect(names.length).toBeGreaterThan(100)
  expect(filled).toEqual([])
  for (const file of [created, migrated]) file.close()
  await store.close()
  host.close()
})
