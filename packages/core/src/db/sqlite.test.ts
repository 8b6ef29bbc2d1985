import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Handle } from '../kernel/store.ts'
import { createPlatform } from '../platform.ts'
import { requireNode } from './node-version.ts'
import { sqlite } from './sqlite.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forgelet-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const path = (name = 'forge.db') => join(folder, name)

const addJob =
  "insert into job (kind, payload, run_after, state, attempts, created_at) values ('probe', '{}', '2030', 'pending', 0, '2030')"

const countJobs = async (handle: Handle) =>
  Number(Object.values((await handle.run('select count(*) from job', []))[0] ?? {})[0])

const user = (name: string) => ({ username: name })

test('what was written is there after closing and opening again', async () => {
  const first = createPlatform(sqlite(path()))
  await first.as({ system: 'test' }).users.create(user('ada'))
  await first.close()
  const second = createPlatform(sqlite(path()))
  expect(await second.as({ system: 'test' }).users.get({ user: 'ada' })).toMatchObject({ username: 'ada' })
  await second.close()
})

test('a file keeps the promises of the store', async () => {
  const store = sqlite(path())
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

test('a read during an open command sees what was committed before it', async () => {
  const store = sqlite(path())
  const platform = createPlatform(store)
  await platform.ready()
  const host = platform.as({ system: 'test' })
  let seen = -1
  await platform.atomic(async (open) => {
    await open.as({ system: 'test' }).users.create(user('ada'))
    seen = (await host.users.list()).items.length
  })
  expect(seen).toBe(0)
  expect((await host.users.list()).total).toBe(1)
  await platform.close()
})

test('one read sees one state of a file, and the next one sees what was committed meanwhile', async () => {
  const store = sqlite(path())
  await store.migrate()
  const other = new Database(path())
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

test('a read that waits for something else keeps no snapshot', async () => {
  const store = sqlite(path())
  await store.migrate()
  const other = new Database(path())
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

test('what was written is seen beside a read that began before', async () => {
  const store = sqlite(path())
  await store.migrate()
  const seen = await store.read(async (handle) => {
    await countJobs(handle)
    await store.write(async (writing) => writing.run(addJob, []))
    return store.read(countJobs)
  })
  expect(seen).toBe(1)
  await store.close()
})

test('in memory, a read waits for the open command', async () => {
  const platform = createPlatform(sqlite(':memory:'))
  const host = platform.as({ system: 'test' })
  await platform.ready()
  const [, page] = await Promise.all([host.users.create(user('ada')), host.users.list()])
  expect(page.total).toBe(1)
  await platform.close()
})

test('commands take turns, and a failed one leaves nothing behind', async () => {
  const platform = createPlatform(sqlite(path()))
  const host = platform.as({ system: 'test' })
  const results = await Promise.allSettled([
    ...Array.from({ length: 20 }, (_, at) => host.users.create(user(`user${at}`))),
    host.users.create(user('user3')),
  ])
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  expect((await host.users.list()).total).toBe(20)
  await platform.close()
})

test('two stores on one file wait for each other instead of failing', async () => {
  const one = createPlatform(sqlite(path(), { durability: 'process' }))
  const two = createPlatform(sqlite(path(), { durability: 'process' }))
  await Promise.all([one.ready(), two.ready()])
  await Promise.all(
    [one, two].flatMap((platform, which) =>
      Array.from({ length: 50 }, (_, at) => platform.as({ system: 'test' }).users.create(user(`user-${which}-${at}`))),
    ),
  )
  expect((await one.as({ system: 'test' }).users.list()).total).toBe(100)
  await one.close()
  await two.close()
})

test('a lock that another process keeps ends in a refusal that says so', async () => {
  const platform = createPlatform(sqlite(path()))
  await platform.ready()
  const other = new Database(path())
  other.exec('begin immediate')
  const create = platform.as({ system: 'test' }).users.create(user('ada'))
  await expect(create).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 })
  other.exec('rollback')
  other.close()
  await expect(platform.as({ system: 'test' }).users.create(user('ada'))).resolves.toBeDefined()
  await platform.close()
})

test('a full disk refuses writes, keeps reads, and recovers without a restart', async () => {
  const file = new Database(path())
  const platform = createPlatform(sqlite(file))
  const host = platform.as({ system: 'test' })
  await host.users.create(user('ada'))
  const pages = file.pragma('page_count', { simple: true }) as number
  file.pragma(`max_page_count = ${pages + 2}`)
  const fill = async () => {
    for (let at = 0; at < 100; at++) await host.users.create({ username: `u${at}`, name: 'x'.repeat(2_000) })
  }
  await expect(fill()).rejects.toMatchObject({ code: 'unavailable', reason: 'full' })
  await expect(host.users.create({ username: 'late', name: 'x'.repeat(5_000) })).rejects.toMatchObject({
    reason: 'full',
  })
  expect(await host.users.get({ user: 'ada' })).toMatchObject({ username: 'ada' })
  file.pragma('max_page_count = 1000000')
  await expect(host.users.create(user('late'))).resolves.toBeDefined()
  expect(file.pragma('integrity_check', { simple: true })).toBe('ok')
  await platform.close()
  file.close()
})

test("another program's file is refused and stays as it was", () => {
  const foreign = new Database(path())
  foreign.exec('create table notes (text text)')
  foreign.close()
  const digest = () => createHash('sha256').update(readFileSync(path())).digest('hex')
  const before = digest()
  expect(() => sqlite(path())).toThrow('belongs to another program')
  expect(digest()).toBe(before)
})

test('a database of a newer version is refused', async () => {
  const store = sqlite(path())
  await store.migrate()
  await store.close()
  const file = new Database(path())
  file.prepare("insert into forgelet_migration values ('9999_future', '2030-01-01')").run()
  file.close()
  await expect(createPlatform(sqlite(path())).ready()).rejects.toThrow('newer version')
})

test('a copy of a serialized world is independent of it', async () => {
  const store = sqlite(':memory:')
  const original = createPlatform(store)
  await original.as({ system: 'test' }).users.create(user('ada'))
  const copy = createPlatform(sqlite(store.serialize()))
  await copy.as({ system: 'test' }).users.create(user('grace'))
  expect((await original.as({ system: 'test' }).users.list()).total).toBe(1)
  expect((await copy.as({ system: 'test' }).users.list()).total).toBe(2)
  await original.close()
  await copy.close()
})

test('the write-ahead log is checkpointed while writes go on', async () => {
  const platform = createPlatform(sqlite(path(), { durability: 'process' }))
  const host = platform.as({ system: 'test' })
  for (let at = 0; at < 1_500; at++) await host.users.create(user(`user${at}`))
  expect(existsSync(`${path()}-wal`)).toBe(true)
  expect(statSync(`${path()}-wal`).size).toBeLessThan(16 * 1024 * 1024)
  await platform.close()
})

test('a database of the host stays open when the platform is closed', async () => {
  const file = new Database(':memory:')
  const platform = createPlatform(sqlite(file))
  await platform.ready()
  await platform.close()
  await platform.close()
  expect(file.open).toBe(true)
  file.close()
})

test('an old Node is told which one is needed', () => {
  expect(() => requireNode('20.20.2')).toThrow('Forgelet needs Node.js 22.18 or newer; this is 20.20.2')
  expect(() => requireNode('22.17.9')).toThrow('needs Node.js')
  expect(() => requireNode('22.18.0')).not.toThrow()
  expect(() => requireNode('24.0.0')).not.toThrow()
})
