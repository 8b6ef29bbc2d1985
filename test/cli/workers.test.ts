import { spawnSync } from 'node:child_process'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import parse from 'parse-prometheus-text-format'
import pg from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { createDatabase } from '../support/postgres-database.ts'
import { dialect } from '../world.ts'
import { call, folder, forgelet, serving } from './command-line.ts'

const labels = '/projects/acme%2Fweb/labels'

let databases = 0
const fresh = async () => {
  const url = inject('postgresUrl')
  const name = `workers_${process.pid}_${++databases}`
  if (url === undefined) {
    const file = join(folder, `${name}.db`)
    const query = async (statement: string) => {
      const database = new Database(file)
      try {
        return database.prepare(statement).all() as Record<string, unknown>[]
      } finally {
        database.close()
      }
    }
    return { args: ['--data', file], query }
  }
  const database = await createDatabase(url, name)
  const query = async (statement: string) => {
    const own = new pg.Client(database)
    await own.connect()
    try {
      return (await own.query(statement)).rows as Record<string, unknown>[]
    } finally {
      await own.end()
    }
  }
  return { args: ['--database', database], query }
}

/** The workers of a server, without its other child processes. */
const childrenOf = (pid: number | undefined) =>
  // ps exits with 1 if there are none.
  spawnSync('ps', ['-o', 'pid=,args=', '--ppid', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.includes('cli.js'))
    .map((line) => Number.parseInt(line, 10))

const metrics = async (url: string) => {
  const text = await (await fetch(`${url}/-/metrics`)).text()
  return new Map(parse(text).map(({ name, metrics: found }) => [name, found]))
}

/** One connection per request, so that requests reach all workers. */
const create = (url: string, name: string) =>
  new Promise<number | undefined>((resolve) => {
    const { hostname, port } = new URL(url)
    const outgoing = request(
      {
        hostname,
        port,
        method: 'POST',
        path: `/api/v4${labels}`,
        headers: { 'PRIVATE-TOKEN': 'alice-token', 'Content-Type': 'application/json', Connection: 'close' },
      },
      (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode))
        response.on('error', () => resolve(undefined))
      },
    )
    // The connections of a killed worker are reset.
    outgoing.on('error', () => resolve(undefined))
    outgoing.setTimeout(15_000, () => resolve(0))
    outgoing.end(JSON.stringify({ name, color: 'teal', priority: 1 }))
  })

describe(`several workers on ${dialect}`, () => {
  it('serve together, lose no acknowledged write if one is killed, and replace it', async () => {
    const { args, query } = await fresh()
    const { url, child, output, stop } = await serving([...args, '--seed', 'demo', '--workers', '2'])
    const first = childrenOf(child.pid)
    expect(first).toHaveLength(2)

    const acknowledged: string[] = []
    const statuses = new Map<string, number>()
    let writing = true
    const writer = async (prefix: string) => {
      for (let count = 0; writing; count++) {
        const name = `${prefix}-${count}`
        const status = await create(url, name)
        if (status === 200) acknowledged.push(name)
        statuses.set(String(status), (statuses.get(String(status)) ?? 0) + 1)
      }
    }
    const writers = Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(writer))
    await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(50)
    const [victim] = first
    process.kill(victim as number, 'SIGKILL')
    await expect.poll(() => childrenOf(child.pid).filter((pid) => pid !== victim).length, { timeout: 20_000 }).toBe(2)
    const before = acknowledged.length
    await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(before + 20)
    writing = false
    await writers

    // The log lines contain the number of the worker.
    await expect.poll(() => output.stderr).toMatch(/"worker":1,.*"operation":"labels\.create"/)
    expect(output.stderr).toMatch(/"worker":2,.*"operation":"labels\.create"/)
    expect(output.stderr).toMatch(/"signal":"SIGKILL".*"msg":"worker exited"/)
    expect([...statuses.keys()].filter((status) => !['200', 'undefined', '503'].includes(status))).toEqual([])
    const stored = new Set((await query('select name from label')).map(({ name }) => name))
    expect(acknowledged.filter((name) => !stored.has(name))).toEqual([])

    const workersIn = async () =>
      (await metrics(url))
        .get('process_resident_memory_bytes')
        ?.map(({ labels: of }) => of?.worker)
        .sort()
    await expect.poll(workersIn, { timeout: 20_000 }).toEqual(['1', '2'])
    const found = await metrics(url)
    expect(found.get('forgelet_workers')).toEqual([{ value: '2' }])
    expect(found.get('forgelet_worker_restarts_total')).toEqual([{ value: '1' }])

    const { code, stderr } = await stop()
    expect(code).toBe(0)
    expect(stderr.match(/worker exited/g)).toHaveLength(1)
    expect(childrenOf(child.pid)).toEqual([])
  }, 90_000)

  it('keep the totals of a killed worker in their metrics, and complete requests in progress when they stop', async () => {
    const { args } = await fresh()
    const { url, child, stop } = await serving([...args, '--seed', 'demo', '--workers', '2', '--log-level', 'silent'])
    for (let count = 0; count < 20; count++) await create(url, `counted-${count}`)
    const counted = async () => {
      const all = (await metrics(url)).get('forgelet_http_requests_total') ?? []
      return all
        .filter(({ labels: of }) => of?.method === 'POST' && of.status === '2xx')
        .reduce((sum, { value }) => sum + Number(value), 0)
    }
    expect(await counted()).toBe(20)
    process.kill(childrenOf(child.pid)[0] as number, 'SIGKILL')
    await expect.poll(() => childrenOf(child.pid).length, { timeout: 20_000 }).toBe(2)
    await expect.poll(() => counted().catch(() => 0), { timeout: 20_000 }).toBe(20)

    const { hostname, port } = new URL(url)
    const slow = Array.from({ length: 6 }, (_, at) => {
      const body = JSON.stringify({ name: `slow-${at}`, color: 'teal' })
      const headers = {
        'PRIVATE-TOKEN': 'alice-token',
        'Content-Type': 'application/json',
        'Content-Length': body.length,
      }
      const outgoing = request({ hostname, port, method: 'POST', path: `/api/v4${labels}`, headers })
      const answered = new Promise<number>((resolve, reject) => {
        outgoing.on('response', (response) => resolve(response.resume().statusCode ?? 0))
        outgoing.on('error', reject)
      })
      outgoing.write(body.slice(0, 4))
      return { answered, finish: () => outgoing.end(body.slice(4)) }
    })
    const inFlight = async () =>
      ((await metrics(url)).get('forgelet_http_requests_in_flight') ?? []).reduce(
        (sum, { value }) => sum + Number(value),
        0,
      )
    // Including the request for the metrics.
    await expect.poll(inFlight, { timeout: 20_000 }).toBe(7)
    const start = performance.now()
    const stopped = stop()
    await expect
      .poll(
        () =>
          call(url, labels, 'alice-token').then(
            () => 'answered',
            () => 'refused',
          ),
        { timeout: 5_000 },
      )
      .toBe('refused')
    for (const { finish } of slow) finish()
    expect(await Promise.all(slow.map(({ answered }) => answered))).toEqual([200, 200, 200, 200, 200, 200])
    expect((await stopped).code).toBe(0)
    expect(performance.now() - start).toBeLessThan(10_000)
  }, 60_000)

  it('run each job once', async () => {
    const { args, query } = await fresh()
    const { stop } = await serving([...args, '--seed', 'demo', '--workers', '3', '--log-level', 'silent'])
    await expect
      .poll(
        async () => (await query("select kind from job where state = 'pending' and run_after > created_at")).length,
        {
          timeout: 20_000,
        },
      )
      .toBeGreaterThan(1)
    await pause(1_500)
    // Each daily job ran once and is scheduled once for the next day.
    const jobs = await query('select kind, attempts, state from job')
    expect(new Set(jobs.map(({ kind }) => kind)).size).toBe(jobs.length)
    expect(jobs.every(({ state, attempts }) => state === 'pending' && Number(attempts) === 0)).toBe(true)
    expect((await stop()).code).toBe(0)
  }, 60_000)
})

describe.skipIf(dialect === 'postgres')('startWorkers rejects', () => {
  it.each([
    [['--workers', '0'], /--workers .*must be an integer from 1 to 64/],
    [['--workers', '2', '--data', ':memory:'], /--workers 2 requires shared data/],
    [['--trusted-proxy', 'localhost'], /--trusted-proxy .*'localhost' is not a valid IP address or CIDR range/],
  ])('%j', async (args, message) => {
    const { code, stderr } = await forgelet(['serve', '--port', '0', ...args])
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
  })

  it('a port in use, in one sentence', async () => {
    const { url, stop } = await serving(['--data', ':memory:', '--log-level', 'silent'])
    const { code, stderr } = await forgelet([
      'serve',
      '--workers',
      '2',
      '--port',
      new URL(url).port,
      '--data',
      'taken.db',
    ])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^forgelet: Port \d+ on 127\.0\.0\.1 is in use: .*\n$/)])
    await stop()
  })
})
