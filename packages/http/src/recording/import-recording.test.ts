import { gzipSync } from 'node:zlib'
import { fakeForge } from '@forgelet/fixtures'
import { expect, test } from 'vitest'
import { importRecording } from './import-recording.ts'
import { RecordingError } from './recording-error.ts'

const origin = 'https://gitlab.example.com'
const path = '/api/v4/projects/team%2Fapp'
const url = `${origin}${path}`
const project = { id: 3, path_with_namespace: 'team/app', name: 'App', visibility: 'internal' }
const text = JSON.stringify(project)
const chunks = (encoding: 'hex' | 'base64') => {
  const bytes = gzipSync(text)
  return [bytes.subarray(0, 20), bytes.subarray(20)].map((chunk) => chunk.toString(encoding))
}
const har = (content: object) => ({
  log: { version: '1.2', entries: [{ request: { method: 'GET', url }, response: { status: 200, content } }] },
})
const request = { method: 'get', uri: url }

test.each<[string, string | object]>([
  ['HAR', har({ text })],
  ['HAR with base64', har({ text: Buffer.from(text).toString('base64'), encoding: 'base64' })],
  ['Polly.js with a compressed body', har({ text: JSON.stringify(chunks('base64')), encoding: 'base64' })],
  ['nock', [{ scope: `${origin}:443`, method: 'GET', path, status: 200, response: project, rawHeaders: [] }]],
  [
    'nock with a compressed body',
    [{ scope: `${origin}:443`, method: 'GET', path, status: 200, response: chunks('hex') }],
  ],
  ['VCR', { http_interactions: [{ request, response: { status: { code: 200 }, body: { string: text } } }] }],
  [
    'VCR with base64',
    {
      http_interactions: [
        { request, response: { status: { code: 200 }, body: { base64_string: Buffer.from(text).toString('base64') } } },
      ],
    },
  ],
  ['VCR.py', { version: 1, interactions: [{ request, response: { status: { code: 200 }, body: { string: text } } }] }],
  ['a list', [{ method: 'GET', url, status: 200, body: project }]],
  ['a list with the body in `response`', [{ method: 'GET', url, status: 200, response: text }]],
  ['a list with an envelope', [{ method: 'GET', url, response: { status: 200, body: project } }]],
  ['JSON lines', [1, 2].map(() => JSON.stringify({ method: 'GET', url, status: 200, body: project })).join('\n')],
  ['one request', { method: 'GET', url, status: 200, body: project }],
  ['a text with a byte order mark', `\uFEFF${JSON.stringify(har({ text }))}`],
])('reads %s', (_, recording) => {
  const { seed, skipped } = importRecording(recording)
  expect(skipped).toEqual([])
  expect(seed).toEqual({
    users: [],
    groups: [{ path: 'team' }],
    projects: [{ path: 'team/app', name: 'App', visibility: 'internal' }],
    snippets: [],
  })
})

const cyclic: Record<string, unknown> = {}
cyclic.self = cyclic

test.each<[unknown, string]>([
  ['', 'not valid JSON'],
  ['{"log":', 'not valid JSON'],
  ['"text"', 'has no requests'],
  [{ log: {} }, 'has no requests'],
  [cyclic, 'is not a JSON value'],
  [undefined, 'not valid JSON'],
  ['['.repeat(100_000), 'nested too deeply'],
  [Array.from({ length: 50_001 }, () => 0), 'more than 50000 requests'],
])('rejects %j', (recording, message) => {
  expect(() => importRecording(recording as object)).toThrow(RecordingError)
  expect(() => importRecording(recording as object)).toThrow(message)
})

const get = (pathname: string, body: unknown) => ({
  method: 'GET',
  url: `${origin}/api/v4${pathname}`,
  status: 200,
  body,
})

test.each<[string, unknown, object]>([
  ['an entry that is no request', null, { item: 'entry 1', reason: 'the method or the URL is missing' }],
  ['an invalid URL', { method: 'GET', url: 'no url?token=x' }, { item: 'GET no url', reason: 'the URL is invalid' }],
  ['an invalid path', get('/projects/%zz', {}), { item: 'GET /projects/%zz', reason: 'the URL is invalid' }],
  [
    'a binary body',
    { ...get('/user', undefined), body: undefined },
    { item: 'GET /user', reason: 'the body is absent, binary or compressed' },
  ],
  [
    'an unknown project',
    get('/projects/12/labels', []),
    { item: 'GET /projects/12/labels', reason: 'no response contains the path of project 12' },
  ],
  [
    'issues of unknown projects',
    get('/issues', [{ iid: 1, title: 'x', project_id: 12 }]),
    { item: 'GET /issues', reason: 'no response contains the paths of the projects' },
  ],
  [
    'notes without their issue',
    get('/projects/team%2Fapp/issues/7/notes', [{ id: 1, body: 'x', author: { username: 'ann' } }]),
    { item: 'team/app#7', reason: 'its title is not in the recording' },
  ],
  [
    'a snippet without content',
    get('/snippets/7', { id: 7, title: 'x' }),
    { item: 'personal snippet 7', reason: 'its content is not in the recording' },
  ],
  [
    'a blob without its path',
    get('/projects/team%2Fapp/repository/blobs/abc/raw', 'x'),
    {
      item: 'GET /projects/team%2Fapp/repository/blobs/abc/raw',
      reason: 'no recorded tree contains the path of the blob',
    },
  ],
  [
    'a tree without contents',
    get('/projects/team%2Fapp/repository/tree', [{ id: 'abc', path: 'a', type: 'blob' }]),
    { item: 'team/app files', reason: 'the contents of 1 files are not in the recording' },
  ],
])('skips %s', (_, entry, expected) => {
  expect(importRecording([entry]).skipped).toEqual([expected])
})

test('merges responses: the first state wins, and later ones add fields', () => {
  const issue = {
    iid: 4,
    title: 'First',
    project_id: 3,
    references: { full: 'team/app#4' },
    author: { username: 'ann' },
  }
  const { seed } = importRecording([
    get('/issues', [issue]),
    get('/projects/3/issues/4', { ...issue, title: 'Second', description: 'Details', state: 'closed' }),
    get('/projects/3', project),
  ])
  expect(seed.projects).toMatchObject([
    { path: 'team/app', name: 'App', issues: [{ iid: 4, title: 'First', description: 'Details', author: 'ann' }] },
  ])
})

test('the seed gives no access that the recording does not show', () => {
  const recording = [
    get('/groups/team', { id: 1, full_path: 'team' }),
    get('/groups/closed', { id: 2, full_path: 'closed', visibility: 'private' }),
    get('/projects', [
      { id: 3, path_with_namespace: 'team/app', owner: { username: 'ann' } },
      { id: 4, path_with_namespace: 'team/site', visibility: 'public' },
      { id: 5, path_with_namespace: 'closed/site', visibility: 'public' },
    ]),
  ]
  const { users, groups, projects } = importRecording(recording).seed
  expect(users).toEqual([{ username: 'ann' }])
  expect(groups).toEqual([{ path: 'team' }, { path: 'closed', visibility: 'private' }])
  expect(projects).toEqual([
    { path: 'team/app' },
    { path: 'team/site', visibility: 'public' },
    { path: 'closed/site', visibility: 'private' },
  ])
  expect(importRecording(recording, { tokens: true }).seed.users).toEqual([
    { username: 'ann', tokens: [{ secret: 'ann-token' }] },
  ])
})

test('names of prototypes are data', () => {
  const names = ['__proto__', 'constructor', 'hasOwnProperty']
  const { seed } = importRecording(
    JSON.stringify([
      get(
        '/users',
        names.map((username) => ({ username })),
      ),
      get(
        '/projects/team%2Fapp/labels',
        names.map((name) => ({ name })),
      ),
    ]).replace('"username"', '"__proto__":{"username":"evil"},"username"'),
  )
  expect(seed.users?.map(({ username }) => username)).toEqual(names)
  expect(seed.projects?.[0]?.labels?.map(({ name }) => name)).toEqual(names)
  expect(({} as { username?: unknown }).username).toBeUndefined()
})

test('files of trees and raw blobs are added to their branches', () => {
  const base = '/projects/team%2Fapp/repository'
  const { seed, skipped } = importRecording([
    get(`${base}/tree?ref=topic`, [{ id: 'abc', path: 'docs/a.md', type: 'blob' }]),
    get(`${base}/blobs/abc/raw`, 'A'),
    get(`${base}/files/b.md/raw`, 'B'),
    get(`${base}/files/..%2Fpasswd/raw`, 'x'),
    get(`${base}/tags`, [{ name: 'v1' }, { name: '-bad' }]),
  ])
  expect(skipped).toEqual([{ item: `GET ${base}/files/..%2Fpasswd/raw`, reason: 'the path of the file is invalid' }])
  expect(seed.projects?.[0]?.repository).toMatchObject({
    commits: [{ files: { 'b.md': 'B' } }, { branch: 'topic', files: { 'docs/a.md': 'A' } }],
    tags: [{ name: 'v1' }],
  })
})

test('merged branches that still exist can be merged again', async () => {
  const mergeRequest = (iid: number, state: string, source_branch: string, target_branch: string) => {
    return { iid, state, title: `Merge ${iid}`, author: { username: 'ann' }, source_branch, target_branch }
  }
  const base = '/projects/team%2Fapp'
  const { seed } = importRecording([
    get(`${base}/repository/branches`, [{ name: 'main', default: true }, { name: 'develop' }, { name: 'topic' }]),
    get(`${base}/repository/files/a.txt/raw?ref=main`, 'old'),
    get(`${base}/repository/files/a.txt/raw?ref=develop`, 'new'),
    get(`${base}/merge_requests`, [
      mergeRequest(3, 'merged', 'develop', 'main'),
      mergeRequest(2, 'merged', 'topic', 'develop'),
      mergeRequest(1, 'merged', 'removed', 'main'),
      { ...mergeRequest(4, 'merged', 'x', 'main'), title: 'Draft: x' },
    ]),
  ])
  await using forge = await fakeForge({ seed })
  const project = 'team/app'
  const { items } = await forge.host.mergeRequests.list({ project })
  expect(items.map(({ iid, state }) => [iid, state])).toEqual([
    [3, 'merged'],
    [2, 'merged'],
    [1, 'merged'],
  ])
  const read = async (ref: string) => {
    const { content } = await forge.host.repositoryFiles.get({ project, filePath: 'a.txt', ref })
    return Buffer.from(content, 'base64').toString()
  }
  expect([await read('main'), await read('develop')]).toEqual(['old', 'new'])
})

test('a large recording takes time in proportion to its size', () => {
  const labels = Array.from({ length: 20_000 }, (_, index) => ({ name: `label ${index}` }))
  const milestones = Array.from({ length: 20_000 }, (_, index) => ({
    id: index + 1,
    iid: index + 1,
    title: `m${index}`,
  }))
  const { seed } = importRecording([
    get('/projects/team%2Fapp/labels', labels),
    get('/projects/team%2Fapp/milestones', milestones),
  ])
  expect(seed.projects?.[0]?.labels).toHaveLength(20_000)
  expect(seed.projects?.[0]?.milestones).toHaveLength(20_000)
})
