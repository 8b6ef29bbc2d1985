import { createPlatform } from '@forgelet/core'
import { demo, plant } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptyStore, world } from '../../../../../test/world.ts'
import { type GitHttpServer, gitHttpServer } from './git-http-server.ts'

const project = 'acme/mirrored'
const minute = 60_000

let server: GitHttpServer
let forge: FakeForge
let target: ReturnType<GitHttpServer['create']>
let time: number
/** Addresses of the world's name service. */
let addresses: Map<string, readonly string[]>

beforeAll(async () => {
  server = await gitHttpServer()
})
afterAll(() => server.close())

const ports = () => ({
  clock: { now: () => time },
  names: { addresses: async (host: string) => addresses.get(host) ?? [], textRecords: async () => [] },
})

beforeEach(async () => {
  time = Math.floor(Date.now() / 1_000) * 1_000
  addresses = new Map()
  target = server.create()
  server.password = 'open sesame'
  server.beforeAnswer = async () => undefined
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
  return (await forge.host.repository.commit({ project, commits })).ids[0] as string
}

const withCredentials = (url: string, password = server.password) => {
  const address = new URL(url)
  address.username = server.user
  address.password = encodeURIComponent(password)
  return address.href
}
const add = (more: Partial<Parameters<FakeForge['host']['remoteMirrors']['create']>[0]> = {}) =>
  mirrors().create({ project, url: withCredentials(target.url), enabled: true, ...more })
const only = async () => (await mirrors().list({ project })).items[0]
const at = () => new Date(time).toISOString()

describe('a mirror', () => {
  test('begins disabled, with nothing done and its credentials masked', async () => {
    const made = await mirrors().create({ project, url: 'https://robot:secret@example.com/x.git' })
    expect(made).toEqual({
      id: expect.any(Number),
      enabled: false,
      url: 'https://*****:*****@example.com/x.git',
      onlyProtectedBranches: false,
      keepDivergentRefs: false,
      updateStatus: 'none',
      lastError: null,
      lastUpdateAt: null,
      lastUpdateStartedAt: null,
      lastSuccessfulUpdateAt: null,
    })
    expect(await mirrors().get({ project, mirror: made.id })).toEqual(made)
    const changed = { ...made, enabled: true, keepDivergentRefs: true }
    expect(await mirrors().update({ project, mirror: made.id, enabled: true, keepDivergentRefs: true })).toEqual(
      changed,
    )
    expect(await mirrors().update({ project, mirror: made.id })).toEqual(changed)
    await mirrors().remove({ project, mirror: made.id })
    await expect(mirrors().get({ project, mirror: made.id })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('belongs to its project', async () => {
    const { id } = await mirrors().create({ project, url: 'https://example.com/x.git' })
    const elsewhere = { project: 'bob/notes', mirror: id }
    const missing = { code: 'not_found' }
    await expect(forge.host.remoteMirrors.get(elsewhere)).rejects.toMatchObject(missing)
    await expect(forge.host.remoteMirrors.update({ ...elsewhere, enabled: true })).rejects.toMatchObject(missing)
    await expect(forge.host.remoteMirrors.remove(elsewhere)).rejects.toMatchObject(missing)
    await expect(forge.host.remoteMirrors.sync(elsewhere)).rejects.toMatchObject(missing)
  })

  test.each([
    ['', "can't be blank"],
    ['ftp://example.com/x', 'is blocked: Only allowed schemes are ssh, git, http, https'],
    ['https://-x@example.com/x', 'is blocked: Username needs to start with an alphanumeric character'],
    ['https://127.0.0.1/x', 'is blocked: Requests to loopback addresses are not allowed'],
    ['https://inside.example/x', 'is blocked: Requests to the local network are not allowed'],
    ['https://both.example/x', 'is blocked: Requests to loopback addresses are not allowed'],
  ])('cannot lead to %j', async (url, message) => {
    addresses.set('inside.example', ['10.0.0.7']).set('both.example', ['93.184.216.34', '::1'])
    await expect(mirrors().create({ project, url })).rejects.toMatchObject({
      code: 'invalid',
      problems: [{ fields: ['url'], message }],
    })
    expect(await only()).toBeUndefined()
  })

  test('is for maintainers', async () => {
    for (const user of ['bob', 'carol', 'mallory'])
      await expect(forge.as(user).remoteMirrors.list({ project })).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('keeps its credentials sealed', async () => {
    const store = await emptyStore()
    const platform = createPlatform(store, { secretKey: new Uint8Array(32).fill(7), ports: ports() })
    await plant(platform, demo)
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

  test('follows creation and every push', async () => {
    const first = await commit('one')
    await add()
    await drain()
    expect(target.git('rev-parse', 'main')).toBe(first)
    const done = { updateStatus: 'finished', lastError: null, lastUpdateStartedAt: at(), lastUpdateAt: at() }
    expect(await only()).toMatchObject({ ...done, lastSuccessfulUpdateAt: at() })
    const second = await commit('two', 'topic')
    await forge.host.repository.createTag({ project, name: 'v1' })
    time += minute
    expect(await drain()).toBeGreaterThan(0)
    expect(target.git('rev-parse', 'topic', 'v1')).toBe(`${second}\n${first}`)
    expect(await only()).toMatchObject({ lastSuccessfulUpdateAt: at() })
  })

  test('needs an enabled mirror and something to push', async () => {
    await add({ enabled: false })
    const head = await commit('one')
    await drain()
    expect(await only()).toMatchObject({ updateStatus: 'none' })
    const { id } = (await only()) as { id: number }
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

  test('only of the default branch, with tags', async () => {
    await commit('one')
    await commit('two', 'topic')
    await forge.host.repository.createTag({ project, name: 'v1' })
    await add({ onlyProtectedBranches: true })
    await drain()
    expect(target.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main\nrefs/tags/v1')
    expect(await only()).toMatchObject({ updateStatus: 'finished' })
  })

  test('overwrites what diverged, or keeps it and says so', async () => {
    await commit('one')
    await commit('two', 'topic')
    await add({ keepDivergentRefs: true })
    await drain()
    const tree = target.git('rev-parse', 'main^{tree}')
    const identity = ['-c', 'user.name=x', '-c', 'user.email=x@y']
    const theirs = target.git(...identity, 'commit-tree', tree, '-m', 'theirs')
    target.git('update-ref', 'refs/heads/topic', theirs)
    const head = await commit('three')
    await drain()
    expect(target.git('rev-parse', 'main', 'topic')).toBe(`${head}\n${theirs}`)
    expect(await only()).toMatchObject({
      updateStatus: 'failed',
      lastError: 'Some refs have diverged and have not been updated on the remote: refs/heads/topic',
    })
    expect((await forge.platform.jobs.list()).filter(({ kind }) => kind === 'remoteMirrors.push')).toEqual([])
    const { id } = (await only()) as { id: number }
    await mirrors().update({ project, mirror: id, keepDivergentRefs: false })
    await drain()
    expect(target.git('rev-parse', 'topic')).not.toBe(theirs)
    expect(await only()).toMatchObject({ updateStatus: 'finished', lastError: null })
  })

  test('with a wrong password fails without telling it, and is tried again', async () => {
    const head = await commit('one')
    await add({ url: withCredentials(target.url, 'hushsecret') })
    await drain()
    const failed = await only()
    expect(failed).toMatchObject({ updateStatus: 'to_retry', lastUpdateAt: at(), lastSuccessfulUpdateAt: null })
    expect(failed?.lastError).toMatch(/Authentication failed|could not read/)
    expect(JSON.stringify([failed, await forge.platform.jobs.list()])).not.toContain('hushsecret')
    server.password = 'hushsecret'
    await drain()
    expect(await only()).toMatchObject({ updateStatus: 'to_retry' })
    time += minute
    await drain()
    expect(await only()).toMatchObject({ updateStatus: 'finished', lastError: null, lastSuccessfulUpdateAt: at() })
    expect(target.git('rev-parse', 'main')).toBe(head)
  })

  test('to nobody is given up after a while, until the next push', async () => {
    await commit('one')
    await add({ url: withCredentials(target.url.replace(/:\d+\//, ':9/')) })
    for (let tries = 1; tries < 10; tries++) {
      await drain()
      expect(await only()).toMatchObject({ updateStatus: 'to_retry', lastError: expect.any(String) })
      time += 60 * minute
    }
    await drain()
    expect(await only()).toMatchObject({ updateStatus: 'failed' })
    const waiting = async () => (await forge.platform.jobs.list()).filter(({ kind }) => kind === 'remoteMirrors.push')
    expect(await waiting()).toEqual([])
    await commit('two')
    expect(await waiting()).toHaveLength(1)
  })

  test('never follows a redirect', async () => {
    await commit('one')
    await add({ url: withCredentials(target.redirected) })
    await drain()
    expect(await only()).toMatchObject({
      updateStatus: 'to_retry',
      lastError: expect.stringMatching(/30[1278]|redirect/i),
    })
    expect(target.git('for-each-ref')).toBe('')
  })

  test('sees what was pushed while it ran', async () => {
    await commit('one')
    await add()
    let later: string | undefined
    server.beforeAnswer = async () => {
      server.beforeAnswer = async () => undefined
      later = await commit('two')
    }
    await drain()
    expect(later).toBeDefined()
    expect(target.git('rev-parse', 'main')).toBe(later)
    expect((await forge.platform.jobs.list()).filter(({ kind }) => kind === 'remoteMirrors.push')).toEqual([])
  })

  test('does nothing for a mirror that has gone', async () => {
    await commit('one')
    const { id } = await add()
    await mirrors().remove({ project, mirror: id })
    await drain()
    expect(target.git('for-each-ref')).toBe('')
  })
})

describe('addresses at the time of a push', () => {
  const url = () => withCredentials(target.url.replace('127.0.0.1', 'mirror.example'))

  test('a name that leads into the local network by then is not called', async () => {
    await commit('one')
    addresses.set('mirror.example', ['93.184.216.34'])
    await add({ url: url() })
    addresses.set('mirror.example', ['127.0.0.1'])
    await drain()
    expect(await only()).toMatchObject({
      updateStatus: 'failed',
      lastError: 'The URL is blocked: Requests to loopback addresses are not allowed',
    })
    expect(target.git('for-each-ref')).toBe('')
  })

  test('a checked name is called at the address that was checked', async () => {
    const head = await commit('one')
    addresses.set('mirror.example', ['127.0.0.1'])
    await forge.host.settings.update({ outboundLocalRequestsWhitelist: ['mirror.example'] })
    await add({ url: url() })
    await drain()
    // Only the world's own name service knows the name.
    expect(await only()).toMatchObject({ updateStatus: 'finished', lastError: null })
    expect(target.git('rev-parse', 'main')).toBe(head)
  })

  test('a name without address is tried again', async () => {
    await commit('one')
    await add({ url: url() })
    await drain()
    const unknown = { updateStatus: 'to_retry', lastError: 'The host name cannot be resolved' }
    expect(await only()).toMatchObject(unknown)
  })
})

test('a push that a dead process left behind is begun anew', async () => {
  const store = await emptyStore()
  const platform = createPlatform(store, { secretKey: new Uint8Array(32).fill(7), ports: ports() })
  await plant(platform, demo)
  const host = platform.as({ system: 'test' })
  await host.projects.create({ namespace: 'acme', path: 'mirrored', name: 'Mirrored' })
  await host.settings.update({ allowLocalRequestsFromWebHooksAndServices: true })
  const commits = [{ message: 'one', author, files: [{ path: 'one', content: '1' }] }]
  const { ids } = await host.repository.commit({ project, commits })
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
