import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeAll(async () => {
  forge = await world({ ports: { mail: { from: 'forge@example.com', send: async () => undefined } } })
})
beforeEach(() => forge.reset())
afterAll(() => forge.close())

const project = 'acme/web'

/** The last notifications of a user, the newest first. */
const listOf = async (username: string, count = 1) => {
  await forge.hooks.drain()
  const { items } = await forge.as(username).notifications.list({ perPage: count })
  return items.map(({ event, reason }) => `${event}: ${reason}`)
}

const setEvents = (username: string, events: object) =>
  forge.as(username).notificationSettings.update({ project, level: 'custom', ...events })

test('a comment notifies participants, mentioned users and watchers with their reasons, not its author', async () => {
  await forge.as('alice').notificationSettings.update({ project, level: 'watch' })
  const { id } = await forge.as('carol').notes.create({ project, issue: 1, body: '@mallory look' })
  expect(await listOf('dave')).toEqual(['newNote: participating'])
  expect(await listOf('bob')).toEqual(['newNote: assigned'])
  expect(await listOf('mallory')).toEqual(['newNote: mentioned'])
  expect(await listOf('alice')).toEqual(['newNote: watching'])
  expect(await listOf('carol')).toEqual([])
  const { items } = await forge.as('dave').notifications.list()
  const issue = await forge.as('dave').issues.get({ project, issue: 1 })
  expect(items[0]).toMatchObject({ noteId: id, targetKind: 'issue', targetId: issue.id, author: { username: 'carol' } })
})

test('a mentioned group notifies its members, unless its mentions are turned off, and @all all members of the project', async () => {
  await forge.as('carol').notes.create({ project, issue: 2, body: 'For @acme' })
  expect(await listOf('alice')).toEqual(['newNote: mentioned'])
  await forge.host.groups.update({ group: 'acme', settings: { mentionsDisabled: true } })
  await forge.as('carol').notes.create({ project, issue: 2, body: 'Again for @acme' })
  expect(await listOf('alice', 2)).toEqual(['newNote: mentioned'])
  await forge.as('carol').notes.create({ project, issue: 2, body: 'For @all' })
  expect(await listOf('alice', 2)).toEqual(['newNote: mentioned', 'newNote: mentioned'])
})

test('an issue notifies of each change, also former assignees and users whom a new text mentions', async () => {
  const { issues, labels } = forge.as('carol')
  await forge.as('alice').labels.subscribe({ project, label: 'bug' })
  await labels.create({ project, name: 'fresh', color: 'red' })
  await forge.as('alice').labels.subscribe({ project, label: 'fresh' })
  await setEvents('mallory', {
    closeIssue: true,
    reopenIssue: true,
    reassignIssue: true,
    newIssue: true,
    issueDue: true,
  })
  const { iid: issue } = await issues.create({ project, title: 'One', assignees: ['bob'], labels: ['bug'] })
  expect(await listOf('mallory')).toEqual(['newIssue: custom'])
  expect(await listOf('bob')).toEqual(['newIssue: assigned'])
  expect(await listOf('alice')).toEqual(['newIssue: subscribed'])
  await issues.update({ project, issue, assignees: [] })
  expect(await listOf('bob')).toEqual(['reassignIssue: participating'])
  await issues.update({ project, issue, addLabels: ['fresh'] })
  expect(await listOf('alice')).toEqual(['relabel: subscribed'])
  await issues.update({ project, issue, description: 'For @bob' })
  expect(await listOf('bob')).toEqual(['newIssue: mentioned'])
  await issues.update({ project, issue, stateEvent: 'close' })
  expect(await listOf('mallory')).toEqual(['closeIssue: custom'])
  await issues.update({ project, issue, stateEvent: 'reopen' })
  expect(await listOf('mallory', 2)).toEqual(['reopenIssue: custom', 'closeIssue: custom'])
  const day = new Date(forge.clock.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  await issues.update({ project, issue, dueDate: day })
  await forge.clock.advance({ days: 1 })
  expect(await listOf('mallory')).toEqual(['reopenIssue: custom'])
  await forge.clock.advance({ days: 2 })
  expect(await listOf('mallory', 2)).toEqual(['issueDue: custom', 'reopenIssue: custom'])
  expect(await listOf('carol')).toEqual(['issueDue: participating'])
})

test('merge requests, epics and snippets notify of their events', async () => {
  const { mergeRequests, notes } = forge.as('alice')
  await setEvents('mallory', {
    newMergeRequest: true,
    reassignMergeRequest: true,
    closeMergeRequest: true,
    reopenMergeRequest: true,
    mergeMergeRequest: true,
    newNote: true,
  })
  const input = { project, sourceBranch: 'patch-9', targetBranch: 'main', title: 'Change' }
  const { iid: mergeRequest } = await mergeRequests.create(input)
  expect(await listOf('mallory')).toEqual(['newMergeRequest: custom'])
  await mergeRequests.update({ project, mergeRequest, assignees: ['bob'] })
  expect(await listOf('bob')).toEqual(['reassignMergeRequest: assigned'])
  await mergeRequests.update({ project, mergeRequest, stateEvent: 'close' })
  await forge.hooks.drain()
  await mergeRequests.update({ project, mergeRequest, stateEvent: 'reopen' })
  expect(await listOf('mallory', 2)).toEqual(['reopenMergeRequest: custom', 'closeMergeRequest: custom'])
  const { id: snippet } = await forge.as('bob').snippets.create({
    project,
    title: 'Text',
    fileName: 'a.txt',
    content: 'x',
    visibility: 'public',
  })
  await notes.create({ project, snippet, body: 'Nice' })
  expect(await listOf('bob')).toEqual(['newNote: participating'])
  expect(await listOf('mallory')).toEqual(['newNote: custom'])
  await forge.as('bob').notificationSettings.update({ group: 'acme', level: 'watch' })
  await forge.as('alice').epics.create({ group: 'acme', title: 'Plan', description: 'With @carol' })
  expect(await listOf('bob')).toEqual(['newEpic: watching'])
  expect(await listOf('carol')).toEqual(['newEpic: mentioned'])
})

test('the user of a pipeline is notified of failures and of the first success after one, of others by choice', async () => {
  const run = async (status: 'failed' | 'success') => {
    const jobs = [{ name: 'test', stage: 'test', status }]
    await forge.host.pipelines.record({ project, ref: 'main', sha: 'a'.repeat(40), user: 'carol', jobs })
  }
  await forge.as('alice').notificationSettings.update({ project, level: 'watch' })
  await run('failed')
  expect(await listOf('carol')).toEqual(['failedPipeline: participating'])
  await run('success')
  expect(await listOf('carol', 2)).toEqual(['fixedPipeline: participating', 'failedPipeline: participating'])
  await run('success')
  expect(await listOf('carol')).toEqual(['fixedPipeline: participating'])
  await setEvents('carol', { successPipeline: true, failedPipeline: false })
  await run('success')
  expect(await listOf('carol')).toEqual(['successPipeline: custom'])
  await run('failed')
  expect(await listOf('carol')).toEqual(['successPipeline: custom'])
  expect(await listOf('alice')).toEqual([])
})

test('one event stores each user once, emits a domain event for each, and expires after 30 days', async () => {
  const users: number[] = []
  forge.platform.on('notification.created', ({ notification }) => void users.push(notification.userId))
  await forge.as('carol').notes.create({ project, issue: 1, body: 'Text' })
  await forge.hooks.drain()
  expect(users).toHaveLength(new Set(users).size)
  expect(users.length).toBeGreaterThan(1)
  await forge.clock.advance({ days: 32 })
  expect(await listOf('dave')).toEqual([])
})

test('nobody is notified of what the user cannot read when the job runs, and of nothing by seeds', async () => {
  await forge.as('dave').notes.create({ project, issue: 1, body: '@mallory' })
  await forge.host.projects.update({ project, visibility: 'private' })
  expect(await listOf('mallory')).toEqual([])
  await forge.seed({
    projects: [{ path: 'acme/more', issues: [{ title: 'Old', author: 'carol', assignees: ['bob'] }] }],
  })
  expect(await listOf('bob')).toEqual(['newNote: assigned'])
})
