import { hash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPlatform, sqlite } from '@forgelet/core'
import { seed } from '@forgelet/core/seed'
import type { FakeForge, Seed } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

const hour = 3_600_000
const start = Date.parse('2026-06-01T00:00:00.000Z')
const daysBefore = (days: number) => new Date(start - 24 * hour * days).toISOString()

let now = start
let forge: FakeForge
beforeEach(async () => {
  now = start
  forge = await world({ ports: { clock: { now: () => now } } })
})
afterEach(() => forge.close())

const project = 'acme/web'
const digest = (letter: string) => `sha256:${letter.repeat(64)}`

/** Creates a repository with tags by age in days; null for an image without a date. */
const createWithTags = async (tags: Readonly<Record<string, number | null>>, name = '') => {
  const { containerRepositories, containerTags } = forge.as('alice')
  const { id: repository } = await containerRepositories.create({ project, name })
  for (const [tag, days] of Object.entries(tags)) {
    const createdAt = days === null ? null : daysBefore(days)
    await containerTags.set({ project, repository, tag, digest: digest('a'), createdAt })
  }
  return repository
}

const namesOf = async (repository: number) =>
  (await forge.as('alice').containerTags.list({ project, repository, perPage: 100 })).items.map(({ name }) => name)

describe('repositories', () => {
  test('have lower-case paths and are filtered by their full name', async () => {
    const { containerRepositories } = forge.as('bob')
    await forge.host.projects.create({ namespace: 'acme', path: 'Shop.API', name: 'Shop', visibility: 'public' })
    const root = await containerRepositories.create({ project: 'acme/Shop.API' })
    expect(root).toEqual({
      id: expect.any(Number),
      name: '',
      path: 'acme/shop.api',
      projectId: expect.any(Number),
      location: 'localhost/acme/shop.api',
      createdAt: new Date(start).toISOString(),
      status: null,
      cleanupPolicyStartedAt: null,
    })
    const worker = await containerRepositories.create({ project: 'acme/Shop.API', name: 'worker/mail' })
    expect(worker.path).toBe('acme/shop.api/worker/mail')
    const list = (name?: string) =>
      forge.as('mallory').containerRepositories.list({ project: 'acme/Shop.API', ...(name !== undefined && { name }) })
    expect((await list()).items).toEqual([root, worker])
    expect((await list('worker/mail')).items).toEqual([worker])
    expect((await list('worker')).items).toEqual([])
    expect((await list('')).items).toEqual([root])
    await expect(containerRepositories.create({ project: 'acme/Shop.API' })).rejects.toMatchObject({ code: 'conflict' })
  })

  test.each(['Worker', 'a//b', '/a', 'a/', '-a', 'a..b', 'a b', 'a'.repeat(256)])(
    'reject the name %j',
    async (name) => {
      await expect(forge.as('bob').containerRepositories.create({ project, name })).rejects.toMatchObject({
        code: 'invalid',
        problems: [{ fields: ['name'] }],
      })
    },
  )

  test('include tags and their number on request', async () => {
    const first = await createWithTags({ v2: 1, latest: 2, v10: 3 })
    const second = await createWithTags({}, 'empty')
    const { containerRepositories } = forge.as('carol')
    const plain = (await containerRepositories.list({ project })).items
    expect(plain.map(({ id }) => id)).toEqual([first, second])
    expect(plain[0]).not.toHaveProperty('tags')
    expect(plain[0]).not.toHaveProperty('tagsCount')
    const counted = (await containerRepositories.list({ project, tagsCount: true })).items
    expect(counted.map(({ tagsCount }) => tagsCount)).toEqual([3, 0])
    const [full, empty] = (await containerRepositories.list({ project, tags: true, tagsCount: true })).items
    // In byte order, on both databases.
    expect(full?.tags).toEqual(
      ['latest', 'v10', 'v2'].map((name) => ({
        name,
        path: `acme/web:${name}`,
        location: `localhost/acme/web:${name}`,
      })),
    )
    expect(full?.tagsCount).toBe(3)
    expect(empty).toMatchObject({ tags: [], tagsCount: 0 })
    expect(await containerRepositories.get({ repository: first, tagsCount: true })).toEqual(counted[0])
  })

  test('of a group exclude projects with a disabled registry', async () => {
    const { projects, containerRepositories } = forge.host
    await createWithTags({ v1: 1 })
    const deep = await containerRepositories.create({ project: 'acme/tools/deploy', name: 'runner' })
    await projects.create({ namespace: 'acme', path: 'off', name: 'Off', visibility: 'private' })
    await containerRepositories.create({ project: 'acme/off' })
    await projects.update({ project: 'acme/off', settings: { containerRegistryAccessLevel: 'disabled' } })
    const list = await forge.as('bob').containerRepositories.list({ group: 'acme', tagsCount: true })
    expect(list.items.map(({ path, tagsCount }) => [path, tagsCount])).toEqual([
      ['acme/web', 1],
      ['acme/tools/deploy/runner', 0],
    ])
    expect((await forge.as('bob').containerRepositories.list({ group: 'acme', name: 'runner' })).items).toEqual([deep])
    expect((await forge.as('bob').containerRepositories.list({ group: 'acme/tools' })).items).toEqual([deep])
    await expect(forge.as('mallory').containerRepositories.list({ group: 'acme' })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(forge.platform.containerRepositories.list({ group: 'acme' })).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    await projects.update({ project: 'acme/off', settings: { containerRegistryAccessLevel: 'enabled' } })
    expect((await forge.as('bob').containerRepositories.list({ group: 'acme' })).items).toHaveLength(3)
  })

  test('are deleted with all tags by a job and can be created again', async () => {
    const tags = Object.fromEntries(Array.from({ length: 1_200 }, (_, index) => [`v${index}`, index]))
    const repository = await forge.platform.atomic(async (open) => {
      const { id } = await open.as({ system: 'test' }).containerRepositories.create({ project })
      for (const tag of Object.keys(tags)) {
        await open.as({ system: 'test' }).containerTags.set({ project, repository: id, tag, digest: digest('b') })
      }
      return id
    })
    const other = await createWithTags({ v1: 1 }, 'other')
    const { containerRepositories, containerTags } = forge.as('alice')
    await containerRepositories.remove({ project, repository })
    await containerRepositories.remove({ project, repository })
    expect((await containerRepositories.list({ project, tagsCount: true })).items[0]).toMatchObject({
      tagsCount: 1_200,
    })
    await expect(containerTags.set({ project, repository, tag: 'v9', digest: digest('c') })).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await forge.platform.jobs.drain()).toBeGreaterThan(0)
    expect((await containerRepositories.list({ project })).items.map(({ id }) => id)).toEqual([other])
    await expect(containerTags.list({ project, repository })).rejects.toMatchObject({ code: 'not_found' })
    expect(await namesOf(other)).toEqual(['v1'])
    const recreated = await containerRepositories.create({ project })
    expect(recreated.id).not.toBe(repository)
    expect(await namesOf(recreated.id)).toEqual([])
  })

  test('are not found in another project', async () => {
    const repository = await createWithTags({ v1: 1 })
    const { containerRepositories, containerTags } = forge.as('alice')
    const reference = { project: 'acme/tools/deploy', repository }
    for (const call of [
      () => containerRepositories.remove(reference),
      () => containerTags.list(reference),
      () => containerTags.get({ ...reference, tag: 'v1' }),
      () => containerTags.set({ ...reference, tag: 'v1', digest: digest('a') }),
      () => containerTags.remove({ ...reference, tag: 'v1' }),
      () => containerTags.removeMatching({ ...reference, nameRegexDelete: '.*' }),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'not_found', kind: undefined })
    }
    expect(await namesOf(repository)).toEqual(['v1'])
  })
})

describe('a tag', () => {
  test('returns the details of its image and can be replaced', async () => {
    const repository = await createWithTags({})
    const { containerTags } = forge.as('bob')
    const revision = '0123456789abcdef'.repeat(4)
    const input = { project, repository, tag: 'v1.0', digest: digest('a'), revision, totalSize: 2 ** 40 }
    const created = await containerTags.set({ ...input, createdAt: '2026-05-01T12:00:00+02:00' })
    expect(created).toEqual({
      name: 'v1.0',
      path: 'acme/web:v1.0',
      location: 'localhost/acme/web:v1.0',
      revision,
      shortRevision: '012345678',
      digest: digest('a'),
      createdAt: '2026-05-01T10:00:00.000Z',
      totalSize: 2 ** 40,
    })
    expect(await forge.as('mallory').containerTags.get({ project, repository, tag: 'v1.0' })).toEqual(created)
    await containerTags.set({ project, repository, tag: 'v1.0', digest: digest('b') })
    expect(await containerTags.get({ project, repository, tag: 'v1.0' })).toEqual({
      ...created,
      digest: digest('b'),
      revision: null,
      shortRevision: null,
      createdAt: null,
      totalSize: null,
    })
    expect(await namesOf(repository)).toEqual(['v1.0'])
  })

  test.each([
    [{ tag: '-v1' }, 'tag'],
    [{ tag: 'a b' }, 'tag'],
    [{ tag: 'a'.repeat(129) }, 'tag'],
    [{ digest: 'sha256:abc' }, 'digest'],
    [{ digest: `md5:${'a'.repeat(64)}` }, 'digest'],
    [{ revision: 'A'.repeat(64) }, 'revision'],
    [{ totalSize: -1 }, 'totalSize'],
    [{ createdAt: 'yesterday' }, 'createdAt'],
  ])('rejects %j', async (invalid, field) => {
    const repository = await createWithTags({})
    const input = { project, repository, tag: 'v1', digest: digest('a'), ...invalid }
    await expect(forge.as('bob').containerTags.set(input)).rejects.toMatchObject({
      code: 'invalid_input',
      problems: [{ fields: [field] }],
    })
  })

  test('is removed without other tags of the same image', async () => {
    const repository = await createWithTags({ v1: 1, v2: 1 })
    const { containerTags } = forge.as('bob')
    await containerTags.remove({ project, repository, tag: 'v1' })
    expect(await namesOf(repository)).toEqual(['v2'])
    for (const tag of ['v1', 'no tag at all', 'a'.repeat(300)]) {
      const missing = { code: 'not_found', kind: 'Tag' }
      await expect(containerTags.remove({ project, repository, tag })).rejects.toMatchObject(missing)
      await expect(containerTags.get({ project, repository, tag })).rejects.toMatchObject(missing)
    }
    await expect(forge.as('carol').containerTags.remove({ project, repository, tag: 'v2' })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })

  test('is listed in pages', async () => {
    const repository = await createWithTags({ c: 1, a: 2, d: 3, b: 4 })
    const { containerTags } = forge.as('carol')
    const page = await containerTags.list({ project, repository, page: 2, perPage: 3 })
    expect(page).toMatchObject({ page: 2, perPage: 3 })
    expect(page.items.map(({ name }) => name)).toEqual(['d'])
  })
})

describe('a disabled registry', () => {
  test('is forbidden for all users and keeps its data', async () => {
    const repository = await createWithTags({ v1: 1 })
    await forge.host.projects.update({ project, settings: { containerRegistryAccessLevel: 'disabled' } })
    for (const session of [forge.as('mallory'), forge.as('alice'), forge.as('root'), forge.host]) {
      await expect(session.containerRepositories.list({ project })).rejects.toMatchObject({ code: 'forbidden' })
      await expect(session.containerTags.list({ project, repository })).rejects.toMatchObject({ code: 'forbidden' })
      await expect(session.containerTags.remove({ project, repository, tag: 'v1' })).rejects.toMatchObject({
        code: 'forbidden',
      })
    }
    await forge.host.projects.update({ project, settings: { containerRegistryAccessLevel: 'enabled' } })
    expect(await namesOf(repository)).toEqual(['v1'])
  })
})

describe('removing tags by rule', () => {
  const tags = { latest: 400, 'v1.0': 30, 'v1.1': 20, 'v2.0': 10, dev: 5, undated: null }

  const remainingTags = async (rules: Readonly<Record<string, unknown>>) => {
    const repository = await createWithTags(tags)
    await forge.as('alice').containerTags.removeMatching({ project, repository, ...rules })
    expect(await namesOf(repository)).toHaveLength(6)
    await forge.platform.jobs.drain()
    return (await namesOf(repository)).sort()
  }

  test.each([
    ['removes all tags but latest', { nameRegexDelete: '.*' }, ['latest']],
    ['accepts the former parameter name', { nameRegex: 'v.*' }, ['dev', 'latest', 'undated']],
    [
      'prefers the new parameter name',
      { nameRegex: '.*', nameRegexDelete: 'dev' },
      ['latest', 'undated', 'v1.0', 'v1.1', 'v2.0'],
    ],
    ['matches whole names only', { nameRegexDelete: 'v1' }, ['dev', 'latest', 'undated', 'v1.0', 'v1.1', 'v2.0']],
    [
      'keeps tags that match nameRegexKeep',
      { nameRegexDelete: '.*', nameRegexKeep: 'v1.*' },
      ['latest', 'v1.0', 'v1.1'],
    ],
    ['keeps the newest tags', { nameRegexDelete: 'v.*', keepN: 1 }, ['dev', 'latest', 'undated', 'v2.0']],
    ['removes only old tags', { nameRegexDelete: '.*', olderThan: '15 days' }, ['dev', 'latest', 'undated', 'v2.0']],
    [
      'applies keepN before olderThan',
      { nameRegexDelete: 'v.*', keepN: 2, olderThan: '1d' },
      ['dev', 'latest', 'undated', 'v1.1', 'v2.0'],
    ],
    [
      'removes nothing for an unreadable duration',
      { nameRegexDelete: '.*', olderThan: 'soon' },
      ['dev', 'latest', 'undated', 'v1.0', 'v1.1', 'v2.0'],
    ],
    [
      'removes nothing for a negative keepN',
      { nameRegexDelete: '.*', keepN: -1 },
      ['dev', 'latest', 'undated', 'v1.0', 'v1.1', 'v2.0'],
    ],
  ])('%s', async (_, rules, expected) => {
    expect(await remainingTags(rules)).toEqual(expected)
  })

  test('requires a name pattern and rejects invalid patterns', async () => {
    const repository = await createWithTags(tags)
    const { containerTags } = forge.as('alice')
    await expect(containerTags.removeMatching({ project, repository, keepN: 1 })).rejects.toMatchObject({
      message: 'nameRegex, nameRegexDelete are missing, at least one parameter must be provided',
    })
    await expect(
      containerTags.removeMatching({ project, repository, nameRegexDelete: '[', nameRegexKeep: '(' }),
    ).rejects.toMatchObject({
      code: 'invalid_input',
      message:
        'nameRegexDelete is an invalid regexp: missing closing ]: `[`, nameRegexKeep is an invalid regexp: missing closing ): `(`',
    })
    // A rejected call does not count towards the hourly limit.
    await containerTags.removeMatching({ project, repository, nameRegexDelete: 'dev' })
  })

  test('is accepted once per hour and repository', async () => {
    const repository = await createWithTags(tags)
    const other = await createWithTags(tags, 'other')
    const { containerTags } = forge.as('alice')
    const remove = (id: number) => containerTags.removeMatching({ project, repository: id, nameRegexDelete: 'dev' })
    await remove(repository)
    await remove(other)
    const rejected = {
      code: 'invalid',
      message:
        'This request has already been made. You can run this at most once an hour for a given container repository',
    }
    await expect(remove(repository)).rejects.toMatchObject(rejected)
    await forge.platform.jobs.drain()
    now = start + hour - 1
    await expect(remove(repository)).rejects.toMatchObject(rejected)
    await expect(
      forge.host.containerTags.removeMatching({ project, repository, nameRegexDelete: 'dev' }),
    ).rejects.toMatchObject(rejected)
    now = start + hour
    await remove(repository)
  })

  test('is accepted again after the clock was set back, and then once per hour', async () => {
    const repository = await createWithTags(tags)
    const { containerTags } = forge.as('alice')
    const remove = () => containerTags.removeMatching({ project, repository, nameRegexDelete: 'dev' })
    await remove()
    await forge.platform.jobs.drain()
    now = start - 24 * hour
    await remove()
    await forge.platform.jobs.drain()
    await expect(remove()).rejects.toMatchObject({ code: 'invalid' })
    now += hour
    await remove()
  })

  test('accepts one of several concurrent calls', async () => {
    const repository = await createWithTags(tags)
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () =>
        forge.as('alice').containerTags.removeMatching({ project, repository, nameRegexDelete: 'v.*' }),
      ),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('keeps tags that were set after the call and does not count them', async () => {
    const repository = await createWithTags({ a: 3, b: 2, c: 1 })
    const { containerTags } = forge.as('alice')
    await containerTags.removeMatching({ project, repository, nameRegexDelete: '.*', keepN: 1 })
    now = start + 1_000
    await containerTags.set({ project, repository, tag: 'd', digest: digest('d'), createdAt: daysBefore(0) })
    await containerTags.set({ project, repository, tag: 'a', digest: digest('d'), createdAt: daysBefore(0) })
    await forge.platform.jobs.drain()
    expect(await namesOf(repository)).toEqual(['a', 'c', 'd'])
  })

  test('measures ages from the call, not from the run of the job', async () => {
    const repository = await createWithTags({ old: 10, young: 6 })
    await forge
      .as('alice')
      .containerTags.removeMatching({ project, repository, nameRegexDelete: '.*', olderThan: '7d' })
    now = start + 48 * hour
    await forge.platform.jobs.drain()
    expect(await namesOf(repository)).toEqual(['young'])
  })

  test('yields to the event loop while it matches a hostile pattern', async () => {
    // On a fast machine too, the job takes many time slices.
    const count = 600
    // Names without repetition, so that the state cache of the regular expression engine has no effect.
    const name = (index: number) =>
      hash('sha512', String(index))
        .replace(/[0-7]/g, 'a')
        .replace(/[89c-f]/g, 'b')
        .slice(0, 120)
    const repository = await forge.platform.atomic(async (open) => {
      const host = open.as({ system: 'test' })
      const { id } = await host.containerRepositories.create({ project })
      for (let index = 0; index < count; index++) {
        await host.containerTags.set({ project, repository: id, tag: `${name(index)}-${index}`, digest: digest('a') })
      }
      return id
    })
    // Takes several milliseconds per name.
    const nameRegexDelete = '((.*a)?.{30}b?){20}x'
    await forge.as('alice').containerTags.removeMatching({ project, repository, nameRegexDelete })
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    await forge.platform.jobs.drain()
    clearInterval(timer)
    expect(turns).toBeGreaterThan(20)
    const [counted] = (await forge.as('alice').containerRepositories.list({ project, tagsCount: true })).items
    expect(counted?.tagsCount).toBe(count)
  })
})

test('a seed creates repositories with tags', async () => {
  const seed: Seed = {
    projects: [
      {
        path: 'acme/images',
        containerRepositories: [
          { tags: [{ name: 'v1', totalSize: 7, createdAt: '2026-01-01T00:00:00.000Z' }, { name: 'v2' }] },
          { name: 'worker', createdAt: '2026-02-01T00:00:00.000Z' },
        ],
      },
    ],
  }
  const seeded = await forge.seed(seed)
  const repository = seeded.containerRepositories?.['acme/images']?.id as number
  expect(seeded.containerRepositories?.['acme/images/worker']).toEqual({ id: expect.any(Number) })
  const images = await forge.host.containerRepositories.list({ project: 'acme/images', tagsCount: true })
  expect(images.items).toMatchObject([
    { name: '', tagsCount: 2 },
    { name: 'worker', tagsCount: 0, createdAt: '2026-02-01T00:00:00.000Z' },
  ])
  expect(await forge.host.containerTags.get({ project: 'acme/images', repository, tag: 'v1' })).toMatchObject({
    digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    totalSize: 7,
    createdAt: '2026-01-01T00:00:00.000Z',
  })
})

test('jobs that were enqueued before a restart run after it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'forgelet-registry-'))
  try {
    const file = join(folder, 'forge.db')
    const before = createPlatform(sqlite(file))
    const tags = ['v1', 'v2', 'latest'].map((name) => ({ name }))
    await seed(before, {
      groups: [{ path: 'acme' }],
      projects: [{ path: 'acme/web', containerRepositories: [{ tags }, { name: 'gone', tags }] }],
    })
    const host = before.as({ system: 'test' })
    const [first, second] = (await host.containerRepositories.list({ project })).items
    await host.containerTags.removeMatching({ project, repository: first?.id as number, nameRegexDelete: '.*' })
    await host.containerRepositories.remove({ project, repository: second?.id as number })
    await before.close()

    const after = createPlatform(sqlite(file))
    const restarted = after.as({ system: 'test' })
    expect((await restarted.containerRepositories.list({ project, tagsCount: true })).items).toMatchObject([
      { tagsCount: 3 },
      { tagsCount: 3 },
    ])
    await after.jobs.drain()
    const repositories = (await restarted.containerRepositories.list({ project, tags: true })).items
    expect(repositories).toMatchObject([{ name: '', tags: [{ name: 'latest' }] }])
    expect(repositories).toHaveLength(1)
    const removal = restarted.containerTags.removeMatching({
      project,
      repository: first?.id as number,
      nameRegexDelete: '.*',
    })
    await expect(removal).rejects.toMatchObject({ code: 'invalid' })
    await after.close()
  } finally {
    await rm(folder, { recursive: true })
  }
})
