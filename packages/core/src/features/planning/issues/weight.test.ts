import { exportSeed } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'

test('a weight is set, kept by other changes, and removed', async () => {
  const { issues } = forge.as('alice')
  const { iid: issue } = await issues.create({ project, title: 'x', weight: 0 })
  expect(await issues.get({ project, issue })).toMatchObject({ weight: 0 })
  expect(await issues.update({ project, issue, title: 'y' })).toMatchObject({ weight: 0 })
  expect(await issues.update({ project, issue, weight: 2 ** 31 - 1 })).toMatchObject({ weight: 2 ** 31 - 1 })
  expect(await issues.update({ project, issue, weight: null })).toMatchObject({ weight: null })
  expect(await issues.create({ project, title: 'z' })).toMatchObject({ weight: null })
})

test('only those who triage set a weight', async () => {
  const { iid: issue } = await forge.as('mallory').issues.create({ project, title: 'x' })
  for (const weight of [3, null])
    await expect(forge.as('mallory').issues.update({ project, issue, weight })).rejects.toMatchObject({
      code: 'forbidden',
    })
  await expect(forge.as('mallory').issues.create({ project, title: 'x', weight: 3 })).rejects.toMatchObject({
    code: 'forbidden',
  })
})

test('the present weight is no change', async () => {
  const { issues } = forge.as('alice')
  const { iid: issue, updatedAt } = await issues.create({ project, title: 'x', weight: 3 })
  expect(await issues.update({ project, issue, weight: 3 })).toMatchObject({ updatedAt })
})

test('a moved or copied issue has the same weight', async () => {
  const { issues } = forge.as('alice')
  const { iid: issue } = await issues.create({ project, title: 'x', weight: 3 })
  expect(await issues.clone({ project, issue, toProject: project })).toMatchObject({ weight: 3 })
  expect(await issues.move({ project, issue, toProject: 'acme/tools/deploy' })).toMatchObject({ weight: 3 })
})

test('seeds and their exports contain weights', async () => {
  await forge.as('alice').issues.create({ project, title: 'x', weight: 3 })
  const { seed } = await exportSeed(forge.platform)
  const { issues } = seed.projects?.find(({ path }) => path === project) ?? {}
  expect(issues?.filter(({ weight }) => weight !== undefined)).toMatchObject([{ title: 'x', weight: 3 }])
  await using copy = await world({ seed })
  expect((await copy.host.issues.list({ project, weight: 3 })).items.map(({ title }) => title)).toEqual(['x'])
})

test('hooks send the weight and its change', async () => {
  await forge.host.hooks.create({ project, url: 'https://hooks.example.com/', issuesEvents: true })
  const { issues } = forge.as('alice')
  const { iid: issue } = await issues.create({ project, title: 'x', weight: 3 })
  await issues.update({ project, issue, weight: 5 })
  await forge.hooks.drain()
  const bodies = forge.hooks.deliveries.map(({ body }) => body)
  expect(bodies).toMatchObject([
    { object_attributes: { weight: 3 }, changes: { weight: { previous: null, current: 3 } } },
    { object_attributes: { weight: 5 }, changes: { weight: { previous: 3, current: 5 } } },
  ])
})
