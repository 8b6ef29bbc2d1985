import type { Seed } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

const clock = { time: 0, now: () => clock.time }
let forge: FakeForge

const day = (text: string) => Date.parse(`${text}T00:00:00Z`)
const open = async (seed?: Seed) => {
  clock.time = day('2026-11-21') + 12 * 3_600_000
  forge = await world({ ports: { clock }, ...(seed && { seed }) })
}
beforeEach(() => open())
afterEach(() => forge.close())

const project = 'acme/web'
const group = 'acme'
const forbidden = { code: 'forbidden' }
const missing = { code: 'not_found', kind: undefined }
const names = ({ items }: { items: readonly { username: string }[] }) => items.map(({ username }) => username)

describe('lists', () => {
  test('a direct list contains only direct members, in the order of joining', async () => {
    expect(names(await forge.as('mallory').members.list({ project }))).toEqual(['carol', 'dave'])
    expect(names(await forge.as('mallory').members.list({ group }))).toEqual(['alice', 'bob'])
  })

  test('a complete list adds members of ancestor groups and of invited groups, limited by the level of the share', async () => {
    const { items, total } = await forge.as('alice').members.list({ project, inherited: true })
    expect(items.map(({ username, accessLevel }) => [username, accessLevel])).toEqual([
      ['alice', 50],
      ['bob', 30],
      ['carol', 20],
      ['dave', 10],
      ['erin', 20],
    ])
    expect(total).toBe(5)
  })

  test('a user with several memberships is listed once: the direct membership, else that of the nearest group', async () => {
    const { host } = forge
    await host.groups.create({ parent: group, path: 'deep', name: 'Deep', visibility: 'public' })
    await host.projects.create({ namespace: 'acme/deep', name: 'nest', visibility: 'public' })
    const nest = 'acme/deep/nest'
    const level = async () => (await host.members.get({ project: nest, user: 'bob', inherited: true })).accessLevel
    expect(await level()).toBe(30)
    await host.members.add({ group: 'acme/deep', users: ['bob'], accessLevel: 40 })
    expect(await level()).toBe(40)
    // A more distant group with a higher level does not count.
    await host.members.update({ group, user: 'bob', accessLevel: 50 })
    expect(await level()).toBe(40)
    await host.members.update({ group, user: 'bob', accessLevel: 30 })
    await host.members.update({ group: 'acme/deep', user: 'bob', accessLevel: 30 })
    await host.members.add({ project: nest, users: ['bob'], accessLevel: 30 })
    await host.members.update({ group, user: 'bob', accessLevel: 40 })
    expect(await level()).toBe(30)
    expect(
      names(await host.members.list({ project: nest, inherited: true })).filter((name) => name === 'bob'),
    ).toHaveLength(1)
  })

  test('members of an invited group are members of the subgroups of the inviting group', async () => {
    const { host } = forge
    await host.shares.create({ group, withGroup: 'partners', accessLevel: 10 })
    expect(await host.members.get({ group: 'acme/tools', user: 'erin', inherited: true })).toMatchObject({
      accessLevel: 10,
    })
    expect(await host.members.get({ project: 'acme/tools/deploy', user: 'erin', inherited: true })).toMatchObject({
      accessLevel: 10,
    })
    await host.shares.remove({ group, withGroup: 'partners' })
    await expect(host.members.get({ group: 'acme/tools', user: 'erin', inherited: true })).rejects.toMatchObject(
      missing,
    )
  })

  test('expired memberships and expired shares do not count', async () => {
    const { host } = forge
    await host.members.add({ project, users: ['bob'], accessLevel: 40, expiresAt: '2026-11-25' })
    const level = async () => (await host.members.get({ project, user: 'bob', inherited: true })).accessLevel
    expect(await level()).toBe(40)
    clock.time = day('2026-11-25')
    expect(await level()).toBe(30)
    await host.shares.remove({ project, withGroup: 'partners' })
    await host.shares.create({ project, withGroup: 'partners', accessLevel: 20, expiresAt: '2026-11-26' })
    expect(names(await host.members.list({ project, inherited: true }))).toContain('erin')
    clock.time = day('2026-11-26')
    expect(names(await host.members.list({ project, inherited: true }))).not.toContain('erin')
  })

  test('the expiry date of a member does not limit what they grant', async () => {
    const { host } = forge
    await host.members.add({ project, users: ['bob'], accessLevel: 40, expiresAt: '2026-11-25' })
    const { members, shares } = forge.as('bob')
    const added = await members.add({ project, users: ['mallory'], accessLevel: 40 })
    expect(added).toMatchObject({ members: [{ expiresAt: null }] })
    const partners = await host.groups.create({ name: 'Others', path: 'others', visibility: 'public' })
    const share = await shares.create({ project, withGroup: partners.id, accessLevel: 30, expiresAt: '2027-01-01' })
    expect(share).toMatchObject({ expiresAt: '2027-01-01' })
    const own = { project, user: 'bob', accessLevel: 40 }
    expect(await members.update({ ...own, expiresAt: '2027-01-01' })).toMatchObject({ expiresAt: '2027-01-01' })
    expect(await members.update({ ...own, expiresAt: null })).toMatchObject({ expiresAt: null })
  })

  test('a search matches words of names and usernames: exact matches first, then by name', async () => {
    const { host } = forge
    for (const [username, name] of [
      ['zed', 'Bob'],
      ['bobby', 'Bobby Brown'],
      ['percent', '100% Bobby'],
      ['spongebob', 'Square Pants'],
    ] as const) {
      await host.users.create({ username, name })
      await host.members.add({ group, users: [username], accessLevel: 10 })
    }
    const find = async (query: string) => names(await forge.as('mallory').members.list({ group, query }))
    // `zed` (name) and `bob` (username) match exactly; exact and other matches are sorted by name.
    expect(await find('bob')).toEqual(['zed', 'bob', 'percent', 'bobby', 'spongebob'])
    expect(await find('BOB')).toEqual(await find('bob'))
    expect(await find('brown bobby')).toEqual(['bobby'])
    // Two characters match complete names only.
    expect(await find('bo')).toEqual([])
    expect(await find('100%')).toEqual(['percent'])
    expect(await find('%%%')).toEqual([])
    expect(await find('')).toHaveLength(6)
  })

  test('a complete email address matches, but only for its user and for administrators', async () => {
    const find = async (username: string, query: string) =>
      names(await forge.as(username).members.list({ group, query }))
    expect(await find('root', 'BOB@example.com')).toEqual(['bob'])
    expect(await find('bob', 'bob@example.com')).toEqual(['bob'])
    expect(await find('alice', 'bob@example.com')).toEqual([])
    expect(await find('root', 'bob@exam')).toEqual([])
  })

  test('filters by user ids and counts the filtered members', async () => {
    const { members, users } = forge.host
    const { id } = await users.get({ user: 'dave' })
    const stranger = await users.get({ user: 'mallory' })
    expect(names(await members.list({ project, userIds: [id, stranger.id] }))).toEqual(['dave'])
    expect(names(await members.list({ project, userIds: [] }))).toEqual([])
    expect(await members.list({ project, perPage: 2, page: 3, inherited: true })).toMatchObject({ total: 5, page: 3 })
    expect(names(await members.list({ project, perPage: 2, page: 3, inherited: true }))).toEqual(['erin'])
    expect(names(await members.list({ project, userIds: [id, stranger.id], inherited: true }))).toEqual(['dave'])
    expect(names(await members.list({ project, userIds: [], inherited: true }))).toEqual([])
    expect(names(await members.list({ project, userIds: [id], query: 'erin', inherited: true }))).toEqual([])
  })
})

describe('add', () => {
  const add = async (
    { user, ...grant }: { user: string; accessLevel: number; expiresAt?: string },
    container: object = { project },
  ) => {
    const added = await forge
      .as('alice')
      .members.add({ ...(container as { project: string }), users: [user], ...grant })
    return added.members[0]
  }

  test('grants access at once and emits member.joined', async () => {
    const signals: unknown[] = []
    forge.platform.on('member.joined', (signal) => void signals.push(signal))
    expect(await add({ user: 'mallory', accessLevel: 20 })).toMatchObject({
      username: 'mallory',
      accessLevel: 20,
      expiresAt: null,
    })
    await expect(forge.as('mallory').labels.create({ project, name: 'mine', color: 'red' })).resolves.toBeDefined()
    await new Promise((resolve) => setImmediate(resolve))
    expect(signals).toMatchObject([{ groupId: null }])
  })

  test('rejects levels that the container does not have', async () => {
    const wrong = { code: 'invalid', problems: [{ fields: ['accessLevel'], message: 'is not included in the list' }] }
    for (const accessLevel of [0, 5, 45, 50, 60]) {
      await expect(add({ user: 'mallory', accessLevel })).rejects.toMatchObject(wrong)
    }
    await expect(add({ user: 'mallory', accessLevel: 60 }, { group })).rejects.toMatchObject(wrong)
    await expect(add({ user: 'mallory', accessLevel: 50 }, { group })).resolves.toMatchObject({ accessLevel: 50 })
  })

  test('rejects a level below the inherited one; levels from shares do not count', async () => {
    await expect(add({ user: 'bob', accessLevel: 20 })).rejects.toMatchObject({
      problems: [
        {
          fields: ['accessLevel'],
          message: 'should be greater than or equal to Developer inherited membership from group Acme',
        },
      ],
    })
    await expect(add({ user: 'bob', accessLevel: 30 })).resolves.toMatchObject({ accessLevel: 30 })
    await expect(add({ user: 'erin', accessLevel: 10 })).resolves.toMatchObject({ accessLevel: 10 })
  })

  test('rejects a direct member and an unknown user', async () => {
    await expect(add({ user: 'carol', accessLevel: 30 })).rejects.toMatchObject({
      code: 'conflict',
      message: 'Member already exists',
    })
    await expect(add({ user: 'nobody', accessLevel: 30 })).rejects.toMatchObject({ code: 'not_found', kind: 'User' })
  })

  test('accepts a past expiry date, which grants no access and can be replaced by another call', async () => {
    expect(await add({ user: 'mallory', accessLevel: 20, expiresAt: '2026-11-20' })).toMatchObject({
      expiresAt: '2026-11-20',
    })
    await expect(forge.as('mallory').labels.create({ project, name: 'mine', color: 'red' })).rejects.toMatchObject(
      forbidden,
    )
    await expect(add({ user: 'mallory', accessLevel: 30 })).resolves.toMatchObject({ accessLevel: 30, expiresAt: null })
  })
})

describe('update', () => {
  test('keeps the expiry date unless given; null removes it', async () => {
    const update = (change: object) =>
      forge.as('alice').members.update({ project, user: 'dave', accessLevel: 20, ...change })
    expect(await update({ expiresAt: '2027-01-01' })).toMatchObject({ accessLevel: 20, expiresAt: '2027-01-01' })
    expect(await update({ accessLevel: 10 })).toMatchObject({ accessLevel: 10, expiresAt: '2027-01-01' })
    expect(await update({ expiresAt: null })).toMatchObject({ expiresAt: null })
  })

  test('validates the level as add does, and changes direct members only', async () => {
    const { members } = forge.as('alice')
    await expect(members.update({ project, user: 'dave', accessLevel: 50 })).rejects.toMatchObject({ code: 'invalid' })
    await members.add({ project, users: ['bob'], accessLevel: 40 })
    await expect(members.update({ project, user: 'bob', accessLevel: 20 })).rejects.toMatchObject({ code: 'invalid' })
    await expect(members.update({ project, user: 'alice', accessLevel: 40 })).rejects.toMatchObject(missing)
    await expect(members.update({ project, user: 'nobody', accessLevel: 40 })).rejects.toMatchObject(missing)
  })
})

describe('remove', () => {
  test('ends the direct memberships of everything below a group', async () => {
    const { host } = forge
    await host.members.add({ group: 'acme/tools', users: ['bob'], accessLevel: 40 })
    await host.members.add({ project: 'acme/tools/deploy', users: ['bob'], accessLevel: 40 })
    await host.members.add({ group: 'partners', users: ['bob'], accessLevel: 10 })
    const signals: unknown[] = []
    forge.platform.on('member.left', (signal) => void signals.push(signal))

    await forge.as('alice').members.remove({ group, user: 'bob' })

    for (const container of [{ group }, { group: 'acme/tools' }, { project: 'acme/tools/deploy' }]) {
      await expect(host.members.get({ ...(container as { group: string }), user: 'bob' })).rejects.toMatchObject(
        missing,
      )
    }
    await expect(host.members.get({ group: 'partners', user: 'bob' })).resolves.toBeDefined()
    await expect(host.members.get({ project: 'bob/notes', user: 'bob' })).resolves.toBeDefined()
    await new Promise((resolve) => setImmediate(resolve))
    expect(signals).toHaveLength(3)
  })

  test('members can leave, even an archived project, but cannot remove others', async () => {
    await forge.host.projects.archive({ project })
    await expect(forge.as('carol').members.remove({ project, user: 'dave' })).rejects.toMatchObject(forbidden)
    await forge.as('dave').members.remove({ project, user: 'DAVE' })
    await expect(forge.as('dave').members.remove({ project, user: 'dave' })).rejects.toMatchObject(missing)
    await expect(forge.as('mallory').members.remove({ project, user: 'mallory' })).rejects.toMatchObject(missing)
  })
})

describe('owners', () => {
  test('the last owner of a group cannot be removed or demoted, even by the host', async () => {
    for (const actor of [forge.as('alice'), forge.as('root'), forge.host]) {
      await expect(actor.members.remove({ group, user: 'alice' })).rejects.toMatchObject(forbidden)
      await expect(actor.members.update({ group, user: 'alice', accessLevel: 40 })).rejects.toMatchObject(forbidden)
      await expect(actor.members.update({ group, user: 'alice', accessLevel: 50 })).rejects.toMatchObject(forbidden)
    }
    await forge.host.members.add({ group, users: ['mallory'], accessLevel: 50 })
    await expect(forge.as('alice').members.update({ group, user: 'alice', accessLevel: 40 })).resolves.toBeDefined()
    await expect(forge.as('mallory').members.remove({ group, user: 'mallory' })).rejects.toMatchObject(forbidden)
  })

  test('expired and blocked owners do not count', async () => {
    const { host } = forge
    await host.members.add({ group, users: ['mallory'], accessLevel: 50, expiresAt: '2026-11-22' })
    await host.members.add({ group, users: ['dave'], accessLevel: 50 })
    await host.users.block({ user: 'dave' })
    clock.time = day('2026-11-22')
    await expect(host.members.remove({ group, user: 'alice' })).rejects.toMatchObject(forbidden)
    await expect(host.members.remove({ group, user: 'dave' })).resolves.toBeUndefined()
    await expect(host.members.remove({ group, user: 'mallory' })).resolves.toBeUndefined()
  })

  test('an inherited owner is enough for a subgroup; the only owner of a subgroup cannot be removed from its parent', async () => {
    const { host } = forge
    await host.members.add({ group: 'acme/tools', users: ['mallory'], accessLevel: 50 })
    await expect(forge.as('mallory').members.remove({ group: 'acme/tools', user: 'mallory' })).resolves.toBeUndefined()
    await host.groups.create({ path: 'ownerless', name: 'Ownerless' })
    await host.groups.create({ parent: 'ownerless', path: 'below', name: 'Below' })
    await host.members.add({ group: 'ownerless', users: ['dave'], accessLevel: 30 })
    await host.members.add({ group: 'ownerless/below', users: ['dave'], accessLevel: 50 })
    await expect(host.members.remove({ group: 'ownerless', user: 'dave' })).rejects.toMatchObject(forbidden)
    await expect(host.members.get({ group: 'ownerless', user: 'dave' })).resolves.toMatchObject({ accessLevel: 30 })
  })

  test('two owners who demote each other concurrently leave one owner', async () => {
    const { host } = forge
    await host.members.add({ group, users: ['mallory'], accessLevel: 50 })
    for (let round = 0; round < 50; round++) {
      const results = await Promise.allSettled([
        forge.as('alice').members.update({ group, user: 'mallory', accessLevel: 40 }),
        forge.as('mallory').members.update({ group, user: 'alice', accessLevel: 40 }),
      ])
      const { items } = await host.members.list({ group })
      const owners = items.filter(({ accessLevel }) => accessLevel === 50)
      expect(owners).toHaveLength(1)
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const demoted = owners[0]?.username === 'alice' ? 'mallory' : 'alice'
      await host.members.update({ group, user: demoted, accessLevel: 50 }).catch(() => undefined)
    }
  })

  test('the owner of a personal project is listed as a maintainer and cannot be changed or removed', async () => {
    const notes = { project: 'bob/notes', user: 'bob' }
    expect(await forge.as('bob').members.get(notes)).toMatchObject({ accessLevel: 40, expiresAt: null })
    for (const actor of [forge.as('bob'), forge.host]) {
      await expect(actor.members.remove(notes)).rejects.toMatchObject(forbidden)
      await expect(actor.members.update({ ...notes, accessLevel: 30 })).rejects.toMatchObject(forbidden)
    }
    const twice = forge.as('bob').members.add({ project: 'bob/notes', users: ['bob'], accessLevel: 40 })
    await expect(twice).rejects.toMatchObject({ code: 'conflict' })
  })
})

describe('expiry', () => {
  test('ends access at the start of the day; the daily job then deletes the membership', async () => {
    await forge.host.members.add({
      project: 'acme/tools/deploy',
      users: ['mallory'],
      accessLevel: 20,
      expiresAt: '2026-11-23',
    })
    const read = () => forge.as('mallory').projects.get({ project: 'acme/tools/deploy' })
    const signals: unknown[] = []
    forge.platform.on('member.left', (signal) => void signals.push(signal))
    clock.time = day('2026-11-23') - 1
    await expect(read()).resolves.toBeDefined()
    clock.time += 1
    await expect(read()).rejects.toMatchObject({ code: 'not_found' })
    // The membership is listed until the job runs.
    const direct = () => forge.host.members.list({ project: 'acme/tools/deploy' })
    expect(names(await direct())).toEqual(['mallory'])
    await forge.platform.jobs.drain()
    expect(names(await direct())).toEqual([])
    await new Promise((resolve) => setImmediate(resolve))
    expect(signals).toMatchObject([{ expired: true }])
  })

  test('an expired membership can be extended', async () => {
    await forge.host.members.add({ project, users: ['mallory'], accessLevel: 20, expiresAt: '2026-11-20' })
    await forge.as('alice').members.update({ project, user: 'mallory', accessLevel: 20, expiresAt: '2026-12-24' })
    await forge.platform.jobs.drain()
    await expect(forge.as('mallory').labels.create({ project, name: 'mine', color: 'red' })).resolves.toBeDefined()
  })
})

describe('members that a directory synchronizes', () => {
  const dave = { group, user: 'dave' }

  test('have the directory’s level, except while it is overridden', async () => {
    const { host } = forge
    const alice = forge.as('alice').members
    expect(await host.members.sync({ ...dave, accessLevel: 20 })).toMatchObject({ accessLevel: 20, override: false })
    await expect(alice.update({ ...dave, accessLevel: 40 })).rejects.toMatchObject(forbidden)
    expect(await host.members.sync({ ...dave, accessLevel: 30 })).toMatchObject({ accessLevel: 30 })

    expect(await alice.setOverride(dave)).toMatchObject({ accessLevel: 30, override: true })
    expect(await alice.update({ ...dave, accessLevel: 40 })).toMatchObject({ accessLevel: 40, override: true })
    expect(await host.members.sync({ ...dave, accessLevel: 20 })).toMatchObject({ accessLevel: 40, override: true })

    expect(await alice.removeOverride(dave)).toMatchObject({ accessLevel: 40, override: false })
    expect(await host.members.sync({ ...dave, accessLevel: 20 })).toMatchObject({ accessLevel: 20, override: false })
  })

  test('are the only members that can be overridden', async () => {
    const alice = forge.as('alice').members
    await expect(alice.setOverride({ group, user: 'bob' })).rejects.toMatchObject(forbidden)
    await expect(forge.host.members.removeOverride({ group, user: 'bob' })).rejects.toMatchObject(forbidden)
    await expect(alice.setOverride({ group, user: 'mallory' })).rejects.toMatchObject(missing)
    expect(await alice.get({ group, user: 'bob' })).not.toHaveProperty('override')
    // Synchronization takes over an existing membership.
    expect(await forge.host.members.sync({ group, user: 'bob', accessLevel: 30 })).toMatchObject({ override: false })
    expect(await alice.get({ project, user: 'bob', inherited: true })).toHaveProperty('override', false)
  })

  test('can be overridden by group owners only if the setting allows it', async () => {
    const { host } = forge
    await host.members.sync({ ...dave, accessLevel: 20 })
    await host.settings.update({ allowGroupOwnersToManageLdap: false })
    const alice = forge.as('alice').members
    await expect(alice.setOverride(dave)).rejects.toMatchObject(forbidden)
    await expect(alice.removeOverride(dave)).rejects.toMatchObject(forbidden)
    expect(await forge.as('root').members.setOverride(dave)).toMatchObject({ override: true })
    await host.settings.update({ allowGroupOwnersToManageLdap: true })
    expect(await alice.removeOverride(dave)).toMatchObject({ override: false })
  })

  test('sync is for the host only, validates levels and keeps the last owner', async () => {
    await expect(forge.as('alice').members.sync({ ...dave, accessLevel: 20 })).rejects.toMatchObject(forbidden)
    await expect(forge.host.members.sync({ ...dave, accessLevel: 25 })).rejects.toMatchObject({ code: 'invalid' })
    await expect(forge.host.members.sync({ group, user: 'alice', accessLevel: 30 })).rejects.toMatchObject(forbidden)
    await expect(forge.host.members.sync({ group, user: 'alice', accessLevel: 50 })).resolves.toBeDefined()
  })
})

describe('add with several users', () => {
  const project = 'acme/web'
  const idsOf = async (...names: string[]) => {
    const ids: number[] = []
    for (const user of names) ids.push((await forge.host.users.get({ user })).id)
    return ids
  }

  test('adds valid users and reports the others', async () => {
    const users = await idsOf('mallory', 'carol', 'bob', 'erin')
    expect(await forge.as('alice').members.add({ project, users, accessLevel: 20 })).toMatchObject({
      members: [{ username: 'mallory' }, { username: 'erin' }],
      errors: {
        carol: 'Member already exists',
        bob: expect.stringMatching(/^Access level should be greater than or equal to Developer/),
      },
    })
    const { items } = await forge.host.members.list({ project })
    expect(items.map(({ username }) => username)).toEqual(expect.arrayContaining(['mallory', 'erin']))
    const again = await forge
      .as('alice')
      .members.add({ project, users: users.slice(0, 1), accessLevel: 20 })
      .catch((error: unknown) => error)
    expect(again).toMatchObject({ code: 'conflict' })
  })

  test('rejects the whole call for an unknown user', async () => {
    const [mallory] = (await idsOf('mallory')) as [number]
    const added = forge.as('alice').members.add({ project, users: [mallory, 99_999], accessLevel: 20 })
    await expect(added).rejects.toMatchObject({ code: 'not_found' })
    const { items } = await forge.host.members.list({ project })
    expect(items.map(({ username }) => username)).not.toContain('mallory')
  })
})

describe('members of an invited private group', () => {
  const names = async (user: string, input = {}) => {
    const { items } = await forge
      .as(user)
      .members.list({ project: 'acme/web', perPage: 100, ...input, inherited: true })
    return items.map(({ username }) => username)
  }

  test('are listed to those who see the group or invite groups, and to no one else', async () => {
    await forge.host.projects.update({ project: 'acme/web', visibility: 'public' })
    for (const user of ['erin', 'alice', 'root']) expect(await names(user)).toContain('erin')
    for (const user of ['mallory', 'dave', 'bob']) {
      expect(await names(user)).not.toContain('erin')
      expect(await names(user, { query: 'erin' })).toEqual([])
      const member = forge.as(user).members.get({ project: 'acme/web', user: 'erin', inherited: true })
      await expect(member).rejects.toMatchObject({ code: 'not_found' })
      const { sharedWithGroups } = await forge.as(user).projects.get({ project: 'acme/web' })
      expect(sharedWithGroups).toEqual([])
    }
    await forge.host.groups.update({ group: 'partners', visibility: 'public' })
    expect(await names('mallory')).toContain('erin')
  })

  test('of a group that is shared with it are listed in the same way', async () => {
    await forge.host.groups.create({ path: 'open', name: 'Open', visibility: 'public' })
    await forge.host.shares.create({ group: 'open', withGroup: 'partners', accessLevel: 20 })
    const list = async (user: string) =>
      (await forge.as(user).members.list({ group: 'open', inherited: true })).items.map(({ username }) => username)
    expect(await list('mallory')).toEqual([])
    expect(await list('erin')).toEqual(['erin'])
  })
})
