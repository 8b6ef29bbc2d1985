import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/sqlite-world.ts'
import { type GitHttpServer, startGitHttpServer } from '../../../../../../test/support/git-http-server.ts'

const project = 'acme/copy'
const minute = 60_000

let server: GitHttpServer
let forge: FakeForge
let source: ReturnType<GitHttpServer['create']>
let time: number

beforeAll(async () => {
  server = await startGitHttpServer()
})
afterAll(() => server.close())

beforeEach(async () => {
  time = Math.floor(Date.now() / 1_000) * 1_000
  source = server.create()
  server.password = 'open sesame'
  forge = await world({
    pipelinesOnPush: true,
    ports: { clock: { now: () => time }, dns: { addresses: async () => [], textRecords: async () => [] } },
  })
  await forge.host.settings.update({ allowLocalRequestsFromWebHooksAndServices: true })
  await forge.host.projects.create({ namespace: 'acme', path: 'copy', name: 'Copy' })
})
afterEach(() => forge.close())

const withCredentials = (password = server.password) => {
  const url = new URL(source.url)
  url.username = server.user
  url.password = encodeURIComponent(password)
  return url.href
}
const drain = () => forge.platform.jobs.drain()
const mirror = () => forge.as('alice').pullMirrors.get({ project })
const change = (fields: object) => forge.as('alice').projects.update({ project, ...fields })

const commit = (branch: string, message: string, parent?: string) => {
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com']
  const tree = source.git('write-tree')
  const id = source.git(...identity, 'commit-tree', tree, '-m', message, ...(parent ? ['-p', parent] : []))
  source.git('update-ref', `refs/heads/${branch}`, id)
  return id
}

const branches = async () => {
  const { items } = await forge.as('alice').branches.list({ project, perPage: 100 })
  return Object.fromEntries(items.map(({ name, commit: { id } }) => [name, id]))
}

test('updates branches and tags every 30 minutes, as pushes of the user without pipelines', async () => {
  const first = commit('main', 'First')
  source.git('update-ref', 'refs/tags/v1', first)
  await change({ mirror: true, importUrl: withCredentials() })
  expect(await mirror()).toMatchObject({ enabled: true, updateStatus: 'scheduled', mirrorTriggerBuilds: false })
  await drain()
  expect(await branches()).toEqual({ main: first })
  expect((await forge.as('alice').tags.list({ project })).items).toMatchObject([{ name: 'v1' }])
  const updated = await mirror()
  expect(updated).toMatchObject({
    updateStatus: 'finished',
    lastError: null,
    url: expect.stringContaining('*****:*****@'),
  })
  expect(JSON.stringify(updated)).not.toContain('sesame')
  expect(Date.parse(updated.nextUpdateAt ?? '') - time).toBe(30 * minute)
  const { items: events } = await forge.as('alice').events.list({ project, action: 'pushed' })
  expect(events).toContainEqual(expect.objectContaining({ author: expect.objectContaining({ username: 'alice' }) }))
  const second = commit('main', 'Second', first)
  commit('topic', 'Topic', first)
  await drain()
  expect(await branches()).toEqual({ main: first })
  time += 30 * minute
  await drain()
  expect(await branches()).toMatchObject({ main: second, topic: expect.any(String) })
  expect((await forge.as('alice').pipelines.list({ project })).items).toEqual([])
  expect(await forge.as('alice').projects.get({ project })).toMatchObject({ mirror: true, mirrorTriggerBuilds: false })
})

test('keeps diverged branches, and says so of the default branch; with the option they are overwritten', async () => {
  const first = commit('main', 'First')
  await change({ mirror: true, importUrl: withCredentials() })
  await drain()
  const own = { project, branch: 'main', filePath: 'own.md', content: 'x', commitMessage: 'Own' }
  await forge.as('alice').repositoryFiles.create(own)
  const kept = (await branches()).main
  const other = commit('main', 'Other', first)
  await forge.as('alice').pullMirrors.sync({ project })
  await drain()
  expect((await branches()).main).toBe(kept)
  expect(await mirror()).toMatchObject({
    updateStatus: 'failed',
    lastError: expect.stringMatching(/^The default branch \(main\) has diverged/),
  })
  await change({ mirrorOverwritesDivergedBranches: true })
  await forge.as('alice').pullMirrors.sync({ project })
  await drain()
  expect((await branches()).main).toBe(other)
  expect(await mirror()).toMatchObject({ updateStatus: 'finished', lastError: null })
})

test('selects branches by a pattern, or the protected ones', async () => {
  commit('main', 'Main')
  commit('release-1', 'Release')
  commit('topic', 'Topic')
  await change({ mirror: true, importUrl: withCredentials(), mirrorBranchRegex: '^release' })
  await drain()
  expect(Object.keys(await branches())).toEqual(['release-1'])
  await forge.as('alice').protectedBranches.create({ project, name: 'main' })
  await change({ onlyMirrorProtectedBranches: true })
  expect(await mirror()).toMatchObject({ mirrorBranchRegex: null, onlyMirrorProtectedBranches: true })
  await forge.as('alice').pullMirrors.sync({ project })
  await drain()
  expect(Object.keys(await branches())).toEqual(['main', 'release-1'])
})

test('waits longer after each failure, up to a day, and starts again on request', async () => {
  commit('main', 'First')
  await change({ mirror: true, importUrl: withCredentials('wrong secret') })
  await drain()
  const delays: number[] = []
  const failures: string[] = []
  forge.platform.on('pullMirror.failed', ({ message }) => void failures.push(message))
  for (let count = 1; count <= 15; count += 1) {
    const { nextUpdateAt, updateStatus, lastError } = await mirror()
    expect([updateStatus, lastError]).toEqual(['failed', 'The remote repository rejected the credentials'])
    delays.push((Date.parse(nextUpdateAt as string) - time) / minute)
    time = Date.parse(nextUpdateAt as string)
    await drain()
  }
  expect(delays).toEqual([60, 90, 120, 150, 180, 210, 240, 270, 300, 300, 300, 300, 300, 1_440, 1_440])
  expect(failures).toEqual(['The remote repository rejected the credentials'])
  const { nextUpdateAt } = await mirror()
  const [authUser, authPassword] = [server.user, 'wrong secret']
  await forge.as('alice').pullMirrors.update({ project, url: source.url, authUser, authPassword })
  expect(await mirror()).toMatchObject({ updateStatus: 'failed', nextUpdateAt })
  await forge
    .as('alice')
    .pullMirrors.update({ project, url: source.url, authUser: server.user, authPassword: server.password })
  await drain()
  expect(await mirror()).toMatchObject({ updateStatus: 'finished', lastError: null })
})

test('ends with the mirror, and with the permission of its user', async () => {
  commit('main', 'First')
  await change({ mirror: true, importUrl: withCredentials() })
  await forge.host.users.block({ user: 'alice' })
  await drain()
  expect(await forge.host.pullMirrors.get({ project })).toMatchObject({
    lastError: 'The mirror user is not allowed to push code to this project.',
  })
  await forge.host.projects.update({ project, mirror: false })
  expect(await forge.host.pullMirrors.get({ project })).toMatchObject({ enabled: false, nextUpdateAt: null })
  await expect(forge.host.pullMirrors.sync({ project })).rejects.toMatchObject({
    message: 'The project is not mirrored',
  })
})
