import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPlatform } from '@forgelet/core'
import { seed } from '@forgelet/core/seed'
import { afterAll, expect, inject, test } from 'vitest'
import { completeSeed } from '../../../../../test/architecture/complete-seed.ts'
import { createDatabase } from '../../../../../test/support/postgres-database.ts'
import { dialect } from '../../../../../test/world.ts'
import { postgres } from '../postgres/postgres.ts'
import { sqlite } from '../sqlite/sqlite.ts'
import { copyStore } from './copy-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'forgelet-copy-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** SQLite → SQLite with one engine; SQLite → PostgreSQL → SQLite with both. */
const openMiddle = async () => {
  const url = inject('postgresUrl')
  if (dialect !== 'postgres' || url === undefined) return sqlite(join(folder, 'middle.db'))
  return postgres(await createDatabase(url, `copy_${process.pid}`))
}

test('a copied database has the same rows, continues their ids, and finds issues', async () => {
  const first = sqlite(join(folder, 'first.db'))
  const source = createPlatform(first, { passwordCost: 10 })
  await seed(source, completeSeed)
  const host = source.as({ system: 'test' })
  const removed = await host.users.create({ username: 'removed' })
  await host.users.remove({ user: removed.id, hardDelete: true })
  await source.jobs.drain()
  const middle = await openMiddle()
  const steps: string[] = []
  const copied = await copyStore(first, middle, (name, done, total) => steps.push(`${name} ${done}/${total}`))
  expect(copied.rows).toBeGreaterThan(300)
  expect(steps.at(-1)).toBe(`all tables ${copied.tables}/${copied.tables}`)
  await expect(copyStore(first, middle)).rejects.toThrow('The target is not empty')
  const last = sqlite(join(folder, 'last.db'))
  expect(await copyStore(middle, last)).toEqual(copied)

  for (const store of [middle, last]) {
    const target = createPlatform(store, { passwordCost: 10 }).as({ system: 'test' })
    const added = await target.users.create({ username: 'added' })
    expect(added.id).toBeGreaterThan(removed.id)
    const { items } = await host.issues.list({ project: 'acme/web', perPage: 100 })
    const search = items[0]?.title ?? ''
    const found = await target.issues.list({ project: 'acme/web', search, perPage: 100 })
    expect(found.items.map(({ id }) => id)).toContain(items[0]?.id)
  }
  for (const store of [first, middle, last]) await store.close()
})
