import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { stored } from '../../../../../../test/stored.ts'
import { world } from '../../../../../../test/world.ts'
import type { Signals } from '../../../contract/signals.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const issue = { project: 'acme/web', issue: 1 } as const
const mergeRequest = { project: 'acme/web', mergeRequest: 1 } as const

/** The signals that `work` emits. */
const signalsDuring = async <N extends keyof Signals>(name: N, work: () => Promise<unknown>): Promise<Signals[N][]> => {
  const signals: Signals[N][] = []
  const stop = forge.platform.on(name, (signal) => void signals.push(signal))
  await work()
  await new Promise((resolve) => setImmediate(resolve))
  stop()
  return signals
}

const idOf = async (username: string) => (await forge.host.users.get({ user: username })).id

/** The texts of all system notes, unordered: one change can leave several notes of the same time. */
const activity = async (of: typeof issue | typeof mergeRequest) =>
  new Set((await forge.host.notes.list({ ...of, activityFilter: 'only_activity' })).items.map(({ body }) => body))

describe('system notes', () => {
  test('record changes of an issue with the user who made them', async () => {
    const alice = forge.as('alice').issues
    await alice.update({ ...issue, title: 'Slow' })
    await alice.update({ ...issue, assignees: ['alice', 'carol'] })
    await alice.update({ ...issue, assignees: [] })
    await alice.update({ ...issue, milestone: null })
    await alice.update({ ...issue, milestone: '1.0' })
    await alice.update({ ...issue, confidential: true })
    await alice.update({ ...issue, confidential: false })
    await alice.update({ ...issue, discussionLocked: true })
    await alice.update({ ...issue, discussionLocked: false })
    await alice.update({ ...issue, stateEvent: 'close' })
    await alice.update({ ...issue, stateEvent: 'reopen' })
    expect(await activity(issue)).toEqual(
      new Set([
        'changed title from **The home page is slow** to **Slow**',
        'assigned to @alice, @carol and unassigned @bob',
        'unassigned @alice, @carol',
        'removed milestone',
        'changed milestone to %"1.0"',
        'made the issue confidential',
        'made the issue visible to everyone',
        'locked this issue',
        'unlocked this issue',
        'closed',
        'reopened',
      ]),
    )
    const { items } = await forge.host.notes.list(issue)
    expect(new Set(items.map(({ author, system }) => `${author.username} ${system}`))).toEqual(new Set(['alice true']))
  })

  test('record changes of a merge request', async () => {
    const alice = forge.as('alice').mergeRequests
    await alice.update({ ...mergeRequest, title: 'Cache it', assignees: ['bob'], discussionLocked: true })
    await alice.update({ ...mergeRequest, stateEvent: 'close' })
    await alice.update({ ...mergeRequest, stateEvent: 'reopen' })
    await alice.merge(mergeRequest)
    expect(await activity(mergeRequest)).toEqual(
      new Set([
        'changed title from **Cache the home page** to **Cache it**',
        'assigned to @bob and unassigned @alice',
        'locked this merge request',
        'closed',
        'reopened',
        'merged',
      ]),
    )
  })

  test('do not record label changes or unchanged values', async () => {
    const alice = forge.as('alice').issues
    const { title, description } = await alice.get(issue)
    await alice.update({ ...issue, title, description, labels: ['bug'], assignees: ['bob'], milestone: '1.0' })
    await alice.update({ ...issue, stateEvent: 'reopen' })
    expect(await activity(issue)).toEqual(new Set())
  })

  test('are not written for changes by the host', async () => {
    await forge.host.issues.update({ ...issue, stateEvent: 'close' })
    expect(await activity(issue)).toEqual(new Set())
  })

  test('are rolled back with a failed transaction', async () => {
    const work = forge.platform.atomic(async (open) => {
      await open.as({ user: 'alice' }).issues.update({ ...issue, stateEvent: 'close' })
      throw new Error('stop')
    })
    await expect(work).rejects.toThrow('stop')
    expect(await activity(issue)).toEqual(new Set())
  })

  test('emit no note signals', async () => {
    expect(
      await signalsDuring('note.created', () => forge.as('alice').issues.update({ ...issue, stateEvent: 'close' })),
    ).toEqual([])
  })
})

describe('signals', () => {
  test('issue.updated contains the issue before and after the change', async () => {
    const signals = await signalsDuring('issue.updated', () =>
      forge.as('alice').issues.update({ ...issue, title: 'Slow', assignees: ['carol'] }),
    )
    expect(signals).toMatchObject([
      {
        before: { title: 'The home page is slow', assignees: [{ username: 'bob' }], labels: ['bug', 'urgent'] },
        after: { title: 'Slow', assignees: [{ username: 'carol' }], labels: ['bug', 'urgent'] },
      },
    ])
  })

  test('mergeRequest.updated contains the merge request before and after the change', async () => {
    const signals = await signalsDuring('mergeRequest.updated', () =>
      forge.as('alice').mergeRequests.update({ ...mergeRequest, title: 'Cache it' }),
    )
    expect(signals).toMatchObject([{ before: { title: 'Cache the home page' }, after: { title: 'Cache it' } }])
  })

  test.each([
    [{ title: 'The home page is slow', labels: ['urgent', 'bug'], assignees: ['bob'] }],
    [{ addLabels: ['bug'] }],
    [{ removeLabels: ['feature'] }],
    [{ milestone: '1.0', confidential: false, discussionLocked: false, stateEvent: 'reopen' as const }],
  ])('updating an issue with the present values %j changes nothing', async (change) => {
    const before = await forge.host.issues.get(issue)
    const signals = await signalsDuring('issue.updated', async () => {
      expect(await forge.as('alice').issues.update({ ...issue, ...change })).toMatchObject({
        updatedAt: before.updatedAt,
        labels: before.labels,
      })
      await forge.as('alice').issues.update({ ...issue, description: before.description })
    })
    expect(signals).toEqual([])
    expect(await forge.host.issues.get(issue)).toEqual(before)
    expect(await activity(issue)).toEqual(new Set())
  })

  test('updating a merge request with the present values changes nothing', async () => {
    const alice = forge.as('alice').mergeRequests
    const values = { labels: ['bug'], assignees: ['bob'], reviewers: ['carol'], milestone: '1.0', squash: true }
    await alice.update({ ...mergeRequest, ...values, removeSourceBranch: true })
    const before = await alice.get(mergeRequest)
    const notes = await activity(mergeRequest)
    const { title, description, targetBranch, discussionLocked } = before
    const signals = await signalsDuring('mergeRequest.updated', async () => {
      await alice.update({ ...mergeRequest, ...values, removeSourceBranch: true, addLabels: ['bug'] })
      await alice.update({ ...mergeRequest, title, description, targetBranch, discussionLocked })
      await alice.update({ ...mergeRequest, removeLabels: ['urgent'], stateEvent: 'reopen' })
    })
    expect(signals).toEqual([])
    expect(await alice.get(mergeRequest)).toEqual(before)
    expect(await activity(mergeRequest)).toEqual(notes)
  })

  test('note.created contains the noteable and the mentioned users', async () => {
    const [alice, bob, carol] = await Promise.all(['alice', 'bob', 'carol'].map(idOf))
    const signals = await signalsDuring('note.created', () =>
      forge.as('dave').notes.create({ ...issue, body: '@alice @BOB what do you and @carol think? `@mallory` @nobody' }),
    )
    const { id, projectId, authorId } = await forge.host.issues.get(issue)
    expect(signals).toMatchObject([
      {
        note: { body: expect.stringContaining('@alice'), author: { username: 'dave' }, noteableIid: 1 },
        mentioned: [
          { userId: alice, direct: true },
          { userId: bob, direct: true },
          { userId: carol, direct: false },
        ],
      },
    ])
    expect(signals[0]?.target).toEqual({
      kind: 'issue',
      id,
      iid: 1,
      projectId,
      groupId: null,
      title: 'The home page is slow',
      authorId,
    })
  })

  test('mentions exclude users who cannot read the noteable', async () => {
    const secret = { project: 'acme/web', issue: 3 } as const
    await forge.host.issues.update({ ...secret, assignees: ['mallory'] })
    const body = '@alice @carol @dave @erin @mallory @root'
    const readers = await Promise.all(['alice', 'carol', 'erin', 'mallory', 'root'].map(idOf))
    const signals = await signalsDuring('note.created', () => forge.as('carol').notes.create({ ...secret, body }))
    // dave is a guest; erin is a reporter through a group that the project is shared with; mallory is assigned.
    expect(signals[0]?.mentioned.map(({ userId }) => userId)).toEqual(readers)
    await forge.host.users.block({ user: 'alice' })
    const later = await signalsDuring('note.created', () =>
      forge.as('carol').notes.create({ ...secret, body: 'cc @alice' }),
    )
    expect(later[0]?.mentioned).toEqual([])
  })

  test('mentions on an epic of a private group exclude users who are not members', async () => {
    const { id } = await forge.host.epics.create({ group: 'partners', title: 'Ours', author: 'erin' })
    const signals = await signalsDuring('note.created', () =>
      forge.as('erin').notes.create({ group: 'partners', epicId: id, body: 'With @erin and @bob' }),
    )
    expect(signals[0]?.mentioned).toEqual([{ userId: await idOf('erin'), direct: false }])
    expect(signals[0]?.target).toMatchObject({ kind: 'epic', id, iid: 1, projectId: null, groupId: expect.any(Number) })
  })

  test('note.updated contains new mentions only', async () => {
    const { id } = await stored(forge.as('dave').notes.create({ ...issue, body: 'Look, @alice' }))
    const signals = await signalsDuring('note.updated', () =>
      forge.as('dave').notes.update({ ...issue, note: id, body: 'Look, @Alice and @bob' }),
    )
    expect(signals).toMatchObject([{ note: { id, body: 'Look, @Alice and @bob' }, target: { kind: 'issue' } }])
    expect(signals[0]?.mentioned).toEqual([{ userId: await idOf('bob'), direct: false }])
  })

  test('note.removed contains the noteable', async () => {
    const { id } = await stored(forge.as('dave').notes.create({ ...mergeRequest, body: 'Nice' }))
    const signals = await signalsDuring('note.removed', () =>
      forge.as('dave').notes.remove({ ...mergeRequest, note: id }),
    )
    expect(signals).toMatchObject([{ note: { id, body: 'Nice' }, target: { kind: 'mergeRequest', iid: 1 } }])
  })
})

describe('the noteable', () => {
  test('is updated with each new, changed or removed note, but never to an earlier time', async () => {
    const updatedAt = async () => (await forge.host.issues.get(issue)).updatedAt
    const later = (seconds: number) => Date.parse(start) + seconds * 1_000
    const start = await updatedAt()
    const asDaveAt = <T>(now: number, work: (dave: FakeForge['host']) => Promise<T>) =>
      forge.platform.atomic((_, withClock) => work(withClock(now).as({ user: 'dave' })))
    const { id } = await stored(asDaveAt(later(10), (dave) => dave.notes.create({ ...issue, body: 'One' })))
    expect(await updatedAt()).toBe(new Date(later(10)).toISOString())
    await asDaveAt(later(20), (dave) => dave.notes.update({ ...issue, note: id, body: 'Two' }))
    expect(await updatedAt()).toBe(new Date(later(20)).toISOString())
    await asDaveAt(later(15), (dave) => dave.notes.create({ ...issue, body: 'Late' }))
    expect(await updatedAt()).toBe(new Date(later(20)).toISOString())
    await asDaveAt(later(30), (dave) => dave.notes.remove({ ...issue, note: id }))
    expect(await updatedAt()).toBe(new Date(later(30)).toISOString())
  })

  test('is removed together with its notes', async () => {
    const { id } = await stored(forge.as('dave').notes.create({ ...issue, body: 'One' }))
    await forge.host.issues.remove(issue)
    await forge.host.issues.create({ project: 'acme/web', title: 'Another', author: 'dave' })
    await expect(forge.host.notes.get({ ...issue, note: id })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('must be specified exactly once', async () => {
    const dave = forge.as('dave')
    const twice = { ...issue, mergeRequest: 1 } as never
    await expect(dave.notes.list(twice)).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(dave.notes.list({ project: 'acme/web' } as never)).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(dave.notes.list({ project: 'acme/web', epic: 1 } as never)).rejects.toMatchObject({
      code: 'invalid_input',
      problems: [{ fields: ['group'], message: 'is missing' }],
    })
  })
})

describe('writing', () => {
  test('requires the host for another author', async () => {
    const own = forge.as('alice').notes.create({ ...issue, body: 'x', author: 'bob' })
    await expect(own).rejects.toMatchObject({ code: 'forbidden' })
    const note = await forge.host.notes.create({ ...issue, body: 'x', author: 'bob' })
    expect(note).toMatchObject({ author: { username: 'bob' } })
    await expect(forge.host.notes.create({ ...issue, body: 'x' })).rejects.toMatchObject({ code: 'invalid_input' })
  })

  test('reports the invalid field', async () => {
    const blank = forge.as('alice').notes.create({ ...issue, body: ' ' })
    await expect(blank).rejects.toMatchObject({
      code: 'invalid',
      problems: [{ fields: ['body'], message: "can't be blank" }],
    })
  })
})

test('a seed creates notes, snippets and epics with their authors and times', async () => {
  const createdAt = '2016-01-07T12:44:33.000Z'
  const note = { author: 'mallory', body: 'First!', createdAt }
  const seeded = await forge.seed({
    groups: [
      {
        path: 'guild',
        visibility: 'public',
        epics: [
          {
            title: 'Rule',
            author: 'bob',
            createdAt,
            state: 'closed',
            endedAt: '2017-01-01T00:00:00.000Z',
            notes: [note],
          },
        ],
      },
    ],
    projects: [
      {
        path: 'guild/hall',
        visibility: 'public',
        archived: true,
        issues: [
          { title: 'Door', author: 'bob', state: 'closed', discussionLocked: true, notes: [{ ...note, as: 'first' }] },
        ],
        mergeRequests: [{ title: 'Window', author: 'bob', sourceBranch: 'window', notes: [note] }],
        snippets: [{ title: 'Key', content: 'x', author: 'bob', visibility: 'public', notes: [note] }],
      },
    ],
    snippets: [{ title: 'Own', fileName: 'own.txt', content: 'x', author: 'mallory', createdAt }],
  })
  const ids = new Map(
    Object.entries(seeded).flatMap(([section, records]) =>
      Object.entries(records).map(([name, { id }]) => [`${section} ${name}`, id] as const),
    ),
  )
  const hall = { project: 'guild/hall' }
  const noteables = [
    { ...hall, issue: 1 },
    { ...hall, mergeRequest: 1 },
    { ...hall, snippet: ids.get('snippets guild/hall$Key') as number },
    { group: 'guild', epicId: ids.get('epics guild&Rule') as number },
  ]
  for (const noteable of noteables) {
    const { items } = await forge.host.notes.list(noteable)
    expect(items).toMatchObject([{ body: 'First!', createdAt, updatedAt: createdAt, author: { username: 'mallory' } }])
  }
  expect([...ids.keys()]).toEqual(expect.arrayContaining(['notes first', 'notes guild/hall!Window 1']))
  const epic = await forge.host.epics.get({ group: 'guild', epic: 1 })
  expect(epic).toMatchObject({ state: 'closed', createdAt, closedAt: '2017-01-01T00:00:00.000Z' })
  const own = await forge.as('mallory').snippets.get({ snippet: ids.get('snippets mallory$Own') as number })
  expect(own).toMatchObject({ fileName: 'own.txt', visibility: 'private', createdAt })
})
