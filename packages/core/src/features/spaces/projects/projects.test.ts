import { createPlatform, type Store } from '@forgelet/core'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { emptyStore, world } from '../../../../../../test/world.ts'
import type { Handle } from '../../../kernel/store.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const platformError = (code: string) => expect.objectContaining({ code })

describe('creating projects in a group', () => {
  const create = (user: string) => forge.as(user).projects.create({ namespace: 'acme', name: `of ${user}` })

  test('requires developer access, or the level that the group requires', async () => {
    expect(await create('bob')).toMatchObject({ fullPath: 'acme/of-bob' })
    await expect(create('carol')).rejects.toEqual(platformError('forbidden'))
    await forge.host.groups.update({ group: 'acme', projectCreationLevel: 'maintainer' })
    await forge.host.projects.remove({ project: 'acme/of-bob' })
    await expect(create('bob')).rejects.toEqual(platformError('forbidden'))
    expect(await create('alice')).toMatchObject({ fullPath: 'acme/of-alice' })
  })

  test('requires an administrator when the group disables it', async () => {
    await forge.host.groups.update({ group: 'acme', projectCreationLevel: 'noone' })
    await expect(create('alice')).rejects.toEqual(platformError('forbidden'))
    expect(await create('root')).toMatchObject({ fullPath: 'acme/of-root' })
  })
})

test('creating a subgroup requires owner access, or maintainer access when the group permits it', async () => {
  await forge.host.members.add({ group: 'acme', users: ['carol'], accessLevel: 40 })
  const create = (name: string) => forge.as('carol').groups.create({ parent: 'acme', name })
  await expect(create('one')).rejects.toEqual(platformError('forbidden'))
  await forge.as('alice').groups.update({ group: 'acme', subgroupCreationLevel: 'maintainer' })
  expect(await create('one')).toMatchObject({ fullPath: 'acme/one', subgroupCreationLevel: 'owner' })
})

test('a share lock applies to all projects below the group', async () => {
  await forge.host.groups.update({ group: 'acme', shareWithGroupLock: true })
  const share = (project: string) => forge.host.shares.create({ project, withGroup: 'partners', accessLevel: 10 })
  await expect(share('acme/tools/deploy')).rejects.toEqual(platformError('invalid'))
  await forge.host.groups.update({ group: 'acme', shareWithGroupLock: false })
  expect(await share('acme/tools/deploy')).toMatchObject({ groupFullPath: 'partners' })
})

test('an update keeps omitted settings', async () => {
  const change = (settings: object) => forge.as('alice').projects.update({ project: 'acme/web', settings })
  await change({ mergeMethod: 'ff', tagList: ['site'] })
  await change({ lfsEnabled: false })
  expect(await forge.as('alice').projects.get({ project: 'acme/web' })).toMatchObject({
    mergeMethod: 'ff',
    tagList: ['site'],
    lfsEnabled: false,
    sharedRunnersEnabled: true,
  })
  await expect(change({ mergeMethod: 'force' })).rejects.toEqual(platformError('invalid_input'))
  await forge.as('alice').groups.update({ group: 'acme', settings: { twoFactorGracePeriod: 12 } })
  await forge.as('alice').groups.update({ group: 'acme', settings: { lfsEnabled: false } })
  expect(await forge.as('alice').groups.get({ group: 'acme' })).toMatchObject({
    twoFactorGracePeriod: 12,
    lfsEnabled: false,
    defaultBranchProtection: 2,
  })
})

test('counts one star per user', async () => {
  const stars = async () => (await forge.host.projects.get({ project: 'acme/web' })).starCount
  expect(await forge.as('bob').projects.star({ project: 'acme/web' })).toMatchObject({ changed: true })
  expect(await forge.as('bob').projects.star({ project: 'acme/web' })).toMatchObject({ changed: false })
  expect(await forge.host.projects.star({ project: 'acme/web', user: 'carol' })).toMatchObject({ changed: true })
  expect(await stars()).toBe(2)
  const starred = await forge.as('bob').projects.list({ starred: true })
  expect(starred.items.map(({ fullPath }) => fullPath)).toEqual(['acme/web'])
  expect(await forge.as('bob').projects.unstar({ project: 'acme/web' })).toMatchObject({ changed: true })
  expect(await forge.as('bob').projects.unstar({ project: 'acme/web' })).toMatchObject({ changed: false })
  expect(await stars()).toBe(1)
  await expect(forge.as('bob').projects.star({ project: 'acme/web', user: 'carol' })).rejects.toEqual(
    platformError('forbidden'),
  )
  await expect(forge.host.projects.star({ project: 'acme/web' })).rejects.toEqual(platformError('invalid_input'))
})

describe('forks', () => {
  test('are counted when the viewer can see them', async () => {
    const fork = (name: string, visibility: 'public' | 'private') =>
      forge.as('bob').projects.create({ name, visibility, forkedFrom: 'acme/web' })
    await fork('open', 'public')
    await fork('secret', 'private')
    const forks = async (user: string) => (await forge.as(user).projects.get({ project: 'acme/web' })).forksCount
    expect(await forks('bob')).toBe(2)
    expect(await forks('mallory')).toBe(1)
  })

  test('require access to the code of the source', async () => {
    const fork = (user: string, forkedFrom: string) => forge.as(user).projects.create({ name: 'copy', forkedFrom })
    await expect(fork('mallory', 'bob/notes')).rejects.toEqual(platformError('not_found'))
    await forge.host.members.add({ project: 'bob/notes', users: ['mallory'], accessLevel: 10 })
    await expect(fork('mallory', 'bob/notes')).rejects.toEqual(platformError('forbidden'))
    expect(await fork('bob', 'bob/notes')).toMatchObject({ fullPath: 'bob/copy' })
  })
})

test('only administrators set sizes; a new measurement replaces the previous one', async () => {
  const measure = (user: string) => forge.as(user).projects.measure({ project: 'acme/web', repositorySize: 7 })
  await expect(measure('alice')).rejects.toEqual(platformError('forbidden'))
  await measure('root')
  await forge.host.projects.measure({ project: 'acme/web', wikiSize: 3 })
  const { items } = await forge.as('root').groups.list({ search: 'acme', statistics: true })
  expect(items[0]?.statistics).toMatchObject({ storageSize: 3, repositorySize: 0, wikiSize: 3 })
})

/** An empty store that counts its select queries. */
const createCountingStore = async (): Promise<{ store: Store; queryCount: () => number }> => {
  const base = await emptyStore()
  let count = 0
  const counted = (handle: Handle): Handle => ({
    ...handle,
    db: new Proxy(handle.db, {
      get(db, name) {
        if (name === 'selectFrom') count++
        const value: unknown = Reflect.get(db, name, db)
        return typeof value === 'function' ? value.bind(db) : value
      },
    }),
  })
  const store: Store = {
    ...base,
    read: (work) => base.read((handle) => work(counted(handle))),
    write: (work) => base.write((handle) => work(counted(handle))),
  }
  return { store, queryCount: () => count }
}

test('the number of queries does not grow with the page', async () => {
  const { store, queryCount } = await createCountingStore()
  const platform = createPlatform(store)
  const host = platform.as({ system: 'test' })
  await host.users.create({ username: 'ann' })
  const create = (name: string) => host.projects.create({ namespace: 'ann', name, visibility: 'public' })
  const once = async () => {
    const before = queryCount()
    const { items } = await platform.as({ user: 'ann' }).projects.list({ perPage: 100 })
    return { length: items.length, queries: queryCount() - before }
  }
  // Settings are read again once per second, which may add a query to one of the calls.
  const list = async () => {
    const [first, second] = [await once(), await once()]
    return first.queries < second.queries ? first : second
  }
  await create('p0')
  const { queries } = await list()
  expect(queries).toBeGreaterThan(5)
  for (let number = 1; number < 30; number++) await create(`p${number}`)
  expect(await list()).toEqual({ length: 30, queries })
  await platform.close()
})

test('only administrators create projects for a user, who is the creator', async () => {
  const input = { user: 'bob', name: 'Gift' }
  for (const user of ['alice', 'bob'])
    await expect(forge.as(user).projects.create(input)).rejects.toMatchObject({ code: 'forbidden' })
  const { id: creatorId } = await forge.host.users.get({ user: 'bob' })
  expect(await forge.as('root').projects.create(input)).toMatchObject({ fullPath: 'bob/gift', creatorId })
  const both = await forge.host.projects.create({ ...input, namespace: 'acme' })
  expect(both).toMatchObject({ fullPath: 'acme/gift', creatorId })
  const unknown = forge.as('root').projects.create({ user: 'nobody', name: 'Gift' })
  await expect(unknown).rejects.toMatchObject({ code: 'not_found' })
})
