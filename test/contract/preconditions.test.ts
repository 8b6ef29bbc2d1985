import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeAll(async () => {
  forge = await world()
  send = client(forge)
})
afterAll(() => forge.close())

const project = 'acme/web'
const web = '/projects/acme%2Fweb'

/** The removals of resources with a time of change, each with the path of a new resource. */
const removals: readonly [string, () => Promise<string>][] = [
  [
    'a label of a project',
    async () => `${web}/labels/${(await forge.host.labels.create({ project, name: 'a', color: 'red' })).id}`,
  ],
  [
    'a label by its name',
    async () => `${web}/labels?name=${(await forge.host.labels.create({ project, name: 'b', color: 'red' })).name}`,
  ],
  [
    'a note of a discussion',
    async () => {
      const path = `${web}/issues/1/discussions`
      const { body } = await send(`POST ${path}`, { as: 'alice', json: { body: 'First' } })
      return `${path}/${body.id}/notes/${body.notes[0].id}`
    },
  ],
  [
    'a merge request',
    async () => {
      const branches = { sourceBranch: 'topic', targetBranch: 'main' }
      const { iid } = await forge.host.mergeRequests.create({ project, title: 'A topic', author: 'bob', ...branches })
      return `${web}/merge_requests/${iid}`
    },
  ],
  [
    'a Pages domain',
    async () => {
      await send(`POST ${web}/pages/domains`, { as: 'alice', json: { domain: 'www.example.com' } })
      return `${web}/pages/domains/www.example.com`
    },
  ],
  [
    'a mirror',
    async () => {
      const { id } = await forge.host.remoteMirrors.create({ project, url: 'https://example.com/web.git' })
      return `${web}/remote_mirrors/${id}`
    },
  ],
  [
    'a replica node',
    async () => {
      const json = { name: 'far', url: 'https://far.example.com' }
      return `/geo_nodes/${(await send('POST /geo_nodes', { as: 'root', json })).body.id}`
    },
  ],
]

test.each(removals)('%s is removed only if it was not modified since', async (_, create) => {
  const path = await create()
  const since = (date: string) => ({ as: 'root', headers: { 'if-unmodified-since': date } })
  const refused = await send(`DELETE ${path}`, since('Thu, 07 Jan 2016 12:44:33 GMT'))
  expect(refused).toMatchObject({ status: 412, body: { message: '412 Precondition Failed' } })
  expect(await send(`DELETE ${path}`, since(new Date(forge.clock.now() + 1_000).toUTCString()))).toMatchObject({
    status: 204,
  })
})
