import { demoWithCode } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { signIn } from '../pages/page-client.ts'
import { world } from '../world.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world({ seed: demoWithCode })
  send = client(forge)
})
afterEach(() => forge.close())

const web = '/projects/acme%2Fweb'

const upload = async () => {
  const body = new FormData()
  body.set('file', new Blob(['pixels']), 'logo.png')
  const headers = { authorization: `Bearer ${forge.token('alice')}` }
  const response = await forge.fetch(`${forge.url}/api/v4${web}/uploads`, { method: 'POST', body, headers })
  return (await response.json()) as { markdown: string; url: string }
}

test('images in the events of webhooks have addresses that answer', async () => {
  const events = ['issues_events', 'merge_requests_events', 'note_events', 'wiki_page_events', 'releases_events']
  const flags = Object.fromEntries(events.map((name) => [name, true]))
  await send(`POST ${web}/hooks`, { as: 'alice', json: { url: 'https://bot.example.com/events', ...flags } })
  const { markdown, url } = await upload()
  const as = 'alice'
  await send(`POST ${web}/issues`, { as, json: { title: 'Seen', description: markdown } })
  await send(`PUT ${web}/merge_requests/1`, { as, json: { description: markdown } })
  await send(`POST ${web}/merge_requests/1/notes`, { as, json: { body: markdown } })
  await send(`POST ${web}/wikis`, { as, json: { title: 'Logo', content: markdown } })
  await send(`POST ${web}/releases`, { as, json: { tag_name: 'v9', ref: 'main', description: markdown } })
  await forge.hooks.drain()
  const address = `${forge.url}/acme/web${url}`
  const found = forge.hooks.deliveries.map(({ event, body: { object_attributes: item = {}, ...body } }) => [
    event,
    item.description ?? item.content ?? body.description,
    body.merge_request?.description,
    item.note,
  ])
  const absolute = `![logo](${address})`
  expect(found).toEqual([
    ['issue', absolute, undefined, undefined],
    ['merge_request', absolute, undefined, undefined],
    ['note', absolute, absolute, absolute],
    ['wiki_page', absolute, undefined, undefined],
    ['release', absolute, undefined, undefined],
  ])
  const read = (cookie?: string) => forge.fetch(address, cookie === undefined ? {} : { headers: { cookie } })
  const response = await read()
  const { status, headers } = response
  expect([status, headers.get('content-type'), await response.text()]).toEqual([200, 'image/png', 'pixels'])
  await forge.host.projects.update({ project: 'acme/web', visibility: 'private' })
  expect((await read()).status).toBe(404)
  expect((await read(await signIn(forge, 'bob'))).status).toBe(200)
  expect((await read(await signIn(forge, 'mallory'))).status).toBe(404)
})
