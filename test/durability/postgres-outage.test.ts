import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { forgelet, serving } from '../cli/command-line.ts'
import { createDatabase } from '../support/postgres-database.ts'
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts'
import { dialect } from '../world.ts'

const labels = '/api/v4/projects/acme%2Fweb/labels'
const headers = { 'PRIVATE-TOKEN': 'alice-token', 'Content-Type': 'application/json' }

let database: PostgresServer
let databases = 0
let name: string
let args: readonly string[]

const connect = async () => {
  const client = new pg.Client(`${database.url}/${name}`)
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Locks a table against all access until the returned function is called. */
const lock = async (table: string) => {
  const client = await connect()
  await client.query(`begin; lock table ${table} in access exclusive mode`)
  return () => client.end()
}

/** Ends the sessions of the server that wait for a lock. */
const terminateWaiting = async (client: pg.Client) => {
  const waiting = "from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  await expect.poll(async () => (await client.query(`select ${waiting}`)).rowCount, { timeout: 10_000 }).toBe(1)
  await client.query(`select pg_terminate_backend(pid) ${waiting}`)
}

const get = (url: string, path: string) => fetch(`${url}${path}`, { headers })
const create = (url: string, label: string) =>
  fetch(`${url}${labels}`, { method: 'POST', headers, body: JSON.stringify({ name: label, color: 'teal' }) })

const summarize = async (response: Response) => ({
  status: response.status,
  retryAfter: response.headers.get('Retry-After'),
  body: (await response.json()) as unknown,
})

const unavailable = { status: 503, retryAfter: '5', body: { message: 'The database is not available' } }

/** The log lines of the level `error`, parsed. */
const errorsIn = (stderr: string) =>
  stderr
    .split('\n')
    .filter((line) => line.includes('"level":"error"'))
    .map((line) => JSON.parse(line) as { msg: string; error: string })

describe.skipIf(dialect === 'sqlite')('forgelet serve', () => {
  beforeAll(async () => {
    database = await startPostgresServer()
  })
  afterAll(() => database?.remove())
  beforeEach(async () => {
    name = `outage_${++databases}`
    args = ['--database', await createDatabase(database.url, name), '--seed', 'demo']
  })

  it('loses one request, not the process, when a session in use is terminated', async () => {
    const { url, child, output, stop } = await serving(args)
    const client = await connect()
    const rounds = 5
    for (let round = 1; round <= rounds; round++) {
      const unlock = await lock('label')
      const slow = round % 2 ? create(url, `terminated-${round}`) : get(url, labels)
      await terminateWaiting(client)
      expect(await summarize(await slow)).toEqual(unavailable)
      await unlock()
      expect((await get(url, labels)).status).toBe(200)
      expect((await create(url, `after-${round}`)).status).toBe(200)
    }
    await client.end()
    expect(child.exitCode).toBeNull()
    const errors = errorsIn(output.stderr)
    expect(errors).toHaveLength(rounds)
    for (const { msg, error } of errors) {
      expect([msg, error]).toEqual([
        'unavailable',
        'The database is not available: terminating connection due to administrator command',
      ])
    }
    expect((await stop()).code).toBe(0)
  }, 60_000)

  it('reports an outage of the database and recovers without a restart', async () => {
    const { url, child, output, stop } = await serving(args)
    await database.stop()
    expect(await summarize(await get(url, labels))).toEqual(unavailable)
    expect(await summarize(await create(url, 'lost'))).toEqual(unavailable)
    // A call with a rate limit, which is counted in the database.
    expect((await get(url, '/api/v4/projects/acme%2Fweb/repository/archive')).status).toBe(503)
    expect((await get(url, '/api/scim/v2/groups/acme/Users')).status).toBe(503)
    const readiness = await get(url, '/-/readiness')
    expect(readiness.status).toBe(503)
    expect(await readiness.json()).toMatchObject({
      database_check: [{ status: 'failed', message: 'The database is not available' }],
    })
    expect((await get(url, '/-/liveness')).status).toBe(200)
    expect(await (await get(url, '/-/metrics')).text()).toContain('\nforgelet_database_up 0\n')
    await expect.poll(() => output.stderr, { timeout: 10_000 }).toMatch(/"error":"[^"]*ECONNREFUSED[^"]*","msg":"jobs"/)

    await database.start()
    await expect.poll(async () => (await get(url, '/-/readiness')).status, { timeout: 10_000 }).toBe(200)
    expect((await create(url, 'found')).status).toBe(200)
    const client = await connect()
    await client.query("update job set run_after = '2020-01-01T00:00:00.000Z' where kind = 'events.expire'")
    const due = "select from job where run_after < '2021'"
    await expect.poll(async () => (await client.query(due)).rowCount, { timeout: 10_000 }).toBe(0)
    await client.end()
    expect(child.exitCode).toBeNull()
    // No stack traces.
    expect(output.stderr).not.toMatch(/\\n\s+at /)
    expect((await stop()).code).toBe(0)
  }, 60_000)

  it.each([1, 2])(
    'with %i processes logs an outage in a few lines, and its end once',
    async (workers) => {
      const { url, child, output, stop } = await serving([...args, '--workers', String(workers)])
      const statusOf = async (path: string) => (await get(url, path)).status
      /** The statuses of requests on new connections, which reach all workers. */
      const statusesOf = async (path: string) => {
        const options = { headers: { ...headers, Connection: 'close' } }
        const replies = await Promise.all(Array.from({ length: 20 }, () => fetch(`${url}${path}`, options)))
        return [...new Set(replies.map(({ status }) => status))]
      }
      const processes = async () =>
        /forgelet_worker_restarts_total \d+/.exec(await (await get(url, '/-/metrics')).text())?.[0]
      const restarts = await processes()
      expect(await statusesOf(labels)).toEqual([200])
      const jobLines = () => output.stderr.split('\n').filter((line) => line.includes('"msg":"jobs"'))
      const start = performance.now()
      await database.stop()
      await expect.poll(() => jobLines().length, { timeout: 20_000 }).toBeGreaterThanOrEqual(3 * workers)
      expect(await statusesOf(labels)).toEqual([503])
      expect(await statusesOf('/-/readiness')).toEqual([503])
      await database.start()
      await expect.poll(() => statusOf('/-/readiness'), { timeout: 20_000 }).toBe(200)
      const recoveries = () => output.stderr.match(/"msg":"jobs recovered"/g)?.length ?? 0
      await expect.poll(recoveries, { timeout: 20_000 }).toBe(workers)
      const seconds = (performance.now() - start) / 1_000
      // The pauses between the lines of one process grow: after 0, 1, 3, 7, 15 and 31 seconds.
      expect(jobLines().length).toBeLessThanOrEqual(workers * Math.ceil(Math.log2(seconds + 1) + 1))
      await expect.poll(() => statusesOf(labels), { timeout: 20_000 }).toEqual([200])
      expect((await create(url, `after-${workers}`)).status).toBe(200)
      expect([child.exitCode, await processes()]).toEqual([null, restarts])
      expect((await stop()).code).toBe(0)
    },
    90_000,
  )

  it('stops within ten seconds during an outage, and does not start in one', async () => {
    const { url, stop } = await serving(args)
    await database.stop()
    try {
      const pending = get(url, labels).catch(() => undefined)
      const start = performance.now()
      expect((await stop()).code).toBe(0)
      expect(performance.now() - start).toBeLessThan(10_000)
      await pending
      const { code, stderr } = await forgelet(['serve', '--port', '0', ...args])
      expect([code, stderr]).toEqual([
        1,
        `forgelet: PostgreSQL ${name} at 127.0.0.1:${database.port} cannot be used: connect ECONNREFUSED 127.0.0.1:${database.port}\n`,
      ])
    } finally {
      await database.start()
    }
  }, 60_000)

  it('limits the wait for a locked table', async () => {
    const { url, output, stop } = await serving([...args, '--database-lock-timeout', '1'])
    const unlock = await lock('label')
    const busy = 'The database is busy: another transaction holds a lock for too long'
    const expected = { status: 503, retryAfter: '1', body: { message: busy } }
    const replies = await Promise.all([get(url, labels), create(url, 'late')])
    for (const reply of replies) expect(await summarize(reply)).toEqual(expected)
    // Other tables respond.
    expect((await get(url, '/-/readiness')).status).toBe(200)
    expect((await get(url, '/api/v4/projects/acme%2Fweb')).status).toBe(200)
    await unlock()
    expect((await create(url, 'late')).status).toBe(200)
    expect(errorsIn(output.stderr)[0]).toMatchObject({
      msg: 'unavailable',
      error: `${busy}: canceling statement due to lock timeout`,
    })
    const unlockJobs = await lock('job')
    expect((await get(url, '/-/readiness')).status).toBe(503)
    await unlockJobs()
    expect((await get(url, '/-/readiness')).status).toBe(200)
    expect((await stop()).code).toBe(0)
  }, 60_000)
})
