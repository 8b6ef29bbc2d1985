import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

const create = (json: object) => send('POST /broadcast_messages', { as: 'root', json })

test('messages are created, changed and removed', async () => {
  const { status, body } = await create({ message: 'Maintenance at noon' })
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.any(Number),
    message: 'Maintenance at noon',
    starts_at: expect.any(String),
    ends_at: expect.any(String),
    active: true,
    broadcast_type: 'banner',
    theme: 'indigo',
    color: '#E75E40',
    font: '#FFFFFF',
    dismissable: false,
    target_path: null,
    target_access_levels: [],
  })
  expect(Date.parse(body.ends_at) - Date.parse(body.starts_at)).toBe(3_600_000)
  expect((await send('GET /broadcast_messages')).body).toEqual([body])
  expect((await create({ message: 'x', color: 'url(x)' })).status).toBe(400)
  const json = { theme: 'red', color: '#000000', font: '#eee', target_access_levels: [30, 40], target_path: '/acme/*' }
  const changed = await send(`PUT /broadcast_messages/${body.id}`, { as: 'root', json })
  expect(changed.body).toEqual({ ...body, ...json })
  expect((await send(`GET /broadcast_messages/${body.id}`)).body).toEqual(changed.body)
  expect((await send(`DELETE /broadcast_messages/${body.id}`, { as: 'root' })).status).toBe(204)
  expect((await send(`GET /broadcast_messages/${body.id}`)).status).toBe(404)
})

test('a message is active from its start until its end', async () => {
  const past = await create({ message: 'x', starts_at: '2020-01-01T00:00:00Z', ends_at: '2020-01-02T00:00:00Z' })
  expect(past.body).toMatchObject({ active: false, starts_at: '2020-01-01T00:00:00.000Z' })
  const period = { message: 'x', starts_at: '2020-01-02T00:00:00Z', ends_at: '2020-01-01T00:00:00Z' }
  expect((await create(period)).status).toBe(400)
  const json = { ends_at: '2019-01-01T00:00:00Z' }
  expect((await send(`PUT /broadcast_messages/${past.body.id}`, { as: 'root', json })).status).toBe(400)
})

test('invalid messages are rejected', async () => {
  for (const json of [{}, { message: '' }, { message: 'x', theme: 'pink' }, { message: 'x', starts_at: 'noon' }])
    expect((await create(json)).status).toBe(400)
  const { body } = await create({ message: 'x' })
  expect((await send(`PUT /broadcast_messages/${body.id}`, { as: 'root', json: {} })).status).toBe(400)
})

everyRouteCalled('broadcast messages')
