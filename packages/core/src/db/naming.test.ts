import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { preparedQuery } from '../kernel/prepared-query.ts'
import { createPlatform } from '../platform.ts'
import { demo, seed } from '../seed-entry.ts'
import { verifyCounters } from './counters/verify.ts'
import { createKysely } from './kysely.ts'
import { sqlite } from './sqlite/sqlite.ts'

let file: Database.Database
beforeEach(() => {
  file = new Database(':memory:')
})
afterEach(() => file.close())

const listNames = () => file.prepare('select name from sqlite_master').pluck().all() as string[]
const prefixedNamePattern = /^(sqlite_autoindex_)?forge_/

test('prefixes all names next to host tables with the same names', async () => {
  file.exec('create table user (id integer primary key, nick text); create index issue_author on user (nick)')
  file.exec("insert into user (nick) values ('ada')")
  const before = listNames()
  const store = sqlite(file, { prefix: 'forge_' })
  const platform = createPlatform(store)
  await seed(platform, demo)
  expect(listNames().filter((name) => !prefixedNamePattern.test(name) && !before.includes(name))).toEqual([
    'sqlite_sequence',
  ])
  expect(file.prepare('select * from user').all()).toEqual([{ id: 1, nick: 'ada' }])
  expect(file.pragma('foreign_key_check')).toEqual([])
  expect(await store.write((handle) => verifyCounters(handle))).toEqual([])
})

test('searches and counts with a prefix', async () => {
  const store = sqlite(file, { prefix: 'forge_' })
  const platform = createPlatform(store)
  await seed(platform, {
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
  const counts = () => platform.as({ user: 'ada' }).issueStatistics.get({ search: 'crooked', scope: 'all' })
  expect(await counts()).toMatchObject({ all: 1, opened: 1 })
  await platform.as({ system: 'test' }).issues.remove({ project: 'ada/web', issue: 1 })
  expect(await counts()).toMatchObject({ all: 0 })
  expect(await store.write((handle) => verifyCounters(handle))).toEqual([])
})

test('keeps two platforms in one database separate', async () => {
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

test('leaves a host database unchanged when the migration fails', async () => {
  file.exec('create table forge_user (id integer primary key)')
  const platform = createPlatform(sqlite(file, { prefix: 'forge_' }))
  await expect(platform.ready()).rejects.toThrow('forge_user')
  expect(listNames()).toEqual(['forge_user'])
})

test('rejects a host database with tables without a prefix', () => {
  file.exec('create table user (id integer primary key)')
  expect(() => sqlite(file)).toThrow('belongs to another program')
})

test.each(['', 'Forge_', '1_', 'a-b_', 'sqlite_x', 'x'.repeat(31), 'a"b'])('rejects the prefix %j', (prefix) => {
  expect(() => sqlite(file, { prefix })).toThrow(TypeError)
})

test('compiles a prepared query once for each naming', async () => {
  let built = 0
  const first = preparedQuery((db, values: { id: number }) => {
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

const returnNoRows = () => ({ rows: [] })

test('prefixes tables and their aliases, but not columns', () => {
  const db = createKysely('sqlite', returnNoRows, { prefix: 'forge_' })
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

test('qualifies tables with the schema, but not references and aliases', () => {
  const db = createKysely('postgres', returnNoRows, { schema: 'forge' })
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
