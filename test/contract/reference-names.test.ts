import { join } from 'node:path'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { createGitClient, type GitClient, withPassword } from '../support/git-client.ts'
import { openDemo } from '../support/open-demo.ts'
import { client, type Send } from './client.ts'

/** Names of branches and tags that could be taken for something else. */

let forge: FakeForge
let send: Send
let git: GitClient
let first: string
beforeEach(async () => {
  forge = await world({ seed: openDemo, port: 0 })
  send = client(forge)
  git = createGitClient()
  const files = [{ path: 'README.md', content: 'of the branch' }]
  const { ids } = await forge.as('bob').commits.import({ project, commits: [{ message: 'Begin', files }] })
  first = ids[0] as string
})
afterEach(async () => {
  git.remove()
  await forge.close()
})

const project = 'acme/web'
const routes = '/projects/acme%2Fweb'
const as = 'bob'
const url = () => withPassword(`${forge.url}/${project}.git`, forge.token(as))

const reserved = [
  'HEAD',
  'refs/heads/main',
  'refs/tags/v1',
  'refs/remotes/origin/main',
  'refs/x',
  'a'.repeat(40),
  'A1'.repeat(20),
  'b'.repeat(64),
  `${'c'.repeat(40)}/file`,
  `${'c'.repeat(40)}-/file`,
]

describe.each(reserved)('the name %s', (name) => {
  test('is refused over the API, for branches and tags', async () => {
    const commit = { commit_message: 'x', actions: [{ action: 'create', file_path: 'x', content: 'x' }] }
    const file = { branch: name, start_branch: 'main', content: 'x', commit_message: 'x' }
    const author = { name: 'Bob', email: 'bob@example.com' }
    const responses = [
      await send(`POST ${routes}/repository/branches`, { as, json: { branch: name, ref: 'main' } }),
      await send(`POST ${routes}/repository/commits`, { as, json: { branch: name, start_branch: 'main', ...commit } }),
      await send(`POST ${routes}/repository/files/y`, { as, json: file }),
      await send(`POST ${routes}/repository/tags`, { as, json: { tag_name: name, ref: 'main' } }),
      await send(`POST ${routes}/repository/tags`, { as, json: { tag_name: name, ref: 'main', message: 'x' } }),
      await send(`POST ${routes}/releases`, { as, json: { tag_name: name, ref: 'main' } }),
      await send('POST /projects', { as, json: { name: 'Named', default_branch: name } }),
    ]
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 400))
    const commits = [{ branch: name, message: 'x', author, files: [] }]
    await expect(forge.host.commits.import({ project, commits })).rejects.toMatchObject({ code: 'invalid' })
    await expect(forge.host.tags.create({ project, tagName: name })).rejects.toMatchObject({ code: 'invalid' })
    const repository = { commits: [{ author: 'bob', message: 'x', branch: name, files: { a: 'a' } }] }
    await expect(forge.seed({ projects: [{ path: 'acme/seeded', repository }] })).rejects.toThrow(/invalid/)
    expect((await forge.host.branches.list({ project })).items.map((branch) => branch.name)).toEqual(['main'])
    expect((await forge.host.tags.list({ project })).items).toEqual([])
  })

  test('is refused in a push, and in an imported repository', async () => {
    await git.git('.', 'clone', '--quiet', url(), 'work')
    for (const kind of ['heads', 'tags']) {
      const { code, messages } = await git.run(
        'work',
        'push',
        'origin',
        `${first}:refs/${kind}/${name}`,
        `${first}:refs/${kind}/fine`,
      )
      expect(code).not.toBe(0)
      expect(messages).toMatch(/remote rejected|invalid|reserved/)
      expect(messages).toContain('fine')
    }
    expect((await forge.host.branches.list({ project })).items.map((branch) => branch.name)).toEqual(['fine', 'main'])
    expect((await forge.host.tags.list({ project })).items.map((tag) => tag.name)).toEqual(['fine'])
    const directory = join(git.folder, 'work')
    await git.git('work', 'update-ref', `refs/tags/${name}`, first)
    for (const inPlace of [false, true]) {
      const imported = forge.host.repository.import({ project: 'bob/notes', path: directory, inPlace })
      await expect(imported).rejects.toMatchObject({ code: 'invalid' })
    }
  })
})

test('references of remotes are refused in a push', async () => {
  await git.git('.', 'clone', '--quiet', url(), 'work')
  const { messages } = await git.run('work', 'push', 'origin', `${first}:refs/remotes/origin/main`)
  expect(messages).toContain('the reference belongs to the platform')
})

describe('a tag with the name of the default branch', () => {
  let other: string
  beforeEach(async () => {
    const author = { name: 'Bob', email: 'bob@example.com' }
    const commits = [
      { branch: 'other', parents: [], message: 'Other', author, files: [{ path: 'README.md', content: 'tag' }] },
    ]
    other = (await forge.as('bob').commits.import({ project, commits })).ids[0] as string
    await send(`POST ${routes}/repository/tags`, { as, json: { tag_name: 'main', ref: 'other' } })
    expect((await send(`GET ${routes}/repository/tags/main`, { as })).body.commit.id).toBe(other)
  })

  test('replaces it nowhere', async () => {
    expect((await send(`GET ${routes}/repository/commits?ref_name=main`, { as })).body[0].id).toBe(first)
    expect((await send(`GET ${routes}/repository/commits/main`, { as })).body.id).toBe(first)
    expect((await send(`GET ${routes}/repository/files/README.md?ref=main`, { as })).body.commit_id).toBe(first)
    const { body: tree } = await send(`GET ${routes}/repository/tree?ref=main`, { as })
    expect(tree[0].id).not.toBe((await send(`GET ${routes}/repository/tree?ref=other`, { as })).body[0].id)
    const compared = await send(`GET ${routes}/repository/compare?from=main&to=other&straight=true`, { as })
    expect(compared.body.compare_same_ref).toBe(false)
    const bases = await send(`GET ${routes}/repository/merge_base?refs[]=main&refs[]=${first}`, { as })
    expect(bases.body.id).toBe(first)
    const { fileName } = await forge.as(as).repository.getArchive({ project, sha: 'main' })
    expect(fileName).toContain(first)
    const branch = await send(`POST ${routes}/repository/branches`, { as, json: { branch: 'topic', ref: 'main' } })
    expect(branch.body.commit.id).toBe(first)
    const tag = await send(`POST ${routes}/repository/tags`, { as, json: { tag_name: 'v1', ref: 'main' } })
    expect(tag.body.commit.id).toBe(first)
    const release = await send(`POST ${routes}/releases`, { as, json: { tag_name: 'v2', ref: 'main' } })
    expect(release.body.commit.id).toBe(first)
    const actions = [{ action: 'create', file_path: 'new', content: 'x' }]
    const json = { branch: 'next', start_sha: 'main', commit_message: 'x', actions }
    expect((await send(`POST ${routes}/repository/commits`, { as, json })).body.parent_ids).toEqual([first])
    const host = await forge.host.tags.create({ project, tagName: 'v3', ref: 'main' })
    expect(host.commit.id).toBe(first)
    const page = await forge.fetch(`/${project}/-/blob/main/README.md`, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('of the branch')
    const { commit } = await forge.as(as).repository.locate({ project, location: 'main/README.md' })
    expect(commit.id).toBe(first)
  })
})

test('a tag with the name of the first part of the default branch does not replace it in URLs', async () => {
  await forge.as('alice').projects.create({ name: 'Nested', namespace: 'acme', defaultBranch: 'release/main' } as never)
  const path = 'acme/nested'
  const author = { name: 'Bob', email: 'bob@example.com' }
  const commits = [
    { branch: 'release/main', message: 'x', author, files: [{ path: 'README.md', content: 'branch' }] },
    { branch: 'other', parents: [], message: 'x', author, files: [{ path: 'main/README.md', content: 'tag' }] },
  ]
  const { ids } = await forge.host.commits.import({ project: path, commits })
  await forge.host.tags.create({ project: path, tagName: 'release', ref: 'other' })
  const located = await forge.host.repository.locate({ project: path, location: 'release/main/README.md' })
  expect(located).toMatchObject({ ref: 'release/main', path: 'README.md', commit: { id: ids[0] } })
})
