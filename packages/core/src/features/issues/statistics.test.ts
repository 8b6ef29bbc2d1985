import type { FakeForge } from '@forgelet/fixtures'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../test/world.ts'
import { instance } from '../../access/subjects.ts'
import { Id } from '../../kernel/inputs.ts'
import { command } from '../../kernel/operation.ts'
import type { IssueFilters } from './filters.ts'
import { rebuildCounters, verifyCounters } from './upkeep.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'

const verifying = command({ on: instance, can: 'user.manage', run: (ctx) => verifyCounters(ctx) })
const rebuilding = command({ on: instance, can: 'user.manage', run: (ctx) => rebuildCounters(ctx) })

/** As a host does that looks after its tables itself: everything else goes by references. */
const deleted = command({
  on: instance,
  can: 'user.manage',
  input: { table: v.picklist(['milestone', 'user', 'label']), title: v.string() },
  async run({ db }, { table, title }) {
    if (table === 'milestone') await db.deleteFrom('milestone').where('title', '=', title).execute()
    else if (table === 'label') await db.deleteFrom('label').where('name', '=', title).execute()
    else await db.deleteFrom('user').where('username', '=', title).execute()
  },
})

const emptied = command({
  on: instance,
  can: 'user.manage',
  async run({ db }) {
    await db.deleteFrom('issueTally').execute()
    await db.deleteFrom('issueCount').execute()
  },
})

const all = async (filters: IssueFilters = {}, user = 'carol') => {
  const { all } = await forge.as(user).issueStatistics.ofProject({ project, ...filters })
  return all
}

test('counts only issues that the caller may read', async () => {
  const counts = async (user: string) => forge.as(user).issueStatistics.ofProject({ project })
  expect(await counts('alice')).toEqual({ all: 4, opened: 3, closed: 1 })
  expect(await counts('mallory')).toEqual({ all: 3, opened: 2, closed: 1 })
  await forge.host.issues.update({ project, issue: 3, assignees: ['mallory'] })
  expect(await counts('mallory')).toEqual({ all: 4, opened: 3, closed: 1 })
  await forge.host.projects.update({ project, issuesAccessLevel: 'private' })
  expect(await counts('mallory')).toEqual({ all: 0, opened: 0, closed: 0 })
  expect(await counts('dave')).toEqual({ all: 3, opened: 2, closed: 1 })
})

test('across all projects it counts those that the caller has written, unless told otherwise', async () => {
  const { issueStatistics } = forge.as('carol')
  expect(await issueStatistics.overall({})).toEqual({ all: 2, opened: 2, closed: 0 })
  expect(await issueStatistics.overall({ scope: 'all' })).toEqual({ all: 4, opened: 3, closed: 1 })
  expect(await issueStatistics.overall({ authorUsername: 'dave' })).toEqual({ all: 0, opened: 0, closed: 0 })
  expect(await forge.as('bob').issueStatistics.overall({ scope: 'assigned_to_me' })).toMatchObject({ all: 1 })
})

describe('counters and links follow', () => {
  const counted = async () => {
    const { issueStatistics } = forge.host
    return {
      whole: await issueStatistics.overall({ scope: 'all' }),
      bugs: await issueStatistics.overall({ scope: 'all', labels: ['bug'] }),
      bobs: await issueStatistics.overall({ scope: 'all', assigneeUsername: ['bob'] }),
    }
  }

  test('closing, reopening and removing', async () => {
    await forge.host.issues.close({ project, issue: 1 })
    expect(await counted()).toEqual({
      whole: { all: 4, opened: 2, closed: 2 },
      bugs: { all: 2, opened: 1, closed: 1 },
      bobs: { all: 1, opened: 0, closed: 1 },
    })
    await forge.host.issues.reopen({ project, issue: 1 })
    expect(await counted()).toMatchObject({ whole: { opened: 3 }, bugs: { opened: 2 }, bobs: { opened: 1 } })
    await forge.host.issues.remove({ project, issue: 1 })
    expect(await counted()).toMatchObject({ whole: { all: 3 }, bugs: { all: 1 }, bobs: { all: 0 } })
  })

  test('confidentiality', async () => {
    await forge.host.issues.update({ project, issue: 1, confidential: true })
    const { issueStatistics } = forge.as('mallory')
    expect(await issueStatistics.ofProject({ project })).toMatchObject({ all: 2 })
    expect(await issueStatistics.ofProject({ project, labels: ['bug'] })).toMatchObject({ all: 0 })
    expect(await issueStatistics.ofProject({ project, assigneeUsername: ['bob'] })).toMatchObject({ all: 0 })
    expect(await forge.as('bob').issueStatistics.ofProject({ project, confidential: true })).toMatchObject({ all: 2 })
  })

  test('labels, projects and groups that go', async () => {
    await forge.host.labels.remove({ project, name: 'bug' })
    expect(await counted()).toMatchObject({ whole: { all: 4 }, bugs: { all: 0 } })
    await forge.host.projects.remove({ project })
    expect(await counted()).toMatchObject({ whole: { all: 0 }, bobs: { all: 0 } })
  })

  test('everything that happens to an issue and to what hangs on it', async () => {
    const { host } = forge
    const wrong = () => host.run(verifying, {})
    await host.milestones.create({ project, title: '3.0' })
    await host.labels.create({ project, name: 'own', color: '#000000' })
    const steps: (() => Promise<unknown>)[] = [
      () => host.issues.update({ project, issue: 1, milestone: '3.0', labels: ['own', 'bug'], assignees: ['alice'] }),
      () => host.issues.update({ project, issue: 2, milestone: '3.0', labels: ['own'], confidential: true }),
      () => host.issues.close({ project, issue: 1 }),
      () => host.issues.update({ project, issue: 1, confidential: true, labels: ['own'], assignees: ['bob', 'alice'] }),
      () => host.labels.promote({ project, name: 'own' }),
      () => host.issues.remove({ project, issue: 2 }),
      () => host.projects.update({ project, visibility: 'private', issuesAccessLevel: 'private' }),
      () => host.run(deleted, { table: 'milestone', title: '3.0' }),
      () => host.run(deleted, { table: 'user', title: 'bob' }),
      () => host.run(deleted, { table: 'user', title: 'carol' }),
      () => host.run(deleted, { table: 'label', title: 'own' }),
      () => host.projects.remove({ project }),
    ]
    for (const [at, step] of steps.entries()) {
      await step()
      expect(await wrong(), `step ${at}`).toEqual([])
    }
  })

  test('and are found wrong and filled anew', async () => {
    const before = await counted()
    await forge.host.run(emptied, {})
    const wrong = await forge.host.run(verifying, {})
    expect(wrong.map(({ table }) => table)).toEqual(['issue_count', 'issue_tally'])
    await forge.host.run(rebuilding, {})
    expect(await forge.host.run(verifying, {})).toEqual([])
    expect(await counted()).toEqual(before)
  })

  test('new words', async () => {
    expect(await all({ search: 'parlour' })).toBe(0)
    await forge.host.issues.update({ project, issue: 2, title: 'A dark parlour', description: 'Velvet curtains' })
    expect(await all({ search: 'parlour' })).toBe(1)
    expect(await all({ search: 'velvet PARLOUR' })).toBe(1)
    expect(await all({ search: 'Dark mode' })).toBe(0)
    await forge.host.issues.update({ project, issue: 2, title: 'Light', description: null })
    expect(await all({ search: 'velvet' })).toBe(0)
    await forge.host.issues.remove({ project, issue: 2 })
    expect(await all({ search: 'light' })).toBe(0)
  })
})

test('search takes signs of patterns and of the index of words as they are', async () => {
  const title = `50%_off "now" AND (NOT) title:* back\\slash 'quoted'`
  await forge.host.issues.update({ project, issue: 2, title })
  for (const search of ['%_off', '50%_off', '"now" AND', '(NOT)', 'title:*', 'back\\slash', `'quoted'`]) {
    expect(await all({ search }), search).toBe(1)
  }
  for (const search of ['%%%', '___', '50__off', '"now"x', '***', 'NEAR(title)', '{title}:off', '-now-']) {
    expect(await all({ search }), search).toBe(0)
  }
})

test('milestones by date: the next one due of each project or group, and those that have begun', async () => {
  const { host } = forge
  const onMilestone = async (title: string, dates: { startDate?: string; dueDate?: string }, issue: number) => {
    await host.milestones.create({ project, title, ...dates })
    await host.issues.update({ project, issue, milestone: title })
  }
  await host.issues.update({ project, issue: 1, milestone: null })
  await onMilestone('past', { startDate: '2001-01-01', dueDate: '2001-02-01' }, 1)
  await onMilestone('soon', { dueDate: '2900-01-01' }, 2)
  await onMilestone('later', { startDate: '2899-12-31', dueDate: '2900-01-02' }, 3)
  expect(await all({ milestone: '#upcoming' })).toBe(1)
  expect(await all({ milestone: '#upcoming', iids: [2] })).toBe(1)
  expect(await all({ milestone: '#started' })).toBe(1)
  expect(await all({ milestone: '#started', iids: [1] })).toBe(1)
  expect(await all({ milestone: 'later' })).toBe(1)
})

/** A project and a group above it may come to have labels of one name. */
const carryBoth = command({
  on: instance,
  can: 'user.manage',
  input: { issue: Id, label: Id },
  async run({ db }, { issue, label }) {
    await db.insertInto('issueLabel').values({ issueId: issue, labelId: label }).execute()
  },
})

test('an issue with two labels of one name counts once', async () => {
  const { host } = forge
  const mine = await host.labels.create({ project, name: 'twin', color: '#000000' })
  const issue = await host.issues.update({ project, issue: 1, labels: ['twin'] })
  const above = await host.labels.create({ group: 'acme', name: 'twin', color: '#000000' })
  await host.run(carryBoth, { issue: issue.id, label: above.id })
  expect(mine.id).not.toBe(above.id)
  expect(await all({ labels: ['twin'] })).toBe(1)
  expect(await all({ labels: ['twin', 'bug'] })).toBe(0)
})

test('several assignees are all of them on the paid tier, and refused on the free one', async () => {
  await forge.host.issues.update({ project, issue: 1, assignees: ['bob', 'alice'] })
  expect(await all({ assigneeUsername: ['bob', 'alice'] })).toBe(1)
  expect(await all({ assigneeUsername: ['bob', 'carol'] })).toBe(0)
  await using free = await world({ tier: 'free' })
  const ask = (assigneeUsername: string[], project = 'acme/web') =>
    free.as('carol').issueStatistics.ofProject({ project, assigneeUsername })
  expect(await ask(['bob'])).toMatchObject({ all: 1 })
  await expect(ask(['a', 'b'])).rejects.toThrow('assigneeUsername allows one value, but found 2: a, b')
  await expect(ask(['a', 'b'], 'no/where')).rejects.toMatchObject({ code: 'invalid_input' })
})

test('long lists and texts are refused', async () => {
  const many = Array.from({ length: 1_001 }, (_, at) => at + 1)
  await expect(all({ iids: many })).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(all({ labels: many.slice(0, 51).map(String) })).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(all({ search: 'x'.repeat(1_025) })).rejects.toThrow('search is too long (maximum is 1024 characters)')
  expect(await all({ iids: many.slice(0, 1_000) })).toBe(4)
  expect(await all({ search: '%_'.repeat(500) })).toBe(0)
})
