import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'

test('a reporter creates a label; its name is trimmed and loses HTML tags', async () => {
  const label = await forge.as('carol').labels.create({ project, name: ' new <b>one</b> ', color: ' Red ' })
  expect(label).toMatchObject({
    name: 'new one',
    color: '#FF0000',
    textColor: '#FFFFFF',
    description: null,
    descriptionHtml: '',
    subscribed: false,
    priority: null,
    isProjectLabel: true,
    openIssuesCount: 0,
  })
})

test('a name of the project or of a group above is taken', async () => {
  const { labels } = forge.as('carol')
  const taken = { code: 'conflict', message: 'Label already exists' }
  await expect(labels.create({ project, name: 'urgent', color: 'red' })).rejects.toMatchObject(taken)
  await expect(labels.create({ project, name: 'bug', color: 'red' })).rejects.toMatchObject(taken)
  // Names are case-sensitive and unique per project.
  await expect(labels.create({ project, name: 'Bug', color: 'red' })).resolves.toMatchObject({ name: 'Bug' })
  await expect(
    forge.as('bob').labels.create({ project: 'bob/notes', name: 'bug', color: 'red' }),
  ).resolves.toBeDefined()
})

test('an error lists all problems of a label', async () => {
  const create = forge.as('carol').labels.create({ project, name: `a,${'b'.repeat(255)}`, color: '#FFAA' })
  await expect(create).rejects.toMatchObject({
    code: 'invalid',
    problems: [
      { fields: ['title'], message: 'is invalid' },
      { fields: ['title'], message: 'is too long (maximum is 255 characters)' },
      { fields: ['color'], message: 'must be a valid color code' },
    ],
  })
})

test('a list contains the labels of the project and of all groups above, sorted by name', async () => {
  const { host } = forge
  await host.groups.create({ parent: 'acme', path: 'deep', name: 'Deep', visibility: 'public' })
  await host.labels.create({ group: 'acme/deep', name: 'middle', color: 'red' })
  await host.projects.create({ namespace: 'acme/deep', name: 'nest', visibility: 'public' })
  await host.labels.create({ project: 'acme/deep/nest', name: 'low', color: 'red' })
  const names = async (includeAncestorGroups?: boolean) =>
    (await forge.platform.labels.list({ project: 'acme/deep/nest', includeAncestorGroups })).items.map(
      ({ name }) => name,
    )
  expect(await names()).toEqual(['low', 'middle', 'urgent'])
  // Without ancestors, the labels of the direct group remain.
  expect(await names(false)).toEqual(['low', 'middle'])
})

test('each page has the total; a page beyond the end is empty', async () => {
  const { labels } = forge.platform
  expect(await labels.list({ project, perPage: 2 })).toMatchObject({ page: 1, perPage: 2, total: 3 })
  expect((await labels.list({ project, perPage: 2, page: 2 })).items.map(({ name }) => name)).toEqual(['urgent'])
  expect(await labels.list({ project, perPage: 2, page: 9 })).toMatchObject({ items: [], total: 3, page: 9 })
  expect(await labels.list({ project, perPage: 1_000 })).toMatchObject({ perPage: 100 })
})

test('the order of pages does not depend on the number of labels in groups above', async () => {
  const { host } = forge
  await host.groups.create({ parent: 'acme', path: 'deep', name: 'Deep' })
  await host.projects.create({ namespace: 'acme/deep', name: 'nest' })
  const nest = 'acme/deep/nest'
  const expected: string[] = (await host.labels.list({ project: nest })).items.map(({ name }) => name)
  const add = async (owner: { project: string } | { group: string }, name: string) => {
    await host.labels.create({ ...owner, name, color: 'red' })
    expected.push(name)
  }
  const read = async () => {
    const pages = []
    for (let page = 1; page <= 6; page++) pages.push(await host.labels.list({ project: nest, page, perPage: 30 }))
    expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([expected.length]))
    return pages.flatMap(({ items }) => items.map(({ name }) => name))
  }
  for (let i = 0; i < 30; i++) await add({ project: nest }, `own ${i}`)
  for (let i = 0; i < 48; i++) {
    await add({ group: 'acme' }, `pa ${i}`)
    await add({ group: 'acme/deep' }, `nea ${i}`)
  }
  expect(await read()).toEqual(expected.toSorted())
  for (let i = 0; i < 9; i++) await add({ group: 'acme/deep' }, `zu ${i}`)
  expect(await read()).toEqual(expected.toSorted())
})

test('counts include only what the current user may read', async () => {
  const bug = async (who: string) => {
    const { items } = await forge.as(who).labels.list({ project, withCounts: true })
    const { openIssuesCount, closedIssuesCount, openMergeRequestsCount } =
      items.find(({ name }) => name === 'bug') ?? {}
    return [openIssuesCount, closedIssuesCount, openMergeRequestsCount]
  }
  // One open issue is confidential: reporters, its author and administrators see it, a guest does not.
  expect(await bug('bob')).toEqual([2, 0, 1])
  expect(await bug('carol')).toEqual([2, 0, 1])
  expect(await bug('root')).toEqual([2, 0, 1])
  expect(await bug('dave')).toEqual([1, 0, 1])
  expect(await bug('mallory')).toEqual([1, 0, 1])
})

test('counts are absent unless requested', async () => {
  const { items } = await forge.platform.labels.list({ project })
  expect(items[0]).not.toHaveProperty('openIssuesCount')
})

test('the counts of a group label cover all visible projects of the group', async () => {
  await forge.host.issues.create({ project: 'acme/tools/deploy', title: 'hidden', author: 'alice', labels: ['urgent'] })
  const count = async (who: string) => (await forge.as(who).labels.get({ project, label: 'urgent' })).openIssuesCount
  expect(await count('alice')).toBe(2)
  expect(await count('mallory')).toBe(1)
})

test('a label is found by id, else by name, even if the name is a number', async () => {
  const { labels } = forge.as('carol')
  const created = await labels.create({ project, name: '99999', color: 'red' })
  expect(await labels.get({ project, label: 99999 })).toMatchObject({ id: created.id })
  expect(await labels.get({ project, label: created.id })).toMatchObject({ name: '99999' })
  await expect(labels.get({ project, name: String(created.id) })).rejects.toMatchObject({
    code: 'not_found',
    kind: 'Label',
  })
  await expect(labels.get({ project, label: 'nothing' })).rejects.toMatchObject({ code: 'not_found', kind: 'Label' })
})

test('an update changes only the fields in the input; null removes the priority', async () => {
  const { labels } = forge.as('carol')
  expect(await labels.update({ project, label: 'bug', newName: 'defect' })).toMatchObject({
    name: 'defect',
    color: '#D9534F',
    priority: 0,
  })
  expect(await labels.update({ project, label: 'defect', priority: null })).toMatchObject({ priority: null })
  expect(await labels.update({ project, label: 'defect', description: 'x', color: '#ffaabb' })).toMatchObject({
    description: 'x',
    color: '#ffaabb',
    textColor: '#333333',
  })
})

test('a new name must not be taken', async () => {
  const { labels } = forge.as('carol')
  await expect(labels.update({ project, label: 'bug', newName: 'feature' })).rejects.toMatchObject({
    problems: [{ fields: ['title'], message: 'has already been taken' }],
  })
  await expect(labels.update({ project, label: 'bug', newName: 'urgent' })).rejects.toMatchObject({
    problems: [{ fields: ['title'], message: 'already exists at group level for Acme. Please choose another one.' }],
  })
  await expect(labels.update({ project, label: 'bug', newName: 'bug', color: 'red' })).resolves.toBeDefined()
})

test('a group label cannot be updated or deleted through a project', async () => {
  const { labels } = forge.as('alice')
  await expect(labels.update({ project, label: 'urgent', color: 'red' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(labels.remove({ project, label: 'urgent' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(labels.update({ group: 'acme', label: 'urgent', color: 'red' })).resolves.toMatchObject({
    color: '#FF0000',
  })
})

test('issues lose a deleted label', async () => {
  await forge.as('carol').labels.remove({ project, label: 'bug' })
  const { items } = await forge.as('carol').issues.list({ project })
  expect(items.flatMap(({ labels }) => labels)).not.toContain('bug')
  await expect(forge.platform.labels.get({ project, label: 'bug' })).rejects.toMatchObject({ code: 'not_found' })
})

test('a subscription in a group is one of its own, and notifies in all its projects', async () => {
  const { labels } = forge.as('bob')
  expect(await labels.subscribe({ group: 'acme', label: 'urgent' })).toMatchObject({ changed: true })
  expect(await labels.subscribe({ group: 'acme', label: 'urgent' })).toMatchObject({ changed: false })
  expect(await labels.get({ group: 'acme', label: 'urgent' })).toMatchObject({ subscribed: true })
  expect(await labels.get({ project, label: 'urgent' })).toMatchObject({ subscribed: false })
  const { iid: issue } = await forge.as('carol').issues.create({ project, title: 'Leak', labels: ['urgent'] })
  const recipients = () => forge.host.notificationSettings.listRecipients({ project, issue, event: 'newIssue' })
  const isNotified = async () => (await recipients()).some(({ user }) => user.username === 'bob')
  expect(await isNotified()).toBe(true)
  expect(await labels.unsubscribe({ group: 'acme', label: 'urgent' })).toMatchObject({ changed: true })
  expect(await isNotified()).toBe(false)
})

test('subscribe and unsubscribe are idempotent', async () => {
  const { labels } = forge.as('mallory')
  expect(await labels.subscribe({ project, label: 'bug' })).toMatchObject({
    changed: true,
    label: { subscribed: true },
  })
  expect(await labels.subscribe({ project, label: 'bug' })).toMatchObject({
    changed: false,
    label: { subscribed: true },
  })
  expect(await labels.unsubscribe({ project, label: 'bug' })).toMatchObject({
    changed: true,
    label: { subscribed: false },
  })
  expect(await labels.unsubscribe({ project, label: 'bug' })).toMatchObject({ changed: false })
})

test('a subscription to a group label applies to one project', async () => {
  const { labels } = forge.as('alice')
  await labels.subscribe({ project, label: 'urgent' })
  expect(await labels.get({ project, label: 'urgent' })).toMatchObject({ subscribed: true })
  expect(await labels.get({ project: 'acme/tools/deploy', label: 'urgent' })).toMatchObject({ subscribed: false })
})

test('promote merges all labels of the same name below the group, with their issues', async () => {
  const { host } = forge
  const alice = forge.as('alice')
  await host.labels.create({ project: 'acme/tools/deploy', name: 'bug', color: 'blue', priority: 7 })
  await host.issues.create({ project: 'acme/tools/deploy', title: 'down', author: 'alice', labels: ['bug'] })
  await alice.labels.subscribe({ project: 'acme/tools/deploy', label: 'bug' })
  const before = await alice.labels.get({ project, label: 'bug' })

  const promoted = await alice.labels.promote({ project, label: 'bug' })

  expect(promoted).toMatchObject({
    name: 'bug',
    color: '#D9534F',
    isProjectLabel: false,
    priority: 0,
    openIssuesCount: 3,
  })
  expect(promoted.id).not.toBe(before.id)
  const inOtherProject = await alice.labels.get({ project: 'acme/tools/deploy', label: 'bug' })
  expect(inOtherProject).toMatchObject({ id: promoted.id, priority: 7, subscribed: true })
  const { items } = await alice.labels.list({ project })
  expect(items.filter(({ name }) => name === 'bug')).toHaveLength(1)
})

test('promote fails for a label that is a group label already', async () => {
  const alice = forge.as('alice')
  await forge.host.projects.create({ namespace: 'acme', name: 'api' })
  await forge.host.labels.create({ project: 'acme/api', name: 'shared', color: 'red' })
  const first = await alice.labels.promote({ project: 'acme/api', label: 'shared' })
  expect(first).toMatchObject({ isProjectLabel: false })
  const again = alice.labels.promote({ project: 'acme/api', label: 'shared' })
  await expect(again).rejects.toMatchObject({ message: 'Failed to promote project label to group label' })
})

test('a label of a personal project cannot be promoted', async () => {
  const bob = forge.as('bob')
  await bob.labels.create({ project: 'bob/notes', name: 'idea', color: 'red' })
  await expect(bob.labels.promote({ project: 'bob/notes', label: 'idea' })).rejects.toMatchObject({
    code: 'invalid',
    message: 'Failed to promote project label to group label',
  })
})

test('promote requires the role in the group and in the project', async () => {
  await expect(forge.as('carol').labels.promote({ project, label: 'bug' })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(forge.as('bob').labels.promote({ project, label: 'bug' })).resolves.toBeDefined()
})

test('labels of an archived project are read-only, except subscriptions', async () => {
  await forge.host.projects.archive({ project })
  for (const who of ['carol', 'alice', 'root']) {
    const create = forge.as(who).labels.create({ project, name: 'late', color: 'red' })
    await expect(create).rejects.toMatchObject({ code: 'forbidden' })
  }
  await expect(forge.as('bob').labels.subscribe({ project, label: 'bug' })).resolves.toMatchObject({ changed: true })
})

test('listeners run after the commit, and not after a rollback', async () => {
  const received: string[] = []
  const stop = forge.platform.on('label.created', ({ label }) => void received.push(label.name))
  await forge.as('carol').labels.create({ project, name: 'committed', color: 'red' })
  const failed = forge.platform.atomic(async (open) => {
    await open.as({ user: 'carol' }).labels.create({ project, name: 'rolled back', color: 'red' })
    throw new Error('rollback')
  })
  await expect(failed).rejects.toThrow('rollback')
  await new Promise((resolve) => setImmediate(resolve))
  expect(received).toEqual(['committed'])
  await expect(forge.platform.labels.get({ project, label: 'rolled back' })).rejects.toMatchObject({
    code: 'not_found',
  })
  stop()
})
