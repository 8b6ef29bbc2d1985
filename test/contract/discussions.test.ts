import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
let subjects: Readonly<Record<string, string>>

beforeEach(async () => {
  forge = await world()
  send = client(forge)
  const project = 'acme/web'
  const snippet = { title: 'Deploy', fileName: 'a.sh', content: 'echo', visibility: 'public', author: 'bob' } as const
  const { id: snippetId } = await forge.host.snippets.create({ project, ...snippet })
  const { id: epicId } = await forge.host.epics.create({ group: 'acme', title: 'An epic', author: 'bob' })
  subjects = {
    issue: '/projects/acme%2Fweb/issues/1',
    'merge request': '/projects/acme%2Fweb/merge_requests/1',
    snippet: `/projects/acme%2Fweb/snippets/${snippetId}`,
    epic: `/groups/acme/epics/${epicId}`,
  }
})
afterEach(() => forge.close())

test.each(['issue', 'merge request', 'snippet', 'epic'])('a discussion of an %s', async (kind) => {
  const list = `${subjects[kind]}/discussions`
  expect(await send(`POST ${list}`, { json: { body: 'First' } })).toMatchObject({ status: 401 })
  expect(await send(`POST ${list}`, { as: 'bob', json: {} })).toMatchObject({ status: 400 })
  const { status, body } = await send(`POST ${list}`, { as: 'bob', json: { body: 'First' } })
  expect(status).toBe(200)
  expect(body).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{40}$/),
    individual_note: false,
    notes: [expect.objectContaining({ body: 'First', type: 'DiscussionNote', author: expect.any(Object) })],
  })
  const one = `${list}/${body.id}`
  const { body: reply } = await send(`POST ${one}/notes`, { as: 'alice', json: { body: 'Second' } })
  expect(reply).toMatchObject({ body: 'Second', author: { username: 'alice' } })
  const edit = { as: 'alice', json: { body: 'Better' } }
  expect((await send(`PUT ${one}/notes/${reply.id}`, edit)).body).toMatchObject({ id: reply.id, body: 'Better' })
  const complete = await send(`GET ${one}`, { as: 'bob' })
  expect(complete.body.notes).toMatchObject([{ body: 'First' }, { body: 'Better' }])
  const { body: all } = await send(`GET ${list}?per_page=100`, { as: 'bob' })
  expect(all.at(-1)).toEqual(complete.body)
  expect(await send(`DELETE ${one}/notes/${reply.id}`, { as: 'alice' })).toMatchObject({ status: 204, text: '' })
  expect((await send(`GET ${one}`, { as: 'bob' })).body.notes).toHaveLength(1)
  expect(await send(`GET ${list}/${'0'.repeat(40)}`, { as: 'bob' })).toMatchObject({ status: 404 })
})

test('a discussion of a merge request is resolved', async () => {
  const list = `${subjects['merge request']}/discussions`
  const { body } = await send(`POST ${list}`, { as: 'bob', json: { body: 'First' } })
  const resolve = (as: string, resolved: boolean) => send(`PUT ${list}/${body.id}`, { as, json: { resolved } })
  expect(await resolve('mallory', true)).toMatchObject({ status: 403 })
  expect((await resolve('alice', true)).body.notes).toMatchObject([
    { resolved: true, resolved_by: { username: 'alice' } },
  ])
  expect((await resolve('alice', false)).body.notes).toMatchObject([{ resolved: false, resolved_by: null }])
})

everyRouteCalled('discussions')
