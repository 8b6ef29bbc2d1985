import { expect, test } from 'vitest'
import { migrations } from './migrations/migrations.ts'
import { sqlite } from './sqlite.ts'
import { createConnection } from './sqlite-connection.ts'
import type { SqliteDatabase } from './sqlite-driver/driver.ts'
import { openDatabase } from './sqlite-file.ts'

const readSchema = (file: SqliteDatabase) =>
  file
    .prepare(
      `select type, name, tbl_name, sql from sqlite_schema where tbl_name <> 'forgelet_migration' order by rowid`,
    )
    .all()
    .filter(([, name]) => name !== 'sqlite_sequence')

test('later databases of a process have the schema that the migrations create', async () => {
  const migrated = openDatabase(':memory:')
  const { handle } = createConnection(migrated, { prefix: '', getDataVersion: () => 0, cache: undefined })
  for (const { up } of migrations) await up(handle.db)
  for (let count = 0; count < 2; count += 1) {
    const store = sqlite(':memory:')
    await store.migrate()
    const copy = openDatabase(store.serialize())
    expect(readSchema(copy)).toEqual(readSchema(migrated))
    expect(await store.readState?.()).toMatchObject({ applied: migrations.length, pending: [], newer: [] })
    copy.close()
    await store.close()
  }
  migrated.close()
})

test('tables of a host are not part of new databases', async () => {
  const host = openDatabase(':memory:')
  host.exec('create table host_table (id integer)')
  const withPrefix = sqlite(host.native as never, { prefix: 'forge_' })
  await withPrefix.migrate()
  const store = sqlite(':memory:', { prefix: 'forge_' })
  await store.migrate()
  const copy = openDatabase(store.serialize())
  expect(readSchema(copy).map(([, name]) => name)).not.toContain('host_table')
  copy.close()
  await store.close()
  await withPrefix.close()
  host.close()
})
