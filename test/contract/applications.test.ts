import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
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

const as = 'root'
const board = { name: 'Board', redirect_uri: 'https://board.example.com/callback', scopes: 'openid profile' }

test('an application is created with a secret that no other response contains, listed and removed', async () => {
  const { status, body } = await send('POST /applications', { as, json: board })
  expect(status).toBe(201)
  const { secret, ...application } = body
  expect(application).toEqual({
    id: expect.any(Number),
    application_id: expect.stringMatching(/^[0-9a-f]{64}$/),
    application_name: 'Board',
    callback_url: 'https://board.example.com/callback',
    confidential: true,
  })
  expect(secret).toMatch(/^fgoas-[\w-]{43}$/)
  const list = await send('GET /applications', { as })
  expect(list.body).toEqual([application])
  const renewed = await send(`POST /applications/${body.id}/renew-secret`, { as })
  expect(renewed).toMatchObject({ status: 200, body: { ...body, secret: expect.stringMatching(/^fgoas-/) } })
  expect(renewed.body.secret).not.toBe(body.secret)
  expect((await send('POST /applications/99/renew-secret', { as })).status).toBe(404)
  expect((await send(`DELETE /applications/${body.id}`, { as })).status).toBe(204)
  expect((await send(`DELETE /applications/${body.id}`, { as })).status).toBe(404)
  expect((await send('GET /applications', { as })).body).toEqual([])
})

test('id and secret cannot be chosen over HTTP', async () => {
  const { body } = await send('POST /applications', { as, json: { ...board, secret: 'x', application_id: 'y' } })
  expect(body.secret).not.toBe('x')
  expect(body.application_id).not.toBe('y')
})

test('several URIs and a public application', async () => {
  const redirect_uri = 'https://board.example.com/a\nhttps://board.example.com/b'
  const { body } = await send('POST /applications', { as, json: { ...board, redirect_uri, confidential: false } })
  expect(body).toMatchObject({ callback_url: redirect_uri, confidential: false })
  const native = 'com.example.board:/callback\nhttp://127.0.0.1:7171/callback'
  expect((await send('POST /applications', { as, json: { ...board, redirect_uri: native } })).status).toBe(201)
})

describe('invalid applications', () => {
  test.each([
    ['redirect_uri', ''],
    ['redirect_uri', '/callback'],
    ['redirect_uri', 'javascript:alert(1)'],
    ['redirect_uri', 'data:text/html,x'],
    ['redirect_uri', 'https://board.example.com/#x'],
    ['redirect_uri', 'https://user:password@board.example.com/'],
    ['redirect_uri', 'com.example.board:/x\nhttp://board.example.com/'],
    ['scopes', ''],
    ['scopes', 'openid everything'],
    ['scopes', 'sudo'],
    ['name', ' '],
    ['name', 'x'.repeat(256)],
  ])('%s: %j', async (field, value) => {
    const { status, body } = await send('POST /applications', { as, json: { ...board, [field]: value } })
    expect(status).toBe(400)
    expect(Object.keys(body.message)).toEqual([field])
  })

  test.each(['name', 'redirect_uri', 'scopes'] as const)('without %s', async (field) => {
    const { [field]: _, ...json } = board
    const { status, body } = await send('POST /applications', { as, json })
    expect([status, body]).toEqual([400, { error: `${field} is missing` }])
  })
})

everyRouteCalled('applications')
