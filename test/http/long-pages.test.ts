import { get as httpGet, type IncomingMessage } from 'node:http'
import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { client, type Send } from '../contract/client.ts'
import { world } from '../world.ts'

const bodyLength = 500_000
const count = 24
const list = '/projects/acme%2Fweb/issues/1/notes'

let forge: FakeForge
let send: Send
let bodies: readonly string[]
beforeAll(async () => {
  forge = await world({ port: 0 })
  send = client(forge)
  const existing = await forge.host.notes.list({ project: 'acme/web', issue: 1, perPage: 100 })
  for (const { id } of existing.items) await forge.host.notes.remove({ project: 'acme/web', issue: 1, note: id })
  for (let number = 0; number < count; number++) {
    const body = `${number} ${'x'.repeat(bodyLength)}`
    await forge.host.notes.create({ project: 'acme/web', issue: 1, body, author: 'alice' })
  }
  const { items } = await forge.host.notes.list({ project: 'acme/web', issue: 1, perPage: 100 })
  bodies = items.map(({ body }) => body)
})
afterAll(() => forge.close())

const readBodies = (items: readonly { body: string }[]) => items.map(({ body }) => body)

test('contain the same items and headers as short pages', async () => {
  const { body, headers, status } = await send(`GET ${list}?per_page=10&page=2`)
  expect([status, headers.get('x-total'), headers.get('x-page'), headers.get('x-next-page')]).toEqual([
    200,
    String(count),
    '2',
    '3',
  ])
  expect(headers.get('content-type')).toBe('application/json')
  expect(headers.get('etag')).toBeNull()
  expect(readBodies(body)).toEqual(bodies.slice(10, 20))
  const whole = await send(`GET ${list}?per_page=100`)
  expect(readBodies(whole.body)).toEqual(bodies)
  expect(await send(`HEAD ${list}?per_page=100`)).toMatchObject({ status: 200, text: '' })
  expect((await send(`GET ${list}?per_page=2`)).headers.get('etag')).not.toBeNull()
})

test('wait in the database for slow clients', async () => {
  const open = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      httpGet(`${forge.url}/api/v4${list}?per_page=100`, { agent: false }, resolve).on('error', reject)
    })
  const responses = await Promise.all(Array.from({ length: 8 }, open))
  for (const response of responses) {
    let text = ''
    for await (const chunk of response) text += chunk
    expect(readBodies(JSON.parse(text))).toEqual(bodies)
  }
})
