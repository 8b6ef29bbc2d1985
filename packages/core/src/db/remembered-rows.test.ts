import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, test } from 'vitest'
import { createPlatform, type Platform } from '../platform.ts'
import { rememberedRows, rememberedTables } from './remembered-rows.ts'
import { sqlite } from './sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'forgelet-remembered-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const hostOf = (platform: Platform) => platform.as({ system: 'test' })

/** A platform with a user whose token has been used, so that all about it is remembered. */
const withKnownToken = async (store: ReturnType<typeof sqlite>) => {
  const platform = createPlatform(store)
  const host = hostOf(platform)
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

  test('a token that is revoked, and a user who is blocked, are out at the next call', async () => {
    const { platform, host, id, tokenId, list } = await withKnownToken(store())
    await host.users.block({ user: id })
    await expect(list()).rejects.toMatchObject({ code: 'forbidden' })
    await host.users.unblock({ user: id })
    await list()
    await host.tokens.revoke({ token: tokenId })
    await expect(list()).rejects.toMatchObject({ code: 'unauthenticated' })
    await platform.close()
  })

  test('a transaction sees what it has changed itself, and nobody remembers it when it is rolled back', async () => {
    const { platform, list } = await withKnownToken(store())
    const failing = platform.atomic(async (open) => {
      const inside = hostOf(open)
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

  test('whoever changes what a call returned changes nothing for the next', async () => {
    const { platform, host } = await withKnownToken(store())
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

test('what another process changes is true at once', async () => {
  const path = join(folder, 'shared.db')
  const { platform, id, list } = await withKnownToken(sqlite(path))
  const other = createPlatform(sqlite(path))
  await hostOf(other).users.block({ user: id })
  await expect(list()).rejects.toMatchObject({ code: 'forbidden' })
  await hostOf(other).users.unblock({ user: id })
  await list()
  await other.close()
  await platform.close()
})

test('beside a host that writes on its own connection nothing is remembered', async () => {
  const file = new Database(join(folder, 'host.db'))
  const { platform, list } = await withKnownToken(sqlite(file))
  file.exec("update user set state = 'blocked'")
  await expect(list()).rejects.toMatchObject({ code: 'forbidden' })
  await platform.close()
  file.close()
})

test('nothing but statements on these tables changes them', async () => {
  const store = sqlite(':memory:')
  await store.migrate()
  const file = new Database(store.serialize())
  const known = new Set(rememberedTables)
  const all = file.prepare<[], string>("select name from sqlite_master where type = 'table'").pluck().all()
  for (const table of rememberedTables) {
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

const query = (sql: string) => ({ sql, keyOf: () => [], parametersOf: () => [] })

test('an answer of an older snapshot is not kept', () => {
  const memory = rememberedRows('')
  const users = query('select * from "user" where "id" = ?')
  const old = memory.renew({})
  const present = memory.renew({})
  memory.keep(users, ['1'], old, [{ state: 'active' }])
  expect(memory.known(users, ['1'])).toBeUndefined()
  memory.keep(users, ['1'], present, [{ state: 'blocked' }])
  expect(memory.known(users, ['1'])).toEqual([{ state: 'blocked' }])
})

test('answers are known by every value, and a number is no text', () => {
  const memory = rememberedRows('')
  const levels = query('select * from "member" where "user_id" = ? and "group_id" = ?')
  const since = memory.renew({})
  memory.keep(levels, [1, 2], since, [{ level: 30 }])
  memory.keep(levels, [1, 3], since, [{ level: 40 }])
  memory.keep(levels, ['1', 2], since, [])
  expect(memory.known(levels, [1, 2])).toEqual([{ level: 30 }])
  expect(memory.known(levels, [1, 3])).toEqual([{ level: 40 }])
  expect(memory.known(levels, ['1', 2])).toEqual([])
  expect(memory.known(levels, [2, 1])).toBeUndefined()
  memory.forget()
  expect(memory.known(levels, [1, 2])).toBeUndefined()
})

test('a text of great length is not kept', () => {
  const memory = rememberedRows('')
  const users = query('select * from "user" where "username" = ?')
  const text = 'x'.repeat(501)
  memory.keep(users, [text], memory.renew({}), [])
  expect(memory.known(users, [text])).toBeUndefined()
})

test.each([
  ['insert into "label" ("name") values (?)', false],
  ['update "label" set "name" = ?', false],
  ['delete from "label" where "id" = ?', false],
  ['update "forge_user" set "state" = ?', true],
  ['delete from "forge_member"', true],
  ['insert into "forge_share" ("id") values (1)', true],
  ['insert or replace into "label" ("id") values (1)', true],
  ['with old as (select 1) delete from "label"', true],
  ['update forge_user set state = 1', true],
  ['drop table "label"', true],
])('%s touches what is remembered: %s', (text, touches) => {
  expect(rememberedRows('forge_').isTouchedBy(text)).toBe(touches)
})

test('other tables are not remembered', () => {
  const memory = rememberedRows('')
  const both = query('select * from "user" inner join "label" on true')
  expect(() => memory.keep(both, [], memory.renew({}), [])).toThrow('label is not remembered')
})
