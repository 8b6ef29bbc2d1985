import { buffer } from 'node:stream/consumers'
import type { FakeForge, Seed } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

const author = { name: 'Ann', email: 'ann@example.com' }
const seed: Seed = {
  users: [{ username: 'ann' }, { username: 'ben' }, { username: 'leo' }],
  projects: [
    {
      path: 'ann/web',
      visibility: 'public',
      members: [{ user: 'ben', access: 'developer' }],
      repository: {
        commits: [
          { branch: 'main', message: 'Begin', author, files: { a: '1\n2\n3\n' } },
          { branch: 'topic', message: 'Change', author, parents: [0], files: { a: '1\nnew\n3\n' } },
        ],
      },
      mergeRequests: [
        {
          ...{ title: 'Change', author: 'ann', sourceBranch: 'topic' },
          notes: [
            {
              ...{ author: 'ben', body: 'Why?', position: { newPath: 'a', newLine: 2 }, resolved: true },
              replies: [
                { author: 'leo', body: 'Because' },
                { author: 'ann', body: 'Yes' },
              ],
            },
          ],
        },
      ],
    },
  ],
}

let forge: FakeForge
beforeEach(async () => {
  forge = await world({ seed })
})
afterEach(() => forge.close())

test('threads and their positions are in archives, with authors that the importer may name', async () => {
  const { host } = forge
  const readNotes = async (project: number | string) => {
    const { items } = await host.discussions.list({ project, mergeRequest: 1 })
    return items.map(({ notes }) =>
      notes.map(({ author: { username }, body, type, resolved, position }) => ({
        ...{ username, body, type, resolved, position },
      })),
    )
  }
  const before = await readNotes('ann/web')
  const [first] = before[0] ?? []
  expect(first?.position).toMatchObject({ newPath: 'a', newLine: 2, lineCode: expect.any(String) })
  const { exports, imports } = forge.as('ann')
  await exports.create({ project: 'ann/web' })
  await forge.platform.jobs.drain()
  const content = await buffer((await exports.download({ project: 'ann/web' })).content)
  const { id } = await imports.createProject({ path: 'copy', file: { fileName: 'a.tar.gz', content } })
  await forge.platform.jobs.drain()
  expect(await imports.get({ project: id })).toMatchObject({ importStatus: 'finished' })
  const imported = { type: 'DiffNote', resolved: true, position: first?.position }
  expect(await readNotes(id)).toMatchObject([
    [
      { ...imported, username: 'ann', body: expect.stringMatching(/^Why\?\n\n\*By ben on .* \(imported\)\*$/) },
      { ...imported, username: 'ann', body: expect.stringMatching(/^Because\n\n\*By leo on .* \(imported\)\*$/) },
      { ...imported, username: 'ann', body: 'Yes' },
    ],
  ])
})
