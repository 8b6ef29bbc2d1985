import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { addMadeUpMigration, madeUpMigration } from '../../../../../test/support/made-up-migration.ts'
import { createDatabase } from '../../../../../test/support/postgres-database.ts'
import { dialect } from '../../../../../test/world.ts'
import type { Handle, Store } from '../../kernel/store.ts'
import { createPlatform } from '../../platform.ts'
import { postgres } from '../postgres/postgres.ts'
import { sqlite } from '../sqlite/sqlite.ts'
import { UnknownMigrationsError } from './migrate.ts'
import { baseline } from './migrations.ts'

const folder = mkdtempSync(join(tmpdir(), 'forgelet-migrate-'))
let open: () => Store
beforeAll(async () => {
  const url =
    dialect === 'postgres' ? await createDatabase(inject('postgresUrl') as string, `migrate_${process.pid}`) : undefined
  open = () => (url === undefined ? sqlite(join(folder, 'forge.db')) : postgres(url))
})
afterAll(() => rmSync(folder, { recursive: true }))

const using = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
  const store = open()
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

const readLabels = ({ run }: Handle) => run('select * from label order by id', [])
const readApplied = ({ db }: Handle) => db.selectFrom('forgeletMigration').select('name').orderBy('name').execute()
const replaceApplied = (store: Store, names: readonly string[]) =>
  store.write(async ({ db }) => {
    await db.deleteFrom('forgeletMigration').execute()
    await db
      .insertInto('forgeletMigration')
      .values(names.map((name) => ({ name, appliedAt: '2020-01-01T00:00:00.000Z' })))
      .execute()
  })

test('a new database gets the schema of the first release', async () => {
  await using(async (store) => {
    expect(await store.readState?.()).toMatchObject({ applied: 0, pending: [baseline], unknown: [] })
    const host = createPlatform(store).as({ system: 'test' })
    await host.groups.create({ path: 'acme', name: 'Acme' })
    await host.labels.create({ group: 'acme', name: 'bug', color: '#ff0000', description: 'A defect' })
    await host.labels.create({ group: 'acme', name: 'idea', color: '#00ff00' })
    expect(await store.readState?.()).toMatchObject({ applied: 1, pending: [], unknown: [] })
  })
})

test.each([
  ['a newer version', [baseline, '9999_tomorrow'], 'by a newer version (9999_tomorrow): install that version or newer'],
  [
    'a development version',
    ['0001_accounts', '0002_namespaces'],
    'by a development version from before the first release',
  ],
])('data of %s is rejected and stays unchanged', async (_, applied, message) => {
  await using((store) => replaceApplied(store, applied))
  await using(async (store) => {
    await expect(store.migrate()).rejects.toThrow(UnknownMigrationsError)
    await expect(createPlatform(store).as({ system: 'test' }).users.list()).rejects.toThrow(message)
    expect((await store.read(readApplied)).map(({ name }) => name)).toEqual(applied)
    expect(await store.read(readLabels)).toHaveLength(2)
  })
  await using((store) => replaceApplied(store, [baseline]))
})

test('a database of the first release runs the migrations that follow', async () => {
  onTestFinished(addMadeUpMigration())
  const { name } = madeUpMigration
  await using(async (store) => {
    expect(await store.readState?.()).toMatchObject({ applied: 1, pending: [name], unknown: [] })
    await Promise.all([store.migrate(), store.migrate()])
    expect(await store.readState?.()).toMatchObject({ applied: 2, pending: [], unknown: [] })
    const labels = await store.read(readLabels)
    expect(labels.map((label) => [label.name, label.archived])).toEqual([
      ['bug', false],
      ['idea', true],
    ])
  })
})
