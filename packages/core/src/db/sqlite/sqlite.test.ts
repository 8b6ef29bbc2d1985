import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Handle } from '../../kernel/store.ts'
import { createPlatform } from '../../platform.ts'
import { assertNodeVersion } from '../node-version.ts'
import { openWithDriver } from './driver/open.ts'
import { type SqliteOptions, sqlite } from './sqlite.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forgelet-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const getPath = (name = 'forge.db') => join(folder, name)

let migrated: Buffer
beforeAll(async () => {
  const store = sqlite(':memory:')
  await store.migrate()
  migrated = store.serialize()
  await store.close()
})

/** Creates a migrated file, for tests that are not about migrations, and opens it. */
const openMigrated = (options: SqliteOptions = {}) => {
  if (!existsSync(getPath())) writeFileSync(getPath(), migrated)
  return sqlite(getPath(), options)
}

const addJob =
  "insert into job (kind, payload, run_after, state, attempts, created_at) values ('probe', '{}', '2030', 'pending', 0, '2030')"

const countJobs = async (handle: Handle) =>
  Number(Object.values((await handle.run('select count(*) from job', []))[0] ?? {})[0])

const createUserInput = (name: string) => ({ username: name })

test('persists data after closing and reopening', async () => {
  const first = createPlatform(sqlite(getPath()))
  await first.as({ system: 'test' }).users.create(createUserInput('ada'))
  await first.close()
  const second = createPlatform(sqlite(getPath()))
  expect(await second.as({ system: 'test' }).users.get({ user: 'ada' })).toMatchObject({ username: 'ada' })
  await second.close()
})

test('sets the pragmas of a file', async () => {
  const store = sqlite(getPath())
  await store.migrate()
  const read = async (pragma: string) =>
    store.write(async (handle) => Object.values((await handle.run(`pragma ${pragma}`, []))[0] ?? {})[0])
  expect(await read('journal_mode')).toBe('wal')
  expect(await read('synchronous')).toBe(2)
  expect(await read('foreign_keys')).toBe(1)
  expect(await read('trusted_schema')).toBe(0)
  expect(await read('busy_timeout')).toBe(20)
  await store.close()
})

test('reads the committed state during an open write transaction', async () => {
  const store = openMigrated()
  const platform = createPlatform(store)
  await platform.ready()
  const host = platform.as({ system: 'test' })
  const created = Promise.withResolvers<void>()
  const seen = Promise.withResolvers<void>()
  const written = platform.atomic(async (open) => {
    await open.as({ system: 'test' }).users.create(createUserInput('ada'))
    created.resolve()
    await seen.promise
  })
  await created.promise
  expect((await host.users.list()).items).toEqual([])
  seen.resolve()
  await written
  expect((await host.users.list()).total).toBe(1)
  await platform.close()
})

test('reads one snapshot per read, and the latest commit in the next', async () => {
  const store = openMigrated()
  await store.migrate()
  const other = new Database(getPath())
  const seen = await store.read(async (handle) => {
    const before = await countJobs(handle)
    other.exec(addJob)
    return [before, await countJobs(handle)]
  })
  expect(seen).toEqual([0, 0])
  expect(await store.read(countJobs)).toBe(1)
  other.close()
  await store.close()
})

test('releases the snapshot of a read that waits', async () => {
  const store = openMigrated()
  await store.migrate()
  const other = new Database(getPath())
  const seen = await store.read(async (handle) => {
    const before = await countJobs(handle)
    await new Promise((resolve) => setImmediate(resolve))
    other.exec(addJob)
    return [before, await countJobs(handle)]
  })
  expect(seen).toEqual([0, 1])
  other.close()
  await store.close()
})

test('reads a new write while an older read is open', async () => {
  const store = openMigrated()
  await store.migrate()
  const seen = await store.read(async (handle) => {
    await countJobs(handle)
    await store.write(async (writing) => writing.run(addJob, []))
    return store.read(countJobs)
  })
  expect(seen).toBe(1)
  await store.close()
})

test('waits for the open write transaction before a read in memory', async () => {
  const platform = createPlatform(sqlite(':memory:'))
  const host = platform.as({ system: 'test' })
  await platform.ready()
  const [, page] = await Promise.all([host.users.create(createUserInput('ada')), host.users.list()])
  expect(page.total).toBe(1)
  await platform.close()
})

test('serializes writes and rolls back a failed one', async () => {
  const platform = createPlatform(openMigrated())
  const host = platform.as({ system: 'test' })
  const results = await Promise.allSettled([
    ...Array.from({ length: 20 }, (_, at) => host.users.create(createUserInput(`user${at}`))),
    host.users.create(createUserInput('user3')),
  ])
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  expect((await host.users.list()).total).toBe(20)
  await platform.close()
})

test('serializes the writes of two stores on one file', async () => {
  const one = createPlatform(openMigrated({ durability: 'process' }))
  const two = createPlatform(openMigrated({ durability: 'process' }))
  await Promise.all([one.ready(), two.ready()])
  await Promise.all(
    [one, two].flatMap((platform, which) =>
      Array.from({ length: 50 }, (_, at) =>
        platform.as({ system: 'test' }).users.create(createUserInput(`user-${which}-${at}`)),
      ),
    ),
  )
  expect((await one.as({ system: 'test' }).users.list()).total).toBe(100)
  await one.close()
  await two.close()
})

test('fails with `unavailable` when another process holds the lock', async () => {
  const platform = createPlatform(openMigrated())
  await platform.ready()
  // The same library: two copies of SQLite in one process do not respect each other's locks.
  const other = openWithDriver(getPath())
  other.exec('begin immediate')
  const create = platform.as({ system: 'test' }).users.create(createUserInput('ada'))
  await expect(create).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 })
  other.exec('rollback')
  other.close()
  await expect(platform.as({ system: 'test' }).users.create(createUserInput('ada'))).resolves.toBeDefined()
  await platform.close()
})

test('rejects writes on a full disk, keeps reading, and recovers without a restart', async () => {
  const file = new Database(getPath())
  const platform = createPlatform(sqlite(file))
  const host = platform.as({ system: 'test' })
  await host.users.create(createUserInput('ada'))
  const pages = file.pragma('page_count', { simple: true }) as number
  file.pragma(`max_page_count = ${pages + 2}`)
  let created = 0
  const fill = async () => {
    while (created < 1_000) await host.users.create({ username: `u${created++}`, name: 'x'.repeat(255) })
  }
  await expect(fill()).rejects.toMatchObject({ code: 'unavailable', reason: 'full' })
  await expect(fill()).rejects.toMatchObject({ reason: 'full' })
  expect(await host.users.get({ user: 'ada' })).toMatchObject({ username: 'ada' })
  file.pragma('max_page_count = 1000000')
  await expect(host.users.create(createUserInput('late'))).resolves.toBeDefined()
  expect(file.pragma('integrity_check', { simple: true })).toBe('ok')
  await platform.close()
  file.close()
})

test('rejects the file of another program without changing it', () => {
  const foreign = new Database(getPath())
  foreign.exec('create table notes (text text)')
  foreign.close()
  const digest = () => createHash('sha256').update(readFileSync(getPath())).digest('hex')
  const before = digest()
  expect(() => sqlite(getPath())).toThrow('belongs to another program')
  expect(digest()).toBe(before)
})

test('rejects a database of a newer version', async () => {
  await openMigrated().close()
  const file = new Database(getPath())
  file.prepare("insert into forgelet_migration values ('9999_future', '2030-01-01')").run()
  file.close()
  await expect(createPlatform(sqlite(getPath())).ready()).rejects.toThrow('newer version')
})

test('opens an independent copy of a serialized database', async () => {
  const store = sqlite(':memory:')
  const original = createPlatform(store)
  await original.as({ system: 'test' }).users.create(createUserInput('ada'))
  const copy = createPlatform(sqlite(store.serialize()))
  await copy.as({ system: 'test' }).users.create(createUserInput('grace'))
  expect((await original.as({ system: 'test' }).users.list()).total).toBe(1)
  expect((await copy.as({ system: 'test' }).users.list()).total).toBe(2)
  await original.close()
  await copy.close()
})

test('checkpoints the write-ahead log during continuous writes', async () => {
  const platform = createPlatform(openMigrated({ durability: 'process' }))
  const host = platform.as({ system: 'test' })
  const { id: user } = await host.users.create({ username: 'ada' })
  await platform.as({ user: 'ada' }).projects.create({ path: 'web', name: 'Web' })
  const { issues } = platform.as({ user })
  // 55 MB, more than the limit, in few transactions.
  for (let at = 0; at < 60; at++) {
    await issues.create({ project: 'ada/web', title: `Issue ${at}`, description: String(at).repeat(500_000) })
  }
  expect(existsSync(`${getPath()}-wal`)).toBe(true)
  expect(statSync(`${getPath()}-wal`).size).toBeLessThan(16 * 1024 * 1024)
  await platform.close()
})

test('leaves a host database open when the platform closes', async () => {
  const file = new Database(':memory:')
  const platform = createPlatform(sqlite(file))
  await platform.ready()
  await platform.close()
  await platform.close()
  expect(file.open).toBe(true)
  file.close()
})

test('rejects an old Node.js with the required version', () => {
  expect(() => assertNodeVersion('20.20.2')).toThrow('Forgelet needs Node.js 22.18 or newer; this is 20.20.2')
  expect(() => assertNodeVersion('22.17.9')).toThrow('needs Node.js')
  expect(() => assertNodeVersion('22.18.0')).not.toThrow()
  expect(() => assertNodeVersion('24.0.0')).not.toThrow()
})
