import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { stored } from '../stored.ts'
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

/** Adds a system note to each subject; their ids by the kind of the subject. */
const createRecords = async (): Promise<Readonly<Record<string, number>>> => {
  const { notes } = forge.host
  const project = 'acme/web'
  const record = { body: 'changed', author: 'alice', system: true }
  const [snippet, epic] = ['snippet', 'epic'].map((kind) => Number(subjects[kind]?.split('/').at(-1)))
  const created = {
    issue: await stored(notes.create({ project, issue: 1, ...record })),
    'merge request': await stored(notes.create({ project, mergeRequest: 1, ...record })),
    snippet: await stored(notes.create({ project, snippet: snippet as number, ...record })),
    epic: await stored(notes.create({ group: 'acme', epicId: epic as number, ...record })),
  }
  return Object.fromEntries(Object.entries(created).map(([kind, { id }]) => [kind, id]))
}

test.each(['issue', 'merge request', 'snippet', 'epic'])(
  'a record of a change of an %s has no replies',
  async (kind) => {
    const ids = await createRecords()
    const list = `${subjects[kind]}/discussions`
    const records = (await send(`GET ${list}`, { as: 'alice' })).body
    const [record] = records.filter(({ notes: [note] }: { notes: [{ id: number }] }) => note.id === ids[kind])
    expect(record).toMatchObject({ individual_note: true, notes: [{ system: true, body: 'changed' }] })
    for (const as of ['bob', 'root']) {
      expect(await send(`POST ${list}/${record.id}/notes`, { as, json: { body: 'Why?' } })).toMatchObject({
        status: 400,
        body: { message: '400 (Bad request) "Discussion can not be replied to." not given' },
      })
    }
    expect((await send(`GET ${list}`, { as: 'alice' })).body).toEqual(records)
  },
)

test.each(['issue', 'merge request', 'snippet', 'epic'])('a discussion of an %s', async (kind) => {
  const list = `${subjects[kind]}/discussions`
  expect(await send(`POST ${list}`, { json: { body: 'First' } })).toMatchObject({ status: 401 })
  expect(await send(`POST ${list}`, { as: 'bob', json: {} })).toMatchObject({ status: 400 })
  const { status, body } = await send(`POST ${list}`, { as: 'bob', json: { body: 'First' } })
  expect(status).toBe(201)
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
  expect(await send(`GET ${one}/notes/${reply.id}`, { as: 'bob' })).toMatchObject({
    status: 200,
    body: { id: reply.id, body: 'Better', type: 'DiscussionNote' },
  })
  const { body: other } = await send(`POST ${list}`, { as: 'bob', json: { body: 'Other' } })
  expect(await send(`GET ${one}/notes/${other.notes[0].id}`, { as: 'bob' })).toMatchObject({ status: 404 })
  expect(await send(`DELETE ${list}/${other.id}/notes/${other.notes[0].id}`, { as: 'bob' })).toMatchObject({
    status: 204,
  })
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
