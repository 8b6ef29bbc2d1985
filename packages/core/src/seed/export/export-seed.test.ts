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
    packages: [
      { name: 'tool', version: '1.0.0', files: [{ name: 'tool.sh', content: 'echo' }] },
      { name: 'draft', status: 'hidden', files: [{ name: 'a.txt', content: '' }] },
    ],
    containerRepositories: [{ tags: [{ name: 'v1', totalSize: 7 }] }],
    pagesDomains: [{ domain: 'www.example.com' }],
    errorTracking: [{ projectName: 'Web' }],
    featureFlagUserLists: [{ name: 'Friends' }, { name: 'Testers', userXids: 'user1,user2' }],
    featureFlags: [
      {
        name: 'new-search',
        strategies: [{ name: 'gitlabUserList', userList: 'Testers', environments: ['*'] }],
      },
    ],
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

test('jobs with environments create the same deployments again', async () => {
  const environment = {
    name: 'review/main',
    url: 'https://$CI_ENVIRONMENT_SLUG.example.com',
    onStop: 'stop',
    autoStopIn: '1 week',
    deploymentTier: 'testing' as const,
  }
  const data: Seed = {
    users: [{ username: 'bob' }],
    projects: [
      {
        path: 'bob/notes',
        pipelines: [
          {
            ref: 'main',
            sha: 'a'.repeat(40),
            user: 'bob',
            createdAt: '2026-01-01T00:00:00Z',
            jobs: [
              { name: 'deploy', stage: 'deploy', status: 'success', environment },
              {
                name: 'stop',
                stage: 'stop',
                status: 'manual',
                startsWhen: 'manual',
                allowFailure: true,
                environment: { name: 'review/main', action: 'stop' },
              },
              { name: 'release', stage: 'stop', status: 'failed', environment: 'production' },
            ],
          },
        ],
        environments: [
          { name: 'production', externalUrl: 'https://example.com', tier: 'other', description: 'For everybody' },
        ],
      },
    ],
  }
  const summarize = async ({ as }: Pick<Platform, 'as'>) => {
    const host = as({ system: 'test' })
    const [environments, deployments] = [
      (await host.environments.list({ project: 'bob/notes' })).items,
      (await host.deployments.list({ project: 'bob/notes' })).items,
    ]
    return {
      environments: environments.map(({ updatedAt: _, ...environment }) => environment),
      deployments: deployments.map(({ status, environment, deployable }) => [
        status,
        environment.name,
        deployable?.name,
      ]),
    }
  }
  await using forge = await world({ seed: data })
  const created = await summarize(forge.platform)
  expect(created).toMatchObject({
    environments: [
      { name: 'review/main', tier: 'testing', autoStopAt: '2026-01-08T00:00:00.000Z', state: 'available' },
      { name: 'production', tier: 'other', externalUrl: 'https://example.com', description: 'For everybody' },
    ],
    deployments: [
      ['success', 'review/main', 'deploy'],
      ['failed', 'production', 'release'],
    ],
  })
  const first = await exportSeed(forge.platform)
  const copy = await seeded(first.seed)
  expect(await summarize(copy)).toEqual(created)
  expect((await exportSeed(copy)).seed).toEqual(first.seed)
  await copy.close()
})

test('groups are exported after the groups that they are shared with; a cycle loses one share', async () => {
  await using forge = await world({
    seed: { groups: [{ path: 'a' }, { path: 'b' }, { path: 'c', shares: [{ group: 'a', access: 30 }] }] },
  })
  await forge.host.shares.create({ group: 'a', withGroup: 'b', accessLevel: 20 })
  const first = await exportSeed(forge.platform)
  expect(first.seed.groups?.map(({ path, shares = [] }) => [path, shares.length])).toEqual([
    ['b', 0],
    ['a', 1],
    ['c', 1],
  ])
  await forge.host.shares.create({ group: 'b', withGroup: 'a', accessLevel: 20 })
  expect((await exportSeed(forge.platform)).omitted).toContain('shares between groups that are shared with each other')
})

test('issues name their epic, and epics have emoji', async () => {
  const seed = {
    users: [{ username: 'ann' }],
    groups: [{ path: 'team', epics: [{ title: 'Big', author: 'ann', emoji: [{ name: 'tada', users: ['ann'] }] }] }],
    projects: [{ path: 'team/app', issues: [{ title: 'Small', author: 'ann', epic: 'Big' }] }],
  }
  await using forge = await world({ seed })
  const { items } = await forge.host.epicIssues.list({ group: 'team', epic: 1 })
  expect(items).toMatchObject([{ title: 'Small' }])
  const { seed: exported } = await exportSeed(forge.platform)
  expect(exported).toMatchObject({ groups: seed.groups, projects: seed.projects })
  await using copy = await world({ seed: exported })
  expect((await copy.host.epicIssues.list({ group: 'team', epic: 1 })).items).toMatchObject([{ title: 'Small' }])
  const unknown = { projects: [{ path: 'team/other', issues: [{ title: 'x', author: 'ann', epic: 'Unknown' }] }] }
  await expect(forge.seed(unknown)).rejects.toThrow('have no epic with the title Unknown')
})
