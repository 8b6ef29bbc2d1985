import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { client, type Send } from '../contract/client.ts'
import { world } from '../sqlite-world.ts'
import { runGit, runGitText } from '../support/sample-history.ts'

const mebibyte = 1024 ** 2
const limit = 50 * mebibyte
const folder = mkdtempSync(join(tmpdir(), 'forgelet-large-files-'))
const source = join(folder, 'source.git')
const project = '/projects/acme%2Flarge'

let forge: FakeForge
let send: Send
beforeAll(async () => {
  mkdirSync(source)
  runGit(source, ['init', '-q', '--bare', '--template=', '-b', 'main', source])
  const file = (name: string, size: number) =>
    Buffer.concat([Buffer.from(`M 100644 inline ${name}\ndata ${size}\n`), Buffer.alloc(size, name), Buffer.from('\n')])
  const commit = 'commit refs/heads/main\ncommitter A <a@example.com> 1 +0000\ndata 1\nx\n'
  const input = [Buffer.from(commit), file('largest', limit), file('larger', limit + 1), Buffer.from('\ndone\n')]
  runGit(source, ['fast-import', '--quiet', '--done'], Buffer.concat(input))
  forge = await world()
  send = client(forge)
  await forge.host.projects.create({ namespace: 'acme', path: 'large', name: 'Large', visibility: 'public' })
  await forge.host.repository.import({ project: 'acme/large', path: source })
}, 60_000)
afterAll(async () => {
  await forge?.close()
  rmSync(folder, { recursive: true, force: true })
})

const request = (path: string) => forge.fetch(`${forge.url}/api/v4${project}/repository/${path}`)
const sizeOf = async (response: Response) => (await response.arrayBuffer()).byteLength

test.each(['files/larger?ref=main', 'blobs/:sha'])(
  'a file above 50 MiB is not returned as Base64: %s',
  async (path) => {
    const response = await request(path.replace(':sha', runGitText(source, 'rev-parse', 'main:larger')))
    expect(response.status).toBe(422)
    expect(await response.json()).toEqual({ message: ['The file is too large: request it raw'] })
  },
)

test.each(['files/larger/raw?ref=main', 'blobs/:sha/raw'])('but raw: %s', async (path) => {
  const response = await request(path.replace(':sha', runGitText(source, 'rev-parse', 'main:larger')))
  expect([response.status, await sizeOf(response)]).toEqual([200, limit + 1])
})

test('a file of 50 MiB is returned as Base64', async () => {
  const response = await request('files/largest?ref=main')
  const { size, content } = (await response.json()) as { size: number; content: string }
  expect([response.status, size, Buffer.from(content, 'base64').length]).toEqual([200, limit, limit])
})

test('the action of a commit that moves a large file needs no content', async () => {
  const json = {
    branch: 'main',
    commit_message: 'Move',
    actions: [{ action: 'move', file_path: 'moved', previous_path: 'larger' }],
  }
  expect((await send(`POST ${project}/repository/commits`, { as: 'alice', json })).status).toBe(201)
  const moved = await forge.fetch(`${forge.url}/api/v4${project}/repository/files/moved/raw?ref=main`, {
    method: 'HEAD',
  })
  expect(moved.headers.get('content-length')).toBe(String(limit + 1))
})

test.each([
  ['POST', 'files/new', { content: 'A'.repeat(4 * Math.ceil((limit + 1) / 3)), encoding: 'base64' }],
  ['PUT', 'files/largest', { content: 'A'.repeat(4 * Math.ceil((limit + 1) / 3)), encoding: 'base64' }],
  [
    'POST',
    'commits',
    {
      actions: [
        {
          action: 'update',
          file_path: 'largest',
          content: 'A'.repeat(4 * Math.ceil((limit + 1) / 3)),
          encoding: 'base64',
        },
      ],
    },
  ],
])('%s %s with more than 50 MiB as Base64 exceeds the limit of a body', async (method, path, input) => {
  const json = { branch: 'main', commit_message: 'Large', ...input }
  const { status } = await send(`${method} ${project}/repository/${path}`, { as: 'alice', json })
  expect(status).toBe(413)
})
