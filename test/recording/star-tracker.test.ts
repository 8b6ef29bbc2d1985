import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FakeForge, importRecording } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { client, type Send } from '../contract/client.ts'
import { world } from '../world.ts'

/** A HAR file as browsers save it: half of the bodies are in base64, and headers and queries contain credentials. */
const har = readFileSync(join(import.meta.dirname, 'star-tracker.har'), 'utf8')
const { seed, skipped } = importRecording(har, { tokens: true })
const base = '/projects/observatory%2Fstar-tracker'

let forge: FakeForge
let send: Send
beforeAll(async () => {
  forge = await world({ seed })
  send = client(forge)
})
afterAll(() => forge.close())

const get = async (path: string) => (await send(`GET ${path}`, { as: 'mira.holt' })).body

test('lists what the seed does not contain', () => {
  expect(skipped).toEqual([
    { item: 'POST /projects/88/issues', reason: 'only responses to GET are imported' },
    { item: 'GET /projects/88/issues/99', reason: 'the status is 404' },
    { item: 'GET /assets/application.css', reason: 'the path does not contain /api/v4/' },
    { item: 'GET /projects/88/pipelines', reason: 'seed data has no such content' },
  ])
})

test('reads no credentials', () => {
  expect(har).toContain('NeverImported')
  expect(JSON.stringify({ seed, skipped })).not.toContain('NeverImported')
})

test('imports the project with its settings and the access of the recorded user', async () => {
  expect(await get(base)).toMatchObject({
    name: 'Star Tracker',
    description: 'Schedules the telescopes',
    visibility: 'internal',
    default_branch: 'trunk',
    merge_method: 'ff',
    tag_list: ['astronomy'],
    snippets_access_level: 'private',
    request_access_enabled: false,
    remove_source_branch_after_merge: true,
    created_at: '2025-03-02T08:15:30.120Z',
    namespace: { full_path: 'observatory', kind: 'group', name: 'Observatory' },
    permissions: { project_access: { access_level: 40 } },
  })
  expect(await get('/user')).toMatchObject({ username: 'mira.holt', email: 'mira.holt@example.com', is_admin: false })
})

test('imports inherited members once', async () => {
  expect(await get('/groups/observatory/members')).toMatchObject([{ username: 'jonas', access_level: 50 }])
  const members = await get(`${base}/members`)
  expect(
    members.map(({ username, access_level, expires_at }: Record<string, unknown>) => [
      username,
      access_level,
      expires_at,
    ]),
  ).toEqual([
    ['mira.holt', 40, null],
    ['project_88_bot', 30, '2031-01-01'],
  ])
})

test('keeps the numbers of issues, merge requests and milestones', async () => {
  const issues = await get(`${base}/issues`)
  expect(issues.map(({ iid, title, state }: Record<string, unknown>) => [iid, title, state])).toEqual([
    [27, 'Mirror drifts at night', 'opened'],
    [12, 'Export observations as CSV', 'closed'],
  ])
  expect(issues[0]).toMatchObject({
    labels: ['bug', 'hardware'],
    assignees: [{ username: 'jonas', name: 'Jonas Weber' }],
    milestone: { iid: 4, title: 'First light', due_date: '2025-09-30' },
    due_date: '2025-06-01',
    user_notes_count: 2,
    created_at: '2025-04-17T10:00:00.000Z',
  })
  expect(issues[1]).toMatchObject({ closed_at: '2025-04-20T12:00:00.000Z', author: { username: 'jonas' } })
  expect(await get(`${base}/merge_requests/5`)).toMatchObject({ source_branch: 'mirror-log', target_branch: 'trunk' })
  const next = await send(`POST ${base}/issues?title=Next`, { as: 'mira.holt' })
  expect(next.body.iid).toBe(28)
})

test('imports labels of the group, notes, emoji, files and releases', async () => {
  const labels = await get(`${base}/labels`)
  expect(labels).toMatchObject([
    { name: 'bug', color: '#dc143c', priority: 1, is_project_label: true },
    { name: 'hardware', is_project_label: false },
  ])
  const notes = await get(`${base}/issues/27/notes?sort=asc`)
  expect(notes.map(({ body, system }: Record<string, unknown>) => [body, system])).toEqual([
    ['Since when?', false],
    ['It is the **bearing**.', false],
    ['closed', true],
  ])
  expect(await get(`${base}/issues/27/award_emoji`)).toMatchObject([{ name: 'eyes', user: { username: 'jonas' } }])
  const raw = (path: string) => send(`GET ${base}/repository/files/${path}`, { as: 'mira.holt' })
  expect((await raw('README.md/raw?ref=trunk')).text).toBe('# Star Tracker\n')
  expect((await raw('src%2Fmirror.py/raw?ref=mirror-log')).text).toBe('log(temperature)\n')
  expect(await get(`${base}/releases`)).toMatchObject([
    {
      tag_name: 'v0.3.0',
      name: 'Third',
      author: { username: 'project_88_bot' },
      milestones: [{ title: 'First light' }],
      assets: { links: [{ name: 'Manual', url: 'https://docs.example.com/manual.pdf' }] },
    },
  ])
})
