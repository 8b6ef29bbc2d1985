import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { createDatabase } from '../../../../../test/support/postgres-database.ts'
import { dialect } from '../../../../../test/world.ts'
import { createPlatform, type Platform, type PlatformOptions } from '../../platform.ts'
import { type PostgresOptions, postgres } from '../postgres/postgres.ts'

const database = `events_${process.pid}`
let administration: pg.Client
let url: string
let cleanups: (() => unknown)[] = []

const open = async (events: PostgresOptions['events'] = true, options: PlatformOptions = {}) => {
  const platform = createPlatform(postgres(url, { events, connections: 4 }), {
    identity: { system: 'test' },
    ...options,
  })
  cleanups.push(() => platform.close())
  await platform.ready()
  return platform
}

/** The paths of created projects, as a platform receives them. */
const receivePaths = (platform: Platform) => {
  const received: string[] = []
  platform.on('project.created', ({ project }) => void received.push(project.path))
  return received
}

const createProject = (platform: Platform, path: string) =>
  platform.projects.create({ namespace: 'acme', path, name: path })

/** Inserts an event in a transaction that stays open. */
const insertOpenEvent = async (path: string) => {
  const client = new pg.Client(url)
  await client.connect()
  cleanups.push(() => client.end())
  await client.query('begin')
  await client.query("insert into signal_outbox (name, payload, created_at) values ('project.created', $1, $2)", [
    JSON.stringify({ project: { path } }),
    new Date().toISOString(),
  ])
  return client
}

const listeners =
  "from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and query like 'listen%'"
/** Ends all sessions except this one. */
const terminateAll = () =>
  administration.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )

const eventually = { timeout: 10_000, interval: 5 }

describe.skipIf(dialect === 'sqlite')('postgres() with events', () => {
  beforeAll(async () => {
    url = await createDatabase(inject('postgresUrl') as string, database)
    administration = new pg.Client(url)
    await administration.connect()
    const platform = await open(false)
    await platform.groups.create({ path: 'acme', name: 'Acme' })
    await platform.users.create({ username: 'kim' })
    await platform.close()
  })
  afterAll(() => administration?.end())
  afterEach(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup()
    cleanups = []
    await administration.query('truncate project cascade; truncate signal_outbox, signal_consumer')
  })

  test('delivers the events of all platforms to all of them, once and in the same order', async () => {
    const platforms = await Promise.all([open(), open(), open()])
    const received = platforms.map(receivePaths)
    const paths: string[] = []
    await Promise.all(
      platforms.map(async (platform, number) => {
        for (let count = 1; count <= 15; count++) {
          const path = `p${number}-${count}`
          paths.push(path)
          await createProject(platform, path)
        }
      }),
    )
    for (const list of received) await expect.poll(() => list.length, eventually).toBe(paths.length)
    expect(received[0]?.toSorted()).toEqual(paths.toSorted())
    expect(received[1]).toEqual(received[0])
    expect(received[2]).toEqual(received[0])
  })

  test('delivers the events to all platforms over one store', async () => {
    const store = postgres(url, { events: true })
    cleanups.push(() => store.close())
    const platforms = [1, 2].map(() => createPlatform(store, { identity: { system: 'test' } }))
    await Promise.all(platforms.map((platform) => platform.ready()))
    const received = platforms.map(receivePaths)
    await createProject(platforms[0] as Platform, 'one')
    await expect.poll(() => received, eventually).toEqual([['one'], ['one']])
  })

  test('delivers the whole payload', async () => {
    const [writer, reader] = [await open(), await open()]
    const opened = Promise.withResolvers<unknown>()
    reader.on('issue.opened', opened.resolve)
    await createProject(writer, 'web')
    const description = `"quotes" \\u0000 and 語\n${'long '.repeat(20_000)}`
    const created = await writer.issues.create({ project: 'acme/web', title: 'Payload', description, author: 'kim' })
    const { subscribed: _, ...issue } = created
    expect(await opened.promise).toEqual({ issue })
  })

  test('delivers an event with a lower id that is committed later, and before those with higher ids', async () => {
    const platform = await open()
    const received = receivePaths(platform)
    const [first, second] = [await insertOpenEvent('slow'), await insertOpenEvent('rolled-back')]
    await createProject(platform, 'fast')
    await second.query('rollback')
    await createProject(platform, 'faster')
    await expect.poll(async () => (await platform.health()).store.events?.delaySeconds, eventually).toBeGreaterThan(0.1)
    expect(received).toEqual([])
    await first.query('commit')
    await expect.poll(() => received, eventually).toEqual(['slow', 'fast', 'faster'])
  })

  test('a platform that starts beside a running transaction receives its event, but none from before', async () => {
    const first = await open()
    await createProject(first, 'old')
    const transaction = await insertOpenEvent('running')
    await createProject(first, 'before')
    const second = await open()
    const received = receivePaths(second)
    await transaction.query('commit')
    await createProject(first, 'after')
    await expect.poll(() => received, eventually).toEqual(['running', 'after'])
  })

  test('calls that fail and transactions that are rolled back deliver nothing', async () => {
    const platform = await open()
    const received = receivePaths(platform)
    await createProject(platform, 'one')
    await expect(createProject(platform, 'one')).rejects.toMatchObject({ code: 'conflict' })
    const failing = platform.atomic(async (joined) => {
      await createProject(joined, 'two')
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    await platform.atomic(async (joined) => {
      await createProject(joined, 'three')
      await createProject(joined, 'four')
    })
    await expect.poll(() => received, eventually).toEqual(['one', 'three', 'four'])
  })

  test('continues after a lost connection, reports it once, and shows the state in its health', async () => {
    const errors: [unknown, string][] = []
    const writer = await open(true, { onListenerError: () => undefined })
    const reader = await open(true, { onListenerError: (error, name) => void errors.push([error, name]) })
    const received = receivePaths(reader)
    await createProject(writer, 'one')
    await expect.poll(() => received, eventually).toEqual(['one'])
    expect((await reader.health()).store.events).toEqual({ connected: true, standby: false, delaySeconds: null })
    await terminateAll()
    await expect.poll(() => createProject(writer, 'two').then(Boolean, () => false), eventually).toBe(true)
    await expect.poll(() => received, eventually).toEqual(['one', 'two'])
    await createProject(writer, 'three')
    await expect.poll(() => received, eventually).toEqual(['one', 'two', 'three'])
    expect(errors.map(([, name]) => name)).toEqual(['events'])
  })

  test('a named consumer receives the events that were committed while it was closed', async () => {
    const consumer = { consumer: 'indexer' }
    const writer = await open()
    const first = await open(consumer)
    const before = receivePaths(first)
    await createProject(writer, 'one')
    await expect.poll(() => before, eventually).toEqual(['one'])
    await first.close()
    for (const path of ['two', 'three']) await createProject(writer, path)
    const second = createPlatform(postgres(url, { events: consumer }), { identity: { system: 'test' } })
    cleanups.push(() => second.close())
    const after = receivePaths(second)
    await second.ready()
    await expect.poll(() => after, eventually).toEqual(['two', 'three'])
  })

  test('of two processes with the same name, one receives the events and the other one takes over', async () => {
    const consumer = { consumer: 'indexer' }
    const first = await open(consumer)
    const second = await open(consumer)
    const received = [receivePaths(first), receivePaths(second)]
    await expect.poll(async () => (await second.health()).store.events?.standby, eventually).toBe(true)
    await createProject(second, 'one')
    await expect.poll(() => received, eventually).toEqual([['one'], []])
    await first.close()
    await createProject(second, 'two')
    await expect.poll(() => received, eventually).toEqual([['one'], ['two']])
  })

  test('an event is delivered again if the process ends before its listeners do', async () => {
    const consumer = { consumer: 'indexer' }
    const first = await open(consumer)
    const started = Promise.withResolvers<void>()
    first.on('project.created', () => {
      started.resolve()
      return new Promise(() => undefined)
    })
    await createProject(first, 'one')
    await started.promise
    await first.close()
    const second = createPlatform(postgres(url, { events: consumer }))
    cleanups.push(() => second.close())
    const received = receivePaths(second)
    await second.ready()
    await expect.poll(() => received, eventually).toEqual(['one'])
  })

  test('errors of listeners are reported and do not stop the delivery', async () => {
    const errors: [unknown, string][] = []
    const platform = await open(true, { onListenerError: (error, name) => void errors.push([error, name]) })
    const failure = new Error('listener failed')
    platform.on('project.created', () => {
      throw failure
    })
    const received = receivePaths(platform)
    for (const path of ['one', 'two']) await createProject(platform, path)
    await expect.poll(() => received, eventually).toEqual(['one', 'two'])
    expect(errors).toEqual([
      [failure, 'project.created'],
      [failure, 'project.created'],
    ])
  })

  test('reads long outboxes in batches', async () => {
    const consumer = { consumer: 'indexer' }
    await (await open(consumer)).close()
    const writer = await open()
    const count = 1_200
    await administration.query(
      `insert into signal_outbox (name, payload, created_at)
       select 'project.created', json_build_object('project', json_build_object('path', 'p' || number, 'x', repeat(md5(number::text), 500))),
         '2999-01-01T00:00:00.000Z' from generate_series(1, ${count}) as number`,
    )
    const reader = createPlatform(postgres(url, { events: consumer }))
    cleanups.push(() => reader.close())
    const received = receivePaths(reader)
    await reader.ready()
    await expect.poll(() => received.length, eventually).toBe(count)
    expect(received).toEqual(Array.from({ length: count }, (_, index) => `p${index + 1}`))
    await createProject(writer, 'last')
    await expect.poll(() => received.at(-1), eventually).toBe('last')
  }, 60_000)

  test('old events are deleted; a consumer that missed some is told so, once', async () => {
    const options = { consumer: 'indexer', retention: 60_000 }
    const writer = await open()
    await (await open(options)).close()
    await createProject(writer, 'lost')
    await administration.query("update signal_outbox set created_at = '2020-01-01T00:00:00.000Z'")
    await createProject(writer, 'kept')
    // Another consumer deletes the old event.
    await (await open({ retention: 60_000 })).close()
    expect((await administration.query('select payload from signal_outbox')).rowCount).toBe(1)
    const errors: string[] = []
    const reader = createPlatform(postgres(url, { events: options }), {
      onListenerError: (error, name) => void errors.push(`${name}: ${(error as Error).message}`),
    })
    cleanups.push(() => reader.close())
    const received = receivePaths(reader)
    await reader.ready()
    await expect.poll(() => received, eventually).toEqual(['kept'])
    expect(errors).toEqual([
      'events: Events were deleted before the consumer "indexer" received them: read the current data, and set a longer retention',
    ])
  })

  test('continues after the ids of a restored database, which are lower', async () => {
    const consumer = { consumer: 'indexer' }
    await (await open(consumer)).close()
    await administration.query("update signal_consumer set position = 1000000 where name = 'indexer'")
    const platform = await open(consumer)
    const received = receivePaths(platform)
    await createProject(platform, 'one')
    await expect.poll(() => received, eventually).toEqual(['one'])
  })

  test('sends nothing to the outbox without the option', async () => {
    const platform = await open(false)
    const received = receivePaths(platform)
    await createProject(platform, 'one')
    await expect.poll(() => received, eventually).toEqual(['one'])
    expect((await administration.query('select from signal_outbox')).rowCount).toBe(0)
    expect((await administration.query(`select ${listeners}`)).rowCount).toBe(0)
    expect((await platform.health()).store.events).toBeUndefined()
  })

  test('uses the settings of a pool, and the tables of a schema', async () => {
    const pool = new pg.Pool({ connectionString: url, max: 1 })
    cleanups.push(() => pool.end())
    const platform = createPlatform(postgres(pool, { events: { consumer: 'indexer' }, schema: 'forge' }), {
      identity: { system: 'test' },
    })
    cleanups.push(() => platform.close())
    await platform.groups.create({ path: 'acme', name: 'Acme' })
    const received = receivePaths(platform)
    await createProject(platform, 'one')
    await expect.poll(() => received, eventually).toEqual(['one'])
    // The signals of the group and of the project.
    expect((await administration.query('select from forge.signal_outbox')).rowCount).toBe(2)
    expect((await administration.query('select from signal_outbox')).rowCount).toBe(0)
  })
})

test.each([
  [{ consumer: 'a b' }, 'Invalid consumer "a b"'],
  [{ consumer: '' }, 'Invalid consumer ""'],
  [{ retention: 10 }, 'The option retention must be an integer of at least 60000 milliseconds: 10'],
])('rejects the options %o', (events, message) => {
  expect(() => postgres('postgres://localhost/none', { events })).toThrow(message)
})
