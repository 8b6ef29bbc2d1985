import { gzipSync } from 'node:zlib'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

const settings = '/projects/acme%2Fweb/error_tracking/settings'
const configured = {
  active: true,
  project_name: 'Web',
  tracker_external_url: 'https://errors.example.com/web',
  api_url: 'https://errors.example.com/api/web',
}

const configure = () =>
  forge.host.errorTracking.set({
    project: 'acme/web',
    projectName: 'Web',
    trackerExternalUrl: configured.tracker_external_url,
    apiUrl: configured.api_url,
  })

test('what was never configured is missing, after the right was judged', async () => {
  const missing = { status: 404, body: { message: '404 Error Tracking Setting Not Found' } }
  expect(await send(`GET ${settings}`, { as: 'alice' })).toMatchObject(missing)
  expect(await send(`PATCH ${settings}`, { as: 'alice', json: { active: true } })).toMatchObject(missing)
  expect(await send(`GET ${settings}`, { as: 'bob' })).toMatchObject({ status: 403 })
})

test('the setting has the documented fields and no others', async () => {
  await configure()
  expect(await send(`GET ${settings}`, { as: 'alice' })).toMatchObject({ status: 200 })
  expect((await send(`GET ${settings}`, { as: 'alice' })).body).toEqual(configured)
  const off = await send(`PATCH ${settings}`, { as: 'alice', form: { active: 'false' } })
  expect(off).toMatchObject({ status: 200, body: { ...configured, active: false } })
  expect((await send(`GET ${settings}`, { as: 'alice' })).body).toEqual({ ...configured, active: false })
})

test.each([
  [{}, 'active is missing'],
  [{ active: '' }, 'active is empty'],
  [{ active: null }, 'active is empty'],
  [{ active: 'perhaps' }, 'active is invalid'],
])('a change by %j is refused', async (json, error) => {
  await configure()
  expect(await send(`PATCH ${settings}`, { as: 'alice', json })).toMatchObject({ status: 400, body: { error } })
})

const errors = '/projects/acme%2Fweb/error_tracking/errors'
const keys = '/projects/acme%2Fweb/error_tracking/client_keys'

/** Turns the collector on, and returns its address and key. */
const integrate = async () => {
  const json = { active: true, integrated: true }
  const { status, body } = await send(`PUT ${settings}`, { as: 'alice', json })
  expect(status).toBe(200)
  const none = { project_name: null, tracker_external_url: null, api_url: null }
  expect(body).toEqual({ active: true, integrated: true, ...none })
  const created = await send(`POST ${keys}`, { as: 'alice' })
  expect(created.status).toBe(201)
  return created.body as { id: number; public_key: string; sentry_dsn: string }
}

/** Sends a request as clients of Sentry do, which add this path to that of their DSN. */
const post = (
  dsn: string,
  body: string | Uint8Array<ArrayBuffer>,
  { format = 'envelope', key }: { format?: string; key?: string } = {},
) => {
  const url = new URL(dsn)
  const [, prefix, project] = /^(.*)\/(\d+)$/.exec(url.pathname) ?? []
  return forge.fetch(`${url.origin}${prefix}/api/${project}/${format}/`, {
    method: 'POST',
    headers: { 'X-Sentry-Auth': `Sentry sentry_version=7, sentry_key=${key ?? url.username}, sentry_client=test/1` },
    body,
  })
}

const eventOf = (type: string, value = 'x is undefined', more: object = {}) => ({
  event_id: '9ec79c33ec9942ab8353589fcb2e04dc',
  platform: 'node',
  environment: 'production',
  release: '1.2.0',
  user: { email: 'secret@example.com' },
  request: { headers: { Cookie: 'secret' } },
  exception: {
    values: [{ type, value, stacktrace: { frames: [{ filename: 'app.js', function: 'render', lineno: 7 }] } }],
  },
  ...more,
})

const envelopeOf = (...events: readonly object[]) =>
  ['{}', ...events.flatMap((event) => ['{"type":"event"}', JSON.stringify(event)])].join('\n')

test('a tracker of another server is configured', async () => {
  const json = { ...configured, integrated: false }
  expect(await send(`PUT ${settings}`, { as: 'alice', json })).toMatchObject({ status: 200, body: configured })
  const empty = await send(`PUT ${settings}`, { as: 'alice', json: { active: true, integrated: false } })
  expect(empty.status).toBe(400)
})

test('errors of an application are counted, listed and resolved', async () => {
  const { sentry_dsn: dsn, id, public_key: key } = await integrate()
  expect(dsn).toMatch(new RegExp(`://${key}@.*/api/v4/error_tracking/collector/\\d+$`))
  expect((await send(`GET ${keys}`, { as: 'alice' })).body).toEqual([
    { id, active: true, public_key: key, sentry_dsn: dsn },
  ])
  const sent = await post(dsn, envelopeOf(eventOf('TypeError'), eventOf('RangeError')))
  expect([sent.status, await sent.json()]).toEqual([200, { id: '9ec79c33ec9942ab8353589fcb2e04dc' }])
  await post(dsn, gzipSync(envelopeOf(eventOf('TypeError', 'y is undefined'))) as Uint8Array<ArrayBuffer>)
  await post(dsn, JSON.stringify({ message: '<script>alert(1)</script>' }), { format: 'store' })
  await post(dsn, '{}\n{"type":"session"}\n{"sid":"1"}\n{"type":"attachment","length":3}\na\nb\n')
  const { body } = await send(`GET ${errors}`, { as: 'carol' })
  expect(body.map(({ name, events_count }: { name: string; events_count: number }) => [name, events_count])).toEqual([
    ['Message', 1],
    ['TypeError', 2],
    ['RangeError', 1],
  ])
  expect(body[1]).toEqual({
    id: expect.any(Number),
    name: 'TypeError',
    message: 'y is undefined',
    culprit: 'render in app.js',
    status: 'unresolved',
    events_count: 2,
    first_seen_at: expect.any(String),
    last_seen_at: expect.any(String),
    last_event: {
      event_id: '9ec79c33ec9942ab8353589fcb2e04dc',
      level: 'error',
      platform: 'node',
      environment: 'production',
      release: '1.2.0',
      stack: [{ file: 'app.js', function: 'render', line: 7 }],
    },
  })
  const change = await send(`PUT ${errors}/${body[1].id}`, { as: 'bob', json: { status: 'resolved' } })
  expect(change).toMatchObject({ status: 200, body: { status: 'resolved' } })
  expect((await send(`GET ${errors}?status=resolved`, { as: 'bob' })).body).toMatchObject([{ id: body[1].id }])
  await post(dsn, envelopeOf(eventOf('TypeError')))
  expect((await send(`GET ${errors}?status=resolved`, { as: 'bob' })).body).toEqual([])
  expect((await send(`DELETE ${keys}/${id}`, { as: 'alice' })).status).toBe(204)
  expect((await post(dsn, envelopeOf(eventOf('TypeError')))).status).toBe(401)
})

test('other keys, other projects and inactive error tracking are refused', async () => {
  const { sentry_dsn: dsn, public_key: key } = await integrate()
  const other = await forge.host.projects.create({ namespace: 'acme', name: 'Other' })
  await forge.host.errorTracking.set({ project: other.id, integrated: true })
  expect((await post(dsn, envelopeOf(), { key: 'wrong' })).status).toBe(401)
  expect((await post(dsn.replace(/\d+$/, String(other.id)), envelopeOf(), { key })).status).toBe(401)
  expect((await post(dsn.replace(/\d+$/, '99999'), envelopeOf(), { key })).status).toBe(401)
  await send(`PATCH ${settings}`, { as: 'alice', json: { active: false } })
  expect((await post(dsn, envelopeOf())).status).toBe(401)
  await send(`PATCH ${settings}`, { as: 'alice', json: { active: true } })
  expect((await post(dsn, envelopeOf())).status).toBe(200)
  await forge.host.projects.update({ project: 'acme/web', settings: { monitorAccessLevel: 'disabled' } })
  expect((await post(dsn, envelopeOf())).status).toBe(401)
})

test('damaged and large requests are refused, and only small parts are stored', async () => {
  const { sentry_dsn: dsn } = await integrate()
  const bomb = gzipSync(Buffer.alloc(200 * 1024 ** 2)) as Uint8Array<ArrayBuffer>
  for (const body of ['', '{', '{}\n{', '{}\n{"type":"event"}\n{', bomb, bomb.slice(0, 100), 'x'.repeat(1024 ** 2 + 1)])
    expect((await post(dsn, body)).status).toBe(400)
  expect((await post(dsn, '['.repeat(100_000), { format: 'store' })).status).toBe(400)
  const frames = Array.from({ length: 10_000 }, (_, lineno) => ({
    filename: 'f'.repeat(20),
    function: '__proto__',
    lineno,
  }))
  const huge = eventOf('T'.repeat(5_000), 'v'.repeat(100_000), {
    fingerprint: ['{{ default }}', { toString: 1 }],
    exception: { values: [{ type: 'T'.repeat(5_000), value: 'v'.repeat(100_000), stacktrace: { frames } }] },
  })
  for (const odd of [huge, { exception: [] }, { exception: 5 }, { message: { formatted: 'x\0\ud800' } }, [], 5, null])
    expect((await post(dsn, envelopeOf(odd as object))).status).toBe(200)
  const { body } = await send(`GET ${errors}`, { as: 'bob' })
  expect(body).toHaveLength(2)
  expect(JSON.stringify(body).length).toBeLessThan(10_000)
  expect(JSON.stringify(body)).not.toContain('secret')
})

test('a project keeps 1,000 errors for 90 days', async () => {
  const { sentry_dsn: dsn } = await integrate()
  for (let from = 0; from < 1_100; from += 100) {
    const events = Array.from({ length: 100 }, (_, at) => eventOf(`Error${from + at}`))
    expect((await post(dsn, envelopeOf(...events))).status).toBe(200)
  }
  const list = () => forge.host.errorTracking.listErrors({ project: 'acme/web' })
  expect((await list()).total).toBe(1_000)
  await forge.clock.advance({ days: 91 })
  await forge.platform.jobs.drain()
  expect((await list()).total).toBe(0)
})

everyRouteCalled('error tracking')
