import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
let bases: Readonly<Record<'issue' | 'mergeRequest' | 'snippet' | 'epic', string>>
let confidential: string

beforeEach(async () => {
  forge = await world()
  send = client(forge)
  const snippet = await forge.as('carol').snippets.create({
    project: 'acme/web',
    title: 'A trick',
    fileName: 'trick.sh',
    content: 'true',
    visibility: 'public',
  })
  const epic = await forge.as('alice').epics.create({ group: 'acme', title: 'Conquer the world' })
  bases = {
    issue: '/projects/acme%2Fweb/issues/1/notes',
    mergeRequest: '/projects/acme%2Fweb/merge_requests/1/notes',
    snippet: `/projects/acme%2Fweb/snippets/${snippet.id}/notes`,
    epic: `/groups/acme/epics/${epic.id}/notes`,
  }
  confidential = '/projects/acme%2Fweb/issues/3/notes'
})
afterEach(() => forge.close())

const kinds = ['issue', 'mergeRequest', 'snippet', 'epic'] as const

const note = {
  id: expect.any(Number),
  type: null,
  body: 'Looks good',
  attachment: null,
  author: expect.objectContaining({ username: 'bob', name: 'Bob Builder', state: 'active' }),
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  updated_at: expect.any(String),
  system: false,
  noteable_id: expect.any(Number),
  resolvable: false,
  confidential: false,
  internal: false,
  commands_changes: {},
}

const wrapped = (act: string, complaint: string) => ({
  message: `400 (Bad request) "${act} {:note=>["${complaint}"]}" not given`,
})

describe.each(kinds)('notes of one %s', (kind) => {
  const named = { issue: 'Issue', mergeRequest: 'MergeRequest', snippet: 'Snippet', epic: 'Epic' }[kind]
  const iid = kind === 'issue' || kind === 'mergeRequest' ? 1 : null

  test('live from their creation to their removal', async () => {
    const base = bases[kind]
    const created = await send(`POST ${base}`, { as: 'bob', json: { body: 'Looks good' } })
    expect(created).toMatchObject({ status: 200 })
    expect(created.body).toEqual({ ...note, noteable_type: named, noteable_iid: iid })

    const listed = await send(`GET ${base}`)
    expect(listed.body).toEqual([created.body])
    expect(listed.headers.get('x-total')).toBe('1')

    const single = `${base}/${created.body.id}`
    const place = {
      issue: {},
      mergeRequest: {},
      snippet: { title: 'A trick', file_name: 'trick.sh', expires_at: null },
      epic: { title: 'Conquer the world', file_name: null, expires_at: null },
    }[kind]
    expect((await send(`GET ${single}`)).body).toEqual({ ...created.body, ...place })

    const changed = await send(`PUT ${single}`, { as: 'bob', json: { body: 'Looks bad' } })
    expect(changed).toMatchObject({ status: 200, body: { id: created.body.id, body: 'Looks bad' } })

    const removed = await send(`DELETE ${single}`, { as: 'bob' })
    expect(removed).toMatchObject({ status: 204, text: '' })
    expect(await send(`GET ${single}`)).toMatchObject({ status: 404, body: { message: '404 Not found' } })
    expect((await send(`GET ${base}`)).body).toEqual([])
  })

  test('of one emoji answer with the fields of the other object too', async () => {
    const { body } = await send(`POST ${bases[kind]}`, { as: 'bob', json: { body: ':thumbsup:' } })
    expect(body).toEqual({
      ...note,
      body: ':thumbsup:',
      noteable_type: named,
      noteable_iid: iid,
      title: expect.any(String),
      file_name: kind === 'snippet' ? 'trick.sh' : null,
      expires_at: null,
    })
    expect((await send(`GET ${bases[kind]}`)).body).toMatchObject([{ id: body.id, body: ':thumbsup:' }])
  })

  test('refuse what cannot be a note', async () => {
    const base = bases[kind]
    expect(await send(`POST ${base}`, { as: 'bob', json: {} })).toMatchObject({
      status: 400,
      body: { error: 'body is missing' },
    })
    const blank = await send(`POST ${base}`, { as: 'bob', json: { body: ' \n' } })
    expect(blank).toMatchObject({ status: 400, body: wrapped('Note', "can't be blank") })
    const empty = await send(`POST ${base}`, { as: 'bob', form: { body: '' } })
    expect(empty).toMatchObject({ status: 400, body: wrapped('Note', "can't be blank") })
    const nul = await send(`POST ${base}`, { as: 'bob', json: { body: 'a\0b' } })
    expect(nul).toMatchObject({ status: 400, body: { error: 'body is invalid' } })
    const list = await send(`POST ${base}`, { as: 'bob', json: { body: ['a'] } })
    expect(list).toMatchObject({ status: 400, body: { error: 'body is invalid' } })
    expect((await send(`GET ${base}`)).body).toEqual([])
  })

  test('speak of the noteable when its number is none', async () => {
    const wrong = bases[kind].replace(/\/[0-9]+\/notes$/, '/abc/notes')
    for (const line of [`GET ${wrong}`, `GET ${wrong}/1`, `DELETE ${wrong}/1`]) {
      expect(await send(line, { as: 'bob' })).toMatchObject({ status: 400, body: { error: 'noteable_id is invalid' } })
    }
    const both = await send(`POST ${wrong}`, { as: 'bob', json: {} })
    expect(both).toMatchObject({ status: 400, body: { error: 'noteable_id is invalid, body is missing' } })
    const noteId = await send(`GET ${bases[kind]}/abc`)
    expect(noteId).toMatchObject({ status: 400, body: { error: 'note_id is invalid' } })
  })

  test('are missing with what they hang on, and when they hang on something else', async () => {
    const nowhere = bases[kind].replace(/\/[0-9]+\/notes$/, '/99999/notes')
    for (const line of [`GET ${nowhere}`, `POST ${nowhere}`, `GET ${nowhere}/1`, `DELETE ${nowhere}/1`]) {
      const response = await send(line, { as: 'bob', ...(line.startsWith('POST') && { json: { body: 'x' } }) })
      expect(response).toMatchObject({ status: 404, body: { message: '404 Not found' } })
    }
    const elsewhere = await send('POST /projects/acme%2Fweb/issues/2/notes', { as: 'bob', json: { body: 'Over here' } })
    const foreign = `${bases[kind]}/${elsewhere.body.id}`
    expect(await send(`GET ${foreign}`)).toMatchObject({ status: 404, body: { message: '404 Not found' } })
    expect(await send(`PUT ${foreign}`, { as: 'bob', json: { body: 'x' } })).toMatchObject({ status: 404 })
    expect(await send(`DELETE ${foreign}`, { as: 'bob' })).toMatchObject({ status: 404 })
  })

  test('need somebody who is signed in to be written, whatever else is wrong', async () => {
    const unauthorised = { status: 401, body: { message: '401 Unauthorized' } }
    expect(await send(`POST ${bases[kind]}`, { json: {} })).toMatchObject(unauthorised)
    expect(await send(`PUT ${bases[kind]}/1`, { json: {} })).toMatchObject(unauthorised)
    expect(await send(`DELETE ${bases[kind]}/1`)).toMatchObject(unauthorised)
  })
})

describe('bodies', () => {
  test('have at most 1,000,000 characters, an emoji being one', async () => {
    const base = bases.issue
    const longest = await send(`POST ${base}`, { as: 'bob', json: { body: '🎉'.repeat(1_000_000) } })
    expect(longest.status).toBe(200)
    const tooLong = 'is too long (maximum is 1000000 characters)'
    const longer = await send(`POST ${base}`, { as: 'bob', json: { body: 'x'.repeat(1_000_001) } })
    expect(longer).toMatchObject({ status: 400, body: wrapped('Note', tooLong) })
    const changed = await send(`PUT ${base}/${longest.body.id}`, { as: 'bob', json: { body: 'x'.repeat(1_000_001) } })
    expect(changed).toMatchObject({ status: 400, body: wrapped('Failed to save note', tooLong) })
  })

  test('are kept as they are', async () => {
    const body = '  two spaces, a tab\t and\r\nlines <script>alert(1)</script> \u{202e}'
    const created = await send(`POST ${bases.issue}`, { as: 'bob', json: { body } })
    expect(created.body.body).toBe(body)
    expect((await send(`GET ${bases.issue}`)).body[0].body).toBe(body)
  })

  test('of a change must be there and not blank', async () => {
    const { body } = await send(`POST ${bases.issue}`, { as: 'bob', json: { body: 'First' } })
    const single = `${bases.issue}/${body.id}`
    const blank = await send(`PUT ${single}`, { as: 'bob', json: { body: '' } })
    expect(blank).toMatchObject({ status: 400, body: wrapped('Failed to save note', "can't be blank") })
    // A client that sends a bare string splits it into its characters.
    const split = await send(`PUT ${single}`, { as: 'bob', json: { '0': 'x' } })
    expect(split).toMatchObject({ status: 400, body: { error: 'body is missing' } })
    expect((await send(`GET ${single}`)).body.body).toBe('First')
  })
})

describe('what the request cannot say', () => {
  test('is passed over', async () => {
    const json = {
      body: 'Mine',
      id: 77,
      author: 'alice',
      author_id: 1,
      system: true,
      updated_at: '2001-01-01',
      noteable_id: 2,
      type: 'DiffNote',
    }
    const { status, body } = await send(`POST ${bases.issue}`, { as: 'bob', json })
    expect(status).toBe(200)
    expect(body).toMatchObject({ system: false, type: null, confidential: false, author: { username: 'bob' } })
    expect(body.updated_at).toBe(body.created_at)
    expect(body.created_at.startsWith('2001')).toBe(false)
  })

  test('what else the path names cannot come from the parameters', async () => {
    const merged = await send(`GET ${bases.issue}?issue_iid=2&merge_request_iid=1&epic=1&snippet=1`)
    expect(merged.status).toBe(200)
  })
})

describe('an internal note', () => {
  test.each(['internal', 'confidential'])('is created with %s=true', async (parameter) => {
    const created = await send(`POST ${bases.issue}`, { as: 'bob', json: { body: 'Internal', [parameter]: true } })
    expect(created).toMatchObject({ status: 200, body: { internal: true, confidential: true } })
    const single = `${bases.issue}/${created.body.id}`
    for (const as of [undefined, 'dave', 'mallory']) {
      const caller = as === undefined ? {} : { as }
      expect(await send(`GET ${bases.issue}`, caller)).toMatchObject({ body: [] })
      expect((await send(`GET ${bases.issue}`, caller)).headers.get('x-total')).toBe('0')
      expect((await send(`GET ${single}`, caller)).text).toBe((await send(`GET ${bases.issue}/999`, caller)).text)
      expect((await send('GET /projects/acme%2Fweb/events?action=commented', caller)).body).toEqual([])
      expect((await send('GET /projects/acme%2Fweb/issues/1', caller)).body).toMatchObject({ user_notes_count: 0 })
    }
    expect((await send(`GET ${single}`, { as: 'carol' })).body).toEqual(created.body)
    expect((await send('GET /projects/acme%2Fweb/issues/1', { as: 'carol' })).body).toMatchObject({
      user_notes_count: 1,
    })
  })

  test('is forbidden for callers below reporter', async () => {
    const response = await send(`POST ${bases.issue}`, { as: 'dave', json: { body: 'x', internal: true } })
    expect(response).toMatchObject({ status: 403, body: { message: '403 Forbidden' } })
    expect((await send(`GET ${bases.issue}`, { as: 'root' })).body).toEqual([])
  })

  test('cannot become public, nor a public note internal', async () => {
    const { body } = await send(`POST ${bases.issue}`, { as: 'bob', json: { body: 'Public' } })
    for (const parameter of ['internal', 'confidential']) {
      const json = { body: 'Changed', [parameter]: true }
      const response = await send(`PUT ${bases.issue}/${body.id}`, { as: 'bob', json })
      expect(response).toMatchObject({ status: 400, body: { message: { internal: [expect.any(String)] } } })
    }
    expect((await send(`GET ${bases.issue}/${body.id}`)).body.body).toBe('Public')
  })
})

describe('the time of a note', () => {
  const past = '2016-01-07T12:44:33.959Z'

  test.each([
    ['alice', 'an owner', true],
    ['root', 'an administrator', true],
    ['bob', 'a developer', false],
    ['dave', 'a guest', false],
    ['mallory', 'somebody else', false],
  ])('is set by %s, %s: %s', async (as, _who, used) => {
    const { status, body } = await send(`POST ${bases.issue}`, { as, json: { body: 'Long ago', created_at: past } })
    expect(status).toBe(200)
    expect(body.created_at === past).toBe(used)
    expect(body.updated_at === past).toBe(used)
  })

  test('is not offered for epics', async () => {
    const { body } = await send(`POST ${bases.epic}`, { as: 'alice', json: { body: 'Long ago', created_at: past } })
    expect(body.created_at).not.toBe(past)
  })

  test('must be one', async () => {
    const wrong = await send(`POST ${bases.issue}`, { as: 'alice', json: { body: 'x', created_at: 'yesterday' } })
    expect(wrong).toMatchObject({ status: 400, body: { error: 'created_at is invalid' } })
    const zoned = await send(`POST ${bases.issue}`, {
      as: 'alice',
      json: { body: 'x', created_at: '2016-01-07T14:44:33+02:00' },
    })
    expect(zoned.body.created_at).toBe('2016-01-07T12:44:33.000Z')
  })
})

describe('lists', () => {
  const write = async (body: string, created_at: string) =>
    (await send(`POST ${bases.issue}`, { as: 'alice', json: { body, created_at } })).body.id as number

  const bodies = async (query: string) =>
    (await send(`GET ${bases.issue}${query}`)).body.map(({ body }: { body: string }) => body)

  test('are newest first; of one time the later note is first in either direction', async () => {
    await write('old', '2016-01-01T00:00:00Z')
    await write('same 1', '2016-01-02T00:00:00Z')
    await write('same 2', '2016-01-02T00:00:00Z')
    await write('new', '2016-01-03T00:00:00Z')
    expect(await bodies('')).toEqual(['new', 'same 2', 'same 1', 'old'])
    expect(await bodies('?sort=asc')).toEqual(['old', 'same 2', 'same 1', 'new'])
    expect(await bodies('?order_by=created_at&sort=desc&per_page=2&page=2')).toEqual(['same 1', 'old'])
  })

  test('can be ordered by the last change', async () => {
    const first = await write('first', '2016-01-01T00:00:00Z')
    await write('second', '2016-01-02T00:00:00Z')
    await send(`PUT ${bases.issue}/${first}`, { as: 'alice', json: { body: 'changed' } })
    expect(await bodies('?order_by=updated_at')).toEqual(['changed', 'second'])
    expect(await bodies('?order_by=updated_at&sort=asc')).toEqual(['second', 'changed'])
  })

  test('show comments, activity or both', async () => {
    await write('A comment', '2016-01-01T00:00:00Z')
    await forge.as('alice').issues.update({ project: 'acme/web', issue: 1, stateEvent: 'close' })
    expect(await bodies('?sort=asc')).toEqual(['A comment', 'closed'])
    expect(await bodies('?activity_filter=only_comments')).toEqual(['A comment'])
    expect(await bodies('?activity_filter=only_activity')).toEqual(['closed'])
    const { headers } = await send(`GET ${bases.issue}?activity_filter=only_activity`)
    expect(headers.get('x-total')).toBe('1')
  })

  test('refuse other orders', async () => {
    const wrong = await send(`GET ${bases.issue}?order_by=id&sort=up&activity_filter=none&page=abc&per_page=0`)
    expect(wrong.status).toBe(400)
    expect(wrong.body.error.split(', ').sort()).toEqual([
      'activity_filter does not have a valid value',
      'order_by does not have a valid value',
      'page is invalid',
      'per_page has a value not allowed',
      'sort does not have a valid value',
    ])
  })

  test('carry the paging headers, also when they are empty', async () => {
    const { body, headers } = await send(`GET ${bases.issue}`)
    expect(body).toEqual([])
    expect(headers.get('x-total')).toBe('0')
    expect(headers.get('x-total-pages')).toBe('1')
    expect(headers.get('link')).toContain('issue_iid=1&order_by=created_at&page=1&per_page=20&sort=desc')
  })
})

describe('changes by others', () => {
  test('are for maintainers, and records of changes are for nobody', async () => {
    const { body } = await send(`POST ${bases.issue}`, { as: 'dave', json: { body: 'I am a guest' } })
    const single = `${bases.issue}/${body.id}`
    const forbidden = { status: 403, body: { message: '403 Forbidden' } }
    expect(await send(`PUT ${single}`, { as: 'bob', json: { body: 'x' } })).toMatchObject(forbidden)
    expect(await send(`DELETE ${single}`, { as: 'bob' })).toMatchObject(forbidden)
    expect(await send(`PUT ${single}`, { as: 'alice', json: { body: 'Edited' } })).toMatchObject({
      status: 200,
      body: { body: 'Edited', author: { username: 'dave' } },
    })
    await forge.as('alice').issues.update({ project: 'acme/web', issue: 1, stateEvent: 'close' })
    const [record] = (await send(`GET ${bases.issue}?activity_filter=only_activity`)).body
    expect(record).toMatchObject({ system: true, body: 'closed', author: { username: 'alice' } })
    for (const as of ['alice', 'root', 'bob']) {
      expect(await send(`PUT ${bases.issue}/${record.id}`, { as, json: { body: 'x' } })).toMatchObject(forbidden)
      expect(await send(`DELETE ${bases.issue}/${record.id}`, { as })).toMatchObject(forbidden)
    }
  })
})

describe('a creation time', () => {
  test.each([
    ['2016-03-11T03:45:40', '2016-03-11T03:45:40.000Z'],
    ['20160311T034540Z', '2016-03-11T03:45:40.000Z'],
    ['2016-03-11T03:45:40,123+02', '2016-03-11T01:45:40.123Z'],
  ])('is read from %s', async (created_at, instant) => {
    const { body } = await send(`POST ${bases.issue}`, { as: 'alice', json: { body: 'Then', created_at } })
    expect(body.created_at).toBe(instant)
  })

  test('is refused when the day does not exist', async () => {
    const json = { body: 'Then', created_at: '2016-02-30T00:00:00Z' }
    const refused = await send(`POST ${bases.issue}`, { as: 'alice', json })
    expect(refused).toMatchObject({ status: 400, body: { error: 'created_at is invalid' } })
  })
})

describe('a removal with If-Unmodified-Since', () => {
  test('is refused when the note was changed later', async () => {
    const { body } = await send(`POST ${bases.issue}`, { as: 'bob', json: { body: 'Still here' } })
    const single = `${bases.issue}/${body.id}`
    const since = (instant: string) => ({ as: 'bob', headers: { 'if-unmodified-since': instant } })
    const refused = await send(`DELETE ${single}`, since('Thu, 07 Jan 2016 12:44:33 GMT'))
    expect(refused).toMatchObject({ status: 412, body: { message: '412 Precondition Failed' } })
    expect((await send(`GET ${single}`)).status).toBe(200)
    // The header counts whole seconds: the second of the change itself is not later.
    expect((await send(`DELETE ${single}`, since(new Date(body.updated_at).toUTCString()))).status).toBe(204)
  })

  test('goes on when nobody can read the date', async () => {
    const { body } = await send(`POST ${bases.issue}`, { as: 'bob', json: { body: 'Gone' } })
    const removed = await send(`DELETE ${bases.issue}/${body.id}`, {
      as: 'bob',
      headers: { 'if-unmodified-since': 'some day' },
    })
    expect(removed.status).toBe(204)
  })
})

describe('places that are not open', () => {
  test('a confidential issue exists for reporters and above, its author and its assignees', async () => {
    const missing = { status: 404, body: { message: '404 Not found' } }
    expect(await send(`GET ${confidential}`)).toMatchObject(missing)
    for (const as of ['dave', 'mallory']) {
      expect(await send(`GET ${confidential}`, { as })).toMatchObject(missing)
      expect(await send(`POST ${confidential}`, { as, json: { body: 'x' } })).toMatchObject(missing)
    }
    const created = await send(`POST ${confidential}`, { as: 'carol', json: { body: 'Secret' } })
    expect(created).toMatchObject({ status: 200, body: { confidential: true } })
    await forge.host.issues.update({ project: 'acme/web', issue: 3, assignees: ['dave'] })
    expect((await send(`GET ${confidential}`, { as: 'dave' })).body).toMatchObject([{ body: 'Secret' }])
  })

  test('an invisible project and group are missing by name', async () => {
    const hidden = await send('GET /projects/acme%2Ftools%2Fdeploy/issues/1/notes', { as: 'mallory' })
    expect(hidden).toMatchObject({ status: 404, body: { message: '404 Project Not Found' } })
    const group = await send('GET /groups/partners/epics/1/notes', { as: 'mallory' })
    expect(group).toMatchObject({ status: 404, body: { message: '404 Group Not Found' } })
  })

  test('a snippet of another project, or of nobody, is no noteable', async () => {
    const own = await forge
      .as('carol')
      .snippets.create({ title: 'Own', fileName: '', content: 'x', visibility: 'public' })
    const response = await send(`GET /projects/acme%2Fweb/snippets/${own.id}/notes`)
    expect(response).toMatchObject({ status: 404, body: { message: '404 Not found' } })
  })

  test('on a platform without the paid tier nobody has epics', async () => {
    await using free = await world({ tier: 'free' })
    const asked = await client(free)('GET /groups/acme/epics/1/notes')
    expect(asked.status).toBe(403)
    expect((await client(free)('GET /groups/none/epics/1/notes')).text).toBe(asked.text)
  })
})

describe('commands in a body', () => {
  test('are obeyed and taken out, and the note tells what they did', async () => {
    const bug = await forge.host.labels.get({ project: 'acme/web', label: 'bug' })
    const json = { body: 'Done\n/close\n/label ~bug' }
    expect(await send(`POST ${bases.issue}`, { as: 'alice', json })).toMatchObject({
      status: 200,
      body: { body: 'Done', commands_changes: { state_event: 'close', add_label_ids: [bug.id] } },
    })
    expect(await send('GET /projects/acme%2Fweb/issues/1', { as: 'alice' })).toMatchObject({
      body: { state: 'closed' },
    })
  })

  test.each(['issue', 'mergeRequest', 'epic'] as const)('leave nothing behind on one %s', async (kind) => {
    const before = await send(`GET ${bases[kind]}?activity_filter=only_comments`, { as: 'alice' })
    expect(await send(`POST ${bases[kind]}`, { as: 'alice', json: { body: '/todo\n/close' } })).toEqual(
      expect.objectContaining({
        status: 202,
        body: { commands_changes: { todo_event: 'add', state_event: 'close' }, summary: [expect.any(String)] },
      }),
    )
    const after = await send(`GET ${bases[kind]}?activity_filter=only_comments`, { as: 'alice' })
    expect(after.body).toEqual(before.body)
  })

  test('that are not allowed change nothing', async () => {
    expect(await send(`POST ${bases.issue}`, { as: 'mallory', json: { body: '/close' } })).toMatchObject({
      status: 202,
      body: { summary: ['Could not apply close command.'] },
    })
    expect(await send('GET /projects/acme%2Fweb/issues/1', { as: 'alice' })).toMatchObject({
      body: { state: 'opened' },
    })
  })

  test('are plain text on a snippet', async () => {
    expect(await send(`POST ${bases.snippet}`, { as: 'alice', json: { body: '/close' } })).toMatchObject({
      status: 200,
      body: { body: '/close', commands_changes: {} },
    })
  })
})

everyRouteCalled('notes')
