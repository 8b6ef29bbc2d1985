import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../test/world.ts'
import type { Signals } from '../../signals.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const issue = { project: 'acme/web', issue: 1 } as const
const mergeRequest = { project: 'acme/web', mergeRequest: 1 } as const

/** What was stated while `work` ran. */
const stated = async <N extends keyof Signals>(name: N, work: () => Promise<unknown>): Promise<Signals[N][]> => {
  const facts: Signals[N][] = []
  const stop = forge.platform.on(name, (fact) => void facts.push(fact))
  await work()
  await new Promise((resolve) => setImmediate(resolve))
  stop()
  return facts
}

const idOf = async (username: string) => (await forge.host.users.get({ user: username })).id

/** What is recorded: one change may leave several records of one instant. */
const activity = async (of: typeof issue | typeof mergeRequest) =>
  new Set((await forge.host.notes.list({ ...of, activityFilter: 'only_activity' })).items.map(({ body }) => body))

describe('system notes', () => {
  test('record what is done to an issue, by whoever does it', async () => {
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
    await alice.close(issue)
    await alice.reopen(issue)
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

  test('record what is done to a merge request', async () => {
    const alice = forge.as('alice').mergeRequests
    await alice.update({ ...mergeRequest, title: 'Cache it', assignees: ['bob'], discussionLocked: true })
    await alice.close(mergeRequest)
    await alice.reopen(mergeRequest)
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

  test('do not speak of what stayed, of labels, or of what is already so', async () => {
    const alice = forge.as('alice').issues
    const { title, description } = await alice.get(issue)
    await alice.update({ ...issue, title, description, labels: ['bug'], assignees: ['bob'], milestone: '1.0' })
    await alice.reopen(issue)
    expect(await activity(issue)).toEqual(new Set())
  })

  test('are not written for the host, who is nobody', async () => {
    await forge.host.issues.close(issue)
    expect(await activity(issue)).toEqual(new Set())
  })

  test('vanish with a change that fails', async () => {
    const work = forge.platform.atomic(async (open) => {
      await open.as({ user: 'alice' }).issues.close(issue)
      throw new Error('stop')
    })
    await expect(work).rejects.toThrow('stop')
    expect(await activity(issue)).toEqual(new Set())
  })

  test('are no facts about notes', async () => {
    expect(await stated('note.created', () => forge.as('alice').issues.close(issue))).toEqual([])
  })
})

describe('facts', () => {
  test('an issue that is changed states what it was and what it is', async () => {
    const facts = await stated('issue.updated', () =>
      forge.as('alice').issues.update({ ...issue, title: 'Slow', assignees: ['carol'] }),
    )
    expect(facts).toMatchObject([
      {
        before: { title: 'The home page is slow', assignees: [{ username: 'bob' }], labels: ['bug', 'urgent'] },
        after: { title: 'Slow', assignees: [{ username: 'carol' }], labels: ['bug', 'urgent'] },
      },
    ])
  })

  test('a merge request that is changed states what it was and what it is', async () => {
    const facts = await stated('mergeRequest.updated', () =>
      forge.as('alice').mergeRequests.update({ ...mergeRequest, title: 'Cache it' }),
    )
    expect(facts).toMatchObject([{ before: { title: 'Cache the home page' }, after: { title: 'Cache it' } }])
  })

  test('a note states what it hangs on and whom it mentions', async () => {
    const [alice, bob, carol] = await Promise.all(['alice', 'bob', 'carol'].map(idOf))
    const facts = await stated('note.created', () =>
      forge.as('dave').notes.create({ ...issue, body: '@alice @BOB what do you and @carol think? `@mallory` @nobody' }),
    )
    const { id, projectId, authorId } = await forge.host.issues.get(issue)
    expect(facts).toMatchObject([
      {
        note: { body: expect.stringContaining('@alice'), author: { username: 'dave' }, noteableIid: 1 },
        mentioned: [
          { userId: alice, direct: true },
          { userId: bob, direct: true },
          { userId: carol, direct: false },
        ],
      },
    ])
    expect(facts[0]?.target).toEqual({
      kind: 'issue',
      id,
      iid: 1,
      projectId,
      groupId: null,
      title: 'The home page is slow',
      authorId,
    })
  })

  test('only those are mentioned who can read what the note hangs on', async () => {
    const secret = { project: 'acme/web', issue: 3 } as const
    await forge.host.issues.update({ ...secret, assignees: ['mallory'] })
    const body = '@alice @carol @dave @erin @mallory @root'
    const readers = await Promise.all(['alice', 'carol', 'erin', 'mallory', 'root'].map(idOf))
    const facts = await stated('note.created', () => forge.as('carol').notes.create({ ...secret, body }))
    // dave is a guest; erin is a reporter through a group that the project is shared with; mallory is assigned.
    expect(facts[0]?.mentioned.map(({ userId }) => userId)).toEqual(readers)
    await forge.host.users.block({ user: 'alice' })
    const later = await stated('note.created', () => forge.as('carol').notes.create({ ...secret, body: 'cc @alice' }))
    expect(later[0]?.mentioned).toEqual([])
  })

  test('a group member is mentioned on an epic of a private group, a stranger is not', async () => {
    const { id } = await forge.host.epics.create({ group: 'partners', title: 'Ours', author: 'erin' })
    const facts = await stated('note.created', () =>
      forge.as('erin').notes.create({ group: 'partners', epic: id, body: 'With @erin and @bob' }),
    )
    expect(facts[0]?.mentioned).toEqual([{ userId: await idOf('erin'), direct: false }])
    expect(facts[0]?.target).toMatchObject({ kind: 'epic', id, iid: 1, projectId: null, groupId: expect.any(Number) })
  })

  test('a changed note mentions only those whom it did not mention before', async () => {
    const { id } = await forge.as('dave').notes.create({ ...issue, body: 'Look, @alice' })
    const facts = await stated('note.updated', () =>
      forge.as('dave').notes.update({ ...issue, note: id, body: 'Look, @Alice and @bob' }),
    )
    expect(facts).toMatchObject([{ note: { id, body: 'Look, @Alice and @bob' }, target: { kind: 'issue' } }])
    expect(facts[0]?.mentioned).toEqual([{ userId: await idOf('bob'), direct: false }])
  })

  test('a removed note is stated with what it hung on', async () => {
    const { id } = await forge.as('dave').notes.create({ ...mergeRequest, body: 'Nice' })
    const facts = await stated('note.removed', () => forge.as('dave').notes.remove({ ...mergeRequest, note: id }))
    expect(facts).toMatchObject([{ note: { id, body: 'Nice' }, target: { kind: 'mergeRequest', iid: 1 } }])
  })
})

describe('what a note hangs on', () => {
  test('counts as updated by a new, changed or removed note, and never goes back in time', async () => {
    const updatedAt = async () => (await forge.host.issues.get(issue)).updatedAt
    const later = (seconds: number) => Date.parse(start) + seconds * 1_000
    const start = await updatedAt()
    const at = <T>(now: number, work: (of: FakeForge['host']) => Promise<T>) =>
      forge.platform.atomic((_, withClock) => work(withClock(now).as({ user: 'dave' })))
    const { id } = await at(later(10), (dave) => dave.notes.create({ ...issue, body: 'One' }))
    expect(await updatedAt()).toBe(new Date(later(10)).toISOString())
    await at(later(20), (dave) => dave.notes.update({ ...issue, note: id, body: 'Two' }))
    expect(await updatedAt()).toBe(new Date(later(20)).toISOString())
    await at(later(15), (dave) => dave.notes.create({ ...issue, body: 'Late' }))
    expect(await updatedAt()).toBe(new Date(later(20)).toISOString())
    await at(later(30), (dave) => dave.notes.remove({ ...issue, note: id }))
    expect(await updatedAt()).toBe(new Date(later(30)).toISOString())
  })

  test('takes its notes with it', async () => {
    const { id } = await forge.as('dave').notes.create({ ...issue, body: 'One' })
    await forge.host.issues.remove(issue)
    await forge.host.issues.create({ project: 'acme/web', title: 'Another', author: 'dave' })
    await expect(forge.host.notes.get({ ...issue, note: id })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is named exactly once', async () => {
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
  test('in the name of others is for the host', async () => {
    const own = forge.as('alice').notes.create({ ...issue, body: 'x', author: 'bob' })
    await expect(own).rejects.toMatchObject({ code: 'forbidden' })
    const note = await forge.host.notes.create({ ...issue, body: 'x', author: 'bob' })
    expect(note.author.username).toBe('bob')
    await expect(forge.host.notes.create({ ...issue, body: 'x' })).rejects.toMatchObject({ code: 'invalid_input' })
  })

  test('tells a library which field is wrong', async () => {
    const blank = forge.as('alice').notes.create({ ...issue, body: ' ' })
    await expect(blank).rejects.toMatchObject({
      code: 'invalid',
      problems: [{ fields: ['body'], message: "can't be blank" }],
    })
  })
})

test('a seed writes notes, snippets and epics with their authors and times', async () => {
  const createdAt = '2016-01-07T12:44:33.000Z'
  const note = { author: 'mallory', body: 'First!', createdAt }
  const made = await forge.seed({
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
    Object.entries(made).flatMap(([section, things]) =>
      Object.entries(things).map(([name, { id }]) => [`${section} ${name}`, id] as const),
    ),
  )
  const hall = { project: 'guild/hall' }
  const places = [
    { ...hall, issue: 1 },
    { ...hall, mergeRequest: 1 },
    { ...hall, snippet: ids.get('snippets guild/hall$Key') as number },
    { group: 'guild', epic: ids.get('epics guild&Rule') as number },
  ]
  for (const place of places) {
    const { items } = await forge.host.notes.list(place)
    expect(items).toMatchObject([{ body: 'First!', createdAt, updatedAt: createdAt, author: { username: 'mallory' } }])
  }
  expect([...ids.keys()]).toEqual(expect.arrayContaining(['notes first', 'notes guild/hall!Window 1']))
  const epic = await forge.host.epics.get({ group: 'guild', epic: ids.get('epics guild&Rule') as number })
  expect(epic).toMatchObject({ state: 'closed', createdAt, closedAt: '2017-01-01T00:00:00.000Z' })
  const own = await forge.as('mallory').snippets.get({ snippet: ids.get('snippets mallory$Own') as number })
  expect(own).toMatchObject({ fileName: 'own.txt', visibility: 'private', createdAt })
})
