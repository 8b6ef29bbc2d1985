import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

const trick = { title: 'A trick', file_name: 'trick.sh', content: 'echo "häh?"\n' }

const add = async (more: object = {}, as = 'carol') =>
  (await send('POST /snippets', { as, json: { ...trick, ...more } })).body as { id: number }

const missing = { status: 404, body: { message: '404 Snippet Not Found' } }

describe('a snippet', () => {
  test('answers with the documented fields and no others', async () => {
    const { status, body } = await send('POST /snippets', { as: 'carol', json: { ...trick, description: 'Shell' } })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.any(Number),
      title: 'A trick',
      file_name: 'trick.sh',
      description: 'Shell',
      visibility: 'private',
      author: expect.objectContaining({ username: 'carol' }),
      expires_at: null,
      created_at: expect.stringMatching(/\.\d{3}Z$/),
      updated_at: body.created_at,
      project_id: null,
      web_url: `${forge.url}/snippets/${body.id}`,
      raw_url: `${forge.url}/snippets/${body.id}/raw`,
      files: [{ path: 'trick.sh', raw_url: `${forge.url}/snippets/${body.id}/raw/main/trick.sh` }],
    })
    expect((await send(`GET /snippets/${body.id}`, { as: 'carol' })).body).toEqual(body)
  })

  test('of a project says so', async () => {
    const { id, projectId } = await forge.as('carol').snippets.create({
      project: 'acme/web',
      title: 'Deploy',
      fileName: '',
      content: 'x',
      visibility: 'public',
    })
    expect((await send(`GET /snippets/${id}`)).body).toMatchObject({
      file_name: '',
      project_id: projectId,
      web_url: `${forge.url}/acme/web/snippets/${id}`,
    })
  })

  test('is seen by whom it is meant for', async () => {
    const { id: open } = await add({ visibility: 'public' })
    const { id: inside } = await add({ visibility: 'internal' })
    const { id: own } = await add({ visibility: 'private' })
    const seen = async (as?: string) =>
      Promise.all([open, inside, own].map(async (id) => (await send(`GET /snippets/${id}`, as ? { as } : {})).status))
    expect(await seen()).toEqual([200, 404, 404])
    expect(await seen('erin')).toEqual([200, 404, 404])
    expect(await seen('mallory')).toEqual([200, 200, 404])
    expect(await seen('root')).toEqual([200, 200, 200])
    expect(await seen('carol')).toEqual([200, 200, 200])
    expect(await send(`GET /snippets/${own}`, { as: 'mallory' })).toMatchObject(missing)
    expect((await send(`GET /snippets/${own}`)).text).toBe((await send('GET /snippets/99999')).text)
    expect(await send('GET /snippets/abc')).toMatchObject({ status: 400, body: { error: 'id is invalid' } })
  })
})

describe('the raw text', () => {
  test('leaves as plain text to be saved', async () => {
    const { id } = await add({ visibility: 'public' })
    const { status, text, headers } = await send(`GET /snippets/${id}/raw`)
    expect({ status, text }).toEqual({ status: 200, text: trick.content })
    expect(headers.get('content-type')).toMatch(/^text\/plain/)
    expect(headers.get('content-disposition')).toBe('attachment; filename="trick.sh"')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(await send(`GET /snippets/${(await add({ visibility: 'private' })).id}/raw`)).toMatchObject(missing)
  })

  test('has a file name that cannot leave its header or the folder', async () => {
    const { id } = await add({ visibility: 'public', file_name: '../"a"\r\nX-Evil: 1\\名前.sh' })
    const { headers } = await send(`GET /snippets/${id}/raw`)
    expect(headers.get('x-evil')).toBe(null)
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="..aX-Evil: 1__.sh"; filename*=UTF-8''${encodeURIComponent('..aX-Evil: 1名前.sh')}`,
    )
  })

  test('of a snippet without a file name has one all the same', async () => {
    const { id } = await add({ visibility: 'public', file_name: '' })
    const { headers } = await send(`GET /snippets/${id}/raw`)
    expect(headers.get('content-disposition')).toBe('attachment; filename="snippet.txt"')
  })
})

describe('lists', () => {
  test('hold the own snippets, personal and of projects, newest first', async () => {
    const first = await add({ visibility: 'private' })
    const second = await forge
      .as('carol')
      .snippets.create({ project: 'acme/web', title: 'x', fileName: '', content: 'x' })
    await add({ visibility: 'public' }, 'bob')
    const { status, body, headers } = await send('GET /snippets', { as: 'carol' })
    expect(status).toBe(200)
    expect(body.map(({ id }: { id: number }) => id)).toEqual([second.id, first.id])
    expect(headers.get('x-total')).toBe('2')
    expect(await send('GET /snippets')).toMatchObject({ status: 401, body: { message: '401 Unauthorized' } })
  })

  test('of everybody hold public personal snippets only', async () => {
    const open = await add({ visibility: 'public' })
    await add({ visibility: 'internal' })
    await forge.as('carol').snippets.create({
      project: 'acme/web',
      title: 'x',
      fileName: '',
      content: 'x',
      visibility: 'public',
    })
    const later = await add({ visibility: 'public' }, 'bob')
    const { body, headers } = await send('GET /snippets/public?per_page=1')
    expect(body.map(({ id }: { id: number }) => id)).toEqual([later.id])
    expect(headers.get('x-total')).toBe('2')
    expect((await send('GET /snippets/public?per_page=1&page=2')).body[0].id).toBe(open.id)
  })
})

describe('creating', () => {
  test.each([
    [{}, { error: 'title is missing' }],
    [{ title: 'x' }, { error: 'file_name is missing, content is missing' }],
    [{ ...trick, title: ' ' }, { message: { title: ["can't be blank"] } }],
    [{ ...trick, content: '' }, { message: { content: ["can't be blank"] } }],
    [{ ...trick, title: 'x'.repeat(256) }, { message: { title: ['is too long (maximum is 255 characters)'] } }],
    [{ ...trick, file_name: 'x'.repeat(256) }, { message: { file_name: ['is too long (maximum is 255 characters)'] } }],
    [{ ...trick, visibility: 'secret' }, { error: 'visibility does not have a valid value' }],
    [{ ...trick, title: { a: 1 } }, { error: 'title is invalid' }],
    [{ ...trick, content: 'a\0b' }, { error: 'content is invalid' }],
  ])('refuses %j', async (json, body) => {
    expect(await send('POST /snippets', { as: 'carol', json })).toMatchObject({ status: 400, body })
  })

  test('passes over what a request cannot say', async () => {
    const body = await add({
      author: 'alice',
      author_id: 1,
      project: 'acme/web',
      project_id: 1,
      created_at: '2001-01-01',
    })
    expect(body).toMatchObject({ author: { username: 'carol' }, project_id: null })
    expect(body).not.toMatchObject({ created_at: expect.stringMatching(/^2001/) })
  })

  test('is for those inside: external users are refused', async () => {
    const refused = await send('POST /snippets', { as: 'erin', json: trick })
    expect(refused).toMatchObject({ status: 403, body: { message: '403 Forbidden' } })
    expect(await send('POST /snippets', { json: {} })).toMatchObject({ status: 401 })
  })
})

describe('one file in a list of files', () => {
  const files = [{ file_path: 'trick.sh', content: 'echo 1\n' }]

  test('is the same as a file name and a content', async () => {
    const created = await send('POST /snippets', { as: 'carol', json: { title: 'A trick', files } })
    expect(created).toMatchObject({ status: 200, body: { file_name: 'trick.sh' } })
    const path = `/snippets/${created.body.id}`
    expect((await send(`GET ${path}/raw`, { as: 'carol' })).text).toBe('echo 1\n')
    const change = [{ action: 'update', file_path: 'trick.sh', content: 'echo 2\n' }]
    expect(await send(`PUT ${path}`, { as: 'carol', json: { files: change } })).toMatchObject({ status: 200 })
    expect((await send(`GET ${path}/raw`, { as: 'carol' })).text).toBe('echo 2\n')
    const moved = [{ action: 'move', previous_path: 'trick.sh', file_path: 'better.sh' }]
    const { body } = await send(`PUT ${path}`, { as: 'carol', json: { files: moved } })
    expect(body).toMatchObject({ file_name: 'better.sh' })
    const form = new URLSearchParams({ title: 'x', 'files[][file_path]': 'a', 'files[][content]': 'b' })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const sent = await send('POST /snippets', { as: 'carol', headers, raw: String(form) })
    expect(sent).toMatchObject({ status: 200, body: { file_name: 'a' } })
  })

  test.each([
    [{ files: [] }, /^files/],
    [{ files: 'trick.sh' }, /^files/],
    [{ files: [{ file_path: { a: 1 }, content: 'x' }] }, /^files/],
    [{ files, content: 'x' }, /^files, file_name, content are mutually exclusive/],
    [{ files: [{ content: 'x' }] }, /^files/],
    [{ content: 'x' }, /^file_name is missing/],
  ])('is refused: %j', async (json, error) => {
    const refused = await send('POST /snippets', { as: 'carol', json: { title: 'x', ...json } })
    expect(refused).toMatchObject({ status: 400, body: { error: expect.stringMatching(error) } })
  })
})

describe('several files', () => {
  const files = [
    { file_path: 'a.sh', content: 'echo a\n' },
    { file_path: 'lib/b.sh', content: 'echo b\n' },
  ]
  const pathsOf = (body: { files: { path: string }[] }) => body.files.map(({ path }) => path)

  test('are read one by one, and the first one is that of clients that know one file', async () => {
    const { body } = await send('POST /snippets', { as: 'carol', json: { title: 'Two', visibility: 'public', files } })
    expect(body).toMatchObject({ file_name: 'a.sh' })
    expect(pathsOf(body)).toEqual(['a.sh', 'lib/b.sh'])
    const path = `/snippets/${body.id}`
    expect((await send(`GET ${path}/raw`)).text).toBe('echo a\n')
    expect((await send(`GET ${path}/files/main/lib%2Fb.sh/raw`)).text).toBe('echo b\n')
    expect(await (await forge.fetch(body.files[1].raw_url)).text()).toBe('echo b\n')
    expect((await send(`GET ${path}/files/main/c.sh/raw`)).status).toBe(404)
    expect((await send(`GET ${path}/files/other/a.sh/raw`)).status).toBe(404)
    const [listed] = (await send('GET /snippets', { as: 'carol' })).body
    expect(listed).toEqual(body)
  })

  test('are created, changed, moved and removed', async () => {
    const { body } = await send('POST /projects/acme%2Fweb/snippets', { as: 'carol', json: { title: 'Two', files } })
    const path = `/projects/acme%2Fweb/snippets/${body.id}`
    const change = (...actions: object[]) => send(`PUT ${path}`, { as: 'carol', json: { files: actions } })
    const read = async (file: string) =>
      (await send(`GET ${path}/files/main/${encodeURIComponent(file)}/raw`, { as: 'carol' })).text
    const created = await change(
      { action: 'create', file_path: 'c.sh', content: 'echo c\n' },
      { action: 'update', file_path: 'lib/b.sh', content: 'echo 2\n' },
      { action: 'move', previous_path: 'c.sh', file_path: 'd.sh' },
    )
    expect(pathsOf(created.body)).toEqual(['a.sh', 'lib/b.sh', 'd.sh'])
    expect([await read('lib/b.sh'), await read('d.sh')]).toEqual(['echo 2\n', 'echo c\n'])
    expect((await send(`PUT ${path}`, { as: 'carol', json: { content: 'x' } })).status).toBe(400)
    const removed = await change({ action: 'delete', file_path: 'a.sh' }, { action: 'delete', file_path: 'd.sh' })
    expect(removed.body).toMatchObject({ file_name: 'lib/b.sh', files: [{ path: 'lib/b.sh' }] })
    for (const action of ['update', 'delete', 'move'])
      expect((await change({ action, file_path: 'x', previous_path: 'y', content: 'z' })).status).toBe(400)
    expect((await change({ action: 'delete', file_path: 'lib/b.sh' })).status).toBe(400)
    expect((await change({ action: 'create', file_path: 'lib/b.sh', content: 'x' })).status).toBe(400)
  })
})

test('all readable snippets are listed', async () => {
  const { id } = await add({ visibility: 'public', title: 'Shown' })
  const hidden = await add({ visibility: 'private', title: 'Hidden' })
  const idsFor = async (as: string) =>
    (await send('GET /snippets/all', { as })).body.map((snippet: { id: number }) => snippet.id)
  expect(await idsFor('alice')).toContain(id)
  expect(await idsFor('alice')).not.toContain(hidden.id)
  expect(await idsFor('root')).toEqual(expect.arrayContaining([id, hidden.id]))
  expect((await send('GET /snippets/all')).status).toBe(401)
})

describe('changing', () => {
  test('is for the author; to everybody else, administrators included, there is nothing', async () => {
    const { id } = await add({ visibility: 'public' })
    for (const as of ['root', 'alice', 'mallory']) {
      expect(await send(`PUT /snippets/${id}`, { as, json: { title: 'x' } })).toMatchObject(missing)
      expect(await send(`DELETE /snippets/${id}`, { as })).toMatchObject(missing)
    }
    expect(await send(`PUT /snippets/${id}`, { json: { title: 'x' } })).toMatchObject({ status: 401 })
    const changed = await send(`PUT /snippets/${id}`, { as: 'carol', json: { title: 'Better', visibility: 'private' } })
    expect(changed).toMatchObject({
      status: 200,
      body: { id, title: 'Better', visibility: 'private', file_name: 'trick.sh' },
    })
    const content = await send(`PUT /snippets/${id}`, { as: 'carol', json: { content: 'new', file_name: '' } })
    expect(content.body).toMatchObject({ title: 'Better', file_name: '' })
    expect((await send(`GET /snippets/${id}/raw`, { as: 'carol' })).text).toBe('new')
  })

  test('needs something to change', async () => {
    const { id } = await add()
    const error = 'title, file_name, content, visibility are missing, at least one parameter must be provided'
    expect(await send(`PUT /snippets/${id}`, { as: 'carol', json: {} })).toMatchObject({ status: 400, body: { error } })
    const described = await send(`PUT /snippets/${id}`, { as: 'carol', json: { description: 'Shell' } })
    expect(described).toMatchObject({ status: 200, body: { description: 'Shell' } })
    expect(await send(`PUT /snippets/${id}`, { as: 'carol', json: { content: '' } })).toMatchObject({
      status: 400,
      body: { message: { content: ["can't be blank"] } },
    })
  })

  test('can end in removal', async () => {
    const { id } = await add()
    const since = { as: 'carol', headers: { 'if-unmodified-since': 'Thu, 07 Jan 2016 12:44:33 GMT' } }
    expect(await send(`DELETE /snippets/${id}`, since)).toMatchObject({ status: 412 })
    expect(await send(`DELETE /snippets/${id}`, { as: 'carol' })).toMatchObject({ status: 204, text: '' })
    expect(await send(`DELETE /snippets/${id}`, { as: 'carol' })).toMatchObject(missing)
    // The word is the id of no snippet.
    expect(await send('DELETE /snippets/public', { as: 'carol' })).toMatchObject({
      status: 400,
      body: { error: 'id is invalid' },
    })
  })
})

describe('where a snippet came from', () => {
  test.each(['/snippets', '/projects/acme%2Fweb/snippets'])(
    'is what the connection says, for administrators: %s',
    async (path) => {
      await using served = await world({ port: 0 })
      const response = await fetch(`${served.url}/api/v4${path}`, {
        method: 'POST',
        headers: {
          'private-token': served.tokens.carol as string,
          'content-type': 'application/json',
          'user-agent': 'probe/1',
        },
        body: JSON.stringify({ ...trick, user_agent: 'lie', ip_address: '6.6.6.6', call: { address: '6.6.6.6' } }),
      })
      const { id } = (await response.json()) as { id: number }
      const asked = client(served)
      expect(await asked(`GET ${path}/${id}/user_agent_detail`, { as: 'root' })).toMatchObject({
        status: 200,
        body: { user_agent: 'probe/1', ip_address: expect.stringMatching(/127\.0\.0\.1$/), akismet_submitted: false },
      })
    },
  )

  test('is not known of snippets that came from no request', async () => {
    const { id } = await forge.as('carol').snippets.create({ title: 'x', fileName: '', content: 'x' })
    expect(await send(`GET /snippets/${id}/user_agent_detail`, { as: 'root' })).toMatchObject({
      status: 404,
      body: { message: '404 UserAgentDetail Not Found' },
    })
    expect(await send('GET /snippets/99999/user_agent_detail', { as: 'root' })).toMatchObject({
      status: 404,
      body: { message: '404 Not found' },
    })
  })

  test('is refused to others before anything is looked for', async () => {
    const { id } = await add({ visibility: 'private' })
    for (const at of [id, 99999]) {
      expect(await send(`GET /snippets/${at}/user_agent_detail`, { as: 'carol' })).toMatchObject({ status: 403 })
      expect(await send(`GET /snippets/${at}/user_agent_detail`)).toMatchObject({ status: 401 })
    }
  })
})

test('a snippet of a project is created, read, changed and removed', async () => {
  const base = '/projects/acme%2Fweb/snippets'
  const files = [{ file_path: 'a.txt', content: 'Text' }]
  const { status, body } = await send(`POST ${base}`, {
    as: 'carol',
    json: { title: 'A', visibility: 'public', files },
  })
  expect({ status, body }).toMatchObject({ status: 201, body: { title: 'A', file_name: 'a.txt' } })
  expect((await send(`GET ${base}`)).body).toEqual([body])
  expect((await send(`GET ${base}/${body.id}`)).body).toEqual(body)
  expect((await send(`GET ${base}/${body.id}/raw`)).text).toBe('Text')
  expect(await send(`GET ${base}/${body.id}/user_agent_detail`, { as: 'alice' })).toMatchObject({ status: 403 })
  expect((await send(`PUT ${base}/${body.id}`, { as: 'carol', json: { title: 'B' } })).body.title).toBe('B')
  expect(await send(`GET /projects/bob%2Fnotes/snippets/${body.id}`, { as: 'bob' })).toMatchObject({ status: 404 })
  expect(await send(`DELETE ${base}/${body.id}`, { as: 'bob' })).toMatchObject({ status: 403 })
  expect((await send(`PUT ${base}/${body.id}`, { as: 'alice', json: { title: 'C' } })).body.title).toBe('C')
  expect(await send(`DELETE ${base}/${body.id}`, { as: 'carol' })).toMatchObject({ status: 204 })
  expect((await send(`GET ${base}`)).body).toEqual([])
})

everyRouteCalled('snippets')
