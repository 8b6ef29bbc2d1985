import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
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

const mergeRequest = '/projects/acme%2Fweb/merge_requests/1'
const drafts = `${mergeRequest}/draft_notes`
const sha = 'a'.repeat(40)

test('a draft note is created, changed, published and removed', async () => {
  const json = { note: 'Hello', commit_id: sha }
  const { status, body } = await send(`POST ${drafts}`, { as: 'bob', json })
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.any(Number),
    author_id: (await forge.host.users.get({ user: 'bob' })).id,
    merge_request_id: (await forge.host.mergeRequests.get({ project: 'acme/web', mergeRequest: 1 })).id,
    resolve_discussion: false,
    discussion_id: null,
    note: 'Hello',
    commit_id: sha,
    line_code: null,
    position: {
      base_sha: null,
      start_sha: null,
      head_sha: null,
      position_type: 'text',
      old_path: null,
      new_path: null,
      old_line: null,
      new_line: null,
      line_code: null,
      line_range: null,
      x: null,
      y: null,
      width: null,
      height: null,
    },
  })
  const one = `${drafts}/${body.id}`
  const changed = await send(`PUT ${one}`, { as: 'bob', json: { note: 'Better' } })
  expect(changed).toMatchObject({ status: 200, body: { note: 'Better' } })
  expect((await send(`GET ${drafts}`, { as: 'bob' })).body).toEqual([changed.body])
  expect((await send(`GET ${one}`, { as: 'bob' })).body).toEqual(changed.body)
  expect((await send(`GET ${drafts}`, { as: 'alice' })).body).toEqual([])
  expect((await send(`GET ${one}`, { as: 'alice' })).status).toBe(404)
  expect(await send(`PUT ${one}/publish`, { as: 'bob' })).toMatchObject({ status: 204, text: '' })
  expect((await send(`GET ${mergeRequest}/notes`, { as: 'bob' })).body[0]).toMatchObject({ body: 'Better' })
  const second = await send(`POST ${drafts}`, { as: 'bob', json })
  expect((await send(`DELETE ${drafts}/${second.body.id}`, { as: 'bob' })).status).toBe(204)
  expect((await send(`GET ${drafts}`, { as: 'bob' })).body).toEqual([])
})

test('all draft notes are published at once', async () => {
  const discussion = await send(`POST ${mergeRequest}/discussions`, { as: 'alice', json: { body: 'Why?' } })
  const position = { base_sha: sha, start_sha: sha, head_sha: sha, position_type: 'text', new_path: 'a', new_line: 3 }
  const reply = { note: 'Because', in_reply_to_discussion_id: discussion.body.id, resolve_discussion: true }
  expect(await send(`POST ${drafts}`, { as: 'bob', json: reply })).toMatchObject({
    status: 201,
    body: { discussion_id: discussion.body.id, resolve_discussion: true },
  })
  const onDiff = await send(`POST ${drafts}`, { as: 'bob', json: { note: 'Here', position } })
  expect(onDiff.body.position).toMatchObject({ new_line: 3, old_path: 'a', line_range: null })
  expect(await send(`POST ${drafts}/bulk_publish`, { as: 'bob' })).toMatchObject({ status: 204, text: '' })
  const { body } = await send(`GET ${mergeRequest}/discussions/${discussion.body.id}`)
  expect(body.notes).toMatchObject([{ resolved: true }, { body: 'Because', resolved: true }])
})

test('impossible draft notes are rejected', async () => {
  const create = async (json: object) => (await send(`POST ${drafts}`, { as: 'bob', json })).status
  expect(await create({ note: '' })).toBe(400)
  expect(await create({ note: 'x', position: { base_sha: sha } })).toBe(400)
  expect(await create({ note: 'x', resolve_discussion: true })).toBe(400)
  expect(await create({ note: 'x', in_reply_to_discussion_id: sha })).toBe(404)
  expect(await create({ note: 'x', commit_id: 'nope' })).toBe(400)
})

everyRouteCalled('draft notes')
