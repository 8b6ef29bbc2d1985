import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { verifyCounters } from '../features/issues/upkeep.ts'
import { prepared } from '../kernel/prepared.ts'
import { createPlatform } from '../platform.ts'
import { demo, plant } from '../seed-entry.ts'
import { kyselyOver } from './kysely.ts'
import { sqlite } from './sqlite.ts'

let file: Database.Database
beforeEach(() => {
  file = new Database(':memory:')
})
afterEach(() => file.close())

const namesIn = () => file.prepare('select name from sqlite_master').pluck().all() as string[]
const ours = /^(sqlite_autoindex_)?forge_/

test('beside tables of the host that bear our names, everything of ours has the prefix', async () => {
  file.exec('create table user (id integer primary key, nick text); create index issue_author on user (nick)')
  file.exec("insert into user (nick) values ('ada')")
  const before = namesIn()
  const store = sqlite(file, { prefix: 'forge_' })
  const platform = createPlatform(store)
  await plant(platform, demo)
  expect(namesIn().filter((name) => !ours.test(name) && !before.includes(name))).toEqual(['sqlite_sequence'])
  expect(file.prepare('select * from user').all()).toEqual([{ id: 1, nick: 'ada' }])
  expect(file.pragma('foreign_key_check')).toEqual([])
  expect(await store.write((handle) => verifyCounters(handle))).toEqual([])
})

test('words are found, counted and forgotten under a prefix', async () => {
  const store = sqlite(file, { prefix: 'forge_' })
  const platform = createPlatform(store)
  await plant(platform, {
    users: [{ username: 'ada' }],
    projects: [
      {
        path: 'ada/web',
        visibility: 'public',
        issues: [
          { title: 'A crooked picture', author: 'ada' },
          { title: 'Other', author: 'ada' },
        ],
      },
    ],
  })
  const counts = () => platform.as({ user: 'ada' }).issueStatistics.overall({ search: 'crooked', scope: 'all' })
  expect(await counts()).toMatchObject({ all: 1, opened: 1 })
  await platform.as({ system: 'test' }).issues.remove({ project: 'ada/web', issue: 1 })
  expect(await counts()).toMatchObject({ all: 0 })
  expect(await store.write((handle) => verifyCounters(handle))).toEqual([])
})

test('two platforms live in one database, and none sees the other', async () => {
  const platforms = ['one_', 'two_'].map((prefix) => createPlatform(sqlite(file, { prefix })))
  for (const [at, platform] of platforms.entries()) {
    await platform.as({ system: 'test' }).users.create({ username: `user-${at}` })
  }
  const found = await Promise.all(
    platforms.map((platform) =>
      platform
        .as({ system: 'test' })
        .users.get({ user: 1 })
        .then(({ username }) => username),
    ),
  )
  expect(found).toEqual(['user-0', 'user-1'])
})

test('a database of the host is left as it was found where the schema cannot be made', async () => {
  file.exec('create table forge_user (id integer primary key)')
  const platform = createPlatform(sqlite(file, { prefix: 'forge_' }))
  await expect(platform.ready()).rejects.toThrow('forge_user')
  expect(namesIn()).toEqual(['forge_user'])
})

test('without a prefix, a database of the host is refused', () => {
  file.exec('create table user (id integer primary key)')
  expect(() => sqlite(file)).toThrow('belongs to another program')
})

test.each(['', 'Forge_', '1_', 'a-b_', 'sqlite_x', 'x'.repeat(31), 'a"b'])('%j is no prefix', (prefix) => {
  expect(() => sqlite(file, { prefix })).toThrow(TypeError)
})

test('a prepared query is compiled once for each way of naming, and never run under another', async () => {
  let built = 0
  const first = prepared((db, values: { id: number }) => {
    built++
    return db.selectFrom('label').where('label.id', '=', values.id).select('label.name')
  })
  const stores = [sqlite(file, { prefix: 'one_' }), sqlite(file, { prefix: 'two_' })]
  for (const store of stores) await store.migrate()
  for (let turn = 0; turn < 3; turn++) {
    for (const store of stores) expect(await store.read(async (handle) => first(handle, { id: turn }))).toEqual([])
  }
  expect(built).toBe(2)
})

const nothing = () => ({ rows: [] })

test('a prefix stands before tables and the names queries give them, never before columns', () => {
  const db = kyselyOver('sqlite', nothing, { prefix: 'forge_' })
  const query = db
    .with('own', (within) => within.selectFrom('label as l').select('l.id as label'))
    .selectFrom('own')
    .innerJoin('label', 'label.id', 'own.label')
    .selectAll('label')
    .select('own.label as name')
  expect(query.compile().sql).toBe(
    'with "forge_own" as (select "forge_l"."id" as "label" from "forge_label" as "forge_l") ' +
      'select "forge_label".*, "forge_own"."label" as "name" from "forge_own" ' +
      'inner join "forge_label" on "forge_label"."id" = "forge_own"."label"',
  )
})

test('a schema stands before tables, not before references to them nor names that queries give', () => {
  const db = kyselyOver('postgres', nothing, { schema: 'forge' })
  const query = db
    .with('own', (within) => within.selectFrom('label as l').select('l.id as label'))
    .selectFrom('own')
    .innerJoin('label', 'label.id', 'own.label')
    .selectAll('label')
    .select('own.label as name')
  expect(query.compile().sql).toBe(
    'with "own" as (select "l"."id" as "label" from "forge"."label" as "l") ' +
      'select "label".*, "own"."label" as "name" from "own" ' +
      'inner join "forge"."label" on "label"."id" = "own"."label"',
  )
  const insert = db
    .insertInto('internalId')
    .values({ kind: 'issue', ownerId: 1, last: 1 } as never)
    .onConflict((conflict) =>
      conflict.columns(['kind', 'ownerId'] as never).doUpdateSet((eb) => ({ kind: eb.ref('excluded.kind') }) as never),
    )
  expect(insert.compile().sql).toContain('insert into "forge"."internal_id"')
  expect(insert.compile().sql).toContain('set "kind" = "excluded"."kind"')
})
