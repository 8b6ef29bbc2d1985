import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { akismetSpamFilter } from '@forgelet/core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { nodeHttpClient } from '../../packages/core/src/ports/http-client.ts'
import { client } from '../contract/client.ts'
import { world } from '../sqlite-world.ts'

/** The settings of the spam filter, with a filter on loopback. */

const requests: Record<string, string>[] = []
let reply: readonly [status: number, body: string] | undefined
const server = createServer(async (request, response) => {
  requests.push(Object.fromEntries(new URLSearchParams(await text(request))))
  const [status, body] = reply ?? [200, String(requests.at(-1)?.comment_content?.includes('cheap pills'))]
  response.writeHead(status).end(body)
})
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())
beforeEach(() => {
  requests.length = 0
  reply = undefined
})

const openWorld = async (settings: object = { spamfilterEnabled: true, spamfilterApiKey: 'filter-key' }) => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/1.1/comment-check`
  const forge = await world({
    hooks: 'network',
    http: { rateLimits: true },
    ports: { http: nodeHttpClient, spamFilter: akismetSpamFilter({ url }) },
  })
  await forge.host.settings.update(settings)
  return forge
}

const issues = 'POST /projects/acme%2Fweb/issues'
const snippet = { file_name: 'a.txt', visibility: 'private' }

test('spam is refused, and other issues and snippets are created', async () => {
  await using forge = await openWorld()
  const send = client(forge)
  const as = 'bob'
  const before = (await forge.as(as).issues.list({ project: 'acme/web' })).total
  const spam = await send(issues, { as, json: { title: 'Hello', description: 'Buy cheap pills' } })
  expect([spam.status, spam.body]).toEqual([400, { error: 'Spam detected' }])
  expect((await send(issues, { as, json: { title: 'Hello' } })).status).toBe(201)
  const created = await send('POST /snippets', { as, json: { ...snippet, title: 'cheap pills', content: 'x' } })
  expect([created.status, created.body]).toEqual([400, { error: 'Spam detected' }])
  expect((await send('POST /snippets', { as, json: { ...snippet, title: 'Code', content: 'x' } })).status).toBe(200)
  expect((await forge.as(as).issues.list({ project: 'acme/web' })).total).toBe((before ?? 0) + 1)
  expect(requests).toHaveLength(4)
  expect(requests[0]).toMatchObject({
    api_key: 'filter-key',
    blog: forge.url,
    comment_type: 'forum-post',
    comment_author: 'Bob Builder',
    comment_author_email: 'bob@example.com',
    comment_content: 'Hello\n\nBuy cheap pills',
  })
})

test('spam counts for the rate limit once', async () => {
  await using forge = await openWorld()
  await forge.host.settings.update({ issuesCreateLimit: 2 })
  const send = client(forge)
  const create = async (title: string) => (await send(issues, { as: 'bob', json: { title } })).status
  expect([await create('cheap pills'), await create('Fine'), await create('Late')]).toEqual([400, 201, 429])
})

test.each([
  ['fails', [500, 'true']],
  ['does not know the key', [200, 'invalid']],
] as const)('texts are accepted when the filter %s', async (_, answer) => {
  await using forge = await openWorld()
  reply = answer
  expect(await forge.as('bob').issues.create({ project: 'acme/web', title: 'cheap pills' })).toBeDefined()
  expect(requests).toHaveLength(1)
})

test('nothing is sent without the settings, for the host, and to addresses that are not permitted', async () => {
  await using off = await openWorld({ spamfilterEnabled: false, spamfilterApiKey: 'filter-key' })
  await off.as('bob').issues.create({ project: 'acme/web', title: 'cheap pills' })
  await using forge = await openWorld()
  await forge.host.issues.create({ project: 'acme/web', author: 'bob', title: 'cheap pills' })
  await forge.host.settings.update({ allowLocalRequestsFromSystemHooks: false })
  await forge.as('bob').issues.create({ project: 'acme/web', title: 'cheap pills' })
  expect(requests).toEqual([])
})

test('a call in a transaction of the host is checked, too', async () => {
  await using forge = await openWorld()
  const call = forge.platform.atomic((open) =>
    open.as({ user: 'bob' }).issues.create({ project: 'acme/web', title: 'cheap pills' }),
  )
  await expect(call).rejects.toMatchObject({ code: 'invalid_input', message: 'Spam detected' })
  expect(requests).toHaveLength(1)
})
