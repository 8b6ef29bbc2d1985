import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../world.ts'
import { client, type Send } from './client.ts'

/** Releases of protected tags belong to those who may create the tags. Alice owns the group, Bob is a developer. */

let forge: FakeForge
let send: Send
let link: number
const project = 'acme/web'
const releases = '/projects/acme%2Fweb/releases'

beforeEach(async () => {
  forge = await world()
  send = client(forge)
  const author = { name: 'Alice', email: 'alice@example.com' }
  const files = [{ path: 'README.md', content: 'x' }]
  await forge.host.commits.import({ project, commits: [{ message: 'Begin', author, files }] })
  for (const name of ['v1', 'v2', 'v3', 'x1']) await forge.host.tags.create({ project, tagName: name, ref: 'main' })
  const { id } = await forge.as('alice').users.get()
  for (const tagName of ['v1', 'v2', 'x1']) await forge.as('alice').releases.create({ project, tagName })
  const asset = { name: 'asset', url: 'https://example.com/a' }
  for (const tagName of ['x1', 'v1'])
    link = (await forge.as('alice').releaseLinks.create({ project, tagName, ...asset })).id
  await forge.host.protectedTags.create({ project, name: 'v*', allowedToCreate: [{ userId: id }] })
})
afterEach(() => forge.close())

const changes = (tag: string, newTag: string, linkId: number) =>
  [
    ['POST', releases, { tag_name: newTag, ref: 'main' }],
    ['PUT', `${releases}/${tag}`, { name: 'Changed' }],
    ['POST', `${releases}/${tag}/evidence`, {}],
    ['POST', `${releases}/${tag}/assets/links`, { name: 'other', url: 'https://example.com/b' }],
    ['PUT', `${releases}/${tag}/assets/links/${linkId}`, { name: 'renamed' }],
    ['DELETE', `${releases}/${tag}/assets/links/${linkId}`, undefined],
    ['DELETE', `${releases}/${tag}`, undefined],
  ] as const

const statuses = async (as: string, requests: ReturnType<typeof changes>) => {
  const found: number[] = []
  for (const [method, path, json] of requests)
    found.push((await send(`${method} ${path}`, { as, ...(json && { json }) })).status)
  return found
}

test('developers without the right to create a protected tag change none of its releases', async () => {
  // The tags exist, or are still to be made.
  expect(await statuses('bob', changes('v1', 'v3', link))).toEqual(Array.from({ length: 7 }, () => 403))
  expect((await send(`POST ${releases}`, { as: 'bob', json: { tag_name: 'v9', ref: 'main' } })).status).toBe(403)
  expect((await send(`GET ${releases}/v1`, { as: 'bob' })).body).toMatchObject({ name: 'v1', tag_name: 'v1' })
})

test('those with the right do, and everyone for other tags', async () => {
  for (const status of await statuses('alice', changes('v1', 'v3', link))) expect(status).toBeLessThan(300)
  for (const status of await statuses('bob', changes('x1', 'x2', link - 1))) expect(status).toBeLessThan(300)
  const { id } = await forge.as('bob').users.get()
  await forge.host.protectedTags.create({ project, name: 'v2', allowedToCreate: [{ userId: id }] })
  expect((await send(`PUT ${releases}/v2`, { as: 'bob', json: { name: 'Changed' } })).status).toBe(200)
})
