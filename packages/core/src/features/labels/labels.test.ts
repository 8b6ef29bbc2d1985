import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

test('a reporter adds a label', async () => {
  const label = await forge.as('carol').labels.create({ project: 'acme/web', name: ' new <b>one</b> ', color: 'red' })
  expect(label).toMatchObject({ name: 'new one', color: '#FF0000', textColor: '#FFFFFF', subscribed: false, priority: null })
})

test('a name that a group above uses is taken', async () => {
  const create = forge.as('carol').labels.create({ project: 'acme/web', name: 'urgent', color: 'red' })
  await expect(create).rejects.toMatchObject({ code: 'conflict', message: 'Label already exists' })
})
