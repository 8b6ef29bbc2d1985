import { demoWithCode } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
let sha: string
beforeEach(async () => {
  forge = await world({ seed: demoWithCode })
  send = client(forge)
  sha = (await forge.host.branches.get({ project: 'acme/web', branch: 'main' })).commit.id
})
afterEach(() => forge.close())

const commit = '/projects/acme%2Fweb/repository/commits/main'
const list = `${commit}/discussions`

const start = async (body = 'First') => (await send(`POST ${list}`, { as: 'bob', json: { body } })).body

describe('discussions on commits', () => {
  test('are started, answered, changed and listed', async () => {
    const { status, body } = await send(`POST ${list}`, { as: 'bob', json: { body: 'First' } })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{40}$/),
      individual_note: false,
      notes: [
        {
          id: expect.any(Number),
          type: 'DiscussionNote',
          body: 'First',
          attachment: null,
          author: expect.objectContaining({ username: 'bob' }),
          created_at: expect.any(String),
          updated_at: expect.any(String),
          system: false,
          noteable_id: null,
          noteable_type: 'Commit',
          noteable_iid: null,
          commit_id: sha,
          project_id: expect.any(Number),
          resolvable: false,
          confidential: false,
          internal: false,
        },
      ],
    })
    const one = `${list}/${body.id}`
    const { body: reply } = await send(`POST ${one}/notes`, { as: 'alice', json: { body: 'Second' } })
    expect(reply).toMatchObject({ body: 'Second', type: 'DiscussionNote', author: { username: 'alice' } })
    const edit = await send(`PUT ${one}/notes/${reply.id}`, { as: 'alice', json: { body: 'Better' } })
    expect(edit.body).toMatchObject({ id: reply.id, body: 'Better' })
    const complete = await send(`GET ${one}`)
    expect(complete.body.notes).toMatchObject([{ body: 'First' }, { body: 'Better' }])
    await start('Other')
    const all = await send(`GET ${list}`)
    expect(all.body).toEqual([
      complete.body,
      expect.objectContaining({ notes: [expect.objectContaining({ body: 'Other' })] }),
    ])
    expect(all.headers.get('x-total')).toBe('2')
    expect((await send(`GET ${list}?per_page=1&page=2`)).body).toMatchObject([{ notes: [{ body: 'Other' }] }])
    const listed = await send(`GET ${commit}/comments`)
    expect(listed.body).toMatchObject([{ note: 'First' }, { note: 'Better' }, { note: 'Other' }])
    expect(await send(`DELETE ${one}/notes/${reply.id}`, { as: 'alice' })).toMatchObject({ status: 204, text: '' })
    expect((await send(`GET ${one}`)).body.notes).toHaveLength(1)
  })

  test('have a position in the diff, which is also the line of the comment', async () => {
    const file = { path: 'README.md', content: 'one\ntwo\n' }
    const author = { name: 'Bob', email: 'bob@example.com' }
    const added = { branch: 'main', message: 'Add lines', author, files: [file] }
    const { ids } = await forge.host.commits.import({ project: 'acme/web', commits: [added] })
    const position = {
      base_sha: sha,
      start_sha: sha,
      head_sha: ids[0],
      position_type: 'text',
      new_path: 'README.md',
      new_line: 2,
    }
    const { body } = await send(`POST ${list}`, { as: 'bob', json: { body: 'Why?', position } })
    const complete = { ...position, old_path: 'README.md', old_line: null, line_code: expect.stringMatching(/_2$/) }
    expect(body.notes).toMatchObject([{ type: 'DiffNote', position: complete }])
    const reply = await send(`POST ${list}/${body.id}/notes`, { as: 'carol', json: { body: 'Because' } })
    expect(reply.body).toMatchObject({ type: 'DiffNote', position: complete })
    expect((await send(`GET ${commit}/comments`)).body[0]).toMatchObject({
      note: 'Why?',
      path: 'README.md',
      line: 2,
      line_type: 'new',
    })
    const { new_line: _, ...incomplete } = position
    expect(await send(`POST ${list}`, { as: 'bob', json: { body: 'x', position: incomplete } })).toMatchObject({
      status: 400,
    })
  })

  test('contain a comment, which becomes a discussion with its first reply', async () => {
    await send(`POST ${commit}/comments`, { as: 'carol', json: { note: 'Nice' } })
    const [individual] = (await send(`GET ${list}`)).body
    expect(individual).toMatchObject({ individual_note: true, notes: [{ type: null, body: 'Nice' }] })
    await send(`POST ${list}/${individual.id}/notes`, { as: 'bob', json: { body: 'Thanks' } })
    expect((await send(`GET ${list}`)).body).toMatchObject([
      { id: individual.id, individual_note: false, notes: [{ body: 'Nice' }, { body: 'Thanks' }] },
    ])
  })

  test('are changed by the author and by maintainers only', async () => {
    const { id, notes } = await start()
    const note = `${list}/${id}/notes/${notes[0].id}`
    const edit = (as: string) => send(`PUT ${note}`, { as, json: { body: 'Better' } })
    expect(await edit('carol')).toMatchObject({ status: 403 })
    expect(await edit('bob')).toMatchObject({ status: 200 })
    expect(await edit('alice')).toMatchObject({ status: 200 })
    expect(await send(`DELETE ${note}`, { as: 'carol' })).toMatchObject({ status: 403 })
  })

  test('are not found in another discussion, commit or project', async () => {
    const { id, notes } = await start()
    const other = await start('Other')
    const edit = (path: string) => send(`PUT ${path}`, { as: 'alice', json: { body: 'x' } })
    expect(await send(`GET ${list}/${id}/notes/${notes[0].id}`)).toMatchObject({ status: 200, body: notes[0] })
    expect(await send(`GET ${list}/${other.id}/notes/${notes[0].id}`)).toMatchObject({ status: 404 })
    expect(await edit(`${list}/${other.id}/notes/${notes[0].id}`)).toMatchObject({ status: 404 })
    const { items } = await forge.host.commits.list({ project: 'acme/web', refName: 'main' })
    const parent = `/projects/acme%2Fweb/repository/commits/${items[1]?.id}/discussions`
    expect(await send(`GET ${parent}/${id}`)).toMatchObject({ status: 404 })
    expect(await edit(`${parent}/${id}/notes/${notes[0].id}`)).toMatchObject({ status: 404 })
    expect(
      await edit(`/projects/bob%2Fnotes/repository/commits/main/discussions/${id}/notes/${notes[0].id}`),
    ).toMatchObject({
      status: 404,
    })
    expect(await send(`GET ${list}/${'0'.repeat(40)}`)).toMatchObject({ status: 404 })
    expect(await send(`GET ${list}/${id.slice(1)}`)).toMatchObject({ status: 404 })
    expect(await send('GET /projects/acme%2Fweb/repository/commits/nope/discussions')).toMatchObject({ status: 404 })
  })

  test('have another time for owners only, and no empty text', async () => {
    const create = (as: string, json: object) => send(`POST ${list}`, { as, json })
    const createdAt = '2026-01-31T12:00:00.000Z'
    const backdated = await create('alice', { body: 'x', created_at: createdAt })
    expect(backdated.body.notes[0]).toMatchObject({ created_at: createdAt, updated_at: createdAt })
    const current = await create('carol', { body: 'x', created_at: createdAt })
    expect(current.body.notes[0].created_at).not.toBe(createdAt)
    expect(await create('carol', { body: '' })).toMatchObject({ status: 400 })
    expect(await create('carol', {})).toMatchObject({ status: 400 })
  })
})

everyRouteCalled('commit discussions')
