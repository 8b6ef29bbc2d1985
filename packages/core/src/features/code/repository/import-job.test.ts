import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/sqlite-world.ts'
import { type GitHttpServer, startGitHttpServer } from '../../../../../../test/support/git-http-server.ts'

let server: GitHttpServer
let forge: FakeForge
let source: ReturnType<GitHttpServer['create']>
let addresses: readonly string[]

beforeAll(async () => {
  server = await startGitHttpServer()
})
afterAll(() => server.close())

beforeEach(async () => {
  addresses = []
  source = server.create()
  server.password = 'open sesame'
  forge = await world({ ports: { dns: { addresses: async () => addresses, textRecords: async () => [] } } })
})
afterEach(() => forge.close())

const withCredentials = (url: string, password = server.password) => {
  const result = new URL(url)
  result.username = server.user
  result.password = encodeURIComponent(password)
  return result.href
}
const allowLocal = () => forge.host.settings.update({ allowLocalRequestsFromWebHooksAndServices: true })
const drain = () => forge.platform.jobs.drain()

/** Two branches, the newer one is HEAD, and a tag. */
const fill = () => {
  const tree = source.git('write-tree')
  const commit = source.git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit-tree', tree, '-m', 'First')
  for (const name of ['refs/heads/alpha', 'refs/heads/trunk', 'refs/tags/v1']) source.git('update-ref', name, commit)
  source.git('symbolic-ref', 'HEAD', 'refs/heads/trunk')
  return commit
}

const create = (importUrl: string) => forge.as('alice').projects.create({ path: 'copy', importUrl })
const read = () => forge.as('alice').projects.get({ project: 'alice/copy' })

test('a job copies the branches and tags of a repository, and HEAD names the default branch', async () => {
  await allowLocal()
  const commit = fill()
  expect(await create(withCredentials(source.url))).toMatchObject({
    importStatus: 'scheduled',
    importType: 'git',
    importUrl: source.url.replace('://', '://*****:*****@'),
    emptyRepo: true,
  })
  await drain()
  expect(await read()).toMatchObject({
    importStatus: 'finished',
    importError: null,
    defaultBranch: 'trunk',
    emptyRepo: false,
  })
  const { branches, tags, imports } = forge.as('alice')
  const { items } = await branches.list({ project: 'alice/copy' })
  expect(items.map(({ name, commit: { id } }) => [name, id])).toEqual([
    ['alpha', commit],
    ['trunk', commit],
  ])
  expect((await tags.list({ project: 'alice/copy' })).items).toMatchObject([{ name: 'v1' }])
  expect(await imports.get({ project: 'alice/copy' })).toMatchObject({ importStatus: 'finished', importType: 'git' })
})

test('rejected credentials and missing repositories are errors of the import, without secrets', async () => {
  await allowLocal()
  fill()
  await create(withCredentials(source.url, 'wrong secret'))
  await drain()
  const { importStatus, importError } = await read()
  expect({ importStatus, importError }).toEqual({
    importStatus: 'failed',
    importError: 'The remote repository rejected the credentials',
  })
  const { id } = await forge.as('alice').projects.create({
    path: 'none',
    importUrl: withCredentials(source.url.replace(/[^/]+$/, 'none.git')),
  })
  await drain()
  const failed = await forge.as('alice').projects.get({ project: id })
  expect(failed).toMatchObject({ importStatus: 'failed', importError: expect.stringContaining('not found') })
  expect(failed.importError).not.toContain('sesame')
})

test('addresses in the local network are refused, now and when the job connects', async () => {
  await expect(create('https://127.0.0.1/x')).rejects.toMatchObject({
    code: 'invalid',
    problems: [{ fields: ['importUrl'], message: 'is blocked: Requests to loopback addresses are not allowed' }],
  })
  addresses = ['10.0.0.7']
  const message = 'is blocked: Requests to the local network are not allowed'
  await expect(create('https://inside.example/x')).rejects.toMatchObject({ problems: [{ message }] })
  addresses = ['93.184.216.34']
  await create('https://inside.example/x')
  addresses = ['10.0.0.7']
  await drain()
  expect(await read()).toMatchObject({
    importStatus: 'failed',
    importError: 'The URL is blocked: Requests to the local network are not allowed',
  })
})

test('a repository with reserved names of branches is not imported', async () => {
  await allowLocal()
  const commit = fill()
  source.git('update-ref', `refs/heads/${'a'.repeat(40)}`, commit)
  await create(withCredentials(source.url))
  await drain()
  expect(await read()).toMatchObject({ importStatus: 'failed', importError: expect.stringContaining('reserved names') })
})
