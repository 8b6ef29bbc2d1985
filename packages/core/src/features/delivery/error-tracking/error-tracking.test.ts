import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'
const tracker = {
  projectName: 'Web',
  trackerExternalUrl: 'https://errors.example.com/web',
  apiUrl: 'https://errors.example.com/api/web',
}

test('activates and deactivates configured error tracking', async () => {
  const { errorTracking } = forge.as('alice')
  const missing = { code: 'not_found', kind: 'Error Tracking Setting' }
  await expect(errorTracking.get({ project })).rejects.toMatchObject(missing)
  await expect(errorTracking.update({ project, active: true })).rejects.toMatchObject(missing)
  expect(await errorTracking.set({ project, ...tracker })).toEqual({ ...tracker, active: true })
  expect(await errorTracking.update({ project, active: false })).toEqual({ ...tracker, active: false })
  expect(await errorTracking.get({ project })).toEqual({ ...tracker, active: false })
  await errorTracking.set({ project, ...tracker, projectName: 'Site' })
  expect(await errorTracking.get({ project })).toEqual({ ...tracker, projectName: 'Site', active: true })
})

test('only maintainers can read the configuration', async () => {
  for (const user of ['bob', 'carol', 'mallory']) {
    await expect(forge.as(user).errorTracking.get({ project })).rejects.toMatchObject({ code: 'forbidden' })
  }
})

test('reports all problems at once', async () => {
  const invalid = { projectName: ' ', trackerExternalUrl: 'javascript:alert(1)', apiUrl: 'x' }
  await expect(forge.as('alice').errorTracking.set({ project, ...invalid })).rejects.toMatchObject({
    code: 'invalid',
    problems: [
      { fields: ['projectName'], message: "can't be blank" },
      { fields: ['trackerExternalUrl'], message: 'is blocked: Only allowed schemes are http, https' },
      { fields: ['apiUrl'], message: 'is blocked: Only allowed schemes are http, https' },
    ],
  })
})
