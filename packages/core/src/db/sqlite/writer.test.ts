import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Handle } from '../../kernel/store.ts'
import { type SqliteStore, sqlite } from './sqlite.ts'

let folder: string
let store: SqliteStore
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'forgelet-'))
  store = sqlite(join(folder, 'forge.db'), { groupCommit: true })
  await store.migrate()
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const addJob = (name: string) => (handle: Handle) =>
  handle.run(
    `insert into job (kind, key, payload, run_after, state, attempts, created_at)
     values ('probe', ?, '{}', '2030', 'pending', 0, '2030')`,
    [name],
  )

const readJobs = () =>
  store.read(async (handle) =>
    (await handle.run('select key from job order by id', [])).map((row) => Object.values(row)[0]),
  )

const fail = () => {
  throw new Error('Rejected')
}

const failAfter = (name: string) => async (handle: Handle) => {
  await addJob(name)(handle)
  fail()
}

test('writes of one turn of the event loop are committed together', async () => {
  const visible = await Promise.all(['a', 'b', 'c'].map((name) => store.write(addJob(name)).then(() => readJobs())))
  expect(visible).toEqual([
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ])
})

test('nothing is visible before the commit', async () => {
  const written = store.write(addJob('a'))
  await Promise.resolve()
  expect(await readJobs()).toEqual([])
  await written
  expect(await readJobs()).toEqual(['a'])
})

test.each([
  ['first', [failAfter('a'), addJob('b'), addJob('c')], ['b', 'c']],
  ['later', [addJob('a'), failAfter('b'), addJob('c')], ['a', 'c']],
  ['last', [addJob('a'), addJob('b'), failAfter('c')], ['a', 'b']],
] as const)('only the changes of the %s write are rolled back if it fails', async (_, works, expected) => {
  const results = await Promise.allSettled(works.map((work) => store.write<unknown>(work)))
  expect(results.filter(({ status }) => status === 'rejected')).toEqual([
    { status: 'rejected', reason: new Error('Rejected') },
  ])
  expect(await readJobs()).toEqual(expected)
})

test('all writes of a group fail if it cannot be committed', async () => {
  const breakReference = async (handle: Handle) => {
    await handle.run('pragma defer_foreign_keys = on', [])
    await handle.run("insert into member (user_id, access_level, created_at) values (999, 30, '2030')", [])
  }
  const results = await Promise.allSettled([store.write(addJob('a')), store.write(breakReference)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await readJobs()).toEqual([])
  await store.write(addJob('b'))
  expect(await readJobs()).toEqual(['b'])
})

test('work of the host, which may wait, does not delay other writes', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const before = store.write(addJob('before'))
  const alone = store.writeAlone(async (handle) => {
    await addJob('alone')(handle)
    await promise
  })
  const after = store.write(addJob('after'))
  await before
  expect(await readJobs()).toEqual(['before'])
  resolve()
  await Promise.all([alone, after])
  expect(await readJobs()).toEqual(['before', 'alone', 'after'])
})

test('closing commits writes that wait for their commit', async () => {
  const written = store.write(addJob('a'))
  await Promise.resolve()
  await store.close()
  await written
  store = sqlite(join(folder, 'forge.db'))
  expect(await readJobs()).toEqual(['a'])
})

test('closing commits no part of a running write', async () => {
  const first = store.write(addJob('a'))
  const second = store.write(async (handle) => {
    await addJob('b')(handle)
    await store.close()
  })
  expect((await Promise.allSettled([first, second])).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  store = sqlite(join(folder, 'forge.db'))
  expect(await readJobs()).toEqual([])
})

test('a copy of the data contains writes that wait for their commit', async () => {
  const written = store.write(addJob('a'))
  await Promise.resolve()
  const copy = sqlite(store.serialize())
  await written
  const count = await copy.read(async (handle) => (await handle.run('select id from job', [])).length)
  expect(count).toBe(1)
  await copy.close()
})
