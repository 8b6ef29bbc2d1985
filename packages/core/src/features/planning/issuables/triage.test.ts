import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'

interface LabelChange {
  readonly labels?: string[]
  readonly addLabels?: string[]
  readonly removeLabels?: string[]
}

/** Creates an issue or merge request with the labels `bug` and `ui`, and changes the labels. */
const issuableKinds: readonly [string, (change: LabelChange) => Promise<readonly string[]>][] = [
  [
    'issue',
    async (change) => {
      const { iid } = await forge.host.issues.create({
        project,
        title: 'It breaks',
        author: 'alice',
        labels: ['bug', 'ui'],
      })
      return (await forge.as('alice').issues.update({ project, issue: iid, ...change })).labels
    },
  ],
  [
    'merge request',
    async (change) => {
      const title = 'Mend it'
      const input = { project, title, author: 'alice', sourceBranch: 'mend', labels: ['bug', 'ui'] }
      const { iid } = await forge.host.mergeRequests.create(input)
      return (await forge.as('alice').mergeRequests.update({ project, mergeRequest: iid, ...change })).labels
    },
  ],
]

describe.each(issuableKinds)('the labels of one %s', (_, changeLabels) => {
  test.each<[string, LabelChange, string[]]>([
    ['are added to the present labels and created if missing', { addLabels: ['bug', 'slow'] }, ['bug', 'slow', 'ui']],
    ['are removed individually', { removeLabels: ['bug'] }, ['ui']],
    ['are not created by removing them', { removeLabels: ['unheard'] }, ['bug', 'ui']],
    ['are added and removed in one update', { addLabels: ['slow'], removeLabels: ['ui'] }, ['bug', 'slow']],
    [
      'are replaced before labels are added and removed',
      { labels: ['a', 'b'], addLabels: ['c'], removeLabels: ['a'] },
      ['b', 'c'],
    ],
    ['are empty after all are removed', { removeLabels: ['bug', 'ui'] }, []],
  ])('%s', async (_name, change, expected) => {
    expect(await changeLabels(change)).toEqual(expected)
    const { items } = await forge.host.labels.list({ project, perPage: 100 })
    expect(items.map(({ name }) => name)).not.toContain('unheard')
  })
})

test('authors who cannot triage cannot add or remove labels', async () => {
  const { iid } = await forge.as('mallory').issues.create({ project, title: 'Mine' })
  for (const change of [{ addLabels: ['bug'] }, { removeLabels: ['bug'] }]) {
    await expect(forge.as('mallory').issues.update({ project, issue: iid, ...change })).rejects.toMatchObject({
      code: 'forbidden',
    })
  }
})
