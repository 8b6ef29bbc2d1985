import { createPlatform, type Store, sqlite } from '@forgelet/core'
import { expect, test } from 'vitest'

type Handle = Parameters<Parameters<Store['read']>[0]>[0]

/** A store that counts how often somebody reads the settings from the database. */
const counting = (store: Store) => {
  let reads = 0
  const counted = (handle: Handle): Handle => {
    const db = new Proxy(handle.db, {
      get(target, name) {
        const value = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return (...all: unknown[]) => {
          if (name === 'selectFrom' && all[0] === 'applicationSetting') reads++
          return value.apply(target, all)
        }
      },
    })
    return { ...handle, db }
  }
  const spied: Store = {
    ...store,
    read: (work) => store.read((handle) => work(counted(handle))),
    write: (work) => store.write((handle) => work(counted(handle))),
  }
  return { store: spied, reads: () => reads }
}

test('settings are read once, however many calls go by them, until they change', async () => {
  const { store, reads } = counting(sqlite(':memory:'))
  const platform = createPlatform(store)
  const host = platform.as({ system: 'test' })
  for (let count = 0; count < 20; count++) {
    await host.users.create({ username: `user${count}` })
    await platform.as({ user: `user${count}` }).projects.create({ name: 'Web' })
    await platform.as({ user: `user${count}` }).users.current()
  }
  expect(reads()).toBe(1)
  await host.settings.update({ defaultProjectVisibility: 'internal' })
  const before = reads()
  for (let count = 0; count < 20; count++) {
    const project = await platform.as({ user: `user${count}` }).projects.create({ name: 'Next' })
    expect(project.visibility).toBe('internal')
  }
  expect(reads() - before).toBe(1)
  await platform.close()
})

test('a value that this version would not take counts as not set', async () => {
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
