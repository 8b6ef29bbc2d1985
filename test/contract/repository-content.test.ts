import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { openDemo } from '../support/open-demo.ts'
import { writeSignedObjects } from '../support/signed-objects.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
let first: string
let second: string
beforeEach(async () => {
  forge = await world({ seed: openDemo })
  send = client(forge)
  const author = { name: 'Bob Builder', email: 'bob@example.com' }
  const commits = [
    { message: 'First\n\nText', author, files: [{ path: 'README.md', content: 'one\ntwo\n' }] },
    { message: 'Second', author, files: [{ path: 'src/a b.txt', content: 'a\n' }] },
  ]
  const { ids } = await forge.host.commits.import({ project: 'acme/web', commits })
  first = ids[0] as string
  second = ids[1] as string
})
afterEach(() => forge.close())

const base = '/projects/acme%2Fweb/repository'
const as = 'bob'
const readFile = async (path: string, ref = 'main') => {
  const { status, body } = await send(`GET ${base}/files/${encodeURIComponent(path)}?ref=${ref}`, { as })
  return status === 200 ? Buffer.from(body.content, 'base64').toString() : status
}
const pushes = async () =>
  (await forge.as('bob').events.list({ action: 'pushed', perPage: 100 })).items.map(({ pushData }) => pushData)

describe('branches', () => {
  test('are created at a reference, listed with their state, and deleted', async () => {
    const created = await send(`POST ${base}/branches`, { as, json: { branch: 'topic/a', ref: first } })
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({
      name: 'topic/a',
      merged: true,
      protected: false,
      default: false,
      developers_can_push: false,
      developers_can_merge: false,
      can_push: true,
      web_url: `${forge.url}/acme/web/-/tree/topic/a`,
      commit: { id: first },
    })
    const { body } = await send(`GET ${base}/branches?search=^topic`)
    expect(body).toMatchObject([{ name: 'topic/a', can_push: false }])
    expect((await send(`GET ${base}/branches/main`, { as })).body).toMatchObject({ default: true, protected: true })
    expect(await pushes()).toMatchObject([{ ref: 'topic/a', action: 'created', commitTo: first }])
    expect(await send(`DELETE ${base}/branches/topic%2Fa`, { as })).toMatchObject({ status: 204 })
    expect(await send(`DELETE ${base}/branches/topic%2Fa`, { as })).toMatchObject({ status: 404 })
  })

  test.each([
    ['an existing name', { branch: 'main', ref: 'main' }, 'Branch already exists'],
    ['an unknown reference', { branch: 'x', ref: 'nope' }, 'Invalid reference name: nope'],
    ['an invalid name', { branch: '-x', ref: 'main' }, 'Branch name is invalid'],
  ])('%s is rejected', async (_, body, message) => {
    expect(await send(`POST ${base}/branches`, { as, json: body })).toMatchObject({ status: 400, body: { message } })
  })

  test('are filtered by a regular expression and sorted', async () => {
    for (const branch of ['topic/a', 'topic/b2', 'fix']) {
      await send(`POST ${base}/branches`, { as, json: { branch, ref: branch === 'fix' ? second : first } })
    }
    const names = async (query: string) => {
      const { status, body } = await send(`GET ${base}/branches?${query}`)
      return status === 200 ? body.map(({ name }: { name: string }) => name) : [status, body.error]
    }
    expect(await names('regex=^(topic|fix)')).toEqual(['fix', 'topic/a', 'topic/b2'])
    expect(await names('regex=c/[a-z]$')).toEqual(['topic/a'])
    expect(await names('sort=updated_desc&per_page=2')).toHaveLength(2)
    expect(await names('regex=(&search=x')).toEqual([400, 'search, regex are mutually exclusive'])
    expect(await names('regex=(')).toEqual([400, expect.stringContaining('regex is an invalid regexp')])
    expect(await names('regex=(a%2B)%2B$')).toEqual(['topic/a'])
  })

  test('the default branch cannot be deleted', async () => {
    const removal = await send(`DELETE ${base}/branches/main`, { as })
    expect(removal).toMatchObject({ status: 400, body: { message: 'Cannot remove HEAD branch' } })
  })

  test('a branch is protected and released', async () => {
    await send(`POST ${base}/branches`, { as, json: { branch: 'topic/a', ref: first } })
    const change = (action: string) => send(`PUT ${base}/branches/topic%2Fa/${action}`, { as: 'alice' })
    expect((await change('protect')).body).toMatchObject({ name: 'topic/a', protected: true })
    expect((await change('unprotect')).body).toMatchObject({ name: 'topic/a', protected: false })
  })

  test('merged branches are deleted together', async () => {
    await send(`POST ${base}/branches`, { as, json: { branch: 'merged', ref: first } })
    await send(`POST ${base}/branches`, { as, json: { branch: 'open', ref: first } })
    const body = { branch: 'open', commit_message: 'x', content: 'x' }
    await send(`POST ${base}/files/new`, { as, json: body })
    expect(await send(`DELETE ${base}/merged_branches`, { as })).toMatchObject({ status: 202 })
    const names = (await send(`GET ${base}/branches`)).body.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['main', 'open'])
  })
})

describe('tags', () => {
  test('have a message, a target and a release', async () => {
    const light = await send(`POST ${base}/tags`, { as, json: { tag_name: 'v1', ref: 'main' } })
    expect(light.body).toMatchObject({
      name: 'v1',
      message: '',
      target: second,
      release: null,
      protected: false,
      created_at: null,
      commit: { id: second },
    })
    const annotated = await send(`POST ${base}/tags`, { as, json: { tag_name: 'v10', ref: first, message: 'Ten\n' } })
    expect(annotated.body).toMatchObject({ message: 'Ten', commit: { id: first } })
    expect(annotated.body.target).not.toBe(first)
    expect(annotated.body.created_at).toEqual(expect.any(String))
    await forge.as('bob').releases.create({ project: 'acme/web', tagName: 'v1', description: 'Notes' })
    const { body } = await send(`GET ${base}/tags/v1`)
    expect(body.release).toEqual({ tag_name: 'v1', description: 'Notes' })
    await send(`POST ${base}/tags`, { as, json: { tag_name: 'v2', ref: first } })
    const names = async (query: string) =>
      (await send(`GET ${base}/tags?${query}`)).body.map(({ name }: { name: string }) => name)
    expect(await names('order_by=version&sort=desc')).toEqual(['v10', 'v2', 'v1'])
    expect(await names('search=^v1')).toEqual(['v10', 'v1'])
    expect(await send(`DELETE ${base}/tags/v10`, { as })).toMatchObject({ status: 204 })
    expect(await send(`GET ${base}/tags/v10`)).toMatchObject({ status: 404 })
  })

  test.each([
    ['an existing name', { tag_name: 'v1', ref: 'main' }, 'Tag v1 already exists'],
    ['an unknown reference', { tag_name: 'v2', ref: 'nope' }, 'Target nope is invalid'],
    ['an invalid name', { tag_name: 'a..b', ref: 'main' }, 'Tag name invalid'],
  ])('%s is rejected', async (_, body, message) => {
    await send(`POST ${base}/tags`, { as, json: { tag_name: 'v1', ref: 'main' } })
    expect(await send(`POST ${base}/tags`, { as, json: body })).toMatchObject({ status: 400, body: { message } })
  })
})

describe('files', () => {
  const path = `${base}/files/docs%2Fguide.md`
  const commit = { branch: 'main', commit_message: 'Write' }

  test('are created, updated and deleted in commits of the caller', async () => {
    const created = await send(`POST ${path}`, { as, json: { ...commit, content: 'aGk=', encoding: 'base64' } })
    expect(created).toMatchObject({ status: 201, body: { file_path: 'docs/guide.md', branch: 'main' } })
    expect(await readFile('docs/guide.md')).toBe('hi')
    expect((await send(`GET ${path}/raw?ref=main`)).text).toBe('hi')
    await send(`PUT ${path}`, { as, json: { ...commit, content: 'hello', execute_filemode: true } })
    const { body, headers } = await send(`GET ${path}?ref=main`)
    expect(body).toMatchObject({ execute_filemode: true, content: Buffer.from('hello').toString('base64') })
    expect(body.last_commit_id).toBe(body.commit_id)
    expect(headers.get('x-gitlab-last-commit-id')).toBe(body.last_commit_id)
    expect(headers.get('x-gitlab-file-path')).toBe('docs/guide.md')
    expect(await send(`DELETE ${path}`, { as, json: commit })).toMatchObject({ status: 204 })
    expect(await readFile('docs/guide.md')).toBe(404)
    const [newest] = (await send(`GET ${base}/commits`)).body
    expect(newest).toMatchObject({ title: 'Write', author_name: 'Bob Builder', author_email: 'bob@example.com' })
    expect((await pushes()).map((push) => push?.commitCount)).toEqual([1, 1, 1])
  })

  test('keep their last commit when others change', async () => {
    const { body } = await send(`GET ${base}/files/README.md?ref=main`)
    expect(body).toMatchObject({ commit_id: second, last_commit_id: first })
  })

  test.each([
    ['POST', 'README.md', { content: 'x' }, 'A file with this name already exists'],
    ['POST', 'src', { content: 'x' }, 'A directory with this name already exists'],
    ['POST', 'README.md/x', { content: 'x' }, 'A file with this name already exists'],
    ['PUT', 'nope', { content: 'x' }, "A file with this name doesn't exist"],
    ['DELETE', 'nope', {}, "A file with this name doesn't exist"],
    [
      'PUT',
      'README.md',
      { content: 'x', branch: 'nope' },
      'You can only create or edit files when you are on a branch',
    ],
    [
      'PUT',
      'README.md',
      { content: 'x', last_commit_id: 'a'.repeat(40) },
      'You are attempting to update a file that has changed since you started editing it.',
    ],
  ])('%s %s with %j is rejected', async (method, file, fields, message) => {
    const response = await send(`${method} ${base}/files/${encodeURIComponent(file)}`, {
      as,
      json: { ...commit, ...fields },
    })
    expect(response).toMatchObject({ status: 400, body: { message } })
    expect((await send(`GET ${base}/branches/main`)).body.commit.id).toBe(second)
  })

  test.each([
    ['PUT', 'You are attempting to update a file that has changed since you started editing it.'],
    ['DELETE', 'You are attempting to delete a file that has been previously updated.'],
  ])('%s is refused if the file has changed since last_commit_id', async (method, message) => {
    const guarded = (last_commit_id: string, fields = {}) =>
      send(`${method} ${base}/files/README.md`, { as, json: { ...commit, content: 'mine', last_commit_id, ...fields } })
    await send(`PUT ${base}/files/README.md`, { as, json: { ...commit, content: 'theirs' } })
    const { body } = await send(`GET ${base}/files/README.md?ref=main`, { as })
    // The commit of which the file was read had no parent.
    for (const stale of [first, second, '', 'a'.repeat(40), first.slice(0, 8)]) {
      expect(await guarded(stale)).toMatchObject({ status: 400, body: { message } })
      // A new branch starts with the file as it is.
      expect(await guarded(stale, { branch: 'topic', start_branch: 'main' })).toMatchObject({ status: 400 })
    }
    expect(await readFile('README.md')).toBe('theirs')
    expect(await send(`GET ${base}/branches/topic`, { as })).toMatchObject({ status: 404 })
    expect((await guarded(body.last_commit_id)).status).toBeLessThan(300)
  })

  test.each(['PUT', 'DELETE'])('%s is refused if the file was removed since last_commit_id', async (method) => {
    await send(`DELETE ${base}/files/README.md`, { as, json: commit })
    const json = { ...commit, content: 'x', last_commit_id: first }
    expect(await send(`${method} ${base}/files/README.md`, { as, json })).toMatchObject({ status: 400 })
    expect(await readFile('README.md')).toBe(404)
  })

  test.each(['PUT', 'DELETE'])('%s accepts the first commit of a repository as last_commit_id', async (method) => {
    const json = { ...commit, content: 'x', last_commit_id: first }
    expect((await send(`${method} ${base}/files/README.md`, { as, json })).status).toBeLessThan(300)
    expect(await readFile('README.md')).toBe(method === 'PUT' ? 'x' : 404)
  })

  test.each(['PUT', 'DELETE'])('%s finds no file in a repository without commits', async (method) => {
    await forge.host.projects.create({ namespace: 'bob', path: 'empty', name: 'Empty' })
    const json = { ...commit, content: 'x', last_commit_id: first }
    expect(await send(`${method} /projects/bob%2Fempty/repository/files/README.md`, { as, json })).toMatchObject({
      status: 400,
      body: { message: "A file with this name doesn't exist" },
    })
  })

  test.each(['../x', '.git/config', '/x', 'a//b'])('the path %s is rejected', async (file) => {
    const response = await send(`POST ${base}/files/${encodeURIComponent(file)}`, {
      as,
      json: { ...commit, content: 'x' },
    })
    expect(response.status).toBe(400)
  })

  test('a new branch starts at another one', async () => {
    const body = { ...commit, branch: 'topic', start_branch: 'main', content: 'x' }
    expect(await send(`POST ${path}`, { as, json: body })).toMatchObject({ status: 201, body: { branch: 'topic' } })
    expect(await readFile('docs/guide.md', 'topic')).toBe('x')
    expect(await readFile('docs/guide.md')).toBe(404)
  })

  test('blame lists the commit of each line', async () => {
    await send(`PUT ${base}/files/README.md`, { as, json: { ...commit, content: 'one\nTWO\nthree\n' } })
    const { body } = await send(`GET ${base}/files/README.md/blame?ref=main`)
    expect(
      body.map(({ commit, lines }: { commit: { title: string }; lines: string[] }) => [commit.title, lines]),
    ).toEqual([
      ['First', ['one']],
      ['Write', ['TWO', 'three']],
    ])
    const range = await send(`GET ${base}/files/README.md/blame?ref=main&range[start]=3&range[end]=3`)
    expect(range.body).toMatchObject([{ lines: ['three'] }])
    expect(await send(`GET ${base}/files/nope/blame?ref=main`)).toMatchObject({ status: 404 })
    expect(await send(`GET ${base}/files/README.md/blame?ref=main&range[start]=3&range[end]=2`)).toMatchObject({
      status: 400,
    })
  })

  test('a new project without a repository receives its first commit', async () => {
    await forge.host.projects.create({ namespace: 'acme', path: 'new', name: 'New' })
    const body = { ...commit, content: '# New' }
    const created = await send('POST /projects/acme%2Fnew/repository/files/README.md', { as: 'alice', json: body })
    expect(created.status).toBe(201)
    expect((await send('GET /projects/acme%2Fnew', { as: 'alice' })).body).toMatchObject({
      empty_repo: false,
      default_branch: 'main',
    })
  })
})

describe('comments on commits', () => {
  const comments = (sha = 'main') => `${base}/commits/${sha}/comments`

  test('are written on a commit or on a line, and listed by any name of the commit', async () => {
    const line = { note: 'Why?', path: 'src/a b.txt', line: 1, line_type: 'new' }
    const created = await send(`POST ${comments(second.slice(0, 8))}`, { as, json: line })
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      ...line,
      author: expect.objectContaining({ username: 'bob', web_url: `${forge.url}/bob` }),
      created_at: expect.any(String),
    })
    await send(`POST ${comments()}`, { as: 'carol', json: { note: 'Nice' } })
    const { body, headers } = await send(`GET ${comments(second)}`)
    const whole = { note: 'Nice', path: null, line: null, line_type: null, author: { username: 'carol' } }
    expect(body).toMatchObject([created.body, whole])
    expect(headers.get('x-total')).toBe('2')
    expect((await send(`GET ${comments(second)}?per_page=1&page=2`)).body).toMatchObject([whole])
    expect((await send(`GET ${comments(first)}`)).body).toEqual([])
  })

  test('are rejected without a text, without a commit, and with an incomplete position', async () => {
    const status = async (path: string, json: unknown) => (await send(`POST ${path}`, { as, json })).status
    expect(await status(comments(), {})).toBe(400)
    expect(await status(comments(), { note: '' })).toBe(400)
    expect(await status(comments(), { note: 'x', path: 'README.md' })).toBe(400)
    expect(await status(comments(), { note: 'x', path: 'README.md', line: 0, line_type: 'new' })).toBe(400)
    expect(await status(comments('nope'), { note: 'x' })).toBe(404)
    expect((await send(`GET ${comments('nope')}`)).status).toBe(404)
  })

  test('remain after their author was removed', async () => {
    await send(`POST ${comments()}`, { as: 'carol', json: { note: 'Nice' } })
    await forge.host.users.remove({ user: 'carol' })
    expect((await send(`GET ${comments()}`)).body).toMatchObject([{ note: 'Nice', author: { name: 'Ghost User' } }])
  })

  test('are seeded', async () => {
    const createdAt = '2026-01-31T12:00:00.000Z'
    const comment = { author: 'ada', note: 'Nice', path: 'a', line: 1, lineType: 'new', createdAt } as const
    await using seeded = await world({
      seed: {
        users: [{ username: 'ada' }],
        projects: [
          {
            path: 'ada/web',
            visibility: 'public',
            repository: { commits: [{ message: 'First', author: 'ada', files: { a: 'x\n' }, comments: [comment] }] },
          },
        ],
      },
    })
    const { body } = await client(seeded)('GET /projects/ada%2Fweb/repository/commits/main/comments')
    expect(body).toMatchObject([{ note: 'Nice', line: 1, author: { username: 'ada' }, created_at: createdAt }])
  })
})

test('a tree is read without pages', async () => {
  const read = (query: string) => send(`GET ${base}/tree?recursive=true&per_page=1&${query}`, { as })
  expect((await read('pagination=none')).body).toHaveLength(3)
  expect((await read('pagination=legacy')).body).toHaveLength(1)
  expect((await read('pagination=other')).status).toBe(400)
})

describe('commits', () => {
  const create = (body: object) => send(`POST ${base}/commits`, { as, json: body })
  const commit = { branch: 'main', commit_message: 'Many\n\nText' }

  test('apply actions in order', async () => {
    const { status, body } = await create({
      ...commit,
      author_name: 'Ada',
      author_email: 'ada@example.com',
      actions: [
        { action: 'create', file_path: 'new.sh', content: 'echo', execute_filemode: true },
        { action: 'update', file_path: 'README.md', content: 'one\nthree\n' },
        { action: 'move', file_path: 'lib/a.txt', previous_path: 'src/a b.txt' },
        { action: 'chmod', file_path: 'README.md', execute_filemode: true },
      ],
    })
    expect([status, body.message]).toEqual([400, 'A file can be changed once in a commit before its mode is changed'])
    const created = await create({
      ...commit,
      author_name: 'Ada',
      author_email: 'ada@example.com',
      actions: [
        { action: 'create', file_path: 'new.sh', content: 'echo', execute_filemode: true },
        { action: 'move', file_path: 'lib/a.txt', previous_path: 'src/a b.txt' },
        { action: 'chmod', file_path: 'README.md', execute_filemode: true },
        { action: 'delete', file_path: 'new.sh' },
        { action: 'create', file_path: 'new.sh', content: 'echo 2' },
      ],
    })
    expect(created.body).toMatchObject({
      title: 'Many',
      message: 'Many\n\nText',
      author_name: 'Ada',
      committer_name: 'Bob Builder',
      parent_ids: [second],
      stats: { additions: 1, deletions: 0, total: 1 },
      status: null,
      last_pipeline: null,
      project_id: expect.any(Number),
      web_url: expect.stringContaining('/-/commit/'),
    })
    const tree = (await send(`GET ${base}/tree?recursive=true`)).body
    const modes = Object.fromEntries(tree.map(({ path, mode }: { path: string; mode: string }) => [path, mode]))
    expect(modes).toEqual({ lib: '040000', 'lib/a.txt': '100644', 'README.md': '100755', 'new.sh': '100644' })
  })

  test('start branches, and start them again with force', async () => {
    const actions = [{ action: 'create', file_path: 'x', content: '1' }]
    const options = { ...commit, branch: 'topic', start_sha: first, actions }
    expect((await create(options)).body).toMatchObject({ parent_ids: [first] })
    expect(await create(options)).toMatchObject({
      status: 400,
      body: { message: "A branch called 'topic' already exists. Switch to that branch in order to make changes" },
    })
    expect((await create({ ...options, start_sha: second, force: true })).body).toMatchObject({ parent_ids: [second] })
    const forced = await create({ ...options, branch: 'main', start_sha: first, force: true })
    expect(forced.status).toBe(403)
  })

  test.each(['update', 'delete', 'move', 'chmod'])('%s of a file that changed is rejected', async (action) => {
    await create({ ...commit, actions: [{ action: 'update', file_path: 'README.md', content: 'theirs' }] })
    const moved = { file_path: 'new.md', previous_path: 'README.md' }
    const path = action === 'move' ? moved : { file_path: 'README.md', previous_path: 'src/a b.txt' }
    const change = { action, content: 'x', execute_filemode: true, ...path }
    for (const last_commit_id of [first, second]) {
      expect(await create({ ...commit, actions: [{ ...change, last_commit_id }] })).toMatchObject({
        status: 400,
        body: { message: 'The file has changed since you started editing it: README.md' },
      })
    }
    expect(await readFile('README.md')).toBe('theirs')
  })

  test('last_commit_id is for existing files only', async () => {
    const action = { action: 'create', file_path: 'fresh.txt', content: 'x', last_commit_id: first }
    expect((await create({ ...commit, actions: [action] })).status).toBe(201)
  })

  test('a stale last_commit_id is rejected', async () => {
    const action = { action: 'update', file_path: 'README.md', content: 'x', last_commit_id: second }
    expect(await create({ ...commit, actions: [action] })).toMatchObject({
      status: 400,
      body: { message: 'The file has changed since you started editing it: README.md' },
    })
    expect((await create({ ...commit, actions: [{ ...action, last_commit_id: first }] })).status).toBe(201)
  })

  test('have the trailers of their messages', async () => {
    const message = 'Title\n\nText: no trailer\n\nCc: Ada <ada@example.com>\nCc: Bob\n  Builder\nconstructor: x\n'
    await create({ ...commit, commit_message: message, actions: [] })
    const expected = {
      trailers: { Cc: 'Bob Builder', constructor: 'x' },
      extended_trailers: { Cc: ['Ada <ada@example.com>', 'Bob Builder'], constructor: ['x'] },
    }
    const { body } = await send(`GET ${base}/commits?trailers=true`)
    expect(body[0]).toMatchObject(expected)
    expect(body[1]).toMatchObject({ trailers: {}, extended_trailers: {} })
    expect((await send(`GET ${base}/commits`)).body[0]).toMatchObject({ trailers: {}, extended_trailers: {} })
    expect((await send(`GET ${base}/commits/main`)).body).toMatchObject(expected)
    expect((await send(`GET ${base}/branches/main`)).body.commit).toMatchObject(expected)
    const tag = await send(`POST ${base}/tags`, { as: 'bob', json: { tag_name: 'trailed', ref: 'main' } })
    expect(tag.body.commit).toMatchObject(expected)
    expect((await send(`GET ${base}/compare?from=${first}&to=main`)).body.commit).toMatchObject(expected)
  })

  test('are listed by range, and after a cursor', async () => {
    await create({ ...commit, actions: [{ action: 'update', file_path: 'README.md', content: 'x' }] })
    const list = async (path: string) => {
      const { body, headers } = await send(`GET ${path}`)
      const titles = body.map(({ title }: { title: string }) => title)
      return { titles, next: /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] }
    }
    expect((await list(`${base}/commits?ref_name=${first}..main`)).titles).toEqual(['Many', 'Second'])
    expect((await send(`GET ${base}/commits?ref_name=nope..main`)).status).toBe(404)
    const page = await list(`${base}/commits?pagination=keyset&per_page=2`)
    expect(page.titles).toEqual(['Many', 'Second'])
    // A later commit does not move the next page.
    await create({ ...commit, actions: [{ action: 'update', file_path: 'README.md', content: 'y' }] })
    const next = await list((page.next as string).slice(`${forge.url}/api/v4`.length))
    expect(next).toEqual({ titles: ['First'], next: undefined })
    for (const query of ['page_token=x', 'all=true', `page_token=${'a'.repeat(40)}-99999`]) {
      const { status } = await send(`GET ${base}/commits?pagination=keyset&${query}`)
      expect([query, status]).toEqual([query, query.length > 40 ? 404 : 400])
    }
    expect((await list(`${base}/commits?page=999999999999`)).titles).toEqual([])
    expect((await list(`${base}/commits?pagination=keyset&page_token=${first}-999999999999999`)).titles).toEqual([])
  })

  test('of a file include those of its earlier names with follow', async () => {
    const move = { action: 'move', file_path: 'docs/start.md', previous_path: 'README.md' }
    await create({ ...commit, commit_message: 'Move', actions: [move] })
    const titles = async (query: string) =>
      (await send(`GET ${base}/commits?path=docs/start.md&${query}`)).body.map(({ title }: { title: string }) => title)
    expect(await titles('')).toEqual(['Move'])
    expect(await titles('follow=true')).toEqual(['Move', 'First'])
    expect(await titles('follow=true&per_page=1&page=2')).toEqual(['First'])
  })

  test('and tags have a signature, verified with the key of the user who has the address', async () => {
    const { directory = '' } = await forge.host.repository.get({ project: 'acme/web' })
    const { commit, publicKey } = writeSignedObjects(directory)
    const paths = [`${base}/commits/${commit}/signature`, `${base}/tags/signed/signature`]
    const read = async () => Promise.all(paths.map(async (path) => (await send(`GET ${path}`)).body))
    const unknown = { signature_type: 'SSH', verification_status: 'unknown_key', key: null, commit_source: 'gitaly' }
    expect(await read()).toEqual([unknown, unknown])
    const { id } = await forge.as('carol').keys.create({ key: publicKey })
    const other = { verification_status: 'other_user', key: { id, title: 'signer' } }
    expect(await read()).toMatchObject([other, other])
    await forge.as('carol').keys.remove({ key: id })
    await forge.as('bob').keys.create({ key: publicKey, usageType: 'auth' })
    expect(await read()).toEqual([unknown, unknown])
    await forge.host.keys.remove({ user: 'bob', key: id + 1 })
    const key = await forge.as('bob').keys.create({ key: publicKey, usageType: 'signing' })
    const verified = {
      signature_type: 'SSH',
      verification_status: 'verified',
      key: {
        id: key.id,
        title: 'signer',
        key: publicKey,
        created_at: key.createdAt,
        expires_at: null,
        last_used_at: null,
        usage_type: 'signing',
      },
      commit_source: 'gitaly',
    }
    expect(await read()).toEqual([verified, verified])
    for (const path of ['commits/nope', 'tags/nope'])
      expect((await send(`GET ${base}/${path}/signature`)).status).toBe(404)
  })

  test('move a submodule to another commit', async () => {
    const [old, next] = ['a', 'b'].map((digit) => digit.repeat(40)) as [string, string]
    const author = { name: 'Bob Builder', email: 'bob@example.com' }
    const files = [{ path: 'libs/core', submodule: old }]
    await forge.host.commits.import({ project: 'acme/web', commits: [{ message: 'Add', author, files }] })
    const url = `PUT ${base}/submodules/libs%2Fcore`
    const json = { branch: 'main', commit_sha: next }
    const { status, body } = await send(url, { as, json })
    expect([status, body]).toMatchObject([200, { message: `Update submodule libs/core with oid ${next}` }])
    expect((await send(`GET ${base}/commits/main`)).body).toMatchObject({ id: body.id, author_name: 'Bob Builder' })
    expect((await send(`GET ${base}/tree?path=libs`)).body).toMatchObject([{ type: 'commit', id: next }])
    const fail = async (change: object, path = url) => {
      const failed = await send(path, { as, json: { ...json, ...change } })
      return [failed.status, failed.body.message ?? failed.body.error]
    }
    expect(await fail({})).toEqual([400, `The submodule libs/core is already at ${next}`])
    expect(await fail({}, `PUT ${base}/submodules/README.md`)).toEqual([400, 'Invalid submodule path'])
    expect(await fail({ branch: 'nope' })).toEqual([400, expect.stringContaining('on a branch')])
    expect(await fail({ commit_sha: 'main' })).toEqual([400, expect.stringContaining('commit_sha')])
    expect(await fail({ commit_sha: old, commit_message: 'Back' })).toEqual([200, 'Back'])
  })

  test('have a number in the history, and may have no signature', async () => {
    expect((await send(`GET ${base}/commits/main/sequence`)).body).toEqual({ count: 2 })
    expect((await send(`GET ${base}/commits/${first}/sequence?first_parent=true`)).body).toEqual({ count: 1 })
    expect((await send(`GET ${base}/commits/nope/sequence`)).status).toBe(404)
    expect(await send(`GET ${base}/commits/main/signature`)).toMatchObject({
      status: 404,
      body: { message: '404 GPG Signature Not Found' },
    })
  })

  test('differences name their files with unidiff', async () => {
    const { body } = await send(`GET ${base}/commits/${first}/diff?unidiff=true`)
    expect(body[0].diff).toBe('--- /dev/null\n+++ b/README.md\n@@ -0,0 +1,2 @@\n+one\n+two\n')
  })

  test('start in their own project only', async () => {
    const options = { ...commit, branch: 'topic', start_branch: 'main', actions: [] }
    expect((await create({ ...options, start_project: 'bob/notes' })).status).toBe(400)
    expect((await create({ ...options, start_project: 'acme/web' })).status).toBe(201)
  })

  test('are listed with filters', async () => {
    await create({ ...commit, actions: [{ action: 'update', file_path: 'README.md', content: 'x' }] })
    const titles = async (query = '') =>
      (await send(`GET ${base}/commits?${query}`)).body.map(({ title }: { title: string }) => title)
    expect(await titles()).toEqual(['Many', 'Second', 'First'])
    expect(await titles('path=README.md')).toEqual(['Many', 'First'])
    expect(await titles('ref_name=main&per_page=1&page=2')).toEqual(['Second'])
    expect(await titles(`ref_name=${first}`)).toEqual(['First'])
    expect(await titles('author=nobody')).toEqual([])
    expect(await titles('author=bob@example.com')).toHaveLength(3)
    expect(await titles('since=2999-01-01T00:00:00Z')).toEqual([])
    expect(await titles('until=2999-01-01T00:00:00Z')).toHaveLength(3)
    expect(await titles('all=true&first_parent=true&order=topo')).toHaveLength(3)
    expect((await send(`GET ${base}/commits?with_stats=true`)).body[0]).toMatchObject({ stats: { total: 3 } })
    expect((await send(`GET ${base}/commits?ref_name=nope`)).status).toBe(404)
    const { headers } = await send(`GET ${base}/commits?per_page=1`)
    expect([headers.get('x-total'), headers.get('x-next-page')]).toEqual([null, '2'])
  })

  test('have stats, changes and references', async () => {
    expect((await send(`GET ${base}/commits/main`)).body).toMatchObject({ id: second, stats: { additions: 1 } })
    expect((await send(`GET ${base}/commits/main?stats=false`)).body).not.toHaveProperty('stats')
    expect((await send(`GET ${base}/commits/${first}/diff`)).body).toMatchObject([
      { new_path: 'README.md', new_file: true, diff: '@@ -0,0 +1,2 @@\n+one\n+two\n' },
    ])
    await send(`POST ${base}/tags`, { as, json: { tag_name: 'v1', ref: first } })
    const references = (query: string) => send(`GET ${base}/commits/${first}/refs?${query}`)
    expect((await references('')).body).toEqual([
      { type: 'branch', name: 'main' },
      { type: 'tag', name: 'v1' },
    ])
    expect((await references('type=tag')).body).toEqual([{ type: 'tag', name: 'v1' }])
  })

  test('are applied to another branch, and reverted', async () => {
    await send(`POST ${base}/branches`, { as, json: { branch: 'old', ref: first } })
    const pick = (body: object) => send(`POST ${base}/commits/${second}/cherry_pick`, { as, json: body })
    expect((await pick({ branch: 'old', dry_run: true })).body).toEqual({ dry_run: 'success' })
    expect((await pick({ branch: 'old' })).body).toMatchObject({
      parent_ids: [first],
      message: `Second\n\n(cherry picked from commit ${second})`,
      author_email: 'bob@example.com',
    })
    expect(await readFile('src/a b.txt', 'old')).toBe('a\n')
    const again = await pick({ branch: 'old' })
    expect([again.status, again.body.error_code]).toEqual([400, 'empty'])
    expect(again.body.message).toContain('Sorry, we cannot cherry-pick this commit automatically.')
    const reverted = await send(`POST ${base}/commits/${second}/revert`, { as, json: { branch: 'main' } })
    expect(reverted.body).toMatchObject({
      message: `Revert "Second"\n\nThis reverts commit ${second}`,
      parent_ids: [second],
    })
    expect(await readFile('src/a b.txt')).toBe(404)
  })

  test('that conflict with a branch are not applied', async () => {
    await create({ ...commit, actions: [{ action: 'update', file_path: 'README.md', content: 'x' }] })
    const reverted = await send(`POST ${base}/commits/${first}/revert`, { as, json: { branch: 'main' } })
    // The first commit has no parent to go back to.
    expect([reverted.status, reverted.body.error_code]).toEqual([400, 'conflict'])
    await create({
      ...commit,
      branch: 'topic',
      start_sha: second,
      actions: [{ action: 'delete', file_path: 'README.md' }],
    })
    const picked = await send(`POST ${base}/commits/main/cherry_pick`, { as, json: { branch: 'topic', dry_run: true } })
    expect([picked.status, picked.body.error_code]).toEqual([400, 'conflict'])
  })

  test('concurrent commits to one branch are all kept', async () => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        create({ ...commit, actions: [{ action: 'create', file_path: `file-${at}`, content: 'x' }] }),
      ),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201))
    expect((await send(`GET ${base}/commits`)).body).toHaveLength(10)
  })
})

everyRouteCalled('branches', 'tags', 'commits', 'commit comments', 'repository files')
