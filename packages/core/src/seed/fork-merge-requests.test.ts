import { fakeForge, type Seed } from '@forgelet/fixtures'
import { expect, test } from 'vitest'
import { exportSeed } from './export/export-seed.ts'

const seed: Seed = {
  users: [{ username: 'ann' }],
  groups: [{ path: 'team', visibility: 'public' }],
  projects: [
    {
      path: 'team/app',
      visibility: 'public',
      mergeRequests: [
        { title: 'Own', author: 'ann', sourceBranch: 'own' },
        { iid: 3, title: 'Later', author: 'ann', sourceBranch: 'later' },
      ],
    },
    {
      path: 'team/fork',
      visibility: 'public',
      forkedFrom: 'team/app',
      mergeRequests: [
        {
          iid: 2,
          title: 'Out',
          author: 'ann',
          sourceBranch: 'out',
          targetProject: 'team/app',
          allowCollaboration: true,
        },
        { iid: 1, title: 'In', author: 'ann', sourceBranch: 'in', sourceProject: 'team/app' },
      ],
    },
  ],
}

const read = async (world: Seed) => {
  const forge = await fakeForge({ seed: world })
  const { items } = await forge.host.mergeRequests.list({ scope: 'all', sort: 'asc' })
  const { id } = await forge.host.projects.get({ project: 'team/app' })
  const exported = await exportSeed(forge.platform)
  await forge.close()
  const listed = items.map(({ projectPath, iid, title, sourceProjectId, allowCollaboration }) => ({
    reference: `${projectPath}!${iid}`,
    title,
    isOfApp: sourceProjectId === id,
    allowCollaboration,
  }))
  return { listed: listed.toSorted((a, b) => a.reference.localeCompare(b.reference)), exported: exported.seed }
}

test('merge requests between a project and its fork are seeded and exported', async () => {
  const { listed, exported } = await read(seed)
  expect(listed).toEqual([
    { reference: 'team/app!1', title: 'Own', isOfApp: true, allowCollaboration: false },
    { reference: 'team/app!2', title: 'Out', isOfApp: false, allowCollaboration: true },
    { reference: 'team/app!3', title: 'Later', isOfApp: true, allowCollaboration: false },
    { reference: 'team/fork!1', title: 'In', isOfApp: true, allowCollaboration: false },
  ])
  expect((await read(exported)).listed).toEqual(listed)
})
