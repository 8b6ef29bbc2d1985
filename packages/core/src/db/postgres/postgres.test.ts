import { createServer, connect as openSocket, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { createDatabase } from '../../../../../test/support/postgres-database.ts'
import { dialect } from '../../../../../test/world.ts'
import { createPlatform } from '../../platform.ts'
import { type PostgresOptions, postgres } from './postgres.ts'

const database = `postgres_${process.pid}`
let administration: pg.Client
let url: string
/** Closes what a test has opened. */
let cleanups: (() => unknown)[] = []

const open = (source: string | pg.Pool = url, options: PostgresOptions = {}) => {
  const platform = createPlatform(postgres(source, options))
  cleanups.push(() => platform.close())
  return platform
}

/** A pool of the host, without a listener for errors. */
const openHostPool = () => {
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  cleanups.push(() => pool.end())
  return pool
}

const getHost = (platform: ReturnType<typeof open>) => platform.as({ system: 'test' })
const listUsernames = async (platform: ReturnType<typeof open>) =>
  (await getHost(platform).users.list()).items.map(({ username }) => username)

const otherSessions = 'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'

const countSessions = async (condition: string) => {
  const { rowCount } = await administration.query(`select ${otherSessions} and ${condition}`)
  return rowCount
}

/** Waits until this many sessions match the condition. */
const waitForSessions = (count: number, condition: string) =>
  expect.poll(() => countSessions(condition), { timeout: 10_000 }).toBe(count)

const terminate = (condition: string) =>
  administration.query(`select pg_terminate_backend(pid) ${otherSessions} and ${condition}`)

const unavailable = { code: 'unavailable', message: 'The database is not available', retryAfter: 5 }

interface Proxy {
  readonly url: string
  /** The data of new connections is dropped instead of forwarded. */
  isSilent: boolean
  /** Runs when a client sends a commit. Returns whether the commit reaches the server. */
  onCommit: ((client: Socket) => boolean) | undefined
}

/** A TCP proxy in front of the server. */
const startProxy = async (): Promise<Proxy> => {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = openSocket(Number(port), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
    }
    client.on('close', () => upstream.end())
    upstream.on('close', () => client.destroy())
    client.on('data', (chunk) => {
      if (proxy.isSilent) return
      const isCommit = chunk.includes('commit\0')
      if (!isCommit || !proxy.onCommit || proxy.onCommit(client)) upstream.write(chunk)
    })
    upstream.on('data', (chunk) => client.writable && client.write(chunk))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  const proxied = new URL(url)
  proxied.port = String((server.address() as { port: number }).port)
  const proxy: Proxy = { url: proxied.href, isSilent: false, onCommit: undefined }
  return proxy
}

describe.skipIf(dialect === 'sqlite')('postgres()', () => {
  beforeAll(async () => {
    url = await createDatabase(inject('postgresUrl') as string, database)
    administration = new pg.Client(url)
    await administration.connect()
    const platform = createPlatform(postgres(url))
    await platform.ready()
    await platform.close()
  })
  afterAll(() => administration?.end())
  afterEach(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup()
    cleanups = []
    await administration.query('truncate "user" cascade')
  })

  test.each([
    ['a pool that the store opens', () => open()],
    ['a pool of the host', () => open(openHostPool())],
  ])('replaces connections that end while in use: %s', async (_, openPlatform) => {
    const platform = openPlatform()
    for (let round = 1; round <= 3; round++) {
      // One text per round: a terminated session stays listed with its last statement until it has ended.
      const sleep = `select pg_sleep(${60 + round})`
      const write = platform.atomic(async (open, _at, sql) => {
        await getHost(open).users.create({ username: `lost-${round}` })
        await sql(sleep)
      })
      const read = getHost(platform).users.list()
      const lost = expect(write).rejects.toMatchObject(unavailable)
      await waitForSessions(1, `query = '${sleep}'`)
      await terminate(`query = '${sleep}'`)
      await lost
      await read
    }
    // A session that ends between two statements.
    const idle = platform.atomic(async (open) => {
      await getHost(open).users.create({ username: 'idle' })
      await terminate("state = 'idle in transaction'")
      await waitForSessions(0, "state = 'idle in transaction'")
      await getHost(open).users.create({ username: 'never' })
    })
    await expect(idle).rejects.toMatchObject(unavailable)
    // Sessions in the pool that are not in use.
    await terminate('true')
    await expect.poll(() => listUsernames(platform).catch(() => undefined)).toEqual([])
  })

  test('limits statements, locks and idle transactions', async () => {
    const slow = open(url, { statementTimeout: 500 }).atomic((_open, _at, sql) => sql('select pg_sleep(60)'))
    await expect(slow).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The database did not complete a statement in time',
      retryAfter: 1,
    })
    await administration.query('begin; lock table "user" in access exclusive mode')
    const platform = open(url, { lockTimeout: 100 })
    const busy = {
      code: 'unavailable',
      message: 'The database is busy: another transaction holds a lock for too long',
      retryAfter: 1,
    }
    await expect(listUsernames(platform)).rejects.toMatchObject(busy)
    await expect(getHost(platform).users.create({ username: 'late' })).rejects.toMatchObject(busy)
    await administration.query('rollback')
    const idle = open(url, { idleTransactionTimeout: 100 }).atomic(async (_open, _at, sql) => {
      await sql('select 1')
      await waitForSessions(0, "state = 'idle in transaction'")
      await sql('select 1')
    })
    await expect(idle).rejects.toMatchObject(unavailable)
    expect(await listUsernames(platform)).toEqual([])
  })

  test('while another session holds a lock, reads continue, and queued writes are refused with the first one', async () => {
    const platform = open(url, { lockTimeout: 1_000, connections: 3 })
    const host = getHost(platform)
    await host.users.create({ username: 'ada' })
    const projects = ['a', 'b', 'c', 'd', 'e', 'f']
    for (const path of projects) await platform.as({ user: 'ada' }).projects.create({ path, name: path })
    const session = await openHostPool().connect()
    await session.query('begin; lock table label in exclusive mode')
    const order: string[] = []
    const writes = projects.flatMap((path) =>
      ['x', 'y', 'z'].map((name) => {
        const write = host.labels.create({ project: `ada/${path}`, name, color: 'red' })
        return write.catch(({ code }) => order.push(`write: ${code}`))
      }),
    )
    await waitForSessions(2, "wait_event_type = 'Lock'")
    await host.labels.list({ project: 'ada/a' })
    order.push('read')
    // One after another on two connections, they would need nine times the limit.
    await Promise.race([Promise.all(writes), pause(6_000)])
    expect(order).toEqual(['read', ...Array.from(writes, () => 'write: unavailable')])
    await session.query('rollback')
    session.release()
    await host.labels.create({ project: 'ada/a', name: 'x', color: 'red' })
  })

  test('reports a server that has become read-only as unavailable', async () => {
    const platform = open()
    const write = platform.atomic(async (open, _at, sql) => {
      await sql('set transaction read only')
      await getHost(open).users.create({ username: 'late' })
    })
    await expect(write).rejects.toMatchObject(unavailable)
    expect(await getHost(platform).users.create({ username: 'later' })).toMatchObject({ username: 'later' })
  })

  test('limits the transactions in a pool of the host, and leaves its sessions unchanged', async () => {
    const pool = openHostPool()
    const platform = open(pool, { lockTimeout: 100 })
    const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
    const settings = () =>
      platform.atomic(async (_open, _at, sql) => {
        const values = []
        for (const name of names) values.push((await sql(`select current_setting('${name}') as value`))[0]?.value)
        return values
      })
    expect(await settings()).toEqual(['30s', '100ms', '1min'])
    for (let at = 0; at < 2; at++) {
      const { rows } = await pool.query(`select ${names.map((name) => `current_setting('${name}')`).join()}`)
      expect(Object.values(rows[0] as object)).toEqual(['0'])
    }
    await administration.query('begin; lock table "user" in access exclusive mode')
    await expect(getHost(platform).users.create({ username: 'late' })).rejects.toMatchObject({ retryAfter: 1 })
    await administration.query('rollback')
    // 0 keeps the settings of the host.
    const unlimited = open(pool, { statementTimeout: 0, lockTimeout: 0, idleTransactionTimeout: 0 })
    const shown = await unlimited.atomic((_open, _at, sql) => sql('show statement_timeout'))
    expect(shown).toEqual([{ statementTimeout: '0' }])
  })

  test('limits the wait for a connection', async () => {
    const proxy = await startProxy()
    proxy.isSilent = true
    const unreachable = open(proxy.url, { connectTimeout: 500 })
    await expect(unreachable.ready()).rejects.toMatchObject(unavailable)
    // A failed start is not final.
    proxy.isSilent = false
    await expect.poll(() => unreachable.ready().catch((error: unknown) => error)).toBeUndefined()

    const exhausted = open(url, { connections: 1, connectTimeout: 500 })
    const begun = Promise.withResolvers<void>()
    const checked = Promise.withResolvers<void>()
    const holding = exhausted.atomic(async () => {
      begun.resolve()
      await checked.promise
    })
    await begun.promise
    await expect(listUsernames(exhausted)).rejects.toMatchObject(unavailable)
    checked.resolve()
    await holding
    expect(await listUsernames(exhausted)).toEqual([])
  })

  test.each([
    ['was made', true],
    ['was not made', false],
  ])('does not repeat a commit whose outcome is unknown; the change %s', async (_, isForwarded) => {
    const proxy = await startProxy()
    const platform = open(proxy.url)
    await getHost(platform).users.create({ username: 'owner' })
    let attempts = 0
    proxy.onCommit = (client) => {
      attempts += 1
      // The response of the server no longer reaches the client.
      client.destroy()
      return isForwarded
    }
    const signals: unknown[] = []
    platform.on('project.created', (signal) => void signals.push(signal))
    const creation = getHost(platform).projects.create({ namespace: 'owner', name: 'perhaps' })
    await expect(creation).rejects.toMatchObject({
      code: 'unavailable',
      reason: 'outcome_unknown',
      retryAfter: undefined,
      message: expect.stringContaining('check whether the change was made'),
    })
    expect([attempts, signals]).toEqual([1, []])
    proxy.onCommit = undefined
    await waitForSessions(0, "state <> 'idle'")
    const { items } = await getHost(platform).projects.list()
    expect(items.map(({ path }) => path)).toEqual(isForwarded ? ['perhaps'] : [])
  })

  test('migrates without time limits, after migrations of other processes', async () => {
    await administration.query('drop schema public cascade; create schema public; select pg_advisory_lock(1181575028)')
    const platform = open(url, { statementTimeout: 500, lockTimeout: 50 })
    const ready = platform.ready()
    const isWaiting = "wait_event_type = 'Lock' and clock_timestamp() - query_start > interval '600 ms'"
    await waitForSessions(1, isWaiting)
    await administration.query('select pg_advisory_unlock(1181575028)')
    await ready
    expect(await listUsernames(platform)).toEqual([])
    // The session without limits is closed, and with it the lock.
    const locks = "select from pg_locks where locktype = 'advisory' and objid = 1181575028"
    await expect.poll(async () => (await administration.query(locks)).rowCount).toBe(0)
  })

  test.each([
    ['a pool that the store opens', () => open()],
    ['a pool of the host', () => open(openHostPool())],
  ])(
    'reports the error that aborted a transaction for all statements that were sent together: %s',
    async (_, start) => {
      const platform = start()
      await platform.ready()
      await platform
        .atomic(async (_open, _at, sql) => {
          const results = await Promise.allSettled([sql('select 1'), sql('select 1 / 0'), sql('select 2')])
          const divisionByZero = { status: 'rejected', reason: { code: '22012' } }
          expect(results).toMatchObject([{ status: 'fulfilled' }, divisionByZero, divisionByZero])
          throw new Error('rolled back')
        })
        .catch((error: Error) => expect(error.message).toBe('rolled back'))
    },
  )

  test('a transaction begins with the locks that the last one of its queue took, and takes those that differ', async () => {
    const store = postgres(url)
    cleanups.push(() => store.close())
    await store.migrate()
    const countLocks = `select count(*) as held from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`
    const takeLocks = (queue: string, ...names: string[]) =>
      store.write(
        async (handle) => {
          const count = async () => (await handle.run(countLocks, []))[0]?.held
          const atBegin = await count()
          await handle.lock?.(names.map((name) => ({ name })))
          await handle.lock?.([{ name: 'limit' }])
          return [atBegin, await count()]
        },
        { locks: [], queue },
      )
    // The lock of the instance, then those of the transaction.
    expect(await takeLocks('project 1', 'tree', 'project 1')).toEqual([1, 4])
    expect(await takeLocks('project 1', 'tree', 'project 1')).toEqual([3, 4])
    expect(await takeLocks('project 1', 'other tree', 'project 1')).toEqual([3, 5])
    expect(await takeLocks('project 2', 'tree', 'project 2')).toEqual([1, 4])
  })

  test('closes within seconds while a statement runs', async () => {
    const platform = open()
    await platform.ready()
    const slow = platform.atomic((_open, _at, sql) => sql('select pg_sleep(60)'))
    const ended = expect(slow).rejects.toMatchObject(unavailable)
    await waitForSessions(1, "query = 'select pg_sleep(60)'")
    const start = performance.now()
    await platform.close()
    expect(performance.now() - start).toBeLessThan(5_000)
    await ended
    await expect(listUsernames(platform)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The platform is closed',
    })
  })

  test('rejects unknown options and invalid time limits', () => {
    expect(() => postgres(url, { locktimeout: 5 } as PostgresOptions)).toThrow(
      "postgres has no option 'locktimeout'. Did you mean 'lockTimeout'?",
    )
    for (const lockTimeout of [-1, 1.5, Number.NaN, 2 ** 31, '5' as never]) {
      expect(() => postgres(url, { lockTimeout })).toThrow(
        `The option lockTimeout must be an integer from 0 to 2147483647, in milliseconds: ${lockTimeout}`,
      )
    }
  })
})
