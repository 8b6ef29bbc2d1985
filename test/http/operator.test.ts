import { request } from 'node:http'
import { createPlatform, type Store, sqlite } from '@forgelet/core'
import type { FakeForge } from '@forgelet/fixtures'
import { type AppOptions, type ServeOptions, serve } from '@forgelet/http'
import parse from 'parse-prometheus-text-format'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyStore, world } from '../sqlite-world.ts'

const labels = '/api/v4/projects/acme%2Fweb/labels'

let forge: FakeForge
beforeAll(async () => {
  forge = await world()
})
afterAll(() => forge.close())

/** Idle connections are closed without a grace period. */
const testOptions = { port: 0, jobInterval: 0, idleGrace: 0 }

const startServer = async (options: ServeOptions = {}) => {
  const server = await serve(forge.platform, { ...testOptions, ...options })
  return Object.assign(server, { [Symbol.asyncDispose]: server.close })
}

describe('health', () => {
  test('is served without a token, over node:http and fetch', async () => {
    await using server = await startServer()
    for (const send of [fetch, forge.fetch]) {
      const get = (path: string) => send(`${send === fetch ? server.url : forge.url}${path}`)
      expect([(await get('/-/health')).status, await (await get('/-/health')).text()]).toEqual([200, 'Forgelet OK\n'])
      expect(await (await get('/-/liveness')).json()).toEqual({ status: 'ok' })
      const ready = await get('/-/readiness')
      expect(ready.status).toBe(200)
      expect(await ready.json()).toEqual({
        status: 'ok',
        server_check: [{ status: 'ok' }],
        database_check: [{ status: 'ok' }],
        migrations_check: [{ status: 'ok' }],
      })
      expect((await get('/-/nothing')).status).toBe(404)
    }
    const head = await fetch(`${server.url}/-/readiness`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect((await fetch(`${server.url}/-/readiness`, { method: 'POST' })).status).toBe(404)
  })

  test('reports pending migrations, and a schema of a newer version', async () => {
    const store = await emptyStore()
    const platform = createPlatform(store)
    const server = await serve(platform, testOptions)
    const ready = async () => {
      const response = await fetch(`${server.url}/-/readiness`)
      return { status: response.status, body: (await response.json()) as Record<string, [{ message?: string }]> }
    }
    try {
      expect((await ready()).status).toBe(200)
      const [{ name }] = (await store.read(({ db }) =>
        db.selectFrom('forgeletMigration').selectAll().orderBy('name', 'desc').limit(1).execute(),
      )) as [{ name: string; appliedAt: string }]
      await store.write(({ db }) => db.deleteFrom('forgeletMigration').where('name', '=', name).execute())
      expect(await ready()).toMatchObject({
        status: 503,
        body: { status: 'failed', migrations_check: [{ message: '1 migrations have not run' }] },
      })
      const newer = { name: '9999_tomorrow', appliedAt: '2999-01-01T00:00:00.000Z' }
      await store.write(({ db }) => db.insertInto('forgeletMigration').values(newer).execute())
      expect((await ready()).body.migrations_check?.[0].message).toBe('A newer version has migrated the database')
    } finally {
      await server.close()
      await platform.close()
    }
  })

  test('reports an unavailable database without its name, while liveness succeeds', async () => {
    const store: Store = sqlite(':memory:')
    const platform = createPlatform(store)
    const server = await serve(platform, testOptions)
    await store.close()
    const ready = await fetch(`${server.url}/-/readiness`)
    expect(ready.status).toBe(503)
    expect(await ready.json()).toMatchObject({
      database_check: [{ status: 'failed', message: 'The database does not respond' }],
    })
    expect((await fetch(`${server.url}/-/liveness`)).status).toBe(200)
    expect(await (await fetch(`${server.url}/-/metrics`)).text()).toContain('\nforgelet_database_up 0\n')
    await server.close()
  })

  test('fails readiness during shutdown, while requests are still served', async () => {
    // Long enough for the requests on a busy machine.
    await using server = await startServer({ drainDelay: 3_000 })
    const closing = server.close()
    const paths = ['/-/readiness', '/-/liveness', labels]
    const responses = await Promise.all(paths.map((path) => fetch(`${server.url}${path}`)))
    expect(responses.map(({ status }) => status)).toEqual([503, 200, 200])
    await closing
    await expect(fetch(server.url)).rejects.toThrow()
  })
})

const metricsOf = async (url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${url}/-/metrics`, { headers })
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

describe('metrics', () => {
  test('are valid, and count requests', async () => {
    await using server = await startServer({ version: '1.2.3' })
    for (const path of [labels, labels, `${labels}/bug`, '/api/v4/projects/nowhere/labels', '/nothing']) {
      await fetch(`${server.url}${path}`)
    }
    await fetch(`${server.url}${labels}`, { method: 'POST' })
    const { status, type, text } = await metricsOf(server.url)
    expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
    const families = new Map(parse(text).map((family) => [family.name, family]))
    const jobKinds = (await forge.platform.health()).lanes.length
    const requests = families.get('forgelet_http_requests_total')?.metrics
    expect(requests).toEqual(
      expect.arrayContaining([
        { labels: { method: 'GET', route: '/api/v4/projects/:id/labels', status: '2xx' }, value: '2' },
        { labels: { method: 'GET', route: '/api/v4/projects/:id/labels', status: '4xx' }, value: '1' },
        { labels: { method: 'POST', route: '/api/v4/projects/:id/labels', status: '4xx' }, value: '1' },
        { labels: { method: 'GET', route: 'none', status: '4xx' }, value: '1' },
      ]),
    )
    const durations = families.get('forgelet_http_request_duration_seconds')
    expect(durations?.type).toBe('HISTOGRAM')
    expect(durations?.metrics[0]?.buckets?.['+Inf']).toBeDefined()
    // The metrics request itself.
    expect(families.get('forgelet_http_requests_in_flight')?.metrics).toEqual([{ value: '1' }])
    expect(families.get('forgelet_jobs')?.metrics).toHaveLength(3 * jobKinds)
    expect(families.get('forgelet_job_concurrency')?.metrics).toHaveLength(jobKinds)
    expect(families.get('forgelet_build_info')?.metrics[0]?.labels).toMatchObject({ version: '1.2.3' })
    for (const name of [
      'forgelet_job_oldest_due_seconds',
      'forgelet_database_up',
      'forgelet_database_busy_retries_total',
      'forgelet_event_loop_delay_seconds',
      'forgelet_migrations_pending',
      'process_resident_memory_bytes',
      'nodejs_heap_used_bytes',
      'process_cpu_seconds_total',
      'process_start_time_seconds',
    ]) {
      expect(families.get(name)?.metrics.length, name).toBeGreaterThan(0)
    }
    expect(Number(families.get('process_resident_memory_bytes')?.metrics[0]?.value)).toBeGreaterThan(10_000_000)
  })

  test.each<[string, AppOptions, Record<string, string>, number]>([
    ['this machine', {}, {}, 200],
    ['a proxy on this machine', {}, { 'x-forwarded-for': '203.0.113.9' }, 404],
    ['a proxy that sends only Via', {}, { via: '1.1 proxy' }, 404],
    [
      'a trusted proxy for a remote client',
      { trustedProxies: ['loopback'] },
      { 'x-forwarded-for': '203.0.113.9' },
      404,
    ],
    ['a trusted proxy for this machine', { trustedProxies: ['loopback'] }, { 'x-forwarded-for': '127.0.0.1' }, 200],
    ['a client with the token', { metricsToken: 'scrape' }, { authorization: 'Bearer scrape', via: '1.1 proxy' }, 200],
    ['a client with a wrong token', { metricsToken: 'scrape' }, { authorization: 'Bearer scrap' }, 404],
    ['a client without a token', { metricsToken: 'scrape' }, {}, 404],
  ])('respond to %s: %j', async (_, options, headers, expected) => {
    await using server = await startServer(options)
    expect((await metricsOf(server.url, headers)).status).toBe(expected)
  })
})

describe('pages of other sites', () => {
  const paths = ['/-/health', '/-/liveness', '/-/readiness', '/-/metrics']

  /** Sends a request with a `Host` header, which \`fetch\` does not allow. */
  const statusFor = (url: string, path: string, headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const { hostname, port } = new URL(url)
      const outgoing = request({ hostname, port, path, headers, agent: false })
      outgoing.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject)
      outgoing.end()
    })

  test('cannot read the operator endpoints with CORS', async () => {
    await using server = await startServer()
    for (const path of paths) {
      const response = await fetch(`${server.url}${path}`, { headers: { origin: 'http://evil.test' } })
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, null])
      const preflight = await fetch(`${server.url}${path}`, {
        method: 'OPTIONS',
        headers: { origin: 'http://evil.test' },
      })
      expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  test('cannot read them through a domain name that resolves to this machine', async () => {
    await using server = await startServer()
    for (const path of paths) {
      expect(await statusFor(server.url, path, { host: 'evil.test' })).toBe(421)
      for (const host of ['localhost:8080', '127.0.0.1', '[::1]:80', '10.0.0.7', 'forge']) {
        expect([host, await statusFor(server.url, path, { host })]).toEqual([host, 200])
      }
    }
    // The API itself requires a credential for private data.
    expect(await statusFor(server.url, labels, { host: 'evil.test' })).toBe(200)
  })

  test('do not affect the base URL, trusted proxies and clients with the token', async () => {
    const host = 'forge.example'
    await using named = await startServer({ baseUrl: 'https://forge.example/forge' })
    expect(await statusFor(named.url, '/-/health', { host })).toBe(200)
    await using proxied = await startServer({ trustedProxies: ['loopback'] })
    expect(await statusFor(proxied.url, '/-/health', { host, 'x-forwarded-for': '203.0.113.9' })).toBe(200)
    await using guarded = await startServer({ metricsToken: 'scrape' })
    expect(await statusFor(guarded.url, '/-/metrics', { host, authorization: 'Bearer scrape' })).toBe(200)
  })
})

describe('the log line of a request', () => {
  const entries: Record<string, unknown>[] = []
  const logger = { info: (entry: object) => void entries.push({ ...entry }), error: () => undefined }

  test('contains user, operation, duration and size', async () => {
    entries.length = 0
    await using server = await startServer({ logger })
    const headers = { 'PRIVATE-TOKEN': 'alice-token', 'x-request-id': 'build-7' }
    const response = await fetch(`${server.url}${labels}?search=bug&private_token=alice-token`, { headers })
    const { length } = await response.text()
    const [entry] = entries
    expect(entry).toMatchObject({
      requestId: 'build-7',
      method: 'GET',
      route: '/api/v4/projects/:id/labels',
      path: labels,
      status: 200,
      bytes: length,
      userId: expect.any(Number),
      operation: 'labels.list',
      milliseconds: expect.any(Number),
    })
    const alice = await forge.platform.as({ system: 'test' }).users.get({ user: 'alice' })
    expect(entry?.userId).toBe(alice.id)
  })

  test('contains the administrator and the user of sudo', async () => {
    entries.length = 0
    await using server = await startServer({ logger })
    const root = await forge.platform.as({ system: 'test' }).users.create({ username: 'root-of-test', admin: true })
    const token = await forge.platform
      .as({ system: 'test' })
      .tokens.create({ user: root.id, name: 'sudo', scopes: ['api', 'sudo'] })
    await fetch(`${server.url}${labels}?sudo=carol`, { headers: { 'PRIVATE-TOKEN': token.secret } })
    const carol = await forge.platform.as({ system: 'test' }).users.get({ user: 'carol' })
    expect(entries[0]).toMatchObject({ status: 200, userId: carol.id, substitutedBy: root.id })
  })

  test('contains no credential in any form', async () => {
    entries.length = 0
    await using server = await startServer({ logger })
    const secret = 'fgpat-hushhushhush'
    const url = `${server.url}${labels}`
    const form = new URLSearchParams({ private_token: secret, name: 'x' })
    await fetch(`${url}?private_token=${secret}`)
    await fetch(`${url}?access_token=${secret}`)
    await fetch(`${url}?job_token=${secret}&PRIVATE-TOKEN=${secret}`)
    await fetch(`${url}%3Fprivate_token=${secret}`)
    await fetch(`${url}/${secret}`)
    for (const [name, value] of [
      ['PRIVATE-TOKEN', secret],
      ['JOB-TOKEN', secret],
      ['DEPLOY-TOKEN', secret],
      ['Authorization', `Bearer ${secret}`],
      ['Authorization', `Basic ${Buffer.from(`oauth2:${secret}`).toString('base64')}`],
      ['Cookie', `_session=${secret}`],
      ['Referer', `${url}?private_token=${secret}`],
      ['User-Agent', secret],
    ] as const) {
      await fetch(url, { headers: { [name]: value } })
    }
    await fetch(url, { method: 'POST', body: form })
    await fetch(url, { method: 'POST', body: JSON.stringify({ private_token: secret }) })
    expect(entries).toHaveLength(15)
    expect(JSON.stringify(entries)).not.toContain('hushhush')
    expect(JSON.stringify(entries)).not.toContain(Buffer.from('hushhush').toString('base64').slice(0, 8))
  })

  test('is written for a client that disconnects during its request', async () => {
    entries.length = 0
    await using server = await startServer({ logger })
    const { hostname, port } = new URL(server.url)
    const outgoing = request({ hostname, port, method: 'POST', path: labels, headers: { 'content-length': 100 } })
    outgoing.on('error', () => undefined)
    outgoing.write('{"name":')
    await new Promise((resolve) => setTimeout(resolve, 100))
    outgoing.destroy()
    await expect.poll(() => entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({ method: 'POST', aborted: true })
  })
})

describe('behind a proxy', () => {
  test('links use the forwarded host if the proxy is trusted', async () => {
    const headers = {
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'forge.example',
    }
    const link = async (options: AppOptions) => {
      await using server = await startServer(options)
      const header = (await fetch(`${server.url}${labels}?per_page=1`, { headers })).headers.get('link') ?? ''
      return header.replace(server.url, 'self').slice(1, header.indexOf('/api'))
    }
    expect(await link({ trustedProxies: ['127.0.0.1'] })).toMatch(/^https:\/\/forge\.example/)
    expect(await link({})).toMatch(/^self/)
    expect(await link({ trustedProxies: ['127.0.0.1'], baseUrl: 'https://set.example' })).toMatch(
      /^https:\/\/set\.example/,
    )
  })
})

describe('rate limits', () => {
  const createIssue = async (server: { url: string }, user = 'alice-token') =>
    fetch(`${server.url}/api/v4/projects/acme%2Fweb/issues`, {
      method: 'POST',
      headers: { 'PRIVATE-TOKEN': user, 'Content-Type': 'application/json' },
      body: JSON.stringify({ title: 'One more' }),
    })

  test('send their state, and reject with Retry-After', async () => {
    await using limited = await world()
    const admin = limited.platform.as({ system: 'test' })
    await admin.settings.update({ issuesCreateLimit: 2 })
    const server = await serve(limited.platform, testOptions)
    const first = await createIssue(server)
    expect([first.status, first.headers.get('ratelimit-limit'), first.headers.get('ratelimit-remaining')]).toEqual([
      201,
      '2',
      '1',
    ])
    await createIssue(server)
    const third = await createIssue(server)
    expect(third.status).toBe(429)
    expect(await third.json()).toEqual({
      message: { error: 'This endpoint has been requested too many times. Try again later.' },
    })
    expect(third.headers.get('ratelimit-remaining')).toBe('0')
    expect(third.headers.get('ratelimit-name')).toBe('issues_create')
    const wait = Number(third.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
    const reset = Number(third.headers.get('ratelimit-reset'))
    expect(reset - Date.now() / 1_000).toBeGreaterThan(-1)
    expect(reset - Date.now() / 1_000).toBeLessThan(62)
    // Counts are per user; calls from code are not limited; routes without a limit send no headers.
    expect((await createIssue(server, 'carol-token')).status).toBe(201)
    await limited.as('alice').issues.create({ project: 'acme/web', title: 'From code' })
    expect((await fetch(`${server.url}${labels}`)).headers.get('ratelimit-limit')).toBeNull()
    await admin.settings.update({ issuesCreateLimit: 0 })
    expect((await createIssue(server)).status).toBe(201)
    await server.close()
  })

  test('count anonymous clients by their network', async () => {
    await using server = await startServer({ trustedProxies: ['loopback'] })
    const remainingFor = async (address: string) => {
      const headers = { 'x-forwarded-for': address }
      const response = await fetch(`${server.url}/api/v4/projects/acme%2Fweb/repository/archive`, { headers })
      await response.arrayBuffer()
      return response.headers.get('ratelimit-remaining')
    }
    expect(await remainingFor('192.0.2.1')).toBe('4')
    expect(await remainingFor('192.0.2.1')).toBe('3')
    expect(await remainingFor('192.0.2.2')).toBe('4')
    expect(await remainingFor('2001:db8::1')).toBe('4')
    expect(await remainingFor('2001:db8::2')).toBe('3')
  })

  test('are off in a fake forge, and with rateLimits: false', async () => {
    await using limited = await world({ port: 0 })
    await limited.platform.as({ system: 'test' }).settings.update({ issuesCreateLimit: 1 })
    const server = await serve(limited.platform, { ...testOptions, rateLimits: false })
    for (const target of [limited, limited, server, server]) {
      const response = await createIssue(target)
      expect([response.status, response.headers.get('ratelimit-limit')]).toEqual([201, null])
    }
    await server.close()
  })
})
