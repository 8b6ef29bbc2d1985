import { fakeForge } from '@forgelet/fixtures'
import { expect, test } from 'vitest'
import { type Seed, seed } from './seed.ts'

const users = [{ username: 'olga', name: 'Olga', email: 'olga@example.com' }, { username: 'kim' }]
const node = { name: 'near', url: 'https://near.example.com' }

test.each<[string, Seed]>([
  [
    'seed.projects[1].issues[1].notes[0]',
    {
      projects: [
        { path: 'olga/a' },
        {
          path: 'olga/b',
          issues: [
            { title: 'x', author: 'olga' },
            { title: 'y', author: 'olga', notes: [{ author: 'nobody', body: 'x' }] },
          ],
        },
      ],
    },
  ],
  [
    'seed.projects[0].repository.tags[0]',
    {
      projects: [
        {
          path: 'olga/a',
          repository: { commits: [{ message: 'x', author: 'olga' }], tags: [{ name: 'v1', at: 'nowhere' }] },
        },
      ],
    },
  ],
  ['seed.replicaNodes[1]', { replicaNodes: [node, node] }],
  [
    'seed.users[0].tokens[1]',
    {
      users: [{ username: 'max', tokens: [{ secret: 'a-secret' }, { secret: 'a-secret' }] }],
    },
  ],
  ['seed.settings', { settings: { defaultProjectsLimit: -1 } }],
])('an error names the path %s', async (path, seed) => {
  await using forge = await fakeForge({ seed: { users } })
  await expect(forge.seed(seed)).rejects.toMatchObject({ message: expect.stringContaining(`${path}: `) })
})

test('features are disabled after their content is seeded', async () => {
  await using forge = await fakeForge({
    seed: {
      users,
      groups: [{ path: 'acme', requestAccessEnabled: false, visibility: 'public', accessRequests: ['kim'] }],
      projects: [
        {
          path: 'olga/closed',
          visibility: 'public',
          requestAccessEnabled: false,
          issuesAccessLevel: 'disabled',
          mergeRequestsAccessLevel: 'disabled',
          snippetsAccessLevel: 'disabled',
          accessRequests: ['kim'],
          issues: [{ title: 'Old', author: 'olga', notes: [{ author: 'olga', body: 'Still here' }] }],
          snippets: [{ title: 'Old', content: 'x', author: 'olga' }],
        },
      ],
    },
  })
  const project = 'olga/closed'
  const olga = forge.as('olga')
  expect(await forge.host.projects.get({ project })).toMatchObject({
    issuesAccessLevel: 'disabled',
    requestAccessEnabled: false,
  })
  await expect(olga.issues.list({ project })).rejects.toMatchObject({ code: 'forbidden' })
  expect((await olga.accessRequests.list({ project })).items).toMatchObject([{ username: 'kim' }])
  await forge.host.projects.update({ project, issuesAccessLevel: 'enabled' })
  expect((await olga.issues.list({ project })).items).toMatchObject([{ title: 'Old' }])
})

test('a snippet has the user agent of its request', async () => {
  await using forge = await fakeForge({ seed: { users } })
  const { snippets } = await forge.seed({
    snippets: [{ as: 'trick', title: 'x', content: 'x', author: 'olga', userAgent: 'curl/8', ipAddress: '192.0.2.7' }],
  })
  expect(await forge.host.snippets.getUserAgent({ snippet: snippets?.trick?.id as number })).toMatchObject({
    userAgent: 'curl/8',
    ipAddress: '192.0.2.7',
  })
})

test('the result has commit and blob ids, and mirrors by name', async () => {
  await using forge = await fakeForge({ seed: { users } })
  const project = 'olga/tool'
  const created = await forge.seed({
    projects: [
      {
        path: project,
        repository: {
          commits: [
            { message: 'Begin', author: 'olga', files: { 'README.md': 'x\n', 'old.txt': 'x' } },
            { message: 'Continue', author: 'olga', files: { 'README.md': 'häh\n', 'old.txt': null } },
          ],
        },
        remoteMirrors: [{ as: 'backup', url: 'https://git.example.com/tool.git' }],
      },
    ],
  })
  const olga = forge.as('olga')
  const tree = await olga.repository.listTree({ project })
  const newest = await olga.commits.get({ project, sha: 'main' })
  expect(created.projects?.[project]).toMatchObject({
    commits: [newest.parentIds[0], newest.id],
    blobs: { 'README.md': tree.items[0]?.id, 'old.txt': expect.stringMatching(/^[0-9a-f]{40}$/) },
  })
  const mirrors = await forge.host.remoteMirrors.list({ project })
  expect(mirrors.items[0]?.id).toBe(created.remoteMirrors?.backup?.id)
})

test('notes can be system notes, which cause no events or to-dos', async () => {
  await using forge = await fakeForge({
    seed: {
      users,
      projects: [
        {
          path: 'olga/tool',
          members: [{ user: 'kim', access: 'developer' }],
          issues: [
            {
              title: 'x',
              author: 'olga',
              notes: [
                { author: 'olga', body: 'closed by @kim', system: true, createdAt: '2026-01-02T03:04:05Z' },
                { author: 'olga', body: 'Why?' },
              ],
            },
          ],
        },
      ],
    },
  })
  const [project, issue] = ['olga/tool', 1]
  const olga = forge.as('olga')
  const activity = await olga.notes.list({ project, issue, activityFilter: 'only_activity' })
  expect(activity.items).toMatchObject([{ body: 'closed by @kim', createdAt: '2026-01-02T03:04:05.000Z' }])
  expect((await forge.as('kim').todos.list()).items).toEqual([])
  const note = { project, issue, body: 'closed', system: true }
  await expect(olga.notes.create(note)).rejects.toMatchObject({ code: 'forbidden' })
})

test('a new group without a visibility is as visible as its content in the seed, and an existing one stays as it is', async () => {
  await using forge = await fakeForge({ seed: { groups: [{ path: 'old' }] } })
  await forge.seed({
    groups: [{ path: 'new' }, { path: 'new/inner' }, { path: 'other' }],
    projects: [{ path: 'new/inner/site', visibility: 'public' }, { path: 'new/app' }, { path: 'other/app' }],
  })
  const visibilityOf = async (group: string) => (await forge.host.groups.get({ group })).visibility
  expect(await Promise.all(['new', 'new/inner', 'other'].map(visibilityOf))).toEqual(['public', 'public', 'private'])
  const widening = { groups: [{ path: 'old' }], projects: [{ path: 'old/site', visibility: 'public' as const }] }
  await expect(seed(forge.platform, widening, { existing: 'update' })).rejects.toThrow('the group is less visible')
  expect(await visibilityOf('old')).toBe('private')
})
