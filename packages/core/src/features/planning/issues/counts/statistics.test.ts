import type { FakeForge } from '@forgelet/fixtures'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../../../test/world.ts'
import { instance } from '../../../../access/subjects.ts'
import { rebuildCounters, verifyCounters } from '../../../../db/counters/verify.ts'
import { Id } from '../../../../kernel/inputs.ts'
import { command } from '../../../../kernel/operation.ts'
import type { IssueFilters } from '../filters.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'

const verifyCountersCommand = command({ on: instance, can: 'user.manage', run: (ctx) => verifyCounters(ctx) })
const rebuildCountersCommand = command({ on: instance, can: 'user.manage', run: (ctx) => rebuildCounters(ctx) })

/** Deletes a row directly, so that only foreign keys and triggers update the other tables. */
const deleteRowCommand = command({
  on: instance,
  can: 'user.manage',
  input: { table: v.picklist(['milestone', 'user', 'label']), title: v.string() },
  async run({ db }, { table, title }) {
    if (table === 'milestone') await db.deleteFrom('milestone').where('title', '=', title).execute()
    else if (table === 'label') await db.deleteFrom('label').where('name', '=', title).execute()
    else await db.deleteFrom('user').where('username', '=', title).execute()
  },
})

const clearCountersCommand = command({
  on: instance,
  can: 'user.manage',
  async run({ db }) {
    await db.deleteFrom('issueTally').execute()
    await db.deleteFrom('issueCount').execute()
  },
})

const countAll = async (filters: IssueFilters = {}, user = 'carol') => {
  const { all } = await forge.as(user).issueStatistics.get({ project, ...filters })
  return all
}

test('counts only issues that the caller may read', async () => {
  const counts = async (user: string) => forge.as(user).issueStatistics.get({ project })
  expect(await counts('alice')).toEqual({ all: 4, opened: 3, closed: 1 })
  expect(await counts('mallory')).toEqual({ all: 3, opened: 2, closed: 1 })
  await forge.host.issues.update({ project, issue: 3, assignees: ['mallory'] })
  expect(await counts('mallory')).toEqual({ all: 4, opened: 3, closed: 1 })
  await forge.host.projects.update({ project, issuesAccessLevel: 'private' })
  expect(await counts('mallory')).toEqual({ all: 0, opened: 0, closed: 0 })
  expect(await counts('dave')).toEqual({ all: 3, opened: 2, closed: 1 })
})

test('counts only issues of the caller across all projects by default', async () => {
  const { issueStatistics } = forge.as('carol')
  expect(await issueStatistics.get({})).toEqual({ all: 2, opened: 2, closed: 0 })
  expect(await issueStatistics.get({ scope: 'all' })).toEqual({ all: 4, opened: 3, closed: 1 })
  expect(await issueStatistics.get({ authorUsername: 'dave' })).toEqual({ all: 0, opened: 0, closed: 0 })
  expect(await forge.as('bob').issueStatistics.get({ scope: 'assigned_to_me' })).toMatchObject({ all: 1 })
})

describe('counters stay correct', () => {
  const getCounts = async () => {
    const { issueStatistics } = forge.host
    return {
      whole: await issueStatistics.get({ scope: 'all' }),
      bugs: await issueStatistics.get({ scope: 'all', labels: ['bug'] }),
      bobs: await issueStatistics.get({ scope: 'all', assigneeUsername: ['bob'] }),
    }
  }

  test('when issues are closed, reopened and removed', async () => {
    await forge.host.issues.update({ project, issue: 1, stateEvent: 'close' })
    expect(await getCounts()).toEqual({
      whole: { all: 4, opened: 2, closed: 2 },
      bugs: { all: 2, opened: 1, closed: 1 },
      bobs: { all: 1, opened: 0, closed: 1 },
    })
    await forge.host.issues.update({ project, issue: 1, stateEvent: 'reopen' })
    expect(await getCounts()).toMatchObject({ whole: { opened: 3 }, bugs: { opened: 2 }, bobs: { opened: 1 } })
    await forge.host.issues.remove({ project, issue: 1 })
    expect(await getCounts()).toMatchObject({ whole: { all: 3 }, bugs: { all: 1 }, bobs: { all: 0 } })
  })

  test('when an issue becomes confidential', async () => {
    await forge.host.issues.update({ project, issue: 1, confidential: true })
    const { issueStatistics } = forge.as('mallory')
    expect(await issueStatistics.get({ project })).toMatchObject({ all: 2 })
    expect(await issueStatistics.get({ project, labels: ['bug'] })).toMatchObject({ all: 0 })
    expect(await issueStatistics.get({ project, assigneeUsername: ['bob'] })).toMatchObject({ all: 0 })
    expect(await forge.as('bob').issueStatistics.get({ project, confidential: true })).toMatchObject({ all: 2 })
  })

  test('when labels and projects are removed', async () => {
    await forge.host.labels.remove({ project, name: 'bug' })
    expect(await getCounts()).toMatchObject({ whole: { all: 4 }, bugs: { all: 0 } })
    await forge.host.projects.remove({ project })
    expect(await getCounts()).toMatchObject({ whole: { all: 0 }, bobs: { all: 0 } })
  })

  test('after each change of an issue, its relations and its project', async () => {
    const { host } = forge
    const findWrongCounters = () => host.run(verifyCountersCommand, {})
    await host.milestones.create({ project, title: '3.0' })
    await host.labels.create({ project, name: 'own', color: '#000000' })
    const steps: (() => Promise<unknown>)[] = [
      () => host.issues.update({ project, issue: 1, milestone: '3.0', labels: ['own', 'bug'], assignees: ['alice'] }),
      () => host.issues.update({ project, issue: 2, milestone: '3.0', labels: ['own'], confidential: true }),
      () => host.issues.update({ project, issue: 1, stateEvent: 'close' }),
      () => host.issues.update({ project, issue: 1, confidential: true, labels: ['own'], assignees: ['bob', 'alice'] }),
      () => host.labels.promote({ project, name: 'own' }),
      () => host.issues.remove({ project, issue: 2 }),
      () => host.projects.update({ project, visibility: 'private', issuesAccessLevel: 'private' }),
      () => host.run(deleteRowCommand, { table: 'milestone', title: '3.0' }),
      () => host.run(deleteRowCommand, { table: 'user', title: 'bob' }),
      () => host.run(deleteRowCommand, { table: 'user', title: 'carol' }),
      () => host.run(deleteRowCommand, { table: 'label', title: 'own' }),
      () => host.projects.remove({ project }),
    ]
    for (const [index, step] of steps.entries()) {
      await step()
      expect(await findWrongCounters(), `step ${index}`).toEqual([])
    }
  })

  test('after verifyCounters reports them and rebuildCounters rebuilds them', async () => {
    const before = await getCounts()
    await forge.host.run(clearCountersCommand, {})
    const wrong = await forge.host.run(verifyCountersCommand, {})
    expect(wrong.map(({ table }) => table)).toEqual(['issue_count', 'issue_tally'])
    await forge.host.run(rebuildCountersCommand, {})
    expect(await forge.host.run(verifyCountersCommand, {})).toEqual([])
    expect(await getCounts()).toEqual(before)
  })

  test('in the full-text index when texts change', async () => {
    expect(await countAll({ search: 'parlour' })).toBe(0)
    await forge.host.issues.update({ project, issue: 2, title: 'A dark parlour', description: 'Velvet curtains' })
    expect(await countAll({ search: 'parlour' })).toBe(1)
    expect(await countAll({ search: 'velvet PARLOUR' })).toBe(1)
    expect(await countAll({ search: 'Dark mode' })).toBe(0)
    await forge.host.issues.update({ project, issue: 2, title: 'Light', description: null })
    expect(await countAll({ search: 'velvet' })).toBe(0)
    await forge.host.issues.remove({ project, issue: 2 })
    expect(await countAll({ search: 'light' })).toBe(0)
  })
})

test('search compares long words completely, ignoring case', async () => {
  const description = 'The Performance-Regression of höhere-Geschwindigkeiten'
  await forge.host.issues.create({ project, title: 'Slow', description, author: 'alice' })
  expect(await countAll({ search: 'performance-REGRESSION' })).toBe(1)
  expect(await countAll({ search: 'performance-regression slow' })).toBe(1)
  expect(await countAll({ search: 'performance-regressions' })).toBe(0)
  expect(await countAll({ search: 'performance-regression', in: ['title'] })).toBe(0)
  expect(await countAll({ search: 'HÖHERE-geschwindigkeiten' })).toBe(1)
  expect(await countAll({ search: '"regression of höhere-gesch"', in: ['description'] })).toBe(1)
})

// A full-text query that compares the positions of all trigrams takes minutes.
test('search for a long word in a long text that repeats it', async () => {
  const description = 'a'.repeat(1_000_000)
  await forge.host.issues.create({ project, title: 'Long', description, author: 'alice' })
  expect(await countAll({ search: 'a'.repeat(1_000) })).toBe(1)
  expect(await countAll({ search: `${'a'.repeat(500)}b${'a'.repeat(500)}` })).toBe(0)
})

test('search treats the special characters of LIKE patterns and full-text queries literally', async () => {
  const title = `50%_off "now" AND (NOT) title:* back\\slash 'quoted'`
  await forge.host.issues.update({ project, issue: 2, title })
  for (const search of ['%_off', '50%_off', '"now" AND', '(NOT)', 'title:*', 'back\\slash', `'quoted'`]) {
    expect(await countAll({ search }), search).toBe(1)
  }
  for (const search of ['%%%', '___', '50__off', '"now"x', '***', 'NEAR(title)', '{title}:off', '-now-']) {
    expect(await countAll({ search }), search).toBe(0)
  }
})

test('filters by the next due milestone of each project or group and by started milestones', async () => {
  const { host } = forge
  const createMilestone = async (title: string, dates: { startDate?: string; dueDate?: string }, issue: number) => {
    await host.milestones.create({ project, title, ...dates })
    await host.issues.update({ project, issue, milestone: title })
  }
  await host.issues.update({ project, issue: 1, milestone: null })
  await createMilestone('past', { startDate: '2001-01-01', dueDate: '2001-02-01' }, 1)
  await createMilestone('soon', { dueDate: '2900-01-01' }, 2)
  await createMilestone('later', { startDate: '2899-12-31', dueDate: '2900-01-02' }, 3)
  expect(await countAll({ milestone: '#upcoming' })).toBe(1)
  expect(await countAll({ milestone: '#upcoming', iids: [2] })).toBe(1)
  expect(await countAll({ milestone: '#started' })).toBe(1)
  expect(await countAll({ milestone: '#started', iids: [1] })).toBe(1)
  expect(await countAll({ milestone: 'later' })).toBe(1)
})

/** A project label and a label of an ancestor group can have the same name. */
const addDuplicateLabelCommand = command({
  on: instance,
  can: 'user.manage',
  input: { issue: Id, label: Id },
  async run({ db }, { issue, label }) {
    await db.insertInto('issueLabel').values({ issueId: issue, labelId: label }).execute()
  },
})

test('counts an issue with two labels of the same name once', async () => {
  const { host } = forge
  const projectLabel = await host.labels.create({ project, name: 'twin', color: '#000000' })
  const issue = await host.issues.update({ project, issue: 1, labels: ['twin'] })
  const groupLabel = await host.labels.create({ group: 'acme', name: 'twin', color: '#000000' })
  await host.run(addDuplicateLabelCommand, { issue: issue.id, label: groupLabel.id })
  expect(projectLabel.id).not.toBe(groupLabel.id)
  expect(await countAll({ labels: ['twin'] })).toBe(1)
  expect(await countAll({ labels: ['twin', 'bug'] })).toBe(0)
})

test('requires all given assignees on the paid tier and rejects several on the free tier', async () => {
  await forge.host.issues.update({ project, issue: 1, assignees: ['bob', 'alice'] })
  expect(await countAll({ assigneeUsername: ['bob', 'alice'] })).toBe(1)
  expect(await countAll({ assigneeUsername: ['bob', 'carol'] })).toBe(0)
  await using free = await world({ tier: 'free' })
  const countFree = (assigneeUsername: string[], project = 'acme/web') =>
    free.as('carol').issueStatistics.get({ project, assigneeUsername })
  expect(await countFree(['bob'])).toMatchObject({ all: 1 })
  await expect(countFree(['a', 'b'])).rejects.toThrow('assigneeUsername allows one value, but found 2: a, b')
  await expect(countFree(['a', 'b'], 'no/where')).rejects.toMatchObject({ code: 'invalid_input' })
})

test('rejects long lists and texts', async () => {
  const many = Array.from({ length: 1_001 }, (_, index) => index + 1)
  await expect(countAll({ iids: many })).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(countAll({ labels: many.slice(0, 51).map(String) })).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(countAll({ search: 'x'.repeat(1_025) })).rejects.toThrow(
    'search is too long (maximum is 1024 characters)',
  )
  expect(await countAll({ iids: many.slice(0, 1_000) })).toBe(4)
  expect(await countAll({ search: '%_'.repeat(500) })).toBe(0)
})
