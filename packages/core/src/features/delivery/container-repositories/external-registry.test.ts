import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createImagePusher } from '../../../../../../test/registry/push-image.ts'
import {
  hasRegistryServer,
  type RegistryServer,
  registryServer,
} from '../../../../../../test/registry/registry-server.ts'
import { world } from '../../../../../../test/world.ts'
import { ociRegistry } from '../../../ports/oci-registry.ts'

const hour = 3_600_000

describe.skipIf(!hasRegistryServer())('an external registry', () => {
  let server: RegistryServer
  let forge: FakeForge
  let now = Date.now()
  /** Replaces `fetch` for requests to the registry while it is set. */
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
    // All tests share the registry, so each uses its own project.
    project = `acme/app${++count}`
    await forge.host.projects.create({ namespace: 'acme', path: `app${count}`, name: 'App', visibility: 'public' })
  })
  afterEach(() => forge.close())

  const daysAgo = (days: number) => new Date(now - 24 * hour * days).toISOString()

  const push = async (tags: Readonly<Record<string, number>>, path = project) => {
    for (const [tag, days] of Object.entries(tags))
      await createImagePusher(server.url, path).image([tag], { created: daysAgo(days) })
  }

  const createRepository = async (name = '') =>
    (await forge.as('bob').containerRepositories.create({ project, name })).id

  const namesOf = async (repository: number) =>
    (await forge.as('bob').containerTags.list({ project, repository })).items.map(({ name }) => name)

  test('is the source of tags and images', async () => {
    const layers = [Buffer.alloc(40, project)]
    const image = await createImagePusher(server.url, `${project}/worker`).image(['v1', 'v2'], {
      created: daysAgo(1),
      layers,
    })
    const repository = await createRepository('worker')
    const empty = await createRepository()
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
    expect(await containerRepositories.get({ repository: empty, tagsCount: true })).toMatchObject({
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
    await expect(forge.as('bob').containerTags.set({ project, repository, tag: 'v9', digest })).rejects.toMatchObject({
      code: 'invalid',
      message: 'Tags cannot be set here: push the image to the external registry',
    })
  })

  test('removes one tag and keeps others of the same image', async () => {
    const image = await createImagePusher(server.url, project).image(['v1', 'v2'])
    const repository = await createRepository()
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
  ])('removes tags by rule: %j', async (rules, remaining) => {
    await push({ latest: 400, v1: 30, v2: 20, v3: 10, dev: 40 })
    const repository = await createRepository()
    await forge.as('alice').containerTags.removeMatching({ project, repository, ...rules })
    expect(await namesOf(repository)).toHaveLength(5)
    await forge.platform.jobs.drain()
    expect(await namesOf(repository)).toEqual(remaining)
  })

  /** Makes the registry unreachable before it deletes an image, after `moves` tags were repointed. */
  const failAfter = (moves: number) => {
    let moved = 0
    network = async (url, init) => {
      const isMove = init?.method === 'PUT' && /\/manifests\/v[0-9]$/.test(url)
      if (isMove) moved += 1
      const isDelete = moved === moves && init?.method === 'DELETE' && url.includes('/manifests/sha256:')
      if (moved > moves || isDelete) throw new TypeError('unreachable')
      return fetch(url, init)
    }
    return () => moved
  }

  test.each([
    ['while tags are repointed', 1],
    ['after all tags were repointed', 2],
  ])('completes a removal by rule after the registry was unreachable %s', async (_, moves) => {
    await push({ v1: 30, v2: 20, v3: 10, v4: 5 })
    const repository = await createRepository()
    await forge.as('alice').containerTags.removeMatching({ project, repository, nameRegexDelete: 'v.*', keepN: 2 })
    const moved = failAfter(moves)
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

  test('completes the removal of a tag on a second call after the registry was unreachable', async () => {
    await push({ v1: 1, v2: 2 })
    const repository = await createRepository()
    const { containerTags } = forge.as('bob')
    failAfter(1)
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

  test('loses all tags of a removed repository', async () => {
    await push({ v1: 1, v2: 2, latest: 3 })
    const repository = await createRepository()
    await forge.as('alice').containerRepositories.remove({ project, repository })
    await forge.platform.jobs.drain()
    expect((await forge.as('bob').containerRepositories.list({ project })).items).toEqual([])
    const list = await fetch(`${server.url}/v2/${project}/tags/list`)
    expect(((await list.json()) as { tags: unknown }).tags).toBeNull()
  })

  test('discovers repositories that have tags and belong to a project', async () => {
    await push({ v1: 1 })
    await push({ v1: 1 }, `${project}/deep/down`)
    await push({ v1: 1 }, `unknown/group${count}`)
    await push({ v1: 1 }, `${project}/emptied`)
    const emptied = await createRepository('emptied')
    await forge.as('alice').containerRepositories.remove({ project, repository: emptied })
    await forge.platform.jobs.drain()
    await expect(forge.as('alice').containerRepositories.discover()).rejects.toMatchObject({ code: 'forbidden' })
    for (let times = 0; times < 2; times++) {
      await forge.as('root').containerRepositories.discover()
      await forge.platform.jobs.drain()
    }
    const repositories = (await forge.as('bob').containerRepositories.list({ project, tagsCount: true })).items
    expect(repositories.map(({ path, tagsCount }) => [path, tagsCount]).sort()).toEqual([
      [project, 1],
      [`${project}/deep/down`, 1],
    ])
  })

  test('causes errors only in calls that need it while it is unreachable', async () => {
    await push({ v1: 1 })
    const repository = await createRepository()
    network = async () => {
      throw new TypeError('unreachable')
    }
    const { containerRepositories, containerTags } = forge.as('alice')
    const unavailable = { code: 'unavailable', reason: 'registry' }
    await expect(containerTags.list({ project, repository })).rejects.toMatchObject(unavailable)
    await expect(containerTags.get({ project, repository, tag: 'v1' })).rejects.toMatchObject(unavailable)
    await expect(containerTags.remove({ project, repository, tag: 'v1' })).rejects.toMatchObject(unavailable)
    await expect(containerRepositories.list({ project, tagsCount: true })).rejects.toMatchObject(unavailable)
    expect((await containerRepositories.list({ project })).items).toHaveLength(1)
  })

  test('does not block other calls while it is slow', async () => {
    const repository = await createRepository()
    let respond = (): void => undefined
    network = (url, init) => new Promise((resolve) => (respond = () => resolve(fetch(url, init))))
    const slow = forge.as('alice').containerTags.list({ project, repository })
    const labels = await forge.as('bob').labels.list({ project: 'acme/web' })
    await forge.as('bob').containerRepositories.create({ project, name: 'other' })
    expect(labels.items.length).toBeGreaterThan(0)
    respond()
    expect((await slow).items).toEqual([])
  })
})

test('rejects discovery without an external registry', async () => {
  await using forge = await world()
  await expect(forge.as('root').containerRepositories.discover()).rejects.toMatchObject({ code: 'invalid' })
})
