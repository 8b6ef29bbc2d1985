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
const before = 'a'.repeat(40)
const after = 'b'.repeat(40)

const listEvents = async (username = 'alice', input: object = {}) =>
  (await forge.as(username).events.list({ project, perPage: 100, ...input })).items

const listActionNames = async (username = 'alice', input: object = {}) =>
  (await listEvents(username, input)).map(({ actionName, targetTitle }) => [actionName, targetTitle])

describe('records events', () => {
  test('of opened, closed, reopened and merged issues, merge requests and milestones', async () => {
    const previousCount = (await listEvents()).length
    const alice = forge.as('alice')
    const { iid } = await alice.issues.create({ project, title: 'Leak' })
    await alice.issues.update({ project, issue: iid, stateEvent: 'close' })
    await alice.issues.update({ project, issue: iid, stateEvent: 'close' })
    await alice.issues.update({ project, issue: iid, stateEvent: 'reopen' })
    const opened = await alice.mergeRequests.create({ project, title: 'Fix', sourceBranch: 'fix' })
    await alice.mergeRequests.update({ project, mergeRequest: opened.iid, stateEvent: 'close' })
    await alice.mergeRequests.update({ project, mergeRequest: opened.iid, stateEvent: 'reopen' })
    await alice.mergeRequests.merge({ project, mergeRequest: opened.iid })
    const milestone = await alice.milestones.create({ project, title: '2.0' })
    await alice.milestones.update({ project, milestone: milestone.iid, state: 'closed' })
    await alice.milestones.update({ project, milestone: milestone.iid, description: 'no news' })
    await alice.milestones.update({ project, milestone: milestone.iid, state: 'active' })
    const all = await listEvents()
    const recorded = all.slice(0, all.length - previousCount)
    expect(recorded.map(({ actionName, targetType }) => [actionName, targetType])).toEqual([
      ['opened', 'Milestone'],
      ['closed', 'Milestone'],
      ['opened', 'Milestone'],
      ['accepted', 'MergeRequest'],
      ['opened', 'MergeRequest'],
      ['closed', 'MergeRequest'],
      ['opened', 'MergeRequest'],
      ['opened', 'Issue'],
      ['closed', 'Issue'],
      ['opened', 'Issue'],
    ])
    expect(recorded.every(({ author }) => author.username === 'alice')).toBe(true)
  })

  test('of comments, with the current note, and removes them with the note', async () => {
    const bob = forge.as('bob')
    const note = await stored(bob.notes.create({ project, issue: 1, body: 'Hello' }))
    await bob.notes.update({ project, issue: 1, note: note.id, body: 'Hello again' })
    const [event] = await listEvents()
    expect(event).toMatchObject({
      actionName: 'commented on',
      targetType: 'Note',
      targetId: note.id,
      targetIid: note.id,
      targetTitle: 'The home page is slow',
      note: { id: note.id, body: 'Hello again', noteableType: 'Issue', noteableIid: 1 },
    })
    await bob.notes.remove({ project, issue: 1, note: note.id })
    expect((await listEvents()).some(({ id }) => id === event?.id)).toBe(false)
  })

  test('of pushes', async () => {
    const bob = forge.as('bob').events
    const push = { project, commitCount: 2, commitTitle: `${'x'.repeat(80)}\nmore` }
    await bob.create({ ...push, ref: 'refs/heads/topic', after })
    await bob.create({ ...push, ref: 'topic', before, after })
    await bob.create({ project, ref: 'refs/tags/v1', refType: 'tag', before })
    const [removed, updated, created] = await listEvents()
    expect([created, updated, removed].map((event) => event?.actionName)).toEqual([
      'pushed new',
      'pushed to',
      'deleted',
    ])
    expect(created).toMatchObject({ targetId: null, targetIid: null, targetType: null, targetTitle: null })
    expect(created?.pushData).toEqual({
      commitCount: 2,
      action: 'created',
      refType: 'branch',
      commitFrom: null,
      commitTo: after,
      ref: 'topic',
      refCount: null,
      commitTitle: `${'x'.repeat(67)}...`,
    })
    expect(removed?.pushData).toMatchObject({ ref: 'v1', refType: 'tag', commitFrom: before, commitTo: null })
    await expect(bob.create({ project, ref: 'topic' })).rejects.toMatchObject({ code: 'invalid' })
    await expect(forge.as('carol').events.create({ project, ref: 'x', after })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })

  test('of projects and project memberships, not of group memberships', async () => {
    const { host } = forge
    await forge.as('alice').projects.create({ namespace: 'acme', name: 'fresh', visibility: 'public' })
    await host.members.add({ project: 'acme/fresh', users: ['mallory'], accessLevel: 20 })
    await forge.as('mallory').members.remove({ project: 'acme/fresh', user: 'mallory' })
    await host.members.add({ group: 'acme', users: ['mallory'], accessLevel: 20 })
    await host.members.add({ project: 'acme/fresh', users: ['dave'], accessLevel: 20, expiresAt: '2020-01-01' })
    await forge.platform.jobs.drain()
    const { items } = await forge.as('alice').events.list({ project: 'acme/fresh' })
    expect(items.map(({ actionName, author, targetType }) => [actionName, author.username, targetType])).toEqual([
      ['removed due to membership expiration from', 'dave', null],
      ['joined', 'dave', null],
      ['left', 'mallory', null],
      ['joined', 'mallory', null],
      ['created', 'alice', 'Project'],
    ])
    expect(items.at(-1)).toMatchObject({ targetTitle: 'fresh', targetId: items.at(-1)?.projectId })
  })

  test('not of notes on epics and of group milestones', async () => {
    const alice = forge.as('alice')
    const { total } = await alice.events.list()
    const epic = await alice.epics.create({ group: 'acme', title: 'Big' })
    await alice.notes.create({ group: 'acme', epicId: epic.id, body: 'hm' })
    await alice.milestones.create({ group: 'acme', title: '3.0' })
    expect((await alice.events.list()).total).toBe(total)
  })
})

describe('lists events', () => {
  test('with the current titles of their targets', async () => {
    await forge.as('alice').issues.update({ project, issue: 2, title: 'Night mode' })
    expect(await listActionNames('mallory')).toContainEqual(['opened', 'Night mode'])
    expect(await listActionNames('mallory')).not.toContainEqual(['opened', 'Dark mode'])
  })

  test('of confidential issues only for users who can read them, also in the total', async () => {
    await forge.as('carol').notes.create({ project, issue: 3, body: 'hush' })
    const title = 'The login form leaks passwords'
    const guest = await forge.as('dave').events.list({ project, perPage: 100 })
    const reporter = await forge.as('carol').events.list({ project, perPage: 100 })
    expect(guest.items.map(({ targetTitle }) => targetTitle)).not.toContain(title)
    expect(guest.total).toBe(guest.items.length)
    expect(reporter.total).toBe(Number(guest.total) + 2)
    expect(reporter.items[0]).toMatchObject({ actionName: 'commented on', targetTitle: title })
    // The feed of the author hides them as well.
    const ofCarol = await forge.as('dave').events.list({ user: 'carol' })
    expect(ofCarol.items.map(({ targetTitle }) => targetTitle)).not.toContain(title)
  })

  test('without pushes and merge requests of private projects for guests', async () => {
    const deploy = 'acme/tools/deploy'
    await forge.host.members.add({ project: deploy, users: ['dave'], accessLevel: 10 })
    await forge.as('alice').events.create({ project: deploy, ref: 'main', after })
    await forge.as('alice').mergeRequests.create({ project: deploy, title: 'Faster', sourceBranch: 'fast' })
    const names = async (username: string) =>
      (await forge.as(username).events.list({ project: deploy })).items.map(({ actionName }) => actionName)
    expect(await names('alice')).toEqual(['opened', 'pushed new', 'joined'])
    expect(await names('dave')).toEqual(['joined'])
    await expect(names('mallory')).rejects.toMatchObject({ code: 'not_found', kind: 'Project' })
    expect((await forge.as('mallory').events.list({ user: 'alice' })).items).toMatchObject([])
  })
})

describe('feeds', () => {
  test('list own events, or with the scope "all" the events of all projects of the caller', async () => {
    await forge.as('mallory').notes.create({ project, issue: 1, body: 'me too' })
    const own = await forge.as('bob').events.list({ perPage: 100 })
    expect(new Set(own.items.map(({ author }) => author.username))).toEqual(new Set(['bob']))
    const all = await forge.as('bob').events.list({ scope: 'all', perPage: 100 })
    expect(all.items.map(({ author }) => author.username)).toContain('mallory')
    // A public project is visible to Mallory, but she is no member.
    expect((await forge.as('mallory').events.list({ scope: 'all' })).items).toEqual([])
    expect((await forge.as('mallory').events.list({ scope: 'whatever' })).items).toHaveLength(1)
    await expect(forge.platform.events.list()).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  test('hide the events of a private profile from other users', async () => {
    await forge.as('dave').notes.create({ project, issue: 1, body: 'hi' })
    const ofDave = (username: string) => forge.as(username).events.list({ user: 'DAVE' })
    expect((await ofDave('mallory')).items[0]).toMatchObject({ author: { username: 'dave' } })
    await forge.host.users.update({ user: 'dave', privateProfile: true })
    expect(await ofDave('mallory')).toMatchObject({ items: [], total: 0, page: 1, perPage: 20 })
    expect((await ofDave('dave')).total).toBeGreaterThan(0)
    expect((await ofDave('root')).total).toBeGreaterThan(0)
    const unknown = forge.as('bob').events.list({ user: 'nobody' })
    await expect(unknown).rejects.toMatchObject({ code: 'not_found', kind: 'User' })
  })

  test('filter by action and target type', async () => {
    await forge.as('bob').notes.create({ project, issue: 1, body: 'one' })
    await forge.as('bob').events.create({ project, ref: 'main', after })
    const names = async (input: object) =>
      new Set((await listEvents('alice', input)).map(({ actionName }) => actionName))
    expect(await names({ action: 'pushed' })).toEqual(new Set(['pushed new']))
    expect(await names({ action: 'closed', targetType: 'issue' })).toEqual(new Set(['closed']))
    expect(await names({ targetType: 'note' })).toEqual(new Set(['commented on']))
    expect(await names({ targetType: 'merge_request' })).toEqual(new Set(['opened']))
    expect(await names({ targetType: 'project' })).toEqual(new Set(['pushed new', 'joined']))
    for (const input of [{ targetType: 'snippet' }, { targetType: 'user' }, { action: 'updated' }]) {
      expect(await names(input)).toEqual(new Set())
    }
    const ids = (await listEvents('alice', { sort: 'asc' })).map(({ id }) => id)
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
  })

  test('exclude the given days', async () => {
    const createNote = async (instant: string) =>
      forge.platform.atomic((_, at) =>
        at(Date.parse(instant)).as({ user: 'bob' }).notes.create({ project, issue: 1, body: instant }),
      )
    await createNote('2016-11-30T23:59:59.999Z')
    await createNote('2016-12-01T00:00:00.000Z')
    await createNote('2016-12-01T23:59:59.999Z')
    await createNote('2016-12-02T00:00:00.000Z')
    const bodies = async (input: object) =>
      (await listEvents('alice', { sort: 'asc', ...input })).flatMap(({ note }) => note?.body ?? [])
    expect(await bodies({ before: '2016-12-01' })).toEqual(['2016-11-30T23:59:59.999Z'])
    expect(await bodies({ after: '2016-12-1', before: '2017-01-01' })).toEqual(['2016-12-02T00:00:00.000Z'])
    for (const day of ['2016-02-30', 'yesterday', '', '2016-12-01T00:00:00Z']) {
      await expect(bodies({ before: day })).rejects.toMatchObject({ message: 'before is invalid' })
    }
  })
})

describe('the order of feeds', () => {
  /** Pushes in the order of their ids, at these times. */
  const times = [
    '2016-05-01T10:00:00.002Z',
    '2016-05-01T10:00:00.000Z',
    '2016-05-01T10:00:00.002Z',
    '2016-05-01T10:00:00.001Z',
    '2016-05-01T10:00:00.002Z',
    '2016-05-01T10:00:00.000Z',
  ]
  const chronological = ['1', '5', '3', '0', '2', '4']
  beforeEach(async () => {
    for (const [index, time] of times.entries())
      await forge.platform.atomic((_, at) =>
        at(Date.parse(time))
          .as({ user: 'bob' })
          .events.create({ project, ref: `${index}`, after }),
      )
  })

  const feeds = {
    project: (input: object) => forge.as('bob').events.list({ project, ...input }),
    user: (input: object) => forge.as('alice').events.list({ user: 'bob', ...input }),
    'the caller': (input: object) => forge.as('bob').events.list(input),
    'all projects of the caller': (input: object) => forge.as('bob').events.list({ scope: 'all', ...input }),
  }

  test.each(Object.keys(feeds) as (keyof typeof feeds)[])(
    'of %s is by time, then by id, on every page',
    async (feed) => {
      const refs = async (input: object) =>
        (await feeds[feed]({ action: 'pushed', before: '2016-05-02', ...input })).items.map(
          ({ pushData }) => pushData?.ref,
        )
      expect(await refs({ sort: 'asc' })).toEqual(chronological)
      expect(await refs({})).toEqual([...chronological].reverse())
      for (const sort of ['asc', 'desc']) {
        const pages = await Promise.all([1, 2, 3, 4].map((page) => refs({ sort, page, perPage: 2 })))
        expect(pages.flat()).toEqual(await refs({ sort }))
      }
    },
  )
})

test('seed data sets the times of events', async () => {
  const createdAt = '2020-05-01T10:00:00.000Z'
  await forge.seed({
    projects: [
      {
        path: 'bob/old',
        createdAt,
        issues: [{ title: 'First', author: 'bob', createdAt }],
        pushes: [{ ref: 'main', after, commitCount: 3, commitTitle: 'Begin', author: 'bob', createdAt }],
      },
    ],
  })
  const { items } = await forge.as('bob').events.list({ project: 'bob/old' })
  expect(items.map((event) => [event.actionName, event.createdAt])).toEqual([
    ['pushed new', createdAt],
    ['opened', createdAt],
    ['created', createdAt],
  ])
})

test('the job removes events older than two years in batches and is idempotent', async () => {
  let now = Date.parse('2020-01-01T00:00:00.000Z')
  await using old = await fakeForge({ ports: { clock: { now: () => now } } })
  const previousTotal = (await old.as('bob').events.list({ project })).total
  // More than one batch.
  const pushes = 1_005
  await old.platform.atomic(async (open) => {
    const bob = open.as({ user: 'bob' }).events
    for (let count = 0; count < pushes; count++) await bob.create({ project, ref: `b${count}`, after })
  })
  now = Date.parse('2022-01-01T00:00:00.000Z')
  await old.as('bob').events.create({ project, ref: 'late', after })
  await old.platform.jobs.drain()
  expect((await old.as('bob').events.list({ project })).total).toBe(Number(previousTotal) + pushes + 1)
  now = Date.parse('2022-01-02T00:00:00.000Z')
  await old.platform.jobs.drain()
  await old.platform.jobs.drain()
  const { items, total } = await old.as('bob').events.list({ project, action: 'pushed' })
  expect(total).toBe(1)
  expect(items[0]?.pushData?.ref).toBe('late')
})
