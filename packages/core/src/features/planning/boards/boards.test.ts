import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'

test('a removed label, milestone or user takes its lists along', async () => {
  const { boards, boardLists, labels, milestones, members, users } = forge.host
  const { id: board } = await boards.create({ project, name: 'Work' })
  const { id: labelId } = await labels.create({ project, name: 'doing', color: 'red' })
  const { id: milestoneId } = await milestones.create({ project, title: 'Soon' })
  const { id: assigneeId } = await users.create({ username: 'temp' })
  await members.add({ project, users: [assigneeId], accessLevel: 30 })
  await boards.update({ project, board, milestoneId, assigneeId, labels: ['doing'] })
  for (const criterion of [{ labelId }, { milestoneId }, { assigneeId }])
    await boardLists.create({ project, board, ...criterion })
  await labels.remove({ project, label: labelId })
  await milestones.remove({ project, milestoneId })
  await users.remove({ user: assigneeId })
  expect(await boards.get({ project, board })).toMatchObject({ milestone: null, assignee: null, labels: [], lists: [] })
})

test('boards are removed with their project', async () => {
  await forge.host.boards.create({ project, name: 'Work' })
  await forge.host.projects.remove({ project })
  await forge.host.projects.create({ namespace: 'acme', path: 'web', name: 'Web' })
  expect((await forge.host.boards.list({ project })).items).toEqual([])
})
