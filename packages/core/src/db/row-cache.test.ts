import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, test } from 'vitest'
import { createPlatform, type Platform } from '../platform.ts'
import { createRowCache, permissionTables, settingTables } from './row-cache.ts'
import { sqlite } from './sqlite/sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'forgelet-row-cache-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const getHostSession = (platform: Platform) => platform.as({ system: 'test' })

/** A platform with a user whose token was used, so that the rows of both are cached. */
const createPlatformWithToken = async (store: ReturnType<typeof sqlite>) => {
  const platform = createPlatform(store)
  const host = getHostSession(platform)
  const { id } = await host.users.create({ username: 'ada' })
  const { secret: token, id: tokenId } = await host.tokens.create({ user: id, name: 'laptop', scopes: ['api'] })
  await platform.as({ user: 'ada' }).projects.create({ path: 'web', name: 'Web', visibility: 'private' })
  const ada = platform.as({ token })
  const list = () => ada.labels.list({ project: 'ada/web' })
  await list()
  await list()
  return { platform, host, id, tokenId, list }
}

describe.each(['in memory', 'in a file'])('%s', (place) => {
  let count = 0
  const store = () => sqlite(place === 'in memory' ? ':memory:' : join(folder, `forge-${++count}.db`))

  test('a revoked token and a blocked user are rejected at the next call', async () => {
    const { platform, host, id, tokenId, list } = await createPlatformWithToken(store())
    await host.users.block({ user: id })
    await expect(list()).rejects.toMatchObject({ code: 'forbidden' })
    await host.users.unblock({ user: id })
    await list()
    await host.tokens.revoke({ token: tokenId })
    await expect(list()).rejects.toMatchObject({ code: 'unauthenticated' })
    await platform.close()
  })

  test('a transaction reads its own changes, which are not cached after a rollback', async () => {
    const { platform, list } = await createPlatformWithToken(store())
    const failing = platform.atomic(async (open) => {
      const inside = getHostSession(open)
      await inside.users.block({ user: 'ada' })
      await expect(open.as({ user: 'ada' }).labels.list({ project: 'ada/web' })).rejects.toMatchObject({
        code: 'forbidden',
      })
      throw new Error('never mind')
    })
    await expect(failing).rejects.toThrow('never mind')
    await list()
    await platform.close()
  })

  test('changing the result of a call does not change the result of the next call', async () => {
    const { platform, host } = await createPlatformWithToken(store())
    await host.groups.create({ path: 'acme', name: 'Acme' })
    const calls: readonly (readonly [string, () => Promise<{ name: string }>])[] = [
      ['Web', () => host.projects.get({ project: 'ada/web' })],
      ['Web', () => host.projects.update({ project: 'ada/web', description: 'A site' })],
      ['Web', () => host.projects.archive({ project: 'ada/web' })],
      ['Acme', () => host.groups.get({ group: 'acme' })],
      ['Acme', () => host.groups.update({ group: 'acme', description: 'A company' })],
    ]
    for (const [name, call] of [...calls, ...calls]) {
      const found = await call()
      expect(found.name).toBe(name)
      found.name = 'changed'
    }
    await platform.close()
  })
})

test('a change by another process takes effect at once', async () => {
  const path = join(folder, 'shared.db')
  const { platform, id, list } = await createPlatformWithToken(sqlite(path))
  const other = createPlatform(sqlite(path))
  await getHostSession(other).users.block({ user: id })
  await expect(list()).rejects.toMatchObject({ code: 'forbidden' })
  await getHostSession(other).users.unblock({ user: id })
  await list()
  await other.close()
  await platform.close()
})

test('on a connection of the host nothing is cached', async () => {
  const file = new Database(join(folder, 'host.db'))
  const { platform, list } = await createPlatformWithToken(sqlite(file))
  file.exec("update user set state = 'blocked'")
  await expect(list()).rejects.toMatchObject({ code: 'forbidden' })
  await platform.close()
  file.close()
})

test('only statements on the cached tables change them', async () => {
  const store = sqlite(':memory:')
  await store.migrate()
  const file = new Database(store.serialize())
  const known = new Set([...permissionTables, ...settingTables])
  const all = file.prepare<[], string>("select name from sqlite_master where type = 'table'").pluck().all()
  for (const table of known) {
    expect(all).toContain(table)
    const links = file.pragma(`foreign_key_list("${table}")`) as {
      table: string
      on_delete: string
      on_update: string
    }[]
    for (const { table: parent, on_delete, on_update } of links) {
      if (!known.has(parent))
        expect([on_delete, on_update], `${table} to ${parent}`).toEqual(['NO ACTION', 'NO ACTION'])
    }
  }
  const triggers = file
    .prepare<[], { name: string; tbl_name: string; sql: string }>(
      "select name, tbl_name, sql from sqlite_master where type = 'trigger'",
    )
    .all()
  expect(triggers.length).toBeGreaterThan(10)
  for (const { name, tbl_name, sql } of triggers) {
    if (known.has(tbl_name)) continue
    const changed = [
      ...sql.matchAll(/\b(?:insert into|insert or \w+ into|update|update or \w+|delete from) "?(\w+)"?/gi),
    ]
    expect(
      changed.filter(([, table = '']) => known.has(table)),
      name,
    ).toEqual([])
  }
  file.close()
  await store.close()
})

const createQuery = (sql: string) => ({ sql, getKey: () => [], getParameters: () => [] })

test('rows of an older snapshot are not cached', () => {
  const cache = createRowCache('')
  const users = createQuery('select * from "user" where "id" = ?')
  const old = cache.syncVersion(1)
  const present = cache.syncVersion(2)
  cache.set(users, ['1'], old, [{ state: 'active' }])
  expect(cache.get(users, ['1'], present)).toBeUndefined()
  cache.set(users, ['1'], present, [{ state: 'blocked' }])
  expect(cache.get(users, ['1'], present)).toEqual([{ state: 'blocked' }])
  expect(cache.get(users, ['1'], old)).toBeUndefined()
})

test('the key holds every parameter, and numbers differ from strings', () => {
  const cache = createRowCache('')
  const levels = createQuery('select * from "member" where "user_id" = ? and "group_id" = ?')
  const version = cache.syncVersion(1)
  cache.set(levels, [1, 2], version, [{ level: 30 }])
  cache.set(levels, [1, 3], version, [{ level: 40 }])
  cache.set(levels, ['1', 2], version, [])
  expect(cache.get(levels, [1, 2], version)).toEqual([{ level: 30 }])
  expect(cache.get(levels, [1, 3], version)).toEqual([{ level: 40 }])
  expect(cache.get(levels, ['1', 2], version)).toEqual([])
  expect(cache.get(levels, [2, 1], version)).toBeUndefined()
  cache.invalidate(new Set([permissionTables]))
  expect(cache.get(levels, [1, 2], cache.syncVersion(1))).toBeUndefined()
})

test('a parameter above 500 characters is not cached', () => {
  const cache = createRowCache('')
  const users = createQuery('select * from "user" where "username" = ?')
  const text = 'x'.repeat(501)
  const version = cache.syncVersion(1)
  cache.set(users, [text], version, [])
  expect(cache.get(users, [text], version)).toBeUndefined()
})

test('a change of one group keeps the rows of the other', () => {
  const cache = createRowCache('')
  const users = createQuery('select * from "user"')
  const settings = createQuery('select * from "application_setting"')
  cache.set(users, [], cache.syncVersion(1), [{ id: 1 }])
  cache.set(settings, [], cache.syncVersion(1), [{ name: 'signInText' }])
  cache.invalidate(new Set([permissionTables]))
  const version = cache.syncVersion(1)
  expect(cache.get(users, [], version)).toBeUndefined()
  expect(cache.get(settings, [], version)).toEqual([{ name: 'signInText' }])
})

test.each([
  ['insert into "label" ("name") values (?)', false],
  ['update "label" set "name" = ?', false],
  ['delete from "label" where "id" = ?', false],
  ['update "forge_user" set "state" = ?', true],
  ['delete from "forge_member"', true],
  ['insert into "forge_share" ("id") values (1)', true],
  ['insert or replace into "label" ("id") values (1)', true],
  ['with old as (select 1) delete from "label"', false],
  ['with old as (delete from "forge_user" returning "id") insert into "label" ("id") select "id" from "old"', true],
  ['update forge_user set state = 1', true],
  ['drop table "label"', true],
])('%s changes permissions: %s', (sql, isChange) => {
  expect(createRowCache('forge_').groupsChangedBy(sql).includes(permissionTables)).toBe(isChange)
})

test('a query over other tables, or over two groups, cannot be cached', () => {
  const cache = createRowCache('')
  const both = createQuery('select * from "user" inner join "label" on true')
  expect(() => cache.get(both, [], 0)).toThrow('user, label')
  const groups = createQuery('select * from "user" inner join "application_setting" on true')
  expect(() => cache.get(groups, [], 0)).toThrow('application_setting')
})
