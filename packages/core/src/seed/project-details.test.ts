import { expect, test } from 'vitest'
import { newSshKey } from '../../../../test/contract/ssh-keys.ts'
import { world } from '../../../../test/world.ts'

const url = 'https://errors.example.com'
const sha = 'c'.repeat(40)

test('seeds environments, dependencies, keys, mirrors and replica nodes', async () => {
  const forge = await world()
  try {
    const robot = newSshKey('robot')
    const created = await forge.seed({
      users: [
        {
          username: 'zoe',
          profile: { bio: 'Ships', websiteUrl: 'https://zoe.example' },
          keys: [{ key: newSshKey('zoe@laptop'), createdAt: '2026-01-02T03:04:05Z' }],
        },
      ],
      projects: [
        {
          path: 'acme/shop',
          members: [{ user: 'zoe', access: 'developer' }],
          environments: [
            {
              name: 'production',
              externalUrl: 'https://shop.example.com',
              deployments: [{ user: 'zoe', sha, job: { id: 5 }, createdAt: '2026-02-03T04:05:06Z' }],
            },
            { name: 'review/1', state: 'stopped' },
          ],
          protectedEnvironments: [{ name: 'production', levels: [40], users: ['zoe'] }],
          errorTracking: [{ active: false, projectName: 'Shop', trackerExternalUrl: url, apiUrl: url }],
          dependencyReports: [{ dependencies: [{ name: 'rails', packageManager: 'bundler' }] }],
          deployKeys: [{ key: robot, canPush: true }],
          pagesDomains: [{ domain: 'shop.example.com', autoSslEnabled: true, createdAt: '2026-03-04T05:06:07Z' }],
          remoteMirrors: [{ url: 'https://robot:secret@git.example.com/shop.git', keepDivergentRefs: true }],
        },
        { path: 'acme/till', deployKeys: [{ key: robot }] },
      ],
      replicaNodes: [
        {
          name: 'second',
          url: 'https://second.example.com',
          status: { healthy: true, wikisCount: 2, wikisSyncedCount: 1 },
        },
      ],
    })
    const { host } = forge
    const project = 'acme/shop'
    const environment = created.environments?.['acme/shop:production']?.id as number
    expect(await host.environments.get({ project, environment })).toMatchObject({
      slug: 'production',
      lastDeployment: {
        user: { username: 'zoe' },
        deployable: { id: 5 },
        createdAt: '2026-02-03T04:05:06.000Z',
      },
    })
    expect((await host.environments.list({ project })).items.map(({ state }) => state)).toEqual([
      'available',
      'stopped',
    ])
    expect((await host.protectedEnvironments.list({ project })).items[0]?.deployAccessLevels).toHaveLength(2)
    expect(await host.pagesDomains.get({ project, domain: 'shop.example.com' })).toMatchObject({ autoSslEnabled: true })
    const mirror = created.remoteMirrors?.['acme/shop 1']?.id as number
    expect(await host.remoteMirrors.get({ project, mirror })).toMatchObject({
      url: 'https://*****:*****@git.example.com/shop.git',
      enabled: false,
      keepDivergentRefs: true,
    })
    expect(await host.errorTracking.get({ project })).toMatchObject({ active: false, projectName: 'Shop' })
    expect((await host.dependencies.list({ project })).total).toBe(1)
    expect(await host.keys.find({ key: created.keys?.['zoe zoe@laptop']?.id as number })).toMatchObject({
      createdAt: '2026-01-02T03:04:05.000Z',
      user: { username: 'zoe', bio: 'Ships' },
    })
    const deployKey = await host.keys.find({ key: created.deployKeys?.['acme/shop robot']?.id as number })
    expect(deployKey.deployKeysProjects?.map(({ canPush }) => canPush)).toEqual([true, false])
    const node = created.replicaNodes?.second?.id as number
    expect((await host.replicaNodes.getStatus({ node })).wikisSyncedInPercentage).toBe('50.00%')
  } finally {
    await forge.close()
  }
})
