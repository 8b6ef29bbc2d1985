import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPlatform, type Platform } from '../platform.ts'
import { postgres } from './postgres.ts'
import { sqlite } from './sqlite.ts'

let folder: string
let file: Database.Database
let platform: Platform

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forgelet-'))
  file = new Database(join(folder, 'app.db'))
  file.exec('create table receipt (user_id integer not null, amount integer not null, paid boolean not null)')
  platform = createPlatform(sqlite(file, { prefix: 'forge_' }))
})
afterEach(async () => {
  await platform.close()
  file.close()
  rmSync(folder, { recursive: true, force: true })
})

const host = (of: Platform = platform) => of.as({ system: 'test' })
const receipts = () => file.prepare('select count(*) from receipt').pluck().get()

test('statements of the host and calls of the platform are one transaction', async () => {
  const rows = await platform.atomic(async (open, _at, sql) => {
    const { id } = await host(open).users.create({ username: 'ada' })
    await sql('insert into receipt (user_id, amount, paid) values (?, ?, ?)', [id, 12, true])
    return sql('select user_id, paid from receipt')
  })
  expect(rows).toEqual([{ userId: 1, paid: true }])
  expect(receipts()).toBe(1)
})

test('when the work fails, what the host has written is gone, too', async () => {
  await platform.ready()
  const work = platform.atomic(async (open, _at, sql) => {
    await sql('insert into receipt values (1, 12, true)')
    // The database handle of the host is the connection of the transaction.
    file.exec('insert into receipt values (2, 12, true)')
    await host(open).users.create({ username: '?' })
  })
  await expect(work).rejects.toMatchObject({ code: 'invalid' })
  expect(receipts()).toBe(0)
})

test('a write is refused while a transaction of the host is open, which goes on', async () => {
  await platform.ready()
  file.exec('begin')
  file.exec('insert into receipt values (1, 12, true)')
  await expect(host().users.create({ username: 'ada' })).rejects.toThrow('A transaction of your own is open')
  expect((await host().users.list()).items).toEqual([])
  file.exec('commit')
  expect(receipts()).toBe(1)
  expect(await host().users.create({ username: 'ada' })).toMatchObject({ username: 'ada' })
})

test('platforms that share a connection take turns', async () => {
  const other = createPlatform(sqlite(file, { prefix: 'other_' }))
  const names = Array.from({ length: 10 }, (_, at) => `user-${at}`)
  await Promise.all(names.flatMap((username) => [platform, other].map((each) => host(each).users.create({ username }))))
  for (const each of [platform, other]) expect((await host(each).users.list()).items).toHaveLength(10)
  await other.close()
})

test("of the host's settings only those change without which nothing is safe", async () => {
  const settings = ['busy_timeout', 'trusted_schema', 'cell_size_check', 'application_id']
  const read = (of: Database.Database) => settings.map((name) => of.pragma(name, { simple: true }))
  const fresh = new Database(join(folder, 'fresh.db'))
  expect(read(file)).toEqual(read(fresh))
  fresh.close()
  expect(file.pragma('foreign_keys', { simple: true })).toBe(1)
  expect(file.pragma('journal_mode', { simple: true })).toBe('wal')
})

test('a Kysely of the host and the platform share the database that both were made from', async () => {
  interface Own {
    receipt: { user_id: number; amount: number; paid: number }
    forge_user: { id: number; username: string }
  }
  const db = new Kysely<Own>({ dialect: new SqliteDialect({ database: file }) })
  const { id } = await host().users.create({ username: 'ada' })
  await db.insertInto('receipt').values({ user_id: id, amount: 12, paid: 1 }).execute()
  const found = await db
    .selectFrom('receipt')
    .innerJoin('forge_user', 'forge_user.id', 'receipt.user_id')
    .select(['username', 'amount'])
    .execute()
  expect(found).toEqual([{ username: 'ada', amount: 12 }])
  expect(() => sqlite(db as never)).toThrow('a better-sqlite3 database')
  expect(() => postgres(db as never)).toThrow('a pg pool')
})
