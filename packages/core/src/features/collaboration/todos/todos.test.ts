import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { stored } from '../../../../../../test/stored.ts'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'
const missing = { code: 'not_found', kind: undefined }

const pending = async (user: string) => (await forge.as(user).todos.list({ perPage: 100 })).items
const pendingActions = async (user: string) => (await pending(user)).map(({ actionName, body }) => [actionName, body])
const slow = 'The home page is slow'

describe('todos are created', () => {
  test('for new assignees', async () => {
    // Assigned by the seed.
    expect(await pendingActions('bob')).toEqual([['assigned', slow]])
    expect(await pendingActions('alice')).toEqual([['assigned', 'Cache the home page']])
    const carol = forge.as('carol')
    await carol.issues.update({ project, issue: 2, assignees: ['bob', 'dave'] })
    await carol.issues.update({ project, issue: 2, assignees: ['bob', 'dave', 'mallory'] })
    expect(await pendingActions('bob')).toEqual([
      ['assigned', 'Dark mode'],
      ['assigned', slow],
    ])
    expect(await pending('mallory')).toMatchObject([{ actionName: 'assigned', author: { username: 'carol' } }])
  })

  test('for mentions in comments; mentions at the start are direct', async () => {
    const body = '@carol what do @mallory and you say?'
    const note = await stored(forge.as('dave').notes.create({ project, issue: 2, body }))
    expect(await pending('carol')).toMatchObject([
      { actionName: 'directly_addressed', body, noteId: note.id, author: { username: 'dave' } },
    ])
    expect(await pendingActions('mallory')).toEqual([['mentioned', body]])
  })

  test('for mentions in descriptions, also for those added by a change', async () => {
    const { iid } = await forge.as('dave').issues.create({ project, title: 'New', description: 'see @carol' })
    await forge.as('dave').issues.update({ project, issue: iid, description: 'see @carol and @mallory' })
    expect(await pendingActions('carol')).toEqual([['mentioned', 'New']])
    expect(await pendingActions('mallory')).toEqual([['mentioned', 'New']])
    await forge.as('bob').mergeRequests.update({ project, mergeRequest: 1, description: '@carol please' })
    expect(await pendingActions('carol')).toEqual([
      ['directly_addressed', 'Cache the home page'],
      ['mentioned', 'New'],
    ])
  })

  test('for each mention, and for other causes once while one is pending', async () => {
    const dave = forge.as('dave').notes
    await dave.create({ project, issue: 1, body: '@bob ping' })
    await forge.as('alice').issues.update({ project, issue: 1, assignees: [] })
    await forge.as('alice').issues.update({ project, issue: 1, assignees: ['bob'] })
    expect(await pendingActions('bob')).toEqual([
      ['directly_addressed', '@bob ping'],
      ['assigned', slow],
    ])
    await dave.create({ project, issue: 2, body: 'hey @mallory' })
    const again = await stored(dave.create({ project, issue: 2, body: '@mallory ping @mallory' }))
    expect(await pendingActions('mallory')).toEqual([
      ['directly_addressed', '@mallory ping @mallory'],
      ['mentioned', 'hey @mallory'],
    ])
    // A changed comment creates to-do items only for new mentions.
    await dave.update({ project, issue: 2, note: again.id, body: '@mallory ping @carol' })
    expect(await pendingActions('carol')).toEqual([['mentioned', '@mallory ping @carol']])
    expect(await pending('mallory')).toHaveLength(2)
  })

  test('for mentions in descriptions of epics', async () => {
    const { iid: epic } = await forge.as('alice').epics.create({ group: 'acme', title: 'Big', description: 'For @bob' })
    await forge.as('alice').epics.update({ group: 'acme', epic, description: '@carol and @bob' })
    expect((await pendingActions('bob'))[0]).toEqual(['mentioned', 'Big'])
    expect(await pendingActions('carol')).toEqual([['directly_addressed', 'Big']])
    await forge.as('bob').epics.update({ group: 'acme', epic, stateEvent: 'close' })
    expect(await pendingActions('bob')).toEqual([['assigned', slow]])
  })

  test('neither for users who cannot read the target nor for snippets', async () => {
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

  test('for epics, with the group', async () => {
    const epic = await forge.as('alice').epics.create({ group: 'acme', title: 'Big' })
    await forge.as('alice').notes.create({ group: 'acme', epic: epic.iid, body: '@bob think' })
    const [todo] = await pending('bob')
    expect(todo).toMatchObject({
      targetType: 'Epic',
      target: { id: epic.id, title: 'Big', userNotesCount: 1, subscribed: true },
      group: { fullPath: 'acme' },
    })
    expect(todo).not.toHaveProperty('project')
    await using free = await fakeForge({ tier: 'free' })
    await expect(free.as('bob').todos.create({ group: 'acme', epic: 1 })).rejects.toMatchObject({
      code: 'not_licensed',
    })
  })

  test('by users for themselves and by the host application', async () => {
    const { todos } = forge.as('mallory')
    const first = await todos.create({ project, issue: 2 })
    expect(first).toMatchObject({ changed: true })
    expect(await todos.create({ project, issue: 2 })).toMatchObject({ changed: false, todo: { id: first.todo.id } })
    const { host } = forge
    const failed = { project, mergeRequest: 1, user: 'mallory', action: 'build_failed', author: 'bob' } as const
    await host.todos.create(failed)
    expect(await host.todos.create(failed)).toMatchObject({ changed: false })
    await host.todos.create({ project, mergeRequest: 1, user: 'mallory', action: 'unmergeable' })
    expect(await pendingActions('mallory')).toEqual([
      ['unmergeable', 'Cache the home page'],
      ['build_failed', 'Cache the home page'],
      ['marked', 'Dark mode'],
    ])
    const open = forge.as('alice').todos.create({ project, issue: 2, user: 'bob', action: 'approval_required' })
    await expect(open).rejects.toMatchObject({ code: 'forbidden' })
    await expect(todos.create({ project, issue: 3 })).rejects.toMatchObject(missing)
  })
})

describe('todos are finished', () => {
  const done = async (user: string) =>
    (await forge.as(user).todos.list({ state: 'done' })).items.map(({ body }) => body)

  test('by their owner only; repeating it has no effect', async () => {
    const [todo] = await pending('bob')
    const id = todo?.id as number
    for (const user of ['alice', 'root']) {
      await expect(forge.as(user).todos.finish({ todo: id })).rejects.toMatchObject(missing)
    }
    await expect(forge.host.todos.finish({ todo: id })).rejects.toMatchObject(missing)
    const { todos } = forge.as('bob')
    expect(await todos.finish({ todo: id })).toMatchObject({ id, state: 'done' })
    expect(await todos.finish({ todo: id })).toMatchObject({ id, state: 'done' })
    expect(await done('bob')).toEqual([slow])
    expect(await pending('bob')).toEqual([])
    await expect(todos.finish({ todo: 4_711 })).rejects.toMatchObject(missing)
    // A finished todo does not prevent a new one.
    await forge.as('dave').notes.create({ project, issue: 1, body: '@bob again' })
    expect(await pendingActions('bob')).toEqual([['directly_addressed', '@bob again']])
  })

  test('all at once, or filtered', async () => {
    await forge.as('bob').todos.create({ project, mergeRequest: 1 })
    await forge.as('bob').todos.create({ project, issue: 2 })
    await forge.as('bob').todos.finish({ type: 'MergeRequest' })
    expect(await pendingActions('bob')).toEqual([
      ['marked', 'Dark mode'],
      ['assigned', slow],
    ])
    await forge.as('bob').todos.finish()
    expect(await pending('bob')).toEqual([])
    expect(await forge.as('bob').todos.count()).toMatchObject({ pending: 0, done: 3 })
    expect(await pending('alice')).toHaveLength(1)
  })

  const update = (fields: object) => (forge: FakeForge) =>
    forge.as('bob').issues.update({ project, issue: 1, ...fields })

  const actions: readonly [string, (forge: FakeForge) => Promise<unknown>][] = [
    ['changes the labels', update({ removeLabels: ['urgent'] })],
    ['changes the milestone', update({ milestone: 0 })],
    ['changes the title', update({ title: 'Slower' })],
    ['changes the description', update({ description: 'More' })],
    ['is no longer assigned', update({ assignees: ['carol'] })],
    ['comments', ({ as }) => as('bob').notes.create({ project, issue: 1, body: 'on it' })],
    ['closes the issue', ({ as }) => as('bob').issues.update({ project, issue: 1, stateEvent: 'close' })],
    ['awards an emoji', ({ as }) => as('bob').awardEmoji.create({ project, issue: 1, name: 'tada' })],
  ]

  test.each(actions)('when their owner %s', async (_, act) => {
    await act(forge)
    expect(await pending('bob')).toEqual([])
    expect(await done('bob')).toHaveLength(1)
  })

  test('by an emoji on a comment, but not by an assignment to oneself or another change', async () => {
    const { id } = await stored(forge.as('dave').notes.create({ project, issue: 2, body: 'Hello @bob' }))
    const { issues, awardEmoji } = forge.as('bob')
    await issues.update({ project, issue: 2, assignees: ['bob'], dueDate: '2030-01-01' })
    expect(await pendingActions('bob')).toEqual([
      ['assigned', 'Dark mode'],
      ['mentioned', 'Hello @bob'],
      ['assigned', slow],
    ])
    await awardEmoji.create({ project, issue: 2, note: id, name: 'tada' })
    expect(await pendingActions('bob')).toEqual([['assigned', slow]])
  })

  test('but not by the same actions of other users', async () => {
    await forge.as('alice').notes.create({ project, issue: 1, body: 'on it' })
    await forge.as('alice').awardEmoji.create({ project, issue: 1, name: 'tada' })
    await forge.as('alice').issues.update({ project, issue: 1, stateEvent: 'close' })
    expect(await pending('bob')).toHaveLength(1)
  })

  test('on merge requests when their owner merges them or pushes to them', async () => {
    await forge.as('bob').todos.create({ project, mergeRequest: 1 })
    const after = 'c'.repeat(40)
    await forge.as('alice').events.create({ project, ref: 'refs/heads/cache-home', after })
    await forge.as('bob').events.create({ project, ref: 'cache-home', refType: 'tag', after })
    expect(await pendingActions('bob')).toContainEqual(['marked', 'Cache the home page'])
    expect(await pending('alice')).toEqual([])
    await forge.as('bob').events.create({ project, ref: 'cache-home', after })
    expect(await pendingActions('bob')).toEqual([['assigned', slow]])
    await forge.as('alice').todos.create({ project, mergeRequest: 1 })
    await forge.as('alice').mergeRequests.merge({ project, mergeRequest: 1 })
    expect(await pending('alice')).toEqual([])
  })

  test('by removing the target or the note', async () => {
    const note = await stored(forge.as('dave').notes.create({ project, issue: 2, body: '@mallory look' }))
    await forge.as('dave').notes.remove({ project, issue: 2, note: note.id })
    expect(await pending('mallory')).toEqual([])
    await forge.host.issues.remove({ project, issue: 1 })
    expect(await pending('bob')).toEqual([])
  })

  test('as soon as their owner cannot read the target any more', async () => {
    await forge.as('alice').issues.update({ project, issue: 3, assignees: ['mallory'] })
    const [todo] = await pending('mallory')
    expect(todo).toMatchObject({ body: 'The login form leaks passwords' })
    await forge.as('alice').issues.update({ project, issue: 3, assignees: [] })
    expect(await forge.as('mallory').todos.list()).toMatchObject({ items: [], total: 0 })
    expect(await forge.as('mallory').todos.count()).toMatchObject({ pending: 0, done: 0 })
    const finish = forge.as('mallory').todos.finish({ todo: todo?.id as number })
    await expect(finish).rejects.toMatchObject(missing)
  })
})

describe('lists of todos', () => {
  test('can be filtered', async () => {
    const bob = forge.as('bob')
    const { id: projectId } = await bob.projects.get({ project })
    const { id: groupId } = await bob.groups.get({ group: 'acme' })
    const { id: notesId } = await bob.projects.get({ project: 'bob/notes' })
    const { id: alice } = await forge.host.users.get({ user: 'alice' })
    const { id: dave } = await forge.host.users.get({ user: 'dave' })
    await bob.todos.create({ project, mergeRequest: 1 })
    const epic = await forge.as('alice').epics.create({ group: 'acme', title: 'Big' })
    await bob.todos.create({ group: 'acme', epic: epic.iid })
    const names = async (input: object) => (await bob.todos.list(input)).items.map(({ body }) => body)
    const merge = 'Cache the home page'
    expect(await names({})).toEqual(['Big', merge, slow])
    expect(await names({ action: 'marked' })).toEqual(['Big', merge])
    expect(await names({ type: 'Issue' })).toEqual([slow])
    expect(await names({ type: 'Epic' })).toEqual(['Big'])
    expect(await names({ project: projectId })).toEqual([merge, slow])
    expect(await names({ project: notesId })).toEqual([])
    expect(await names({ group: groupId })).toEqual(['Big', merge, slow])
    expect(await names({ author: dave })).toEqual([slow])
    expect(await names({ author: alice })).toEqual([])
    expect(await names({ state: 'anything' })).toEqual(['Big', merge, slow])
    expect(await names({ state: 'done' })).toEqual([])
  })

  test('return the same error for invisible and missing filter values', async () => {
    const { host } = forge
    const hidden = { project: (await host.projects.get({ project: 'acme/tools/deploy' })).id }
    const secret = { group: (await host.groups.get({ group: 'partners' })).id }
    for (const input of [hidden, secret, { project: 4_711 }, { group: 4_711 }, { author: 4_711 }]) {
      await expect(forge.as('mallory').todos.list(input)).rejects.toMatchObject(missing)
      await expect(forge.as('mallory').todos.finish(input)).rejects.toMatchObject(missing)
    }
  })

  test('include the complete target for the current user', async () => {
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
    await forge.as('mallory').todos.create({ project, issue: 1 })
    expect((await pending('mallory'))[0]?.target).toMatchObject({ subscribed: false })
  })
})

test('a seed creates pending and done todos', async () => {
  const seeded = await forge.seed({
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
  expect(await pendingActions('bob')).toContainEqual(['marked', 'Sweep'])
  const { items } = await forge.as('root').todos.list({ state: 'done' })
  expect(items).toMatchObject([{ id: seeded.todos?.['bob/chores#Sweep 2']?.id, actionName: 'approval_required' }])
})
