import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createDatabase } from '../../../../../test/support/postgres-database.ts'
import { dialect } from '../../../../../test/world.ts'
import { createPlatform, type Platform } from '../../platform.ts'
import { permissionTables, settingTables } from '../row-cache.ts'
import { postgres } from './postgres.ts'

const database = `postgres_cache_${process.pid}`
const getHost = (platform: Platform) => platform.as({ system: 'test' })

describe.skipIf(dialect === 'sqlite')('cached rows on PostgreSQL', () => {
  /** The connection of a host or of an administrator. */
  let client: pg.Client
  /** Two processes on one database. */
  let first: Platform
  let second: Platform
  let token: string
  let tokenId: number

  beforeAll(async () => {
    const url = await createDatabase(inject('postgresUrl') as string, database)
    first = createPlatform(postgres(url))
    second = createPlatform(postgres(url))
    client = new pg.Client(url)
    await client.connect()
    const host = getHost(first)
    for (const username of ['ada', 'bob']) await host.users.create({ username })
    await host.groups.create({ path: 'acme', name: 'Acme', visibility: 'private' })
    await host.projects.create({ namespace: 'acme', path: 'web', name: 'Web', visibility: 'private' })
    ;({ secret: token, id: tokenId } = await host.tokens.create({ user: 'ada', name: 'laptop', scopes: ['api'] }))
  })
  afterAll(async () => {
    await client?.end()
    await first?.close()
    await second?.close()
  })

  const list = (platform: Platform) => platform.as({ token }).labels.list({ project: 'acme/web' })
  const notFound = { code: 'not_found' }

  test('every call sees the permissions that another process has committed', async () => {
    const { members, users, groups, shares, tokens } = getHost(second)
    await expect(list(first)).rejects.toMatchObject(notFound)
    await members.add({ group: 'acme', users: ['ada'], accessLevel: 30 })
    await list(first)
    await members.remove({ group: 'acme', user: 'ada' })
    await expect(list(first)).rejects.toMatchObject(notFound)
    await groups.create({ path: 'guests', name: 'Guests' })
    await members.add({ group: 'guests', users: ['ada'], accessLevel: 30 })
    await shares.create({ project: 'acme/web', withGroup: 'guests', accessLevel: 20 })
    await list(first)
    await users.block({ user: (await users.get({ user: 'ada' })).id })
    await expect(list(first)).rejects.toMatchObject({ code: 'forbidden' })
    await users.unblock({ user: (await users.get({ user: 'ada' })).id })
    await list(first)
    await tokens.revoke({ token: tokenId })
    await expect(list(first)).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  test('every call sees the settings that another process has committed', async () => {
    for (const signInText of ['Hello', 'Welcome']) {
      await getHost(second).settings.update({ signInText })
      expect(await getHost(first).settings.get()).toMatchObject({ signInText })
    }
  })

  test('a statement of the host takes effect at the next call', async () => {
    const listAsBob = () => first.as({ user: 'bob' }).projects.list()
    await listAsBob()
    await client.query(`update "user" set state = 'blocked' where username = 'bob'`)
    await expect(listAsBob()).rejects.toMatchObject({ code: 'forbidden' })
    await client.query(`update "user" set state = 'active' where username = 'bob'`)
    await listAsBob()
  })

  test('a rolled back change is not cached', async () => {
    const listAsBob = (platform: Platform) => platform.as({ user: 'bob' }).projects.list()
    const failing = first.atomic(async (open) => {
      await getHost(open).users.update({ user: 'bob', name: 'Never' })
      await getHost(open).users.block({ user: (await getHost(open).users.get({ user: 'bob' })).id })
      await expect(listAsBob(open)).rejects.toMatchObject({ code: 'forbidden' })
      throw new Error('never mind')
    })
    await expect(failing).rejects.toThrow('never mind')
    await listAsBob(first)
    await listAsBob(second)
  })

  test('a trigger reports every change of every cached table', async () => {
    const { rows } = await client.query(
      `select tgrelid::regclass::text as name, string_agg(distinct tgname, ' ' order by tgname) as triggers
       from pg_trigger where tgname like '%\\_changed' or tgname like '%\\_truncated' group by 1`,
    )
    const found = new Map(rows.map(({ name, triggers }) => [name.replaceAll('"', ''), triggers]))
    for (const table of [...permissionTables, ...settingTables]) {
      expect(found.get(table), table).toContain(`${table}_changed ${table}_truncated`)
    }
  })

  test('a transaction changes the version once', async () => {
    const read = async () => (await client.query('select version from permission_version')).rows
    const before = await read()
    await client.query('begin')
    await client.query(`update "user" set name = 'Bob' where username = 'bob'`)
    const [during] = await read()
    await client.query(`update "user" set name = 'Bobby' where username = 'bob'`)
    expect(await read()).toEqual([during])
    expect(before).not.toEqual([during])
    await client.query('rollback')
    expect(await read()).toEqual(before)
  })
})
