import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'
const missing = { code: 'not_found', kind: undefined }

const pending = async (who: string) => (await forge.as(who).todos.list({ perPage: 100 })).items
const asked = async (who: string) => (await pending(who)).map(({ actionName, body }) => [actionName, body])
const slow = 'The home page is slow'

describe('todos arise', () => {
  test('from being assigned', async () => {
    // The seed assigned these.
    expect(await asked('bob')).toEqual([['assigned', slow]])
    expect(await asked('alice')).toEqual([['assigned', 'Cache the home page']])
    const carol = forge.as('carol')
    await carol.issues.update({ project, issue: 2, assignees: ['bob', 'dave'] })
    await carol.issues.update({ project, issue: 2, assignees: ['bob', 'dave', 'mallory'] })
    expect(await asked('bob')).toEqual([
      ['assigned', 'Dark mode'],
      ['assigned', slow],
    ])
    expect(await pending('mallory')).toMatchObject([{ actionName: 'assigned', author: { username: 'carol' } }])
  })

  test('from mentions in comments; at the very start they address somebody', async () => {
    const note = await forge
      .as('dave')
      .notes.create({ project, issue: 2, body: '@carol what do @mallory and you say?' })
    expect(await pending('carol')).toMatchObject([
      { actionName: 'directly_addressed', body: note.body, noteId: note.id, author: { username: 'dave' } },
    ])
    expect(await asked('mallory')).toEqual([['mentioned', note.body]])
  })

  test('from mentions in descriptions, those that a change adds included', async () => {
    const { iid } = await forge.as('dave').issues.create({ project, title: 'New', description: 'see @carol' })
    await forge.as('dave').issues.update({ project, issue: iid, description: 'see @carol and @mallory' })
    expect(await asked('carol')).toEqual([['mentioned', 'New']])
    expect(await asked('mallory')).toEqual([['mentioned', 'New']])
    await forge.as('bob').mergeRequests.update({ project, mergeRequest: 1, description: '@carol please' })
    expect(await asked('carol')).toEqual([
      ['directly_addressed', 'Cache the home page'],
      ['mentioned', 'New'],
    ])
  })

  test('once while one is pending, whatever it was for', async () => {
    const dave = forge.as('dave').notes
    await dave.create({ project, issue: 1, body: '@bob ping' })
    await dave.create({ project, issue: 2, body: 'hey @mallory' })
    const again = await dave.create({ project, issue: 2, body: '@mallory ping' })
    expect(await asked('bob')).toEqual([['assigned', slow]])
    expect(await asked('mallory')).toEqual([['mentioned', 'hey @mallory']])
    // A comment that is changed asks only those whom it did not mention before.
    await dave.update({ project, issue: 2, note: again.id, body: '@mallory ping @carol' })
    expect(await asked('carol')).toEqual([['mentioned', '@mallory ping @carol']])
    expect(await pending('mallory')).toHaveLength(1)
  })

  test('not for those who cannot read it, nor from snippets', async () => {
    await forge.as('carol').notes.create({ project, issue: 3, body: '@dave and @mallory must not know' })
    expect(await pending('dave')).toEqual([])
    const { id } = await forge
      .as('carol')
      .snippets.create({ project, title: 'x', fileName: 'x', content: 'x', visibility: 'public' })
    await forge.as('carol').notes.create({ project, snippet: id, body: '@dave look' })
    expect(await pending('dave')).toEqual([])
    await forge.host.users.update({ user: 'dave', admin: true })
    expect(await pending('dave')).toEqual([])
  })

  test('on epics, which belong to groups', async () => {
    const epic = await forge.as('alice').epics.create({ group: 'acme', title: 'Big' })
    await forge.as('alice').notes.create({ group: 'acme', epic: epic.id, body: '@bob think' })
    const [todo] = await pending('bob')
    expect(todo).toMatchObject({
      targetType: 'Epic',
      target: { id: epic.id, title: 'Big', userNotesCount: 1, subscribed: true },
      group: { fullPath: 'acme' },
    })
    expect(todo).not.toHaveProperty('project')
    await using free = await fakeForge({ tier: 'free' })
    await expect(free.as('bob').todos.mark({ group: 'acme', epic: 1 })).rejects.toMatchObject({ code: 'not_licensed' })
  })

  test('when somebody marks a thing for themselves, or the host asks', async () => {
    const { todos } = forge.as('mallory')
    const first = await todos.mark({ project, issue: 2 })
    expect(first).toMatchObject({ changed: true })
    expect(await todos.mark({ project, issue: 2 })).toEqual({ changed: false, id: first.id })
    const { host } = forge
    await host.todos.open({ project, mergeRequest: 1, user: 'mallory', action: 'build_failed', author: 'bob' })
    await host.todos.open({ project, mergeRequest: 1, user: 'mallory', action: 'unmergeable' })
    expect(await asked('mallory')).toEqual([
      ['build_failed', 'Cache the home page'],
      ['marked', 'Dark mode'],
    ])
    const open = forge.as('alice').todos.open({ project, issue: 2, user: 'bob', action: 'approval_required' })
    await expect(open).rejects.toMatchObject({ code: 'forbidden' })
    await expect(todos.mark({ project, issue: 3 })).rejects.toMatchObject(missing)
  })
})

describe('todos end', () => {
  const done = async (who: string) => (await forge.as(who).todos.list({ state: 'done' })).items.map(({ body }) => body)

  test('when their owner says so, twice too; nobody else can', async () => {
    const [todo] = await pending('bob')
    const id = todo?.id as number
    for (const who of ['alice', 'root']) {
      await expect(forge.as(who).todos.finish({ todo: id })).rejects.toMatchObject(missing)
    }
    await expect(forge.host.todos.finish({ todo: id })).rejects.toMatchObject(missing)
    const { todos } = forge.as('bob')
    expect(await todos.finish({ todo: id })).toMatchObject({ id, state: 'done' })
    expect(await todos.finish({ todo: id })).toMatchObject({ id, state: 'done' })
    expect(await done('bob')).toEqual([slow])
    expect(await pending('bob')).toEqual([])
    await expect(todos.finish({ todo: 4_711 })).rejects.toMatchObject(missing)
    // What is done can be asked again.
    await forge.as('dave').notes.create({ project, issue: 1, body: '@bob again' })
    expect(await asked('bob')).toEqual([['directly_addressed', '@bob again']])
  })

  test('all at once, or those of one kind', async () => {
    await forge.as('bob').todos.mark({ project, mergeRequest: 1 })
    await forge.as('bob').todos.mark({ project, issue: 2 })
    await forge.as('bob').todos.finishAll({ type: 'MergeRequest' })
    expect(await asked('bob')).toEqual([
      ['marked', 'Dark mode'],
      ['assigned', slow],
    ])
    await forge.as('bob').todos.finishAll()
    expect(await pending('bob')).toEqual([])
    expect(await forge.as('bob').todos.counts()).toEqual({ pending: 0, done: 3 })
    expect(await pending('alice')).toHaveLength(1)
  })

  const ways: readonly [string, (forge: FakeForge) => Promise<unknown>][] = [
    ['comment on it', ({ as }) => as('bob').notes.create({ project, issue: 1, body: 'on it' })],
    ['close it', ({ as }) => as('bob').issues.close({ project, issue: 1 })],
    ['react to it', ({ as }) => as('bob').awardEmoji.giveToIssue({ project, issue: 1, name: 'tada' })],
  ]

  test.each(ways)('when their owner takes to %s', async (_, act) => {
    await act(forge)
    expect(await pending('bob')).toEqual([])
    expect(await done('bob')).toEqual([slow])
  })

  test('not when others do', async () => {
    await forge.as('alice').notes.create({ project, issue: 1, body: 'on it' })
    await forge.as('alice').awardEmoji.giveToIssue({ project, issue: 1, name: 'tada' })
    await forge.as('alice').issues.close({ project, issue: 1 })
    expect(await pending('bob')).toHaveLength(1)
  })

  test('on merge requests, when their owner merges them or pushes to them', async () => {
    await forge.as('bob').todos.mark({ project, mergeRequest: 1 })
    const after = 'c'.repeat(40)
    await forge.as('alice').events.recordPush({ project, ref: 'refs/heads/cache-home', after })
    await forge.as('bob').events.recordPush({ project, ref: 'cache-home', refType: 'tag', after })
    expect(await asked('bob')).toContainEqual(['marked', 'Cache the home page'])
    expect(await pending('alice')).toEqual([])
    await forge.as('bob').events.recordPush({ project, ref: 'cache-home', after })
    expect(await asked('bob')).toEqual([['assigned', slow]])
    await forge.as('alice').todos.mark({ project, mergeRequest: 1 })
    await forge.as('alice').mergeRequests.merge({ project, mergeRequest: 1 })
    expect(await pending('alice')).toEqual([])
  })

  test('with what they are about, and with the note they came from', async () => {
    const note = await forge.as('dave').notes.create({ project, issue: 2, body: '@mallory look' })
    await forge.as('dave').notes.remove({ project, issue: 2, note: note.id })
    expect(await pending('mallory')).toEqual([])
    await forge.host.issues.remove({ project, issue: 1 })
    expect(await pending('bob')).toEqual([])
  })

  test('with the right to read it, from that moment on', async () => {
    await forge.as('alice').issues.update({ project, issue: 3, assignees: ['mallory'] })
    const [todo] = await pending('mallory')
    expect(todo).toMatchObject({ body: 'The login form leaks passwords' })
    await forge.as('alice').issues.update({ project, issue: 3, assignees: [] })
    expect(await forge.as('mallory').todos.list()).toMatchObject({ items: [], total: 0 })
    expect(await forge.as('mallory').todos.counts()).toEqual({ pending: 0, done: 0 })
    const finish = forge.as('mallory').todos.finish({ todo: todo?.id as number })
    await expect(finish).rejects.toMatchObject(missing)
  })
})

describe('lists', () => {
  test('are narrowed', async () => {
    const bob = forge.as('bob')
    const { id: projectId } = await bob.projects.get({ project })
    const { id: groupId } = await bob.groups.get({ group: 'acme' })
    const { id: own } = await bob.projects.get({ project: 'bob/notes' })
    const { id: alice } = await forge.host.users.get({ user: 'alice' })
    const { id: dave } = await forge.host.users.get({ user: 'dave' })
    await bob.todos.mark({ project, mergeRequest: 1 })
    const epic = await forge.as('alice').epics.create({ group: 'acme', title: 'Big' })
    await bob.todos.mark({ group: 'acme', epic: epic.id })
    const names = async (input: object) => (await bob.todos.list(input)).items.map(({ body }) => body)
    const merge = 'Cache the home page'
    expect(await names({})).toEqual(['Big', merge, slow])
    expect(await names({ action: 'marked' })).toEqual(['Big', merge])
    expect(await names({ type: 'Issue' })).toEqual([slow])
    expect(await names({ type: 'Epic' })).toEqual(['Big'])
    expect(await names({ project: projectId })).toEqual([merge, slow])
    expect(await names({ project: own })).toEqual([])
    expect(await names({ group: groupId })).toEqual(['Big', merge, slow])
    expect(await names({ author: dave })).toEqual([slow])
    expect(await names({ author: alice })).toEqual([])
    expect(await names({ state: 'anything' })).toEqual(['Big', merge, slow])
    expect(await names({ state: 'done' })).toEqual([])
  })

  test('miss places that the caller cannot see like those that are not there', async () => {
    const { host } = forge
    const hidden = { project: (await host.projects.get({ project: 'acme/tools/deploy' })).id }
    const secret = { group: (await host.groups.get({ group: 'partners' })).id }
    for (const input of [hidden, secret, { project: 4_711 }, { group: 4_711 }, { author: 4_711 }]) {
      await expect(forge.as('mallory').todos.list(input)).rejects.toMatchObject(missing)
      await expect(forge.as('mallory').todos.finishAll(input)).rejects.toMatchObject(missing)
    }
  })

  test('tell of the whole target, for their reader', async () => {
    await forge.as('dave').notes.create({ project, issue: 1, body: 'still slow' })
    const [todo] = await pending('bob')
    expect(todo).toMatchObject({
      project: { name: 'Web', nameWithNamespace: 'Acme / Web', path: 'web', pathWithNamespace: project },
      targetType: 'Issue',
      target: {
        iid: 1,
        upvotes: 2,
        downvotes: 0,
        userNotesCount: 1,
        subscribed: true,
        labels: ['bug', 'urgent'],
        milestone: { title: '1.0' },
        assignees: [{ username: 'bob' }],
        author: { username: 'dave' },
      },
    })
    await forge.as('mallory').todos.mark({ project, issue: 1 })
    expect((await pending('mallory'))[0]?.target).toMatchObject({ subscribed: false })
  })
})

test('a seed opens todos, and has them done', async () => {
  const made = await forge.seed({
    projects: [
      {
        path: 'bob/chores',
        issues: [
          {
            title: 'Sweep',
            author: 'bob',
            todos: [{ user: 'bob' }, { user: 'root', action: 'approval_required', author: 'bob', done: true }],
          },
        ],
      },
    ],
  })
  expect(await asked('bob')).toContainEqual(['marked', 'Sweep'])
  const { items } = await forge.as('root').todos.list({ state: 'done' })
  expect(items).toMatchObject([{ id: made.todos?.['bob/chores#Sweep 2']?.id, actionName: 'approval_required' }])
})
