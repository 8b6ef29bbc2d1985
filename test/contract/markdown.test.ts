import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeAll(async () => {
  forge = await world()
  send = client(forge)
})
afterAll(() => forge.close())

test('plain by default, with absolute references when asked', async () => {
  expect(await send('POST /markdown', { json: { text: '# Hello' } })).toMatchObject({
    status: 200,
    body: { html: '<h1>Hello</h1>\n' },
  })
  const { body } = await send('POST /markdown', { as: 'alice', json: { text: '#1', gfm: true, project: 'acme/web' } })
  expect(Object.keys(body)).toEqual(['html'])
  expect(body.html).toContain(`href="${forge.url}/acme/web/-/issues/1"`)
  expect(body.html).toContain('dir="auto"')
})

test('also from a form, as some clients send everything', async () => {
  expect(await send('POST /markdown', { form: { text: '*x*', gfm: 'true' } })).toMatchObject({ status: 200 })
})

test.each([
  ['no text', {}, {}, 400, { error: 'text is missing' }],
  ['a text that is none', { text: 1.5e300 }, {}, 200, undefined],
  ['an object', { text: {} }, {}, 400, { error: 'text is invalid' }],
  ['a hidden project, nobody', { text: 'x', project: 'bob/notes' }, {}, 404, { message: '404 Project Not Found' }],
  [
    'a hidden project, a stranger',
    { text: 'x', project: 'bob/notes' },
    { as: 'alice' },
    404,
    { message: '404 Project Not Found' },
  ],
  ['a missing project', { text: 'x', project: 'no/such' }, { as: 'alice' }, 404, { message: '404 Project Not Found' }],
  ['a project by id', { text: 'x', project: 1 }, { as: 'alice' }, 404, { message: '404 Project Not Found' }],
  ['an unknown token', { text: 'x' }, { headers: { 'private-token': 'nope' } }, 401, { message: '401 Unauthorized' }],
])('%s', async (_name, json, options, status, body) => {
  const response = await send('POST /markdown', { json, ...options })
  expect(response.status).toBe(status)
  if (body) expect(response.body).toEqual(body)
})

test('nothing that runs gets through', async () => {
  const text =
    '<script>alert(1)</script><img src=x onerror=alert(1)>[x](javascript:alert(1))<a href="JaVaScRiPt:1">y</a>'
  const { body } = await send('POST /markdown', { json: { text, gfm: true } })
  expect(body.html).not.toMatch(/<script|onerror=|href="j/i)
})

test('anonymous requests are limited per address; a credential lifts the limit', async () => {
  const limited = await world({ http: { rateLimits: true } })
  try {
    const limitedSend = client(limited)
    const json = { text: 'x' }
    let response = await limitedSend('POST /markdown', { json })
    expect(response.headers.get('ratelimit-limit')).toBe('60')
    for (let count = 1; count <= 60; count++) response = await limitedSend('POST /markdown', { json })
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).not.toBeNull()
    const signedIn = await limitedSend('POST /markdown', { as: 'alice', json })
    expect([signedIn.status, signedIn.headers.get('ratelimit-limit')]).toEqual([200, null])
  } finally {
    await limited.close()
  }
})

test('anonymous requests from one IPv6 network share a limit', async () => {
  const limited = await world()
  try {
    const render = (ipAddress: string) =>
      limited.platform.as(null, { ipAddress, isRateLimited: true }).markdown.render({ text: 'x' })
    for (let host = 1; host <= 60; host++) await render(`2001:db8:1:2::${host.toString(16)}`)
    await expect(render('2001:db8:1:2:ffff::1')).rejects.toMatchObject({ code: 'limited' })
    expect(await render('2001:db8:1:3::1')).toHaveProperty('html')
    expect(await render('::ffff:192.0.2.1')).toHaveProperty('html')
  } finally {
    await limited.close()
  }
})

test('a text above the limits is returned as it was written', async () => {
  const text = `[a]: /${'x'.repeat(50_000)}\n\n${'[a]'.repeat(10_000)}`
  const { status, body } = await send('POST /markdown', { json: { text } })
  expect(status).toBe(200)
  expect(body.html).toBe(`<pre>${text}</pre>\n`)
})

everyRouteCalled('markdown')
