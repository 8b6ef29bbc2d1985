import type { FakeForge } from '@forgelet/fixtures'
import { Gitlab } from '@gitbeaker/rest'
import { afterEach, expect, test, vi } from 'vitest'
import { newSshKey } from '../contract/ssh-keys.ts'
import { world } from '../sqlite-world.ts'

const clientOf = (forge: FakeForge, user: string) =>
  new Gitlab({ host: forge.url, token: forge.tokens[user] as string })

const project = 'acme/web'

afterEach(() => vi.unstubAllGlobals())

async function environments(forge: FakeForge) {
  const api = clientOf(forge, 'bob').Environments
  const { id } = await api.create(project, 'review/fix', { externalUrl: 'https://fix.example.com' })
  expect(await api.edit(project, id, { externalUrl: 'https://other.example.com' })).toMatchObject({
    external_url: 'https://other.example.com',
    state: 'available',
  })
  expect(await api.stop(project, id)).toMatchObject({ id, state: 'stopped' })
  expect(await api.show(project, id)).toMatchObject({ name: 'review/fix', last_deployment: null })
  for (let count = 0; count < 24; count++) await api.create(project, `review/${count}`)
  expect(await api.all(project, { perPage: 10 })).toHaveLength(25)
  expect(await api.all(project, { search: 'review/1' })).toHaveLength(11)
  await api.remove(project, id)
  await expect(api.show(project, id)).rejects.toThrow('404 Not found')
  await expect(api.create(project, 'a:b')).rejects.toThrow('can contain only letters')
}

async function protectedEnvironments(forge: FakeForge) {
  const api = clientOf(forge, 'alice').ProjectProtectedEnvironments
  // The client does not encode ids and names in these URLs: the test uses numeric ids and encodes names itself.
  const { id } = await forge.host.projects.get({ project })
  const created = await api.create(id, 'review/*', [{ access_level: 40 }] as never)
  expect(created).toMatchObject({ name: 'review/*', deploy_access_levels: [{ access_level: 40 }] })
  expect(await api.all(id)).toEqual([created])
  expect(await api.show(id, encodeURIComponent('review/*'))).toEqual(created)
  await expect(api.show(project, 'production')).rejects.toThrow('404 Not Found')
  await expect(api.create(id, 'review/*', [{ access_level: 40 }] as never)).rejects.toThrow('already exists')
  await api.remove(id, encodeURIComponent('review/*'))
  await expect(api.show(id, encodeURIComponent('review/*'))).rejects.toThrow('404 Not found')
}

async function errorTracking(forge: FakeForge) {
  const api = clientOf(forge, 'alice').ErrorTrackingSettings
  await expect(api.show(project)).rejects.toThrow('404 Error Tracking Setting Not Found')
  await forge.host.errorTracking.set({
    project,
    projectName: 'Web',
    trackerExternalUrl: 'https://errors.example.com',
    apiUrl: 'https://errors.example.com/api',
  })
  expect(await api.show(project)).toMatchObject({ active: true, project_name: 'Web' })
  expect(await api.edit(project, false)).toMatchObject({ active: false })
}

async function keys(forge: FakeForge) {
  const api = clientOf(forge, 'root').Keys
  const { id } = await forge.host.keys.create({ user: 'bob', key: newSshKey('bob@laptop') })
  expect(await api.show({ keyId: id })).toMatchObject({ id, user: { username: 'bob' } })
  // The client drops the query string with the fingerprint.
  await expect(api.show({ fingerprint: 'any' })).rejects.toThrow('fingerprint is missing')
  await expect(api.show({ keyId: 99_999 })).rejects.toThrow('404 Not found')
}

async function replicaNodes(forge: FakeForge) {
  const api = clientOf(forge, 'root').GeoNodes
  const { id } = await api.create('second', 'https://second.example.com', { reposMaxCapacity: 5 })
  expect(await api.edit(id, { name: 'second', url: 'https://other.example.com' } as never)).toMatchObject({
    url: 'https://other.example.com/',
    repos_max_capacity: 5,
  })
  expect(await api.all()).toHaveLength(1)
  expect(await api.repair(id)).toMatchObject({ id })
  await forge.host.replicaNodes.report({ node: id, healthy: true, wikisCount: 4, wikisSyncedCount: 1 })
  expect(await api.showStatus(id)).toMatchObject({ geo_node_id: id, wikis_synced_in_percentage: '25.00%' })
  // The client calls `/geo_nodes/statuses`, which is not a documented route.
  await expect(api.allStatuses()).rejects.toThrow('id is invalid')
  await api.remove(id)
  await expect(api.show(id)).rejects.toThrow('404 Not found')
}

async function applicationSettings(forge: FakeForge) {
  const api = clientOf(forge, 'root').ApplicationSettings
  const before = await api.show()
  expect(before).toMatchObject({ id: 1, default_project_visibility: 'private', domain_whitelist: null })
  const after = await api.edit({ defaultProjectVisibility: 'internal', domainBlacklist: ['spam.example'] } as never)
  expect(after).toMatchObject({ default_project_visibility: 'internal', domain_blacklist: ['spam.example'] })
  expect(await api.show()).toEqual(after)
  expect(Object.keys(after)).toEqual(Object.keys(before))
  expect(await api.edit({ spamfilterEnabled: true } as never)).toMatchObject({ spamfilter_enabled: true })
  await expect(clientOf(forge, 'alice').ApplicationSettings.show()).rejects.toThrow('403 Forbidden')
}

async function pagesDomains(forge: FakeForge) {
  const api = clientOf(forge, 'alice').PagesDomains
  const domain = 'www.example.com'
  const created = await api.create(project, domain, { autoSslEnabled: 'true' })
  expect(created).toMatchObject({ domain, url: 'http://www.example.com' })
  expect(await api.edit(project, domain, { autoSslEnabled: 'false' })).toMatchObject({ auto_ssl_enabled: false })
  expect(await api.all({ projectId: project })).toMatchObject([{ domain }])
  expect(await clientOf(forge, 'root').PagesDomains.all()).toMatchObject([{ domain, project_id: expect.any(Number) }])
  await expect(api.all()).rejects.toThrow('403 Forbidden')
  await expect(api.create(project, domain)).rejects.toThrow('has already been taken')
  await expect(api.edit(project, domain, { certificate: 'x', key: 'x' })).rejects.toThrow('must be a valid PEM')
  await api.remove(project, domain)
  await expect(api.show(project, domain)).rejects.toThrow('404 PagesDomain Not Found')
}

async function remoteMirrors(forge: FakeForge) {
  const api = clientOf(forge, 'alice').ProjectRemoteMirrors
  const created = await api.createPushMirror(project, 'https://robot:secret@93.184.216.34/x.git', {
    keepDivergentRefs: true,
  })
  expect(created).toMatchObject({
    enabled: false,
    url: 'https://*****:*****@93.184.216.34/x.git',
    keep_divergent_refs: true,
  })
  const { id } = created
  expect(await api.all(project)).toEqual([created])
  expect(await api.show(project, id)).toEqual(created)
  // The client updates mirrors with POST; the documented method is PUT.
  await expect(api.edit(project, id, { enabled: true })).rejects.toThrow('405 Not Allowed')
  await expect(api.sync(project, id)).rejects.toThrow('is disabled')
  await expect(api.createPushMirror(project, 'http://127.0.0.1/x.git')).rejects.toThrow('loopback')
  await api.remove(project, id)
  await expect(api.show(project, id)).rejects.toThrow('404 Not found')
}

test.each([
  ['environments', environments],
  ['pages domains', pagesDomains],
  ['remote mirrors', remoteMirrors],
  ['protected environments', protectedEnvironments],
  ['error tracking', errorTracking],
  ['keys', keys],
  ['replica nodes', replicaNodes],
  ['application settings', applicationSettings],
])('@gitbeaker/rest manages %s over a socket', async (_, check) => {
  const forge = await world({ port: 0 })
  try {
    await check(forge)
  } finally {
    await forge.close()
  }
})

test('@gitbeaker/rest manages environments without a socket', async () => {
  const forge = await world()
  try {
    vi.stubGlobal('fetch', forge.fetch)
    await environments(forge)
  } finally {
    await forge.close()
  }
})
