import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPlatform, type Platform } from '../../platform.ts'
import { postgres } from '../postgres/postgres.ts'
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

const getHostSession = (of: Platform = platform) => of.as({ system: 'test' })
const countReceipts = () => file.prepare('select count(*) from receipt').pluck().get()

test('runs host statements and platform calls in one transaction', async () => {
  const rows = await platform.atomic(async (open, _at, sql) => {
    const { id } = await getHostSession(open).users.create({ username: 'ada' })
    await sql('insert into receipt (user_id, amount, paid) values (?, ?, ?)', [id, 12, true])
    return sql('select user_id, paid from receipt')
  })
  expect(rows).toEqual([{ userId: 1, paid: true }])
  expect(countReceipts()).toBe(1)
})

test('rolls back host statements when the work fails', async () => {
  await platform.ready()
  const work = platform.atomic(async (open, _at, sql) => {
    await sql('insert into receipt values (1, 12, true)')
    // The host's database handle is the connection of the transaction.
    file.exec('insert into receipt values (2, 12, true)')
    await getHostSession(open).users.create({ username: '?' })
  })
  await expect(work).rejects.toMatchObject({ code: 'invalid' })
  expect(countReceipts()).toBe(0)
})

test('rejects a write during a host transaction and leaves that transaction open', async () => {
  await platform.ready()
  file.exec('begin')
  file.exec('insert into receipt values (1, 12, true)')
  await expect(getHostSession().users.create({ username: 'ada' })).rejects.toThrow('The host has an open transaction')
  expect((await getHostSession().users.list()).items).toEqual([])
  file.exec('commit')
  expect(countReceipts()).toBe(1)
  expect(await getHostSession().users.create({ username: 'ada' })).toMatchObject({ username: 'ada' })
})

test('serializes the writes of platforms that share a connection', async () => {
  const other = createPlatform(sqlite(file, { prefix: 'other_' }))
  const names = Array.from({ length: 10 }, (_, at) => `user-${at}`)
  await Promise.all(
    names.flatMap((username) => [platform, other].map((each) => getHostSession(each).users.create({ username }))),
  )
  for (const each of [platform, other]) expect((await getHostSession(each).users.list()).items).toHaveLength(10)
  await other.close()
})

test('changes only the settings of the host connection that safety requires', async () => {
  const settings = ['busy_timeout', 'trusted_schema', 'cell_size_check', 'application_id']
  const read = (of: Database.Database) => settings.map((name) => of.pragma(name, { simple: true }))
  const fresh = new Database(join(folder, 'fresh.db'))
  expect(read(file)).toEqual(read(fresh))
  fresh.close()
  expect(file.pragma('foreign_keys', { simple: true })).toBe(1)
  expect(file.pragma('journal_mode', { simple: true })).toBe('wal')
})

test('shares the database with a Kysely instance of the host', async () => {
  interface Own {
    receipt: { user_id: number; amount: number; paid: number }
    forge_user: { id: number; username: string }
  }
  const db = new Kysely<Own>({ dialect: new SqliteDialect({ database: file }) })
  const { id } = await getHostSession().users.create({ username: 'ada' })
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
