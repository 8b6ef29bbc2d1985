import { createHash } from 'node:crypto'
import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createClient, formatMutation } from '../graphql/client.ts'
import { preparedWorld } from '../world.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
let refs: { base_sha: string; start_sha: string; head_sha: string }
let mergeRequest: { id: number; iid: number }
let restore: () => Promise<void>

const project = 'acme/web'
const path = '/projects/acme%2Fweb'
const author = { name: 'Bob', email: 'bob@example.com' }

const prepare = async ({ host, as }: FakeForge) => {
  const old = { path: 'a', content: '1\n2\n3\n4\n5\n6\n7\n8\n9\n' }
  const image = { path: 'logo.png', content: Uint8Array.from([137, 0, 1]) }
  const commits = [
    { branch: 'main', message: 'Begin', author, files: [old, { path: 'same', content: 'x\n' }] },
    {
      ...{ branch: 'topic', message: 'Change', author, parents: [0] },
      files: [{ path: 'a', content: '1\nnew\n3\n4\n5\n6\n7\n8\n9\n' }, image],
    },
  ]
  const { ids } = await host.commits.import({ project, commits })
  const [base, head] = ids as [string, string]
  refs = { base_sha: base, start_sha: base, head_sha: head }
  mergeRequest = await as('bob').mergeRequests.create({ project, title: 'A', sourceBranch: 'topic' })
}

beforeAll(async () => {
  const prepared = await preparedWorld({}, prepare)
  forge = prepared.forge
  restore = prepared.restore
  send = client(forge)
})
beforeEach(() => restore())
afterAll(() => forge.close())

const unknown = 'f'.repeat(40)
const code = (old: number, after: number) => `${createHash('sha1').update('a').digest('hex')}_${old}_${after}`

/** The removed second line, and the unchanged third one. */
const [removed, third] = [{ old_line: 2 }, { old_line: 3, new_line: 3 }]
const onThird = (start: object, end: object = third) => ({ new_path: 'a', ...third, line_range: { start, end } })

const accepted: readonly [string, object, string | null][] = [
  ['several lines', onThird({ ...removed, type: 'old' }, { ...third, type: null }), code(3, 3)],
  [
    'several lines by their codes',
    onThird({ line_code: code(2, 2) }, { line_code: code(3, 3), type: 'old' }),
    code(3, 3),
  ],
  [
    'several lines, some outside the context',
    onThird({ old_line: 1, new_line: 1 }, { old_line: 9, new_line: 9 }),
    code(3, 3),
  ],
  ['an added line', { new_path: 'a', new_line: 2 }, code(3, 2)],
  ['a removed line', { old_path: 'a', new_path: 'a', old_line: 2 }, code(2, 2)],
  ['an unchanged line', { new_path: 'a', old_line: 3, new_line: 3 }, code(3, 3)],
  ['an unchanged line outside the context', { new_path: 'a', old_line: 9, new_line: 9 }, code(9, 9)],
  ['a file', { new_path: 'a', position_type: 'file' }, null],
  ['an image', { new_path: 'logo.png', position_type: 'image', x: 1, y: 2, width: 10, height: 20 }, null],
]

const refused: readonly [string, () => object][] = [
  ['a line after the end', () => ({ new_path: 'a', new_line: 999 })],
  ['an unchanged line after the end', () => ({ new_path: 'a', old_line: 10, new_line: 10 })],
  ['an unchanged line with its new number only', () => ({ new_path: 'a', new_line: 3 })],
  ['an unchanged line with its old number only', () => ({ new_path: 'a', old_line: 3 })],
  ['numbers of two lines', () => ({ new_path: 'a', old_line: 3, new_line: 4 })],
  ['an unchanged file', () => ({ new_path: 'same', new_line: 1 })],
  ['an unknown file', () => ({ new_path: 'none', new_line: 1 })],
  ['an unknown file as a whole', () => ({ new_path: 'none', position_type: 'file' })],
  ['a line of a binary file', () => ({ new_path: 'logo.png', new_line: 1 })],
  ['lines in the wrong order', () => onThird(third, removed)],
  ['a first line that is none', () => onThird({ old_line: 999 })],
  ['a last line after the end', () => onThird(removed, { old_line: 10, new_line: 10 })],
  ['the code of another line', () => onThird({ ...removed, line_code: code(3, 3) })],
  ['the code of another file', () => onThird({ line_code: code(2, 2).replace(/^.{4}/, 'ffff') })],
  ['the code of no line', () => onThird({ line_code: code(7, 3) })],
  ['a removed line as a new one', () => onThird({ ...removed, type: 'new' })],
  ['an added line as an old one', () => onThird({ new_line: 2, type: 'old' })],
  ['lines of a whole file', () => ({ new_path: 'a', position_type: 'file', line_range: { start: third, end: third } })],
  ['an unknown head', () => ({ new_path: 'a', new_line: 2, head_sha: unknown })],
  ['an unknown base', () => ({ new_path: 'a', new_line: 2, base_sha: unknown })],
  ['an unknown start', () => ({ new_path: 'a', new_line: 2, start_sha: unknown })],
  ['exchanged commits', () => ({ new_path: 'a', new_line: 2, head_sha: refs.base_sha, base_sha: refs.head_sha })],
]

const mergeRequestPath = () => `${path}/merge_requests/${mergeRequest.iid}`
const postTo = (url: string, json: object) => send(`POST ${url}`, { as: 'bob', json })
const message = `400 (Bad request) "Note {:line_code=>["can't be blank", "must be a valid line code"]}" not given`

const writers: readonly [string, (position: object) => ReturnType<Send>][] = [
  ['a discussion', (position) => postTo(`${mergeRequestPath()}/discussions`, { body: 'x', position })],
  ['a draft note', (position) => postTo(`${mergeRequestPath()}/draft_notes`, { note: 'x', position })],
  [
    'a discussion on a commit',
    (position) => postTo(`${path}/repository/commits/${refs.head_sha}/discussions`, { body: 'x', position }),
  ],
]

describe.each(writers)('%s', (_writer, write) => {
  test.each(accepted)('is possible on %s', async (_name, position, lineCode) => {
    const { status, body } = await write({ ...refs, ...position })
    expect(status).toBe(200 + (status === 201 ? 1 : 0))
    expect((body.notes?.[0] ?? body).position).toMatchObject({
      ...refs,
      ...position,
      ...(lineCode && { line_code: lineCode }),
    })
  })

  test.each(refused)('is not possible on %s', async (_name, getPosition) => {
    expect(await write({ ...refs, ...getPosition() })).toMatchObject({ status: 400, body: { message } })
  })
})

describe('a discussion on a commit of the merge request', () => {
  const start = (json: object) => postTo(`${mergeRequestPath()}/discussions`, { body: 'x', ...json })

  test('has the commit, also in replies', async () => {
    const position = { ...refs, new_path: 'a', new_line: 2 }
    const { body } = await start({ commit_id: refs.head_sha, position })
    expect(body.notes).toMatchObject([{ type: 'DiffNote', commit_id: refs.head_sha, position }])
    await postTo(`${mergeRequestPath()}/discussions/${body.id}/notes`, { body: 'y' })
    const { body: whole } = await start({ position })
    const { body: plain } = await start({})
    const listed = (await send(`GET ${mergeRequestPath()}/discussions`)).body
    expect(listed).toMatchObject([
      { notes: [{ commit_id: refs.head_sha }, { body: 'y', commit_id: refs.head_sha }] },
      { id: whole.id, notes: [{ commit_id: null }] },
      { id: plain.id },
    ])
    expect(plain.notes[0]).not.toHaveProperty('commit_id')
  })

  test('is not possible on another commit, or outside its diff', async () => {
    expect((await start({ commit_id: refs.base_sha })).status).toBe(404)
    expect((await start({ commit_id: 'main' })).status).toBe(400)
    const position = { ...refs, base_sha: unknown, new_path: 'a', new_line: 2 }
    expect((await start({ commit_id: refs.head_sha, position })).status).toBe(400)
  })
})

test('a line range requires its lines', async () => {
  for (const [, write] of writers) {
    const { status } = await write({ ...refs, ...onThird({ type: 'new' }) })
    expect(status).toBe(400)
  }
})

test('an image position requires its place', async () => {
  for (const [, write] of writers) {
    const { status } = await write({ ...refs, new_path: 'logo.png', position_type: 'image', x: 1, y: 2 })
    expect(status).toBe(400)
  }
})

test('a comment on a commit is on a line that the commit has changed', async () => {
  const url = `${path}/repository/commits/${refs.head_sha}/comments`
  expect(await postTo(url, { note: 'x', path: 'a', line: 2, line_type: 'new' })).toMatchObject({ body: { line: 2 } })
  const [discussion] = (await send(`GET ${path}/repository/commits/${refs.head_sha}/discussions`)).body
  expect(discussion).toMatchObject({ individual_note: false, notes: [{ type: 'DiffNote', body: 'x' }] })
  expect(discussion.notes[0].position).toMatchObject({ ...refs, new_path: 'a', new_line: 2, line_code: code(3, 2) })
  expect(await postTo(url, { note: 'x', path: 'a', line: 2, line_type: 'old' })).toMatchObject({ body: { line: 2 } })
  for (const place of [
    { path: 'a', line: 3, line_type: 'new' },
    { path: 'a', line: 999, line_type: 'old' },
    { path: 'same', line: 1, line_type: 'new' },
  ])
    expect(await postTo(url, { note: 'x', ...place })).toMatchObject({ status: 400, body: { message } })
})

test('a draft note keeps its position when a new one is refused, and is published at it', async () => {
  const url = `${mergeRequestPath()}/draft_notes`
  const start = { line_code: code(1, 1), type: null, old_line: 1, new_line: 1 }
  const end = { type: 'new', new_line: 2 }
  const position = { ...refs, new_path: 'a', new_line: 2, line_range: { start, end } }
  const { body } = await postTo(url, { note: 'x', position })
  expect(body).toMatchObject({ line_code: code(3, 2), position: { line_range: { start, end } } })
  const changed = { as: 'bob', json: { position: { ...position, new_line: 9 } } }
  expect(await send(`PUT ${url}/${body.id}`, changed)).toMatchObject({ status: 400 })
  await send(`PUT ${url}/${body.id}/publish`, { as: 'bob' })
  const { body: discussions } = await send(`GET ${mergeRequestPath()}/discussions`, { as: 'bob' })
  expect(discussions.at(-1).notes).toMatchObject([
    { type: 'DiffNote', position: { line_code: code(3, 2), line_range: { end } } },
  ])
})

test('createDiffNote of GraphQL checks the position', async () => {
  const create = (line: object) => {
    const position = {
      headSha: refs.head_sha,
      startSha: refs.start_sha,
      baseSha: refs.base_sha,
      paths: { newPath: 'a' },
    }
    const input = {
      noteableId: `gid://gitlab/MergeRequest/${mergeRequest.id}`,
      body: 'x',
      position: { ...position, ...line },
    }
    const mutation = formatMutation('createDiffNote', 'note { position { newLine } } errors')
    return createClient(() => forge).data(mutation, { as: 'bob', variables: { input } })
  }
  expect(await create({ newLine: 2 })).toMatchObject({
    createDiffNote: { note: { position: { newLine: 2 } }, errors: [] },
  })
  expect(await create({ newLine: 3 })).toMatchObject({
    createDiffNote: { note: null, errors: [expect.stringContaining('line_code')] },
  })
})

test('events of comments have the discussion and the position', async () => {
  await send(`POST ${path}/hooks`, { as: 'alice', json: { url: 'https://bot.example.com', note_events: true } })
  const { body } = await postTo(`${mergeRequestPath()}/discussions`, {
    body: 'x',
    position: { ...refs, new_path: 'a', new_line: 2 },
  })
  await postTo(`${mergeRequestPath()}/discussions/${body.id}/notes`, { body: 'Reply' })
  await forge.as('bob').notes.create({ project, mergeRequest: mergeRequest.iid, body: 'Alone' })
  await forge.hooks.drain()
  const attributes = forge.hooks.deliveries.map((delivery) => delivery.body.object_attributes)
  const onLine = {
    discussion_id: body.id,
    line_code: code(3, 2),
    position: { ...refs, new_path: 'a', new_line: 2, old_line: null },
  }
  const { id } = attributes[2]
  expect(attributes).toMatchObject([
    onLine,
    onLine,
    { discussion_id: id.toString(16).padStart(40, '0'), position: null },
  ])
})
