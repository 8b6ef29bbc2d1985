import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { preparedWorld } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
let refs: { base_sha: string; start_sha: string; head_sha: string }
let restore: () => Promise<void>

const project = 'acme/web'
const path = '/projects/acme%2Fweb'
const author = { name: 'Bob', email: 'bob@example.com' }
const original = '1\n2\n3\n4\n5\n6\n7\n8\n9\n'

beforeAll(async () => {
  const prepared = await preparedWorld({}, async ({ host, as }) => {
    const commits = [
      { branch: 'main', message: 'Begin', author, files: [{ path: 'b', content: 'x\n' }] },
      { branch: 'topic', message: 'Change', author, parents: [0], files: [{ path: 'a', content: original }] },
    ]
    const { ids } = await host.commits.import({ project, commits })
    const [base, head] = ids as [string, string]
    refs = { base_sha: base, start_sha: base, head_sha: head }
    await as('bob').mergeRequests.create({ project, title: 'A', sourceBranch: 'topic' })
  })
  forge = prepared.forge
  restore = prepared.restore
  send = client(forge)
})
beforeEach(() => restore())
afterAll(() => forge.close())

const block = (lines: string, range = '') => `\`\`\`suggestion${range}\n${lines}\`\`\`\n`
const at = (line: number) => ({ ...refs, new_path: 'a', new_line: line })
const discussionsUrl = async () => {
  const { items } = await forge.host.mergeRequests.list({ project, sourceBranch: 'topic' })
  return `${path}/merge_requests/${items[0]?.iid}/discussions`
}

const suggest = async (line: number, body: string, as = 'carol') => {
  const { body: discussion } = await send(`POST ${await discussionsUrl()}`, { as, json: { body, position: at(line) } })
  return { ...discussion.notes[0].suggestions[0], discussion: discussion.id, note: discussion.notes[0].id }
}

const readText = async () => {
  const file = (await send(`GET ${path}/repository/files/a?ref=topic`, { as: 'alice' })).body
  return Buffer.from(file.content, 'base64').toString()
}
const readCommit = async () => (await send(`GET ${path}/repository/commits/topic`, { as: 'alice' })).body
const readNotes = async (discussion: string) =>
  (await send(`GET ${await discussionsUrl()}/${discussion}`, { as: 'bob' })).body.notes

test('a note on a line has the suggestions of its text', async () => {
  const body = `Better:\n${block('four\n4b\n', ':-1+2')}or\n${block('')}but\n\`\`\`js\n${'x'}\n\`\`\`\n`
  const { body: discussion } = await send(`POST ${await discussionsUrl()}`, {
    ...{ as: 'carol', json: { body, position: at(4) } },
  })
  const [first] = discussion.notes
  const expected = { id: expect.any(Number), appliable: true, applied: false }
  expect(first.suggestions).toEqual([
    { ...expected, from_line: 3, to_line: 6, from_content: '3\n4\n5\n6\n', to_content: 'four\n4b\n' },
    { ...expected, from_line: 4, to_line: 4, from_content: '4\n', to_content: '' },
  ])
  expect(await readNotes(discussion.id)).toEqual(discussion.notes)
  const reply = await send(`POST ${await discussionsUrl()}/${discussion.id}/notes`, {
    ...{ as: 'bob', json: { body: block('IV\n', ':-100+100') } },
  })
  expect(reply.body.suggestions).toMatchObject([{ from_line: 1, to_line: 9, from_content: original }])
  const note = `${await discussionsUrl()}/${discussion.id}/notes/${reply.body.id}`
  const edited = await send(`PUT ${note}`, { as: 'bob', json: { body: block('4\n') } })
  expect(edited.body.suggestions).toMatchObject([{ from_line: 4, appliable: false }])
  const ofAll = (await discussionsUrl()).replace('discussions', `notes/${reply.body.id}`)
  await send(`PUT ${ofAll}`, { as: 'bob', json: { body: block('five\n') } })
  expect((await readNotes(discussion.id))[1].suggestions).toMatchObject([{ to_content: 'five\n', appliable: true }])
})

test('a published draft has suggestions', async () => {
  const drafts = (await discussionsUrl()).replace('discussions', 'draft_notes')
  await send(`POST ${drafts}`, { as: 'carol', json: { note: block('two\n'), position: at(2) } })
  await send(`POST ${drafts}/bulk_publish`, { as: 'carol' })
  const { body } = await send(`GET ${await discussionsUrl()}`, { as: 'carol' })
  expect(body[0].notes[0].suggestions).toMatchObject([{ from_content: '2\n', to_content: 'two\n' }])
})

test('an applied suggestion is a commit of its author, and resolves the discussion', async () => {
  const { id, discussion } = await suggest(4, block('four\n'))
  expect((await send(`PUT /suggestions/${id}/apply`, { as: 'carol' })).status).toBe(403)
  const { status, body } = await send(`PUT /suggestions/${id}/apply`, { as: 'bob' })
  expect(status).toBe(200)
  const { from_line, to_content } = { from_line: 4, to_content: 'four\n' }
  expect(body).toMatchObject({ id, from_line, to_content, applied: true, appliable: false })
  expect(await readText()).toBe(original.replace('4', 'four'))
  const commit = await readCommit()
  expect(commit).toMatchObject({ author_name: 'Carol Danvers', committer_name: 'Bob Builder' })
  expect(commit.message).toMatch(/^Apply 1 suggestion\(s\) to 1 file\(s\)\n\nCo-authored-by: Carol Danvers <.+>$/)
  expect(await readNotes(discussion)).toMatchObject([{ resolved: true, suggestions: [{ applied: true }] }])
  const again = await send(`PUT /suggestions/${id}/apply`, { as: 'bob' })
  expect(again).toMatchObject({ status: 400, body: { message: "Can't apply this suggestion." } })
})

test('several suggestions are applied in one commit with the message of the project', async () => {
  const suggestion_commit_message =
    '%{username} in %{project_path}: %{suggestions_count} in %{file_paths} on %{branch_name}'
  await send(`PUT ${path}`, { as: 'alice', json: { suggestion_commit_message } })
  const first = await suggest(2, block('two\ntwo\n'))
  const last = await suggest(8, block('', ':-1+0'), 'bob')
  const overlapping = await suggest(7, block('seven\n'))
  const batch = (ids: number[], json = {}) =>
    send('PUT /suggestions/batch_apply', { as: 'alice', json: { ids, ...json } })
  expect(await batch([last.id, overlapping.id])).toMatchObject({
    status: 400,
    body: { message: 'Suggestions are not applicable as their lines cannot overlap.' },
  })
  expect((await batch([first.id, 9999])).status).toBe(404)
  expect(await batch([first.id, last.id])).toMatchObject({ status: 200, body: [{ applied: true }, { applied: true }] })
  expect(await readText()).toBe('1\ntwo\ntwo\n3\n4\n5\n6\n9\n')
  expect(await readCommit()).toMatchObject({
    message: 'alice in acme/web: 2 in a on topic',
    author_name: 'Alice Liddell',
  })
  await forge.platform.jobs.drain()
  expect(await readNotes(overlapping.discussion)).toMatchObject([{ suggestions: [{ appliable: false }] }])
  const refused = await send(`PUT /suggestions/${overlapping.id}/apply`, { as: 'bob' })
  expect(refused.body.message).toBe("Can't apply as this line was changed in a more recent version.")
})

test('a suggestion follows its lines until they change', async () => {
  const { id, discussion } = await suggest(4, block('four\n'))
  const update = (content: string) =>
    send(`PUT ${path}/repository/files/a`, { as: 'bob', json: { branch: 'topic', commit_message: 'x', content } })
  await update(`0\n${original}`)
  await forge.platform.jobs.drain()
  expect(await readNotes(discussion)).toMatchObject([{ suggestions: [{ from_line: 5, appliable: true }] }])
  await send(`PUT /suggestions/${id}/apply`, { as: 'bob', json: { commit_message: 'Number %{files_count}' } })
  expect(await readText()).toBe(`0\n${original}`.replace('4', 'four'))
  expect((await readCommit()).message).toBe('Number 1')
})

test('suggestions on a closed merge request are not appliable', async () => {
  const { id, discussion } = await suggest(4, block('four\n'))
  const same = await suggest(5, block('5\n'))
  const sameResponse = await send(`PUT /suggestions/${same.id}/apply`, { as: 'bob' })
  expect(sameResponse.body.message).toBe('This suggestion already matches its content.')
  const url = (await discussionsUrl()).replace('/discussions', '')
  await send(`PUT ${url}`, { as: 'bob', json: { state_event: 'close' } })
  expect(await readNotes(discussion)).toMatchObject([{ suggestions: [{ appliable: false }] }])
  const { status, body } = await send(`PUT /suggestions/${id}/apply`, { as: 'bob' })
  const message = 'This merge request is closed. To apply this suggestion, edit this file directly.'
  expect({ status, body }).toMatchObject({ status: 400, body: { message } })
})

const pushText = async (content: string) => {
  await send(`PUT ${path}/repository/files/a`, { as: 'bob', json: { branch: 'topic', commit_message: 'x', content } })
  await forge.platform.jobs.drain()
}

const discuss = async (line: number) =>
  (await send(`POST ${await discussionsUrl()}`, { as: 'carol', json: { body: 'Why?', position: at(line) } })).body.id

test('a push moves the positions of discussions, unless it changes their lines', async () => {
  const [moved, outdated] = [await discuss(4), await discuss(2)]
  await pushText(`0\n${original}`.replace('2', 'two'))
  const head = (await readCommit()).id
  const { position } = (await readNotes(moved))[0]
  expect(position).toMatchObject({
    head_sha: head,
    new_line: 5,
    old_line: null,
    line_code: expect.stringMatching(/_0_5$/),
  })
  expect(await readNotes(outdated)).toMatchObject([{ resolved: false, position: { ...refs, new_line: 2 } }])
})

test('a push resolves outdated discussions if the project says so', async () => {
  const outdated = await discuss(2)
  const kept = await discuss(4)
  await send(`PUT ${path}`, { as: 'alice', json: { resolve_outdated_diff_discussions: true } })
  await pushText(original.replace('2', 'two'))
  expect(await readNotes(outdated)).toMatchObject([{ resolved: true, resolved_by: { username: 'bob' } }])
  expect(await readNotes(kept)).toMatchObject([{ resolved: false, position: { new_line: 4 } }])
})

everyRouteCalled('suggestions')
