import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

/** References that the library accepts instead of those in the paths of routes. */

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'

test('an issue is found by its id, for administrators only, and not with a project', async () => {
  const issue = await forge.host.issues.get({ project, issue: 1 })
  expect(await forge.host.issues.get({ id: issue.id })).toEqual(issue)
  await expect(forge.as('alice').issues.get({ id: issue.id })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(forge.host.issues.get({ project, id: issue.id })).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(forge.host.issues.get({ id: 999_999 })).rejects.toMatchObject({ code: 'not_found' })
})

test('the id of a milestone selects its items, and requires a place; a title is a filter', async () => {
  const { host } = forge
  const { id } = await host.milestones.create({ project, title: 'Library' })
  const { iid } = await host.issues.create({ project, title: 'In it', author: 'bob', milestone: id })
  expect((await host.issues.list({ project, milestone: id })).items).toMatchObject([{ iid }])
  expect((await host.issues.list({ project, milestone: 'Library' })).items).toMatchObject([{ iid }])
  expect((await host.mergeRequests.list({ project, milestone: id })).items).toEqual([])
  for (const { list } of [host.issues, host.mergeRequests])
    await expect(list({ milestone: id })).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'milestone requires project or group if it is an id',
    })
})

test('merge requests of a commit require the project of the commit', async () => {
  await expect(forge.host.mergeRequests.list({ commit: 'main' })).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'commit requires project',
  })
})
