import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const holders = [{ user: 'bob' }, { group: 'acme' }, { project: 'acme/web' }]

test.each(holders)('attributes of %o are set, changed, read and removed', async (whose) => {
  const { customAttributes } = forge.as('root')
  const at = whose as { user: string }
  expect(await customAttributes.list(at)).toEqual([])
  expect(await customAttributes.set({ ...at, key: 'tier', value: 'gold' })).toEqual({ key: 'tier', value: 'gold' })
  await customAttributes.set({ ...at, key: 'a key/with 100% signs', value: ' kept as it is ' })
  expect(await customAttributes.set({ ...at, key: 'tier', value: 'silver' })).toEqual({ key: 'tier', value: 'silver' })
  expect(await customAttributes.list(at)).toEqual([
    { key: 'tier', value: 'silver' },
    { key: 'a key/with 100% signs', value: ' kept as it is ' },
  ])
  await customAttributes.remove({ ...at, key: 'tier' })
  const missing = { code: 'not_found', kind: undefined }
  await expect(customAttributes.get({ ...at, key: 'tier' })).rejects.toMatchObject(missing)
  await expect(customAttributes.remove({ ...at, key: 'tier' })).rejects.toMatchObject(missing)
})

test('the same key of another thing is another attribute, and goes with its thing', async () => {
  const { customAttributes, projects } = forge.host
  for (const whose of holders) {
    await customAttributes.set({ ...(whose as { user: string }), key: 'tier', value: Object.keys(whose)[0] as string })
  }
  expect(await customAttributes.get({ group: 'acme', key: 'tier' })).toEqual({ key: 'tier', value: 'group' })
  await projects.remove({ project: 'acme/web' })
  await expect(customAttributes.list({ project: 'acme/web' })).rejects.toMatchObject({ kind: 'Project' })
  expect(await customAttributes.get({ user: 'bob', key: 'tier' })).toEqual({ key: 'tier', value: 'user' })
})

test('is for administrators only, who alone learn what exists', async () => {
  for (const who of ['alice', 'bob']) {
    const { customAttributes } = forge.as(who)
    for (const whose of [...holders, { user: 'none' }, { group: 'none' }, { project: 'acme/none' }]) {
      await expect(customAttributes.list(whose as { user: string })).rejects.toMatchObject({ code: 'forbidden' })
    }
  }
  const { customAttributes } = forge.as('root')
  await expect(customAttributes.list({ user: 'none' })).rejects.toMatchObject({ code: 'not_found', kind: 'User' })
  await expect(customAttributes.list({ group: 'none' })).rejects.toMatchObject({ code: 'not_found', kind: 'Group' })
  // A personal namespace is no group.
  await expect(customAttributes.list({ group: 'bob' })).rejects.toMatchObject({ code: 'not_found', kind: 'Group' })
})

test('a value says something, and a key is not longer than 255 characters', async () => {
  const { customAttributes } = forge.as('root')
  const set = (key: string, value: string) => customAttributes.set({ user: 'bob', key, value })
  await expect(set('tier', ' ')).rejects.toMatchObject({ problems: [{ fields: ['value'], message: "can't be blank" }] })
  await expect(set('k'.repeat(256), '')).rejects.toMatchObject({
    problems: [
      { fields: ['key'], message: 'is too long (maximum is 255 characters)' },
      { fields: ['value'], message: "can't be blank" },
    ],
  })
  await expect(set('k'.repeat(255), 'v'.repeat(10_000))).resolves.toBeDefined()
})

test('needs exactly one thing to be about', async () => {
  const { customAttributes } = forge.as('root')
  await expect(customAttributes.list({} as never)).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(customAttributes.list({ user: 1, group: 1 } as never)).rejects.toMatchObject({ code: 'invalid_input' })
})

test('a seed says what is known of users, groups and projects', async () => {
  const customAttributes = [{ key: 'tier', value: 'gold' }]
  await forge.seed({
    users: [{ username: 'zoe', customAttributes }],
    groups: [{ path: 'made', customAttributes }],
    projects: [{ path: 'made/here', customAttributes }],
  })
  for (const whose of [{ user: 'zoe' }, { group: 'made' }, { project: 'made/here' }]) {
    expect(await forge.host.customAttributes.list(whose as { user: string })).toEqual(customAttributes)
  }
})
