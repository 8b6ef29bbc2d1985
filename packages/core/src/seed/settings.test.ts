import { expect, test } from 'vitest'
import { world } from '../../../../test/world.ts'

test('applies settings before other sections', async () => {
  await using forge = await world({
    seed: {
      settings: { defaultGroupVisibility: 'internal', spamfilterEnabled: true, spamfilterApiKey: 'hushsecret' },
      groups: [{ path: 'acme' }, { path: 'open', visibility: 'public' }],
    },
  })
  expect(await forge.host.settings.get()).toMatchObject({ spamfilterEnabled: true })
  expect(await forge.host.groups.get({ group: 'acme' })).toMatchObject({ visibility: 'internal' })
  expect(await forge.host.groups.get({ group: 'open' })).toMatchObject({ visibility: 'public' })
  // The secrets of the seeded database can be opened in its copy.
  expect(await forge.host.settings.update({ spamfilterApiKey: 'other' })).toMatchObject({ spamfilterEnabled: true })
})

test.each([
  [{ signInTextt: 'Hello' }, 'seed.settings: signInTextt is not known'],
  [{ sessionExpireDelay: -1 }, 'seed.settings: sessionExpireDelay must be greater than or equal to 0'],
])('rejects the settings %j', async (settings, message) => {
  await using forge = await world()
  await expect(forge.seed({ settings })).rejects.toThrow(message)
})

test('empty settings change nothing', async () => {
  await using forge = await world({ seed: { settings: {} } })
  const { createdAt, updatedAt } = await forge.host.settings.get()
  expect(updatedAt).toBe(createdAt)
})
