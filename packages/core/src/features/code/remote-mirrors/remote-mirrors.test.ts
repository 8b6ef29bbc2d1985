import { createPlatform } from '@forgelet/core'
import { demo, seed } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptyStore, world } from '../../../../../../test/sqlite-world.ts'
import { type GitHttpServer, startGitHttpServer } from '../../../../../../test/support/git-http-server.ts'

const project = 'acme/mirrored'
const minute = 60_000

let server: GitHttpServer
let forge: FakeForge
let target: ReturnType<GitHttpServer['create']>
let time: number
/** IP addresses by host name, returned by the `dns` port. */
let addresses: Map<string, readonly string[]>
/** Awaited by each lookup. */
let onLookup: () => Promise<unknown>

beforeAll(async () => {
  server = await startGitHttpServer()
})
afterAll(() => server.close())

const ports = () => ({
  clock: { now: () => time },
  dns: {
    addresses: async (host: string) => {
      await onLookup()
      return addresses.get(host) ?? []
    },
    textRecords: async () => [],
  },
})

beforeEach(async () => {
  time = Math.floor(Date.now() / 1_000) * 1_000
  addresses = new Map()
  onLookup = async () => undefined
  target = server.create()
  server.password = 'open sesame'
  server.beforeResponse = async () => undefined
  forge = await world({ ports: ports() })
  await forge.host.projects.create({ namespace: 'acme', path: 'mirrored', name: 'Mirrored', visibility: 'public' })
})
afterEach(() => forge.close())

const mirrors = () => forge.as('alice').remoteMirrors
const drain = () => forge.platform.jobs.drain()
const allowLocal = () => forge.host.settings.update({ allowLocalRequestsFromWebHooksAndServices: true })

const author = { name: 'A', email: 'a@example.com' }
const commit = async (path: string, branch = 'main') => {
  const commits = [{ branch, message: path, author, files: [{ path, content: path }] }]
  return (await forge.host.commits.import({ project, commits })).ids[0] as string
}

const withCredentials = (url: string, password = server.password) => {
  const result = new URL(url)
  result.username = server.user
  result.password = encodeURIComponent(password)
  return result.href
}
const addMirror = (input: Partial<Parameters<FakeForge['host']['remoteMirrors']['create']>[0]> = {}) =>
  mirrors().create({ project, url: withCredentials(target.url), enabled: true, ...input })
const onlyMirror = async () => (await mirrors().list({ project })).items[0]
const now = () => new Date(time).toISOString()

describe('a mirror', () => {
  test('is disabled by default and masks its credentials', async () => {
    const created = await mirrors().create({ project, url: 'https://robot:secret@example.com/x.git' })
    expect(created).toEqual({
      id: expect.any(Number),
      enabled: false,
      url: 'https://*****:*****@example.com/x.git',
      onlyProtectedBranches: false,
      keepDivergentRefs: false,
      mirrorBranchRegex: null,
      updateStatus: 'none',
      lastError: null,
      lastUpdateAt: null,
      lastUpdateStartedAt: null,
      lastSuccessfulUpdateAt: null,
      nextUpdateAt: null,
    })
    expect(await mirrors().get({ project, mirror: created.id })).toEqual(created)
    const updated = { ...created, enabled: true, keepDivergentRefs: true }
    expect(await mirrors().update({ project, mirror: created.id, enabled: true, keepDivergentRefs: true })).toEqual(
      updated,
    )
    expect(await mirrors().update({ project, mirror: created.id })).toEqual(updated)
    await mirrors().remove({ project, mirror: created.id })
    await expect(mirrors().get({ project, mirror: created.id })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is not found in another project', async () => {
    const { id } = await mirrors().create({ project, url: 'https://example.com/x.git' })
    const reference = { project: 'bob/notes', mirror: id }
    const missing = { code: 'not_found' }
    await expect(forge.host.remoteMirrors.get(reference)).rejects.toMatchObject(missing)
    await expect(forge.host.remoteMirrors.update({ ...reference, enabled: true })).rejects.toMatchObject(missing)
    await expect(forge.host.remoteMirrors.remove(reference)).rejects.toMatchObject(missing)
    await expect(forge.host.remoteMirrors.sync(reference)).rejects.toMatchObject(missing)
  })

  test.each([
    ['', "can't be blank"],
    ['ftp://example.com/x', 'is blocked: Only allowed schemes are ssh, git, http, https'],
    ['https://-x@example.com/x', 'is blocked: Username needs to start with an alphanumeric character'],
    ['https://127.0.0.1/x', 'is blocked: Requests to loopback addresses are not allowed'],
    ['https://inside.example/x', 'is blocked: Requests to the local network are not allowed'],
    ['https://both.example/x', 'is blocked: Requests to loopback addresses are not allowed'],
  ])('rejects the URL %j', async (url, message) => {
    addresses.set('inside.example', ['10.0.0.7']).set('both.example', ['93.184.216.34', '::1'])
    await expect(mirrors().create({ project, url })).rejects.toMatchObject({
      code: 'invalid',
      problems: [{ fields: ['url'], message }],
    })
    expect(await onlyMirror()).toBeUndefined()
  })

  test('requires maintainer access', async () => {
    for (const user of ['bob', 'carol', 'mallory'])
      await expect(forge.as(user).remoteMirrors.list({ project })).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('stores its credentials encrypted', async () => {
    const store = await emptyStore()
    const platform = createPlatform(store, { secretKey: new Uint8Array(32).fill(7), ports: ports() })
    await seed(platform, demo)
    await platform.as({ system: 'test' }).projects.create({ namespace: 'acme', path: 'mirrored', name: 'Mirrored' })
    await platform
      .as({ user: 'alice' })
      .remoteMirrors.create({ project, url: 'https://robot:hushsecret@example.com/x.git' })
    const [row] = await store.read(({ db }) => db.selectFrom('remoteMirror').selectAll().execute())
    expect(JSON.stringify(row)).not.toMatch(/robot|hushsecret/)
    const opened = platform.ports.secrets.open(row?.sealedCredentials as string, `remote_mirror.${row?.id}.credentials`)
    expect(JSON.parse(opened)).toEqual({ user: 'robot', password: 'hushsecret' })
    await platform.close()
  })
})

describe('pushing', () => {
  beforeEach(allowLocal)

  test('runs after creation and after every push', async () => {
    const first = await commit('one')
    await addMirror()
    await drain()
    expect(target.git('rev-parse', 'main')).toBe(first)
    const finished = { updateStatus: 'finished', lastError: null, lastUpdateStartedAt: now(), lastUpdateAt: now() }
    expect(await onlyMirror()).toMatchObject({ ...finished, lastSuccessfulUpdateAt: now() })
    const second = await commit('two', 'topic')
    await forge.host.tags.create({ project, tagName: 'v1' })
    time += minute
    expect(await drain()).toBeGreaterThan(0)
    expect(target.git('rev-parse', 'topic', 'v1')).toBe(`${second}\n${first}`)
    expect(await onlyMirror()).toMatchObject({ lastSuccessfulUpdateAt: now() })
  })

  test('requires an enabled mirror and a repository', async () => {
    await addMirror({ enabled: false })
    const head = await commit('one')
    await drain()
    expect(await onlyMirror()).toMatchObject({ updateStatus: 'none' })
    const { id } = (await onlyMirror()) as { id: number }
    await expect(mirrors().sync({ project, mirror: id })).rejects.toMatchObject({ code: 'invalid' })
    await mirrors().update({ project, mirror: id, enabled: true })
    await drain()
    expect(target.git('rev-parse', 'main')).toBe(head)

    await forge.host.projects.create({ namespace: 'acme', path: 'empty', name: 'Empty' })
    await forge.host.remoteMirrors.create({ project: 'acme/empty', url: target.url, enabled: true })
    await drain()
    expect((await forge.host.remoteMirrors.list({ project: 'acme/empty' })).items).toMatchObject([
      { updateStatus: 'none', lastUpdateStartedAt: null },
    ])
  })

  test('is limited to the default branch and tags with onlyProtectedBranches', async () => {
    await commit('one')
    await commit('two', 'topic')
    await forge.host.tags.create({ project, tagName: 'v1' })
    await addMirror({ onlyProtectedBranches: true })
    await drain()
    expect(target.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main\nrefs/tags/v1')
    expect(await onlyMirror()).toMatchObject({ updateStatus: 'finished' })
  })

  test('is limited to matching branches and tags with mirrorBranchRegex', async () => {
    await commit('one')
    await commit('two', 'release-1')
    await commit('three', 'old-release-2')
    await forge.host.tags.create({ project, tagName: 'v1' })
    await addMirror({ mirrorBranchRegex: '^release-' })
    await drain()
    expect(target.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/release-1\nrefs/tags/v1')
  })

  test('overwrites diverged branches, or keeps and reports them with keepDivergentRefs', async () => {
    await commit('one')
    await commit('two', 'topic')
    await addMirror({ keepDivergentRefs: true })
    await drain()
    const tree = target.git('rev-parse', 'main^{tree}')
    const identity = ['-c', 'user.name=x', '-c', 'user.email=x@y']
    const theirs = target.git(...identity, 'commit-tree', tree, '-m', 'theirs')
    target.git('update-ref', 'refs/heads/topic', theirs)
    const head = await commit('three')
    await drain()
    expect(target.git('rev-parse', 'main', 'topic')).toBe(`${head}\n${theirs}`)
    expect(await onlyMirror()).toMatchObject({
      updateStatus: 'failed',
      lastError: 'Some refs have diverged and have not been updated on the remote: refs/heads/topic',
    })
    expect((await forge.platform.jobs.list()).filter(({ kind }) => kind === 'remoteMirrors.push')).toEqual([])
    const { id } = (await onlyMirror()) as { id: number }
    await mirrors().update({ project, mirror: id, keepDivergentRefs: false })
    await drain()
    expect(target.git('rev-parse', 'topic')).not.toBe(theirs)
    expect(await onlyMirror()).toMatchObject({ updateStatus: 'finished', lastError: null })
  })

  test('is retried after a wrong password, which no message contains', async () => {
    const head = await commit('one')
    await addMirror({ url: withCredentials(target.url, 'hushsecret') })
    await drain()
    const failed = await onlyMirror()
    expect(failed).toMatchObject({ updateStatus: 'to_retry', lastUpdateAt: now(), lastSuccessfulUpdateAt: null })
    expect(failed?.lastError).toBe('The remote repository rejected the credentials')
    expect(JSON.stringify([failed, await forge.platform.jobs.list()])).not.toContain('hushsecret')
    server.password = 'hushsecret'
    await drain()
    expect(await onlyMirror()).toMatchObject({ updateStatus: 'to_retry' })
    time += minute
    await drain()
    expect(await onlyMirror()).toMatchObject({
      updateStatus: 'finished',
      lastError: null,
      lastSuccessfulUpdateAt: now(),
    })
    expect(target.git('rev-parse', 'main')).toBe(head)
  })

  test('reports missing credentials', async () => {
    await commit('one')
    await addMirror({ url: target.url })
    await drain()
    expect(await onlyMirror()).toMatchObject({ lastError: 'The remote repository requires credentials' })
  })

  test('reports rejected credentials also if their text contains the password', async () => {
    await commit('one')
    await addMirror({ url: withCredentials(target.url, 'the') })
    await drain()
    expect(await onlyMirror()).toMatchObject({ lastError: 'The remote repository rejected the credentials' })
  })

  test('mentions neither user nor password of a failed connection', async () => {
    await commit('one')
    await addMirror({ url: target.url.replace('127.0.0.1:', 'una:una@127.0.0.1:').replace(/:\d+\//, ':9/') })
    await drain()
    // Every line of git contains the password.
    expect(await onlyMirror()).toMatchObject({ lastError: 'The remote repository cannot be accessed' })
  })

  test('pushes the commit of the branch, not that of a tag with its name', async () => {
    const head = await commit('one')
    const other = await commit('two', 'topic')
    await forge.host.tags.create({ project, tagName: 'main', ref: 'topic' })
    await addMirror({ onlyProtectedBranches: true })
    await drain()
    expect(target.git('for-each-ref', '--format=%(objectname) %(refname)')).toBe(
      `${head} refs/heads/main\n${other} refs/tags/main`,
    )
    expect(await onlyMirror()).toMatchObject({ updateStatus: 'finished' })
  })

  test('fails after repeated connection errors and runs again after the next push', async () => {
    await commit('one')
    await addMirror({ url: withCredentials(target.url.replace(/:\d+\//, ':9/')) })
    for (let attempt = 1; attempt < 10; attempt++) {
      await drain()
      expect(await onlyMirror()).toMatchObject({ updateStatus: 'to_retry', lastError: expect.any(String) })
      time += 60 * minute
    }
    await drain()
    const at = (minutes: number) => new Date(time + minutes * minute).toISOString()
    expect(await onlyMirror()).toMatchObject({ updateStatus: 'failed', nextUpdateAt: at(60) })
    for (const delay of [90, 120]) {
      time += 5 * 60 * minute
      await drain()
      expect(await onlyMirror()).toMatchObject({ updateStatus: 'failed', nextUpdateAt: at(delay) })
    }
    const pendingJobs = async () =>
      (await forge.platform.jobs.list()).filter(({ kind }) => kind === 'remoteMirrors.push')
    expect(await pendingJobs()).toEqual([])
    await commit('two')
    expect(await pendingJobs()).toHaveLength(1)
  })

  test('never follows a redirect', async () => {
    await commit('one')
    await addMirror({ url: withCredentials(target.redirected) })
    await drain()
    expect(await onlyMirror()).toMatchObject({
      updateStatus: 'to_retry',
      lastError: expect.stringMatching(/30[1278]|redirect/i),
    })
    expect(target.git('for-each-ref')).toBe('')
  })

  test('is repeated for commits that arrive while it runs', async () => {
    await commit('one')
    await addMirror()
    let second: string | undefined
    server.beforeResponse = async () => {
      server.beforeResponse = async () => undefined
      second = await commit('two')
    }
    await drain()
    expect(second).toBeDefined()
    expect(target.git('rev-parse', 'main')).toBe(second)
    expect((await forge.platform.jobs.list()).filter(({ kind }) => kind === 'remoteMirrors.push')).toEqual([])
  })

  test('does nothing for a deleted mirror', async () => {
    await commit('one')
    const { id } = await addMirror()
    await mirrors().remove({ project, mirror: id })
    await drain()
    expect(target.git('for-each-ref')).toBe('')
  })
})

test('a mirror with an IPv6 address obeys the rules for addresses and is pushed to', async () => {
  const server6 = await startGitHttpServer('::1')
  try {
    const target6 = server6.create()
    const head = await commit('one')
    const url = withCredentials(target6.url)
    await expect(addMirror({ url })).rejects.toMatchObject({
      problems: [{ fields: ['url'], message: 'is blocked: Requests to loopback addresses are not allowed' }],
    })
    await forge.host.settings.update({ outboundLocalRequestsWhitelist: ['::1'] })
    await addMirror({ url })
    await drain()
    expect(await onlyMirror()).toMatchObject({ updateStatus: 'finished', lastError: null })
    expect(target6.git('rev-parse', 'main')).toBe(head)
  } finally {
    server6.close()
  }
})

test.each([
  ['is no longer a maintainer', () => forge.host.members.update({ project, user: 'carol', accessLevel: 30 })],
  ['is blocked', () => forge.host.users.block({ user: 'carol' })],
])('creation fails if the caller %s after the lookup of the host name', async (_, revoke) => {
  await forge.host.members.add({ project, users: ['carol'], accessLevel: 40 })
  const url = 'https://mirror.example/x.git'
  const { remoteMirrors } = forge.as('carol')
  await remoteMirrors.create({ project, url })
  onLookup = revoke
  await expect(remoteMirrors.create({ project, url })).rejects.toMatchObject({ code: 'forbidden' })
  expect((await mirrors().list({ project })).items).toHaveLength(1)
})

describe('host names at the time of a push', () => {
  const url = () => withCredentials(target.url.replace('127.0.0.1', 'mirror.example'))

  test('a name that now resolves to the local network is rejected', async () => {
    await commit('one')
    addresses.set('mirror.example', ['93.184.216.34'])
    await addMirror({ url: url() })
    addresses.set('mirror.example', ['127.0.0.1'])
    await drain()
    expect(await onlyMirror()).toMatchObject({
      updateStatus: 'failed',
      lastError: 'The URL is blocked: Requests to loopback addresses are not allowed',
    })
    expect(target.git('for-each-ref')).toBe('')
  })

  test('the push connects to the address that was checked', async () => {
    const head = await commit('one')
    addresses.set('mirror.example', ['127.0.0.1'])
    await forge.host.settings.update({ outboundLocalRequestsWhitelist: ['mirror.example'] })
    await addMirror({ url: url() })
    await drain()
    // Only the `dns` port of the test resolves the name.
    expect(await onlyMirror()).toMatchObject({ updateStatus: 'finished', lastError: null })
    expect(target.git('rev-parse', 'main')).toBe(head)
  })

  test('an unresolved name is retried', async () => {
    await commit('one')
    await addMirror({ url: url() })
    await drain()
    expect(await onlyMirror()).toMatchObject({
      updateStatus: 'to_retry',
      lastError: 'The host name cannot be resolved',
    })
  })
})

test('a push that was interrupted by the end of its process starts again', async () => {
  const store = await emptyStore()
  const platform = createPlatform(store, { secretKey: new Uint8Array(32).fill(7), ports: ports() })
  await seed(platform, demo)
  const host = platform.as({ system: 'test' })
  await host.projects.create({ namespace: 'acme', path: 'mirrored', name: 'Mirrored' })
  await host.settings.update({ allowLocalRequestsFromWebHooksAndServices: true })
  const commits = [{ message: 'one', author, files: [{ path: 'one', content: '1' }] }]
  const { ids } = await host.commits.import({ project, commits })
  const { id } = await host.remoteMirrors.create({ project, url: withCredentials(target.url), enabled: true })
  await store.write(async ({ db }) => {
    await db.updateTable('remoteMirror').set({ updateStatus: 'started', requestedAt: null }).execute()
    const claimed = { state: 'running' as const, attempts: 1, leaseUntil: new Date(time + minute).toISOString() }
    await db.updateTable('job').set(claimed).where('kind', '=', 'remoteMirrors.push').execute()
  })
  await platform.jobs.drain()
  expect(await host.remoteMirrors.get({ project, mirror: id })).toMatchObject({ updateStatus: 'started' })
  time += 2 * minute
  await platform.jobs.drain()
  expect(await host.remoteMirrors.get({ project, mirror: id })).toMatchObject({ updateStatus: 'finished' })
  expect(target.git('rev-parse', 'main')).toBe(ids[0])
  await platform.close()
})
