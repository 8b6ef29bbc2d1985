import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createPlatform } from '../../../platform.ts'
import { copySqlite } from '../maintenance.ts'
import { sqlite } from '../sqlite.ts'
import { readValue, type SqliteDatabase, type SqliteDriverName } from './driver.ts'
import { wrapHostDatabase } from './host-connection.ts'
import { loadDriver, selectSqliteDriver } from './load.ts'
import { openWithDriver } from './open.ts'

const names: readonly SqliteDriverName[] = ['better-sqlite3', 'node:sqlite']

let folder: string
let path: string
const opened: SqliteDatabase[] = []
const keep = (database: SqliteDatabase) => {
  opened.push(database)
  return database
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forgelet-driver-'))
  // Characters that a URI would have to encode.
  path = join(folder, 'a #1 100% file?.db')
})
afterEach(() => {
  for (const database of opened.splice(0)) if (database.isOpen) database.close()
  rmSync(folder, { recursive: true, force: true })
})

const getError = (work: () => unknown): { code?: string; message: string } => {
  try {
    work()
  } catch (error) {
    return error as Error
  }
  throw new Error('No error was thrown')
}

describe.each(names)('%s', (name) => {
  const driver = loadDriver(name)
  const open = (...args: Parameters<typeof driver.open>) => keep(driver.open(...args))
  const openTable = (file = open(':memory:')) => {
    file.exec('create table item (id integer primary key, name text unique, done boolean, size numeric)')
    return file
  }

  test('returns rows as arrays, with the declared types of columns', () => {
    const file = openTable()
    const insert = file.prepare('insert into item (name, done, size) values (?, ?, ?)')
    expect(insert.columns).toEqual([])
    expect(insert.run(['one', 1, 1.5])).toEqual({ changes: 1, lastInsertRowid: 1 })
    expect(insert.run(['t\0w\u{1f600}', null, 2 ** 53 - 1])).toEqual({ changes: 1, lastInsertRowid: 2 })
    const select = file.prepare('select id, name, done, size, 1 + ? as two from item order by id')
    expect(select.columns.map(({ name: column, type }) => [column, type?.toLowerCase()])).toEqual([
      ['id', 'integer'],
      ['name', 'text'],
      ['done', 'boolean'],
      ['size', 'numeric'],
      ['two', undefined],
    ])
    expect(select.all([1])).toEqual([
      [1, 'one', 1, 1.5, 2],
      [2, 't\0w\u{1f600}', null, 2 ** 53 - 1, 2],
    ])
    expect(readValue(file, 'select max(id) from item')).toBe(2)
    expect(readValue(file, 'select id from item where id = 3')).toBeUndefined()
  })

  test('counts changed rows, also of statements that return rows', () => {
    const file = openTable()
    const insert = file.prepare('insert into item (name) values (?), (?) on conflict do nothing returning id')
    expect(insert.run(['a', 'b']).changes).toBe(2)
    expect(insert.all(['b', 'c'])).toEqual([[3]])
    expect(file.prepare("insert into item (name) values ('c') on conflict do nothing").run().changes).toBe(0)
    expect(file.prepare('delete from item where id > ?').run([1]).changes).toBe(2)
  })

  test('reports open transactions', () => {
    const file = openTable()
    file.exec('begin')
    expect(file.inTransaction).toBe(true)
    file.exec('rollback')
    expect(file.inTransaction).toBe(false)
    expect(file.isOpen).toBe(true)
    file.close()
    expect(file.isOpen).toBe(false)
  })

  test('errors have the code of SQLite', () => {
    const file = openTable(open(path))
    file.exec("insert into item (id, name) values (1, 'a')")
    const codeOf = (sql: string) => getError(() => file.prepare(sql).run()).code
    expect(codeOf("insert into item (name) values ('a')")).toBe('SQLITE_CONSTRAINT_UNIQUE')
    expect(codeOf("insert into item (id, name) values (1, 'b')")).toBe('SQLITE_CONSTRAINT_PRIMARYKEY')
    expect(codeOf('select missing from item')).toBe('SQLITE_ERROR')
    expect(getError(() => file.exec('selec')).message).toContain('syntax error')
    const reader = open(path, { readOnly: true })
    expect(getError(() => reader.exec('delete from item')).code).toMatch(/^SQLITE_READONLY/)
    file.exec('begin immediate')
    const other = open(path)
    other.exec('pragma busy_timeout = 0')
    expect(getError(() => other.exec('begin immediate')).code).toMatch(/^SQLITE_BUSY/)
    writeFileSync(`${path}.txt`, 'not a database'.repeat(100))
    const text = open(`${path}.txt`, { mustExist: true })
    expect(getError(() => readValue(text, 'select 1 from sqlite_master')).code).toBe('SQLITE_NOTADB')
  })

  test('creates a file only if it need not exist', () => {
    for (const readOnly of [true, false]) {
      expect(getError(() => open(path, { mustExist: true, readOnly })).code).toBe('SQLITE_CANTOPEN')
      expect(existsSync(path)).toBe(false)
    }
    const file = openTable(open(path))
    expect(existsSync(path)).toBe(true)
    expect(file).toMatchObject({ path, isReadOnly: false })
    expect(open(path, { mustExist: true })).toMatchObject({ path, isReadOnly: false })
    expect(open(path, { mustExist: true, readOnly: true })).toMatchObject({ path, isReadOnly: true })
    for (const memory of [':memory:', '']) expect(open(memory).path).toBeUndefined()
  })

  test('serializes a database and opens its bytes as an independent copy', () => {
    const file = openTable()
    file.exec("insert into item (name) values ('a')")
    const image = file.serialize()
    expect(Buffer.isBuffer(image)).toBe(true)
    const copy = open(image)
    expect(copy.path).toBeUndefined()
    copy.exec('delete from item')
    expect(readValue(file, 'select count(*) from item')).toBe(1)
    expect(readValue(open(image), 'select count(*) from item')).toBe(1)
    expect(open(copy.serialize()).prepare('select * from item').all()).toEqual([])
  })

  test('copies a file in steps', async () => {
    const file = openTable(open(path))
    file.exec(
      'insert into item (size) with recursive n (i) as (select 1 union all select i + 1 from n where i < 20000) select i from n',
    )
    const steps: (readonly [number, number])[] = []
    await file.backup(`${path}.copy`, 10, (done, total) => steps.push([done, total]))
    expect(steps.length).toBeGreaterThan(5)
    const [done, total] = steps.at(-1) as [number, number]
    expect(total - done).toBeLessThanOrEqual(10)
    expect(readValue(open(`${path}.copy`), 'select count(*) from item')).toBe(20_000)
    const blocked = file.backup(join(folder, 'missing', 'x.db'), 10, () => undefined)
    await expect(blocked).rejects.toThrow(/unable to open|does not exist/)
  })

  test('a store on a file keeps its data', async () => {
    for (const expected of [0, 1]) {
      const platform = createPlatform(sqlite(path, { driver: name }))
      const host = platform.as({ system: 'test' })
      expect((await host.users.list()).items).toHaveLength(expected)
      await host.users.create({ username: `user-${expected}` })
      const again = host.users.create({ username: `user-${expected}` })
      await expect(again).rejects.toMatchObject({ code: 'conflict' })
      // The copy uses the same library as the open store.
      await copySqlite(path, `${path}.${expected}`)
      await platform.close()
      expect(readValue(open(`${path}.${expected}`), 'select count(*) from user')).toBe(expected + 1)
    }
  })
})

test('data written with one driver is read by the other', async () => {
  for (const [index, driver] of [...names, ...names].entries()) {
    const platform = createPlatform(sqlite(path, { driver }))
    const host = platform.as({ system: 'test' })
    expect((await host.users.list()).total).toBe(index)
    await host.users.create({ username: `user-${index}` })
    await platform.close()
  }
  const store = sqlite(path, { driver: 'better-sqlite3' })
  const copy = createPlatform(sqlite(store.serialize(), { driver: 'node:sqlite' }))
  await store.close()
  expect((await copy.as({ system: 'test' }).users.list()).total).toBe(4)
  await copy.close()
})

test('a file that is open is opened with the same driver', () => {
  const file = keep(openWithDriver(path, { driver: 'node:sqlite' }))
  expect(keep(openWithDriver(path)).driver.name).toBe('node:sqlite')
  expect(getError(() => openWithDriver(path, { driver: 'better-sqlite3' })).message).toBe(
    `${path} is already open in this process with node:sqlite: open it with the same driver, or close it first`,
  )
  for (const database of opened) database.close()
  expect(file.isOpen).toBe(false)
  expect(keep(openWithDriver(path, { driver: 'better-sqlite3' })).driver.name).toBe('better-sqlite3')
})

test('a host passes an open database of node:sqlite', async () => {
  const native = new DatabaseSync(path)
  native.exec('create table receipt (user_id integer not null)')
  const platform = createPlatform(sqlite(native, { prefix: 'forge_' }))
  const host = platform.as({ system: 'test' })
  await platform.atomic(async (open, _at, sql) => {
    const { id } = await open.as({ system: 'test' }).users.create({ username: 'ada' })
    await sql('insert into receipt (user_id) values (?)', [id])
  })
  native.exec('begin')
  await expect(host.users.create({ username: 'bob' })).rejects.toThrow('The host has an open transaction')
  native.exec('commit')
  expect((await host.users.list()).total).toBe(1)
  await platform.close()
  expect(native.prepare('select username from forge_user join receipt on user_id = id').all()).toEqual([
    { username: 'ada' },
  ])
  native.close()
})

test('a read-only database of the host is recognized', () => {
  new DatabaseSync(path).close()
  writeFileSync(path, '')
  const natives = [
    new DatabaseSync(path, { readOnly: true }),
    new DatabaseSync(path),
    new Database(path, { readonly: true }),
  ]
  expect(natives.map((native) => keep(wrapHostDatabase(native)).isReadOnly)).toEqual([true, false, true])
  for (const invalid of [undefined, {}, { prepare() {} }, 3]) {
    expect(() => sqlite(invalid as never)).toThrow(
      'sqlite() takes a path, bytes, a better-sqlite3 database or a DatabaseSync of node:sqlite',
    )
  }
})

test('the driver is selected by the option, then for the process', () => {
  try {
    selectSqliteDriver('node:sqlite')
    expect(loadDriver().name).toBe('node:sqlite')
    expect(loadDriver('better-sqlite3').name).toBe('better-sqlite3')
    selectSqliteDriver('sqlite')
    expect(() => sqlite(':memory:')).toThrow(
      "The SQLite driver 'sqlite' is unknown: use 'better-sqlite3' or 'node:sqlite'",
    )
    selectSqliteDriver(undefined)
    expect(loadDriver().name).toBe('better-sqlite3')
  } finally {
    selectSqliteDriver(process.env.FORGELET_SQLITE_DRIVER)
  }
})
