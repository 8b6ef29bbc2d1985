import { createPlatform, type Platform } from '@forgelet/core'
import { exportSeed, seed } from '@forgelet/core/seed'
import { expect, test } from 'vitest'
import { fullSeed } from '../../../../../test/full-seed.ts'
import { emptyStore, world } from '../../../../../test/world.ts'
import type { Seed } from '../seed.ts'

const seeded = async (data: Seed): Promise<Platform> => {
  const platform = createPlatform(await emptyStore())
  await seed(platform, data)
  return platform
}

test('the seed of an export creates a world whose export is equal', async () => {
  await using forge = await world({ seed: fullSeed })
  const first = await exportSeed(forge.platform)
  const copy = await seeded(first.seed)
  expect((await exportSeed(copy)).seed).toEqual(first.seed)
  await copy.close()
})

test('the export contains what the seed created', async () => {
  await using forge = await world({ seed: fullSeed })
  const { seed: exported, omitted } = await exportSeed(forge.platform)
  const withoutTokens = (fullSeed.users ?? []).map(({ tokens: _, keys: _keys, admin: _admin, ...user }) => user)
  expect(exported.users?.filter(({ bot }) => !bot)).toMatchObject(withoutTokens)
  expect(exported.users?.filter(({ bot }) => bot)).toMatchObject([{ name: 'group-robot' }, { name: 'robot' }])
  const acme = exported.groups?.find(({ path }) => path === 'acme')
  expect(acme).toMatchObject({
    members: [
      { user: 'alice', access: 50 },
      { user: 'bob', access: 30 },
      { user: expect.stringMatching(/^group_/), access: 50 },
    ],
    labels: [{ name: 'urgent', color: '#DC143C' }],
    milestones: [{ title: '1.0', dueDate: '2027-01-31' }],
    epics: [{ title: 'Conquer the world', notes: [{ author: 'bob', body: 'Yes' }] }],
  })
  const web = exported.projects?.find(({ path }) => path === 'acme/web')
  expect(web).toMatchObject({
    shares: [{ group: 'partners', access: 20 }],
    issues: [
      {
        title: 'The home page is slow',
        labels: ['bug', 'urgent'],
        milestone: '1.0',
        emoji: [{ users: ['alice', 'carol'] }],
      },
      { title: 'Dark mode' },
      { title: 'The login form leaks passwords', confidential: true },
      { title: 'Typo in the footer', state: 'closed', endedAt: expect.any(String) },
    ],
    mergeRequests: [{ title: 'Cache the home page', sourceBranch: 'cache-home', assignees: ['alice'] }],
    snippets: [{ title: 'Deploy', content: 'echo' }],
    environments: [{ name: 'production', deployments: [{ user: 'bob', status: 'success' }] }],
    protectedEnvironments: [{ name: 'production', levels: [30], users: ['bob'] }],
    protectedBranches: expect.arrayContaining([
      expect.objectContaining({ name: 'stable/*', push: { levels: [40], users: ['bob'] }, allowForcePush: true }),
    ]),
    protectedTags: [{ name: 'final-*', create: { levels: [0] } }],
    remoteMirrors: [{ url: 'https://example.com/web.git' }],
    containerRepositories: [{ tags: [{ name: 'v1', totalSize: 7 }] }],
    pagesDomains: [{ domain: 'www.example.com' }],
    errorTracking: [{ projectName: 'Web' }],
    dependencyReports: [{ dependencies: [{ name: 'left-pad' }] }],
    customAttributes: [{ key: 'tier', value: 'gold' }],
  })
  expect(exported).toMatchObject({
    snippets: [{ title: 'Mine' }],
    replicaNodes: [{ name: 'first' }, { name: 'second' }],
  })
  expect(JSON.stringify(exported)).not.toContain('hushsecret')
  expect(omitted).toEqual(
    expect.arrayContaining(['repositories', 'jobs of deployments', 'credentials in the URLs of remote mirrors']),
  )
})

test('groups are exported after the groups that they are shared with; a cycle loses one share', async () => {
  await using forge = await world({
    seed: { groups: [{ path: 'a' }, { path: 'b' }, { path: 'c', shares: [{ group: 'a', access: 30 }] }] },
  })
  await forge.host.shares.add({ group: 'a', withGroup: 'b', accessLevel: 20 })
  const first = await exportSeed(forge.platform)
  expect(first.seed.groups?.map(({ path, shares = [] }) => [path, shares.length])).toEqual([
    ['b', 0],
    ['a', 1],
    ['c', 1],
  ])
  await forge.host.shares.add({ group: 'b', withGroup: 'a', accessLevel: 20 })
  expect((await exportSeed(forge.platform)).omitted).toContain('shares between groups that are shared with each other')
})
