import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { type PostgresServer, startPostgresServer } from '../../../../../test/support/postgres-server.ts'
import { dialect } from '../../../../../test/world.ts'
import { createPlatform, type Platform } from '../../platform.ts'
import { postgres } from './postgres.ts'

const eventually = { timeout: 20_000, interval: 20 }

describe.skipIf(dialect === 'sqlite')('postgres() with replicas', () => {
  let server: PostgresServer
  let replica: Awaited<ReturnType<PostgresServer['startReplica']>>
  let replicaClient: pg.Client
  let url: string
  let replicaUrl: string
  let cleanups: (() => unknown)[] = []
  let users = 0

  const open = (replicas: readonly (string | pg.Pool)[] = [replicaUrl]) => {
    const platform = createPlatform(postgres(url, { replicas, connections: 4 }), { identity: { system: 'test' } })
    cleanups.push(() => platform.close())
    return platform
  }
  const readReplicas = async (platform: Platform) => (await platform.health()).store.replicas
  const countReads = async (platform: Platform) => (await readReplicas(platform))?.[0]?.reads ?? 0
  const waitForReads = async (platform: Platform) => {
    const before = await countReads(platform)
    const readOnce = async () => {
      await platform.users.list()
      return countReads(platform)
    }
    await expect.poll(readOnce, eventually).toBeGreaterThan(before)
  }
  const createUser = async (platform: Platform) => {
    const username = `user-${++users}`
    await platform.users.create({ username })
    return username
  }
  const connectToReplica = async () => {
    replicaClient = new pg.Client(replicaUrl)
    replicaClient.on('error', () => undefined)
    await replicaClient.connect()
  }

  beforeAll(async () => {
    server = await startPostgresServer()
    replica = await server.startReplica()
    url = `${server.url}/postgres`
    // The test server does not wait for the log, which a replica then receives after up to 200 ms.
    const administration = new pg.Client(url)
    await administration.connect()
    await administration.query('alter database postgres set synchronous_commit = on')
    await administration.end()
    replicaUrl = `${replica.url}/postgres`
    await connectToReplica()
  })
  afterEach(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup()
    cleanups = []
  })
  afterAll(async () => {
    await replicaClient?.end()
    await replica?.remove()
    await server?.remove()
  })

  test('reads use the replica and contain all changes from before the call, of every process', async () => {
    const [writer, reader] = [open([]), open()]
    await createUser(writer)
    await waitForReads(reader)
    const before = await countReads(reader)
    for (let round = 1; round <= 40; round++) {
      const username = await createUser(round % 2 ? writer : reader)
      const found = await Promise.all([reader, reader, writer].map((platform) => platform.users.list({ username })))
      expect(found.map(({ items }) => items.length)).toEqual([1, 1, 1])
    }
    expect(await countReads(reader)).toBeGreaterThan(before)
    const [state] = (await readReplicas(reader)) ?? []
    expect(state).toMatchObject({ name: `127.0.0.1:${replica.port}/postgres`, error: null })
    expect((await writer.health()).store.replicas).toBeUndefined()
  })

  test('a token that another process has revoked is rejected at once', async () => {
    const [writer, reader] = [open([]), open()]
    const user = await createUser(writer)
    await waitForReads(reader)
    for (let round = 1; round <= 20; round++) {
      const { id, secret } = await writer.tokens.create({ user, name: 'test' })
      expect((await (await reader.authenticate(secret)).users.get()).username).toBe(user)
      await writer.tokens.revoke({ token: id })
      await expect(reader.authenticate(secret)).rejects.toMatchObject({ code: 'unauthenticated' })
    }
  })

  test('reads use the primary while the replica is behind', async () => {
    const platform = open()
    await createUser(platform)
    await waitForReads(platform)
    await replicaClient.query('select pg_wal_replay_pause()')
    try {
      const username = await createUser(platform)
      const before = await countReads(platform)
      expect((await platform.users.list({ username })).items).toHaveLength(1)
      await expect
        .poll(async () => {
          await platform.users.list()
          return (await readReplicas(platform))?.[0]?.status
        })
        .toBe('behind')
      expect(await countReads(platform)).toBe(before)
      expect(await readReplicas(platform)).toMatchObject([
        { error: null, lagBytes: expect.toSatisfy((bytes: number) => bytes > 0) },
      ])
    } finally {
      await replicaClient.query('select pg_wal_replay_resume()')
    }
    await waitForReads(platform)
  })

  test('reads use the primary while the replica is down', async () => {
    const platform = open()
    await createUser(platform)
    await waitForReads(platform)
    await replicaClient.end()
    await replica.stop()
    try {
      const username = await createUser(platform)
      expect((await platform.users.list({ username })).items).toHaveLength(1)
      expect(await readReplicas(platform)).toMatchObject([
        { status: 'down', error: expect.stringMatching(/not available.*ECONNREFUSED/), lagBytes: null },
      ])
    } finally {
      await replica.start()
      await connectToReplica()
    }
    await waitForReads(platform)
    expect(await readReplicas(platform)).toMatchObject([{ error: null }])
  })

  test('a session that ends during a read is replaced by the primary', async () => {
    const platform = open()
    await createUser(platform)
    await waitForReads(platform)
    const sessions =
      "from pg_stat_activity where datname = 'postgres' and pid <> pg_backend_pid() and usename = 'forgelet'"
    const reads = Array.from({ length: 60 }, () => platform.users.list())
    await replicaClient.query(`select pg_terminate_backend(pid) ${sessions}`)
    for (const { items } of await Promise.all(reads)) expect(items.length).toBeGreaterThan(0)
  })

  test('several replicas take turns, and broken ones are skipped', async () => {
    const pool = new pg.Pool({ connectionString: replicaUrl, max: 2 })
    cleanups.push(() => pool.end())
    const platform = open([replicaUrl, pool, 'postgres://127.0.0.1:1/none'])
    await createUser(platform)
    await waitForReads(platform)
    for (let round = 1; round <= 10; round++) await platform.users.list()
    const [first, second, third] = (await readReplicas(platform)) ?? []
    expect(first?.reads).toBeGreaterThan(0)
    expect(second).toMatchObject({ name: 'replica 2', error: null })
    expect(second?.reads).toBeGreaterThan(0)
    expect(third).toMatchObject({ name: '127.0.0.1:1/none', status: 'down', reads: 0 })
  })

  test('servers that are not replicas of the database are not used', async () => {
    const platform = open([url, `${inject('postgresUrl')}/postgres`])
    const username = await createUser(platform)
    expect((await platform.users.list({ username })).items).toHaveLength(1)
    expect(await readReplicas(platform)).toMatchObject([
      { status: 'down', error: 'The server is not a standby', reads: 0 },
      { status: 'down', error: 'The server is not a replica of this database', reads: 0 },
    ])
  })
})

test('rejects replicas that are neither a URL nor a pool', () => {
  expect(() => postgres('postgres://localhost/none', { replicas: [{} as pg.Pool] })).toThrow(TypeError)
})
