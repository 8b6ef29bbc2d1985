import { fakeForge, type Seed } from '@forgelet/fixtures'
import { expect, test } from 'vitest'
import { exportSeed } from './export/export-seed.ts'

const content = '1\n2\n3\n4\n'
const author = { name: 'Ann', email: 'ann@example.com' }
const place = { newPath: 'a', newLine: 2 }
const at = (minute: number) => `2026-01-02T03:0${minute}:00.000Z`

/** Commits of a seed have the same SHA in every forge. */
const createSeed = (more: object = {}): Seed => ({
  users: [{ username: 'ann' }, { username: 'ben' }],
  projects: [
    {
      path: 'ann/web',
      visibility: 'public',
      repository: {
        commits: [
          { branch: 'main', message: 'Begin', author, files: { a: content } },
          {
            ...{ branch: 'topic', message: 'Change', author, parents: [0] },
            files: { a: '1\nnew\n3\n4\n' },
          },
        ],
      },
      issues: [
        {
          title: 'Slow',
          author: 'ann',
          notes: [
            {
              author: 'ann',
              body: 'Seen',
              createdAt: at(1),
              replies: [{ author: 'ben', body: 'Yes', createdAt: at(3) }],
            },
            { author: 'ben', body: 'Alone', createdAt: at(2) },
          ],
        },
      ],
      mergeRequests: [
        {
          title: 'Change',
          author: 'ann',
          sourceBranch: 'topic',
          notes: [
            {
              ...{ author: 'ben', body: 'Why?', createdAt: at(1), position: place, resolved: true },
              replies: [{ author: 'ann', body: 'Because', createdAt: at(2) }],
            },
            { author: 'ben', body: 'A thread', createdAt: at(3), thread: true },
            { author: 'ben', body: 'closed', createdAt: at(4), system: true },
          ],
          ...more,
        },
      ],
    },
  ],
})

const read = async (seed: Seed) => {
  await using forge = await fakeForge({ seed })
  const project = 'ann/web'
  const { items } = await forge.host.discussions.list({ project, mergeRequest: 1 })
  const { items: onIssue } = await forge.host.discussions.list({ project, issue: 1 })
  const discussions = [...items, ...onIssue].map(({ individualNote, notes }) => ({
    individualNote,
    notes: notes.map(({ author: { username }, body, createdAt, type, resolved, position, system }) => ({
      ...{ username, body, createdAt, type, resolved, position, system },
    })),
  }))
  const { diffRefs } = await forge.host.mergeRequests.get({ project, mergeRequest: 1 })
  return { discussions, diffRefs, exported: await exportSeed(forge.platform) }
}

test('threads and their positions are seeded, exported and seeded again', async () => {
  const { discussions, diffRefs, exported } = await read(createSeed())
  expect(discussions).toMatchObject([
    {
      individualNote: false,
      notes: [
        { username: 'ben', body: 'Why?', createdAt: at(1), type: 'DiffNote', resolved: true, position: diffRefs },
        { username: 'ann', body: 'Because', createdAt: at(2), type: 'DiffNote', resolved: true },
      ],
    },
    { individualNote: false, notes: [{ body: 'A thread', type: 'DiscussionNote', position: null }] },
    { individualNote: true, notes: [{ body: 'closed', system: true, type: null }] },
    { individualNote: false, notes: [{ body: 'Seen' }, { body: 'Yes', username: 'ben' }] },
    { individualNote: true, notes: [{ body: 'Alone', type: null }] },
  ])
  expect(discussions[0]?.notes[0]?.position).toMatchObject({
    ...place,
    oldPath: 'a',
    lineCode: expect.stringMatching(/_3_2$/),
  })
  expect(exported.omitted.join()).toContain('who resolved threads')
  // Without the repository, whose commits an export without `readRepository` omits.
  const copy = await read(exported.seed)
  expect(copy.diffRefs).toBeNull()
  expect(copy.discussions).toEqual(discussions)
  expect((await read(copy.exported.seed)).discussions).toEqual(discussions)
})

test('a position of a seed is checked against the diff, and an exported one stored unchanged', async () => {
  const note = (position: object) => ({ notes: [{ author: 'ben', body: 'x', position }] })
  await expect(read(createSeed(note({ newPath: 'a', newLine: 99 })))).rejects.toThrow(/notes\[0\].*line_code/s)
  const gone = { baseSha: 'b'.repeat(40), startSha: 'b'.repeat(40), headSha: 'c'.repeat(40) }
  const { discussions } = await read(createSeed(note({ ...gone, newPath: 'x', newLine: 99, lineCode: null })))
  expect(discussions[0]?.notes[0]?.position).toMatchObject({ ...gone, newPath: 'x', newLine: 99, lineCode: null })
})

test('only the host stores positions without a check', async () => {
  await using forge = await fakeForge({ seed: createSeed() })
  const sha = 'b'.repeat(40)
  const storedPosition = { baseSha: sha, startSha: sha, headSha: sha, newPath: 'x', newLine: 1, lineCode: null }
  const create = forge.as('ann').discussions.create({ project: 'ann/web', mergeRequest: 1, body: 'x', storedPosition })
  await expect(create).rejects.toMatchObject({ code: 'forbidden' })
  const response = await forge.fetch(`${forge.url}/api/v4/projects/ann%2Fweb/merge_requests/1/discussions`, {
    method: 'POST',
    headers: { 'private-token': (await forge.make.token({ user: 'ann' })).secret, 'content-type': 'application/json' },
    body: JSON.stringify({ body: 'x', stored_position: storedPosition }),
  })
  expect((await response.json()).notes[0].position ?? null).toBeNull()
})

test('a maker creates a thread at a position', async () => {
  await using forge = await fakeForge({ seed: createSeed() })
  const { diffRefs } = await forge.host.mergeRequests.get({ project: 'ann/web', mergeRequest: 1 })
  if (diffRefs === null) throw new Error('no diff')
  const position = { ...diffRefs, ...place }
  const { notes } = await forge.make.discussion({ project: 'ann/web', mergeRequest: 1, position })
  expect(notes[0]?.position).toMatchObject(position)
  expect(await forge.make.discussion()).toMatchObject({ individualNote: false })
})
