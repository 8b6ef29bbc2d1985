import { fakeForge } from '@forgelet/fixtures'
import { expect, test } from 'vitest'
import type { Seed } from './seed.ts'

const seed: Seed = {
  users: [{ username: 'olga', name: 'Olga', email: 'olga@example.com' }],
  projects: [
    {
      path: 'olga/tool',
      milestones: [{ title: '1.0' }],
      repository: {
        commits: [{ message: 'Begin', author: 'olga', files: { 'README.md': 'x\n' } }],
        tags: [{ name: 'v0' }],
      },
      releases: [
        { tag: 'v0', author: 'olga', createdAt: '2026-01-01T00:00:00Z' },
        {
          tag: 'v1',
          ref: 'main',
          name: 'One',
          description: 'The first',
          author: 'olga',
          milestones: ['1.0'],
          links: [{ name: 'Site', url: 'https://example.com' }],
        },
      ],
    },
  ],
}

test('seeds releases of a project', async () => {
  await using forge = await fakeForge({ seed })
  const { items } = await forge.as('olga').releases.list({ project: 'olga/tool' })
  expect(items).toMatchObject([
    {
      tagName: 'v1',
      name: 'One',
      commit: { title: 'Begin' },
      milestones: [{ title: '1.0' }],
      links: [{ name: 'Site' }],
    },
    { tagName: 'v0', releasedAt: '2026-01-01T00:00:00.000Z', author: { username: 'olga' } },
  ])
})
