import { demoWithCode, type FakeForge, fakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBot } from './bot.ts'

const project = 'acme/web'
const url = 'https://bot.example.com/'
const secret = 'shared-with-the-forge'

let forge: FakeForge
beforeEach(async () => {
  // Neither the forge nor the bot listens on a port: each calls the other one as a function.
  forge = await fakeForge({ seed: demoWithCode, hooks: (request) => handle(request) })
  await forge.as('alice').hooks.create({ project, url, token: secret, mergeRequestsEvents: true, pushEvents: false })
})
afterEach(() => forge.close())

const handle = (request: Request) =>
  createBot({ host: forge.url, token: forge.tokens.bob as string, secret, fetch: forge.fetch })(request)

const rename = (title: string) => forge.as('bob').mergeRequests.update({ project, mergeRequest: 1, title })

const readStatuses = async () => {
  const { sha } = await forge.as('bob').mergeRequests.get({ project, mergeRequest: 1 })
  const { items } = await forge.as('bob').commitStatuses.list({ project, sha: sha as string })
  return items.map(({ name, status }) => `${name}: ${status}`)
}

test('the title of a merge request decides about its status', async () => {
  await rename('Speed up the home page')
  expect(await forge.hooks.waitFor({ event: 'merge_request' })).toMatchObject({ status: 200 })
  expect(await readStatuses()).toEqual(['title: failed'])
  await rename('feat: cache the home page')
  await forge.hooks.drain()
  expect(await readStatuses()).toEqual(['title: success'])
})

test('requests without the secret token are rejected', async () => {
  const event = { method: 'POST', headers: { 'X-Gitlab-Event': 'Merge Request Hook' }, body: '{}' }
  expect((await handle(new Request(url, event))).status).toBe(401)
})

test('an event is sent again while the bot cannot report', async () => {
  const fault = forge.fault({ on: 'commitStatuses.create', status: 503, times: 1 })
  await rename('fix: cache the home page')
  await forge.hooks.drain()
  expect(forge.hooks.deliveries.map(({ status }) => status)).toEqual([503])
  await forge.clock.advance({ minutes: 1 })
  await forge.hooks.drain()
  expect(forge.hooks.deliveries.map(({ status }) => status)).toEqual([503, 200])
  expect(fault.hit).toBe(1)
  expect(await readStatuses()).toEqual(['title: success'])
})
