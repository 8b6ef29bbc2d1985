import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { world } from '../world.ts'
import { client, type Send } from './client.ts'

/** The orders and the contents of lists of projects. */

let forge: FakeForge
let send: Send
beforeAll(async () => {
  forge = await world()
  send = client(forge)
  const { host } = forge
  await host.projects.measure({ project: 'acme/web', repositorySize: 100, wikiSize: 1, snippetsSize: 2 })
  await host.projects.measure({ project: 'acme/tools/deploy', repositorySize: 50, packagesSize: 500 })
  await host.projects.measure({ project: 'bob/notes', wikiSize: 9, containerRegistrySize: 9_000 })
  for (const user of ['alice', 'bob']) await forge.as(user).projects.star({ project: 'acme/web' })
  await forge.as('alice').projects.star({ project: 'acme/tools/deploy' })
  await forge
    .as('alice')
    .uploads.create({ project: 'acme/web', file: { fileName: 'a.txt', content: new TextEncoder().encode('12345') } })
})
afterAll(() => forge.close())

const paths = async (query: string, as = 'root') => {
  const { status, body, headers } = await send(`GET /projects?${query}`, { as })
  expect([status, headers.get('forgelet-unsupported-parameters')]).toEqual([200, null])
  return (body as { path_with_namespace: string }[]).map((project) => project.path_with_namespace)
}

test.each([
  ['star_count', ['acme/web', 'acme/tools/deploy']],
  ['storage_size', ['acme/tools/deploy', 'acme/web', 'bob/notes']],
  ['repository_size', ['acme/web', 'acme/tools/deploy']],
  ['wiki_size', ['bob/notes', 'acme/web']],
  ['packages_size', ['acme/tools/deploy']],
])('are sorted by %s', async (order, first) => {
  expect((await paths(`order_by=${order}`)).slice(0, first.length)).toEqual(first)
  expect((await paths(`order_by=${order}&sort=asc`)).slice(-first.length)).toEqual([...first].reverse())
})

test('are continued after a cursor in the order of their stars', async () => {
  const all = await paths('order_by=star_count')
  const found: string[] = []
  let next: string | undefined = '/projects?order_by=star_count&pagination=keyset&per_page=1'
  while (next !== undefined) {
    const { body, headers } = await send(`GET ${next}`, { as: 'root' })
    found.push(...body.map((project: { path_with_namespace: string }) => project.path_with_namespace))
    next = headers.get('link')?.match(/<[^>]*\/api\/v4([^>]*)>; rel="next"/)?.[1]
  }
  expect(found).toEqual(all)
})

test('orders by size have no effect for users who are not administrators', async () => {
  expect(await paths('order_by=packages_size', 'alice')).toEqual(await paths('order_by=created_at', 'alice'))
})

test('the order by similarity begins with equal names', async () => {
  const { host } = forge
  for (const path of ['other-web', 'web-client', 'web']) {
    await host.projects.create({ namespace: 'acme/tools', path, name: path })
  }
  expect(await paths('search=web&order_by=similarity')).toEqual([
    'acme/tools/web',
    'acme/web',
    'acme/tools/web-client',
    'acme/tools/other-web',
  ])
  expect(await paths('order_by=similarity')).toEqual(await paths('order_by=created_at'))
})

test('a minimum level between those of members counts as the next one', async () => {
  expect(await paths('min_access_level=15', 'bob')).toEqual(await paths('min_access_level=20', 'bob'))
})

test('administrators filter by the storage of the repository', async () => {
  await forge.host.projects.update({ project: 'bob/notes', settings: { repositoryStorage: 'second' } })
  expect(await paths('repository_storage=second')).toEqual(['bob/notes'])
  expect(await paths('repository_storage=default')).not.toContain('bob/notes')
  expect(await paths('repository_storage=second', 'alice')).not.toEqual(['bob/notes'])
})

test('statistics are returned on request to reporters and above', async () => {
  const statistics = {
    commit_count: 0,
    storage_size: 108,
    repository_size: 100,
    wiki_size: 1,
    lfs_objects_size: 0,
    job_artifacts_size: 0,
    pipeline_artifacts_size: 0,
    packages_size: 0,
    snippets_size: 2,
    uploads_size: 5,
    container_registry_size: 0,
  }
  expect((await send('GET /projects/acme%2Fweb?statistics=true', { as: 'alice' })).body.statistics).toEqual(statistics)
  expect((await send('GET /projects/acme%2Fweb', { as: 'alice' })).body).not.toHaveProperty('statistics')
  expect((await send('GET /projects/acme%2Fweb?statistics=true')).body).not.toHaveProperty('statistics')
  const listed = (await send('GET /projects?statistics=true', { as: 'alice' })).body
  const find = (path: string) =>
    listed.find((project: { path_with_namespace: string }) => project.path_with_namespace === path)
  expect(find('acme/web').statistics).toEqual(statistics)
  const { storage_size, container_registry_size } = (
    await send('GET /projects/bob%2Fnotes?statistics=true', { as: 'bob' })
  ).body.statistics
  expect([storage_size, container_registry_size]).toEqual([9, 9_000])
})

test('forks contain the fields of their source, as the caller sees them', async () => {
  await forge.host.projects.update({ project: 'acme/web', description: 'The source' })
  await forge.host.projects.create({ namespace: 'bob', path: 'copy', name: 'Copy', forkedFrom: 'acme/web' })
  const { forked_from_project: source } = (await send('GET /projects/bob%2Fcopy', { as: 'bob' })).body
  expect(source).toMatchObject({
    path_with_namespace: 'acme/web',
    description: 'The source',
    star_count: 2,
    forks_count: 1,
    topics: [],
    namespace: { full_path: 'acme' },
    ssh_url_to_repo: expect.stringContaining('acme/web.git'),
  })
  expect(source).not.toHaveProperty('forked_from_project')
  expect(source).not.toHaveProperty('repository_storage')
})
