import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
let epic: number
beforeEach(async () => {
  forge = await world()
  epic = (await forge.as('alice').epics.create({ group, title: 'Big' })).iid
})
afterEach(() => forge.close())

const group = 'acme'
const project = 'acme/web'
const epicIssues = (username = 'bob') => forge.as(username).epicIssues

const assign = async (iid: number, inProject = project) => {
  const { id: issue } = await forge.host.issues.get({ project: inProject, issue: iid })
  return (await epicIssues().assign({ group, epic, issue })).id
}
const listIids = async () => (await epicIssues('alice').list({ group, epic })).items.map(({ iid }) => iid)

test('an issue is moved between two others any number of times', async () => {
  const links = [await assign(1), await assign(2), await assign(4)] as const
  let order = [4, 2, 1]
  const linkOf = (iid: number) => links[[1, 2, 4].indexOf(iid)] as number
  // Each move halves the distance between two issues, until others have to move.
  for (let at = 0; at < 50; at++) {
    const [first, second, third] = order as [number, number, number]
    const { items } = await epicIssues().reorder({
      group,
      epic,
      epicIssue: linkOf(third),
      moveBeforeId: linkOf(first),
      moveAfterId: linkOf(second),
    })
    order = [first, third, second]
    expect(items.map(({ iid }) => iid)).toEqual(order)
  }
})

test('the neighbors may be given in any order, and one is enough', async () => {
  const [one, two, four] = [await assign(1), await assign(2), await assign(4)] as const
  const reorder = async (epicIssue: number, neighbors: object) => {
    await epicIssues().reorder({ group, epic, epicIssue, ...neighbors })
    return listIids()
  }
  expect(await reorder(one, { moveBeforeId: two, moveAfterId: four })).toEqual([4, 1, 2])
  expect(await reorder(two, { moveAfterId: four })).toEqual([2, 4, 1])
  expect(await reorder(two, { moveBeforeId: one })).toEqual([4, 1, 2])
  expect(await reorder(two, { moveBeforeId: two })).toEqual([4, 1, 2])
})

test('a removed issue, a removed epic and a removed project have no links', async () => {
  await assign(1)
  await assign(2)
  await forge.host.issues.remove({ project, issue: 1 })
  expect(await listIids()).toEqual([2])
  await forge.host.epics.remove({ group, epic })
  expect(await forge.host.issues.get({ project, issue: 2 })).toMatchObject({ state: 'opened' })
  epic = (await forge.as('alice').epics.create({ group, title: 'Next' })).iid
  await assign(2)
  await forge.host.projects.remove({ project })
  expect(await listIids()).toEqual([])
})

test('issues of subgroups can be assigned, and leave the epic with their project', async () => {
  const inSubgroup = 'acme/tools/deploy'
  const { iid } = await forge.host.issues.create({ project: inSubgroup, title: 'Below', author: 'alice' })
  await assign(iid, inSubgroup)
  await assign(1)
  expect(await listIids()).toEqual([1, iid])
  await forge.host.projects.transfer({ project: inSubgroup, namespace: 'acme' })
  expect(await listIids()).toEqual([1, iid])
  await forge.host.projects.transfer({ project: 'acme/deploy', namespace: 'alice' })
  expect(await listIids()).toEqual([1])
})

test('links of another epic are not found', async () => {
  const link = await assign(1)
  const { iid: other } = await forge.as('alice').epics.create({ group, title: 'Other' })
  const missing = { code: 'not_found' }
  await expect(epicIssues().remove({ group, epic: other, epicIssue: link })).rejects.toMatchObject(missing)
  await expect(epicIssues().reorder({ group, epic: other, epicIssue: link })).rejects.toMatchObject(missing)
})
