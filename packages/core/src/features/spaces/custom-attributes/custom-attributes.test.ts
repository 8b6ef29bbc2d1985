import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const owners = [{ user: 'bob' }, { group: 'acme' }, { project: 'acme/web' }]

test.each(owners)('sets, updates, reads and removes attributes of %o', async (ref) => {
  const { customAttributes } = forge.as('root')
  const owner = ref as { user: string }
  expect((await customAttributes.list(owner)).items).toEqual([])
  expect(await customAttributes.set({ ...owner, key: 'tier', value: 'gold' })).toEqual({ key: 'tier', value: 'gold' })
  await customAttributes.set({ ...owner, key: 'a key/with 100% signs', value: ' kept as it is ' })
  expect(await customAttributes.set({ ...owner, key: 'tier', value: 'silver' })).toEqual({
    key: 'tier',
    value: 'silver',
  })
  expect((await customAttributes.list(owner)).items).toEqual([
    { key: 'tier', value: 'silver' },
    { key: 'a key/with 100% signs', value: ' kept as it is ' },
  ])
  await customAttributes.remove({ ...owner, key: 'tier' })
  const missing = { code: 'not_found', kind: undefined }
  await expect(customAttributes.get({ ...owner, key: 'tier' })).rejects.toMatchObject(missing)
  await expect(customAttributes.remove({ ...owner, key: 'tier' })).rejects.toMatchObject(missing)
})

test('keeps attributes of different owners apart and removes them with their owner', async () => {
  const { customAttributes, projects } = forge.host
  for (const owner of owners) {
    await customAttributes.set({ ...(owner as { user: string }), key: 'tier', value: Object.keys(owner)[0] as string })
  }
  expect(await customAttributes.get({ group: 'acme', key: 'tier' })).toEqual({ key: 'tier', value: 'group' })
  await projects.remove({ project: 'acme/web' })
  await expect(customAttributes.list({ project: 'acme/web' })).rejects.toMatchObject({ kind: 'Project' })
  expect(await customAttributes.get({ user: 'bob', key: 'tier' })).toEqual({ key: 'tier', value: 'user' })
})

test('rejects other users than administrators without revealing whether the owner exists', async () => {
  for (const username of ['alice', 'bob']) {
    const { customAttributes } = forge.as(username)
    for (const owner of [...owners, { user: 'none' }, { group: 'none' }, { project: 'acme/none' }]) {
      await expect(customAttributes.list(owner as { user: string })).rejects.toMatchObject({ code: 'forbidden' })
    }
  }
  const { customAttributes } = forge.as('root')
  await expect(customAttributes.list({ user: 'none' })).rejects.toMatchObject({ code: 'not_found', kind: 'User' })
  await expect(customAttributes.list({ group: 'none' })).rejects.toMatchObject({ code: 'not_found', kind: 'Group' })
  // A personal namespace is no group.
  await expect(customAttributes.list({ group: 'bob' })).rejects.toMatchObject({ code: 'not_found', kind: 'Group' })
})

test('rejects a blank value and a key of more than 255 characters', async () => {
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

test('requires exactly one owner', async () => {
  const { customAttributes } = forge.as('root')
  await expect(customAttributes.list({} as never)).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(customAttributes.list({ user: 1, group: 1 } as never)).rejects.toMatchObject({ code: 'invalid_input' })
})

test('seed data can contain custom attributes', async () => {
  const customAttributes = [{ key: 'tier', value: 'gold' }]
  await forge.seed({
    users: [{ username: 'zoe', customAttributes }],
    groups: [{ path: 'made', customAttributes }],
    projects: [{ path: 'made/here', customAttributes }],
  })
  for (const owner of [{ user: 'zoe' }, { group: 'made' }, { project: 'made/here' }]) {
    expect((await forge.host.customAttributes.list(owner as { user: string })).items).toEqual(customAttributes)
  }
})
