import { createPlatform, sqlite } from '@forgelet/core'
import { expect, test } from 'vitest'
import { settingRows } from './queries.ts'

test('the rows of settings are cached until a setting changes', async () => {
  const store = sqlite(':memory:')
  const platform = createPlatform(store)
  const host = platform.as({ system: 'test' })
  await host.users.create({ username: 'ada' })
  const readRows = () => store.read((handle) => settingRows(handle, {}))
  const before = await readRows()
  for (let count = 0; count < 20; count++) {
    await platform.as({ user: 'ada' }).projects.create({ name: `Web ${count}` })
    await platform.as({ user: 'ada' }).users.get()
  }
  expect(await readRows()).toBe(before)
  await host.settings.update({ defaultProjectVisibility: 'internal' })
  expect(await readRows()).not.toBe(before)
  const project = await platform.as({ user: 'ada' }).projects.create({ name: 'Next' })
  expect(project.visibility).toBe('internal')
  await platform.close()
})

test('a stored value that the current schema rejects counts as not set', async () => {
  const store = sqlite(':memory:')
  const platform = createPlatform(store)
  await platform.ready()
  const rows = [
    { name: 'maxAttachmentSize', value: '"large"' },
    { name: 'settingOfTomorrow', value: '1' },
    { name: 'signInText', value: '"Hello"' },
  ]
  await store.write(async ({ db }) => {
    const updatedAt = '2026-11-21T00:00:00.000Z'
    await db
      .insertInto('applicationSetting')
      .values(rows.map((row) => ({ ...row, updatedAt })))
      .execute()
  })
  const settings = await platform.as({ system: 'test' }).settings.get()
  expect(settings).toMatchObject({ maxAttachmentSize: 10, signInText: 'Hello' })
  expect(settings).not.toHaveProperty('settingOfTomorrow')
  await platform.close()
})
