import type { FakeForge, Seed } from '@forgelet/fixtures'
import { Gitlab } from '@gitbeaker/rest'
import { afterEach, expect, test, vi } from 'vitest'
import { world } from '../sqlite-world.ts'

const clientOf = (forge: FakeForge, user: string) =>
  new Gitlab({ host: forge.url, token: forge.tokens[user] as string }).ContainerRegistry

const projectId = 'acme/web'
const tags = Array.from({ length: 25 }, (_, at) => ({
  name: `v${at}`,
  createdAt: `2026-01-${10 + (at % 20)}T00:00:00.000Z`,
}))

const images: Seed = {
  projects: [{ path: 'acme/images', visibility: 'public', containerRepositories: [{ tags }, { name: 'worker' }] }],
}

afterEach(() => vi.unstubAllGlobals())

async function checkRegistry(forge: FakeForge) {
  await forge.seed(images)
  const { id: project } = await forge.host.projects.get({ project: 'acme/images' })
  const bob = clientOf(forge, 'bob')
  const alice = clientOf(forge, 'alice')
  const repositories = await bob.allRepositories({ projectId: project, tagsCount: true })
  expect(repositories).toMatchObject([
    { path: 'acme/images', tags_count: 25 },
    { path: 'acme/images/worker', tags_count: 0 },
  ])
  expect(await bob.allRepositories({ groupId: 'acme' })).toHaveLength(2)
  expect(await bob.allRepositories({ projectId })).toEqual([])
  const [first, second] = repositories.map(({ id }) => id) as [number, number]
  expect(await bob.allTags(project, first, { perPage: 10 })).toHaveLength(25)
  expect(await bob.showTag(project, first, 'v7')).toMatchObject({
    name: 'v7',
    created_at: '2026-01-17T00:00:00.000+00:00',
  })
  await bob.removeTag(project, first, 'v7')
  await expect(bob.showTag(project, first, 'v7')).rejects.toThrow('404 Tag Not Found')
  await expect(bob.removeTags(project, first, '.*')).rejects.toThrow('403 Forbidden')
  await alice.removeTags(project, first, 'v1.*', { keepN: 2 } as never)
  await expect(alice.removeTags(project, first, '.*')).rejects.toThrow('at most once an hour')
  await alice.removeRepository(project, second)
  await forge.platform.jobs.drain()
  expect(await bob.allRepositories({ projectId: project, tagsCount: true })).toMatchObject([{ tags_count: 15 }])
}

test('@gitbeaker/rest reads and deletes container images over a socket', async () => {
  await using forge = await world({ port: 0 })
  await checkRegistry(forge)
})

test('@gitbeaker/rest does the same without a socket', async () => {
  await using forge = await world()
  vi.stubGlobal('fetch', forge.fetch)
  await checkRegistry(forge)
})
