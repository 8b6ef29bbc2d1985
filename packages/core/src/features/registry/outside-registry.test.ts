import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pusher } from '../../../../../test/registry/push-image.ts'
import { hasRegistryServer, type RegistryServer, registryServer } from '../../../../../test/registry/registry-server.ts'
import { world } from '../../../../../test/world.ts'
import { ociRegistry } from '../../ports/oci-registry.ts'

const hour = 3_600_000

describe.skipIf(!hasRegistryServer())('images in a registry outside', () => {
  let server: RegistryServer
  let forge: FakeForge
  let now = Date.now()
  /** While it is set, the network to the registry is as it says. */
  let network: ((url: string, init: RequestInit | undefined) => Promise<Response>) | undefined
  let count = 0
  let project = ''

  beforeAll(async () => {
    server = await registryServer()
  })
  afterAll(() => server.close())

  beforeEach(async () => {
    now = Date.now()
    network = undefined
    const registry = ociRegistry({
      url: server.url,
      host: 'images.example',
      fetch: (input, init) => (network ? network(String(input), init) : fetch(input, init)),
    })
    forge = await world({ ports: { registry, clock: { now: () => now } } })
    // The registry is one for all tests: each has a project of its own.
    project = `acme/app${++count}`
    await forge.host.projects.create({ namespace: 'acme', path: `app${count}`, name: 'App', visibility: 'public' })
  })
  afterEach(() => forge.close())

  const daysAgo = (days: number) => new Date(now - 24 * hour * days).toISOString()

  const push = async (tags: Readonly<Record<string, number>>, path = project) => {
    for (const [tag, days] of Object.entries(tags))
      await pusher(server.url, path).image([tag], { created: daysAgo(days) })
  }

  const created = async (name = '') => (await forge.as('bob').containerRepositories.create({ project, name })).id

  const namesOf = async (repository: number) =>
    (await forge.as('bob').containerTags.list({ project, repository })).items.map(({ name }) => name)

  test('are told as the registry has them', async () => {
    const layers = [Buffer.alloc(40, project)]
    const image = await pusher(server.url, `${project}/worker`).image(['v1', 'v2'], { created: daysAgo(1), layers })
    const repository = await created('worker')
    const empty = await created()
    const { containerRepositories, containerTags } = forge.as('mallory')
    const path = `${project}/worker:v1`
    expect(await containerTags.get({ project, repository, tag: 'v1' })).toEqual({
      name: 'v1',
      path,
      location: `images.example/${path}`,
      digest: image.digest,
      revision: image.revision,
      shortRevision: image.revision.slice(0, 9),
      createdAt: daysAgo(1),
      totalSize: 40,
    })
    expect((await containerRepositories.list({ project, tags: true, tagsCount: true })).items).toMatchObject([
      { id: repository, tagsCount: 2, tags: [{ name: 'v1' }, { name: 'v2' }] },
      { id: empty, tagsCount: 0, tags: [] },
    ])
    expect(await containerRepositories.get({ project, repository: empty, tagsCount: true })).toMatchObject({
      tagsCount: 0,
    })
    const page = await containerTags.list({ project, repository, page: 2, perPage: 1 })
    expect(page).toMatchObject({ items: [{ name: 'v2' }], page: 2, perPage: 1 })
    for (const tag of ['v3', '../../../other/manifests/v1', '-']) {
      await expect(containerTags.get({ project, repository, tag })).rejects.toMatchObject({
        code: 'not_found',
        kind: 'Tag',
      })
    }
    const digest = image.digest
    await expect(forge.as('bob').containerTags.put({ project, repository, tag: 'v9', digest })).rejects.toMatchObject({
      code: 'invalid',
      message: 'Images are pushed to the registry itself',
    })
  })

  test('lose one tag, and keep the others of the same image', async () => {
    const image = await pusher(server.url, project).image(['v1', 'v2'])
    const repository = await created()
    const { containerTags } = forge.as('bob')
    await containerTags.remove({ project, repository, tag: 'v1' })
    expect(await namesOf(repository)).toEqual(['v2'])
    expect(await containerTags.get({ project, repository, tag: 'v2' })).toMatchObject({ digest: image.digest })
    for (const tag of ['v1', 'no/tag']) {
      await expect(containerTags.remove({ project, repository, tag })).rejects.toMatchObject({ code: 'not_found' })
    }
    await expect(forge.as('carol').containerTags.remove({ project, repository, tag: 'v2' })).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(await namesOf(repository)).toEqual(['v2'])
  })

  test.each([
    [{ nameRegexDelete: '.*' }, ['latest']],
    [{ nameRegexDelete: 'v.*', keepN: 1 }, ['dev', 'latest', 'v3']],
    [{ nameRegexDelete: '.*', nameRegexKeep: 'dev', olderThan: '15 days' }, ['dev', 'latest', 'v3']],
    [{ nameRegexDelete: 'v.*', keepN: 1, olderThan: '25 days' }, ['dev', 'latest', 'v2', 'v3']],
  ])('go by rule: %j', async (rules, left) => {
    await push({ latest: 400, v1: 30, v2: 20, v3: 10, dev: 40 })
    const repository = await created()
    await forge.as('alice').containerTags.removeMatching({ project, repository, ...rules })
    expect(await namesOf(repository)).toHaveLength(5)
    await forge.platform.jobs.drain()
    expect(await namesOf(repository)).toEqual(left)
  })

  /** The registry goes away before it deletes an image, once so many tags have been moved out of the way. */
  const awayAfter = (moves: number) => {
    let moved = 0
    network = async (url, init) => {
      const moving = init?.method === 'PUT' && /\/manifests\/v[0-9]$/.test(url)
      if (moving) moved += 1
      const ending = moved === moves && init?.method === 'DELETE' && url.includes('/manifests/sha256:')
      if (moved > moves || ending) throw new TypeError('away')
      return fetch(url, init)
    }
    return () => moved
  }

  test.each([
    ['while tags are moved', 1],
    ['when all of them are', 2],
  ])('go by rule although the registry goes away %s, once it is back', async (_, moves) => {
    await push({ v1: 30, v2: 20, v3: 10, v4: 5 })
    const repository = await created()
    await forge.as('alice').containerTags.removeMatching({ project, repository, nameRegexDelete: 'v.*', keepN: 2 })
    const moved = awayAfter(moves)
    await forge.platform.jobs.drain()
    expect(moved()).toBe(2)
    network = undefined
    expect(await namesOf(repository)).toEqual(['v1', 'v2', 'v3', 'v4'])
    now += 10_000
    await forge.platform.jobs.drain()
    expect(await namesOf(repository)).toEqual(['v3', 'v4'])
    for (const tag of ['v3', 'v4']) {
      expect(await forge.as('bob').containerTags.get({ project, repository, tag })).toMatchObject({ name: tag })
    }
  })

  test('lose one tag although the registry went away in between, when it is asked for again', async () => {
    await push({ v1: 1, v2: 2 })
    const repository = await created()
    const { containerTags } = forge.as('bob')
    awayAfter(1)
    await expect(containerTags.remove({ project, repository, tag: 'v1' })).rejects.toMatchObject({
      code: 'unavailable',
    })
    network = undefined
    expect(await namesOf(repository)).toEqual(['v1', 'v2'])
    await expect(containerTags.get({ project, repository, tag: 'v1' })).rejects.toMatchObject({ code: 'not_found' })
    await containerTags.remove({ project, repository, tag: 'v1' })
    expect(await namesOf(repository)).toEqual(['v2'])
    await expect(containerTags.remove({ project, repository, tag: 'v1' })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('go with their repository', async () => {
    await push({ v1: 1, v2: 2, latest: 3 })
    const repository = await created()
    await forge.as('alice').containerRepositories.remove({ project, repository })
    await forge.platform.jobs.drain()
    expect((await forge.as('bob').containerRepositories.list({ project })).items).toEqual([])
    const list = await fetch(`${server.url}/v2/${project}/tags/list`)
    expect(((await list.json()) as { tags: unknown }).tags).toBeNull()
  })

  test('are found by their paths, where they have tags and a project', async () => {
    await push({ v1: 1 })
    await push({ v1: 1 }, `${project}/deep/down`)
    await push({ v1: 1 }, `nobody/knows${count}`)
    await push({ v1: 1 }, `${project}/emptied`)
    const emptied = await created('emptied')
    await forge.as('alice').containerRepositories.remove({ project, repository: emptied })
    await forge.platform.jobs.drain()
    await expect(forge.as('alice').containerRepositories.discover()).rejects.toMatchObject({ code: 'forbidden' })
    for (let times = 0; times < 2; times++) {
      await forge.as('root').containerRepositories.discover()
      await forge.platform.jobs.drain()
    }
    const found = (await forge.as('bob').containerRepositories.list({ project, tagsCount: true })).items
    expect(found.map(({ path, tagsCount }) => [path, tagsCount]).sort()).toEqual([
      [project, 1],
      [`${project}/deep/down`, 1],
    ])
  })

  test('cannot be told while the registry is away, and everything else can', async () => {
    await push({ v1: 1 })
    const repository = await created()
    network = async () => {
      throw new TypeError('away')
    }
    const { containerRepositories, containerTags } = forge.as('alice')
    const away = { code: 'unavailable', reason: 'registry' }
    await expect(containerTags.list({ project, repository })).rejects.toMatchObject(away)
    await expect(containerTags.get({ project, repository, tag: 'v1' })).rejects.toMatchObject(away)
    await expect(containerTags.remove({ project, repository, tag: 'v1' })).rejects.toMatchObject(away)
    await expect(containerRepositories.list({ project, tagsCount: true })).rejects.toMatchObject(away)
    expect((await containerRepositories.list({ project })).items).toHaveLength(1)
  })

  test('hold nobody up who does not ask for them', async () => {
    const repository = await created()
    let answer = (): void => undefined
    network = (url, init) => new Promise((resolve) => (answer = () => resolve(fetch(url, init))))
    const slow = forge.as('alice').containerTags.list({ project, repository })
    const names = await forge.as('bob').labels.list({ project: 'acme/web' })
    await forge.as('bob').containerRepositories.create({ project, name: 'other' })
    expect(names.items.length).toBeGreaterThan(0)
    answer()
    expect((await slow).items).toEqual([])
  })
})

test('there is nothing to discover where tags are rows', async () => {
  await using own = await world()
  await expect(own.as('root').containerRepositories.discover()).rejects.toMatchObject({ code: 'invalid' })
})
