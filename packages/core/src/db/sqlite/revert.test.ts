import { beforeAll, describe, expect, test } from 'vitest'
import type { Handle } from '../../kernel/store.ts'
import { createPlatform } from '../../platform.ts'
import type { SqliteDriverName } from './driver/driver.ts'
import { type SqliteStore, sqlite } from './sqlite.ts'

const drivers: readonly SqliteDriverName[] = ['better-sqlite3', 'node:sqlite']

const addJob = (key: string) => (handle: Handle) =>
  handle.run(
    `insert into job (kind, key, payload, run_after, state, attempts, created_at)
     values ('probe', ?, '{}', '2030', 'pending', 0, '2030')`,
    [key],
  )

const readJobs = (store: SqliteStore) =>
  store.read(async (handle) =>
    (await handle.run('select id, key from job order by id', [])).map(({ id, key }) => [id, key]),
  )

let image: Buffer
beforeAll(async () => {
  const store = sqlite(':memory:')
  await store.migrate()
  await store.write(addJob('first'))
  image = store.serialize()
  await store.close()
})

describe.each(drivers)('%s', (driver) => {
  const open = (bytes = image) => sqlite(bytes, { driver, revertible: true })

  test('a store returns to the bytes that it was opened from, as often as required', async () => {
    const store = open()
    expect(await store.revert(image)).toBe(true)
    for (const key of ['a', 'b']) {
      await store.write(addJob(key))
      await store.writeAlone(addJob('other'))
      expect(await readJobs(store)).toEqual([
        [1, 'first'],
        [2, key],
        [3, 'other'],
      ])
      expect(await store.revert(image)).toBe(true)
      expect(await readJobs(store)).toEqual([[1, 'first']])
    }
    await store.close()
  })

  test('a store returns to its last serialized bytes, and no longer to earlier ones', async () => {
    const store = open()
    await store.write(addJob('kept'))
    const saved = store.serialize()
    await store.write(addJob('undone'))
    expect(await store.revert(image)).toBe(false)
    expect(await readJobs(store)).toHaveLength(3)
    expect(await store.revert(saved)).toBe(true)
    const expected = [
      [1, 'first'],
      [2, 'kept'],
    ]
    expect(await readJobs(store)).toEqual(expected)
    const copy = open(saved)
    expect(await readJobs(copy)).toEqual(expected)
    await copy.close()
    await store.close()
  })

  test('a failed write is undone alone', async () => {
    const store = open()
    const fail = async (handle: Handle) => {
      await addJob('failed')(handle)
      throw new Error('Rejected')
    }
    const results = await Promise.allSettled([store.write(addJob('a')), store.write(fail), store.write(addJob('b'))])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect((await readJobs(store)).map(([, key]) => key)).toEqual(['first', 'a', 'b'])
    await store.close()
  })

  test('rows that were cached before are read again', async () => {
    const store = open()
    const platform = createPlatform(store)
    const host = platform.as({ system: 'test' })
    const getUser = () => platform.as({ user: 'ada' }).users.get()
    await host.users.create({ username: 'ada' })
    expect(await getUser()).toMatchObject({ username: 'ada' })
    await store.revert(image)
    await expect(getUser()).rejects.toMatchObject({ code: 'unauthenticated' })
    await host.users.create({ username: 'bob' })
    await expect(getUser()).rejects.toMatchObject({ code: 'unauthenticated' })
    await platform.close()
  })

  test('a running write is completed before its changes are undone', async () => {
    const store = open()
    const added = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const written = store.writeAlone(async (handle) => {
      await addJob('running')(handle)
      added.resolve()
      await released.promise
    })
    await added.promise
    expect(() => store.serialize()).toThrow('A write is running')
    const reverted = store.revert(image)
    released.resolve()
    await written
    expect(await reverted).toBe(true)
    expect(await readJobs(store)).toEqual([[1, 'first']])
    await store.close()
  })
})

test('foreign keys are checked by each statement, because savepoints do not check deferred ones', async () => {
  const store = sqlite(image)
  const tables = await store.read((handle) =>
    handle.run("select name, sql from sqlite_master where type = 'table'", []),
  )
  expect(tables.length).toBeGreaterThan(100)
  expect(tables.filter(({ sql }) => /deferr/i.test(String(sql)))).toEqual([])
  await store.close()
})

test('only a revertible store that was opened from bytes reverts', async () => {
  const store = sqlite(image)
  await store.write(addJob('a'))
  expect(await store.revert(image)).toBe(false)
  expect(await readJobs(store)).toHaveLength(2)
  await store.close()
  const memory = sqlite(':memory:', { revertible: true })
  expect(await memory.revert(memory.serialize())).toBe(false)
  await memory.close()
})
