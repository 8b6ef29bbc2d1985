import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'

interface Change {
  readonly labels?: string[]
  readonly addLabels?: string[]
  readonly removeLabels?: string[]
}

/** Changes the labels of a new issue or merge request that has `bug` and `ui`. */
const kinds: readonly [string, (change: Change, who?: string) => Promise<readonly string[]>][] = [
  [
    'issue',
    async (change, who = 'alice') => {
      const { iid } = await forge.host.issues.create({
        project,
        title: 'It breaks',
        author: 'alice',
        labels: ['bug', 'ui'],
      })
      return (await forge.as(who).issues.update({ project, issue: iid, ...change })).labels
    },
  ],
  [
    'merge request',
    async (change, who = 'alice') => {
      const title = 'Mend it'
      const made = { project, title, author: 'alice', sourceBranch: 'mend', labels: ['bug', 'ui'] }
      const { iid } = await forge.host.mergeRequests.create(made)
      return (await forge.as(who).mergeRequests.update({ project, mergeRequest: iid, ...change })).labels
    },
  ],
]

describe.each(kinds)('the labels of an %s', (_, changed) => {
  test.each<[string, Change, string[]]>([
    ['are put on beside those there, new ones too', { addLabels: ['bug', 'slow'] }, ['bug', 'slow', 'ui']],
    ['are taken off one by one', { removeLabels: ['bug'] }, ['ui']],
    ['are not made by taking them off', { removeLabels: ['unheard'] }, ['bug', 'ui']],
    ['are put on and taken off at once', { addLabels: ['slow'], removeLabels: ['ui'] }, ['bug', 'slow']],
    ['are replaced first', { labels: ['a', 'b'], addLabels: ['c'], removeLabels: ['a'] }, ['b', 'c']],
    ['are none when all are taken off', { removeLabels: ['bug', 'ui'] }, []],
  ])('%s', async (_name, change, expected) => {
    expect(await changed(change)).toEqual(expected)
    const { items } = await forge.host.labels.list({ project, perPage: 100 })
    expect(items.map(({ name }) => name)).not.toContain('unheard')
  })
})

test('authors of issues who do not triage cannot change labels by parts either', async () => {
  const { iid } = await forge.as('mallory').issues.create({ project, title: 'Mine' })
  for (const change of [{ addLabels: ['bug'] }, { removeLabels: ['bug'] }]) {
    await expect(forge.as('mallory').issues.update({ project, issue: iid, ...change })).rejects.toMatchObject({
      code: 'forbidden',
    })
  }
})
