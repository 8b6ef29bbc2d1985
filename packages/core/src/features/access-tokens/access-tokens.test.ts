import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'
const robot = { name: 'robot', scopes: ['api' as const] }

const drain = () => forge.platform.jobs.drain()
const findUser = (user: number) => forge.host.users.get({ user })
const missing = { code: 'not_found' }

describe('a new token', () => {
  test('has a bot user, who is a member with the access level', async () => {
    const { id } = await forge.host.projects.get({ project })
    const token = await forge.as('alice').accessTokens.create({ project, ...robot, accessLevel: 20 })
    expect(token).toMatchObject({ name: 'robot', scopes: ['api'], accessLevel: 20, active: true, expiresAt: null })
    const bot = await findUser(token.userId)
    expect(bot).toMatchObject({ bot: true, name: 'robot', admin: false })
    expect(bot.username).toMatch(new RegExp(`^project_${id}_bot_[0-9a-f]{16}$`))
    expect(await forge.host.members.get({ project, user: token.userId })).toMatchObject({ accessLevel: 20 })
    const session = forge.platform.as({ token: token.secret })
    expect((await session.issues.create({ project, title: 'Found' })).author.id).toBe(token.userId)
    await expect(session.milestones.remove({ project, milestone: 1 })).rejects.toBeDefined()
    await expect(session.projects.update({ project, description: 'x' })).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('belongs to a group with everything below it', async () => {
    const { id } = await forge.host.groups.get({ group: 'acme' })
    const { secret, userId } = await forge.as('alice').accessTokens.create({ group: 'acme', ...robot })
    expect((await findUser(userId)).username).toMatch(new RegExp(`^group_${id}_bot_`))
    const session = forge.platform.as({ token: secret })
    expect(await session.labels.create({ project, name: 'automatic', color: 'red' })).toMatchObject({
      name: 'automatic',
    })
  })

  test('has at most the level of its creator, 40 by default', async () => {
    await forge.host.members.add({ project, user: 'mallory', accessLevel: 40 })
    const { accessTokens } = forge.as('mallory')
    expect(await accessTokens.create({ project, ...robot })).toMatchObject({ accessLevel: 40 })
    await expect(accessTokens.create({ project, ...robot, accessLevel: 50 })).rejects.toMatchObject({ code: 'invalid' })
    const owned = await forge.as('alice').accessTokens.create({ group: 'acme', ...robot, accessLevel: 50 })
    expect(owned.accessLevel).toBe(50)
    const unnamed = accessTokens.create({ project, ...robot, name: ' ' })
    await expect(unnamed).rejects.toMatchObject({ code: 'invalid' })
  })

  test('cannot create tokens, top-level groups and personal projects', async () => {
    const { secret } = await forge.host.accessTokens.create({ group: 'acme', ...robot, accessLevel: 50 })
    const session = forge.platform.as({ token: secret })
    const forbidden = { code: 'forbidden' }
    await expect(session.accessTokens.create({ project, ...robot })).rejects.toMatchObject(forbidden)
    await expect(session.groups.create({ path: 'own' })).rejects.toMatchObject(forbidden)
    await expect(session.projects.create({ path: 'own' })).rejects.toMatchObject({ code: 'invalid' })
    expect(await session.groups.create({ parent: 'acme', path: 'own' })).toMatchObject({ fullPath: 'acme/own' })
    expect(await session.projects.create({ namespace: 'acme', path: 'site' })).toMatchObject({ fullPath: 'acme/site' })
  })
})

test('a bot cannot join other projects and groups, and is no owner that a group needs', async () => {
  const { userId } = await forge.host.accessTokens.create({ group: 'acme', ...robot, accessLevel: 50 })
  const joining = forge.host.members.add({ group: 'partners', user: userId, accessLevel: 30 })
  await expect(joining).rejects.toMatchObject({ code: 'invalid' })
  await expect(forge.host.members.remove({ group: 'acme', user: 'alice' })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(forge.host.users.remove({ user: 'alice' })).rejects.toMatchObject({ code: 'conflict' })
})

test('rotation keeps the bot, also if the old token is revoked again', async () => {
  const { accessTokens } = forge.as('alice')
  const old = await accessTokens.create({ project, ...robot, expiresAt: '2999-01-01' })
  const { id, secret, userId } = await accessTokens.rotate({ project, token: old.id, expiresAt: '2999-02-01' })
  expect(userId).toBe(old.userId)
  expect(await forge.host.members.get({ project, user: userId })).toMatchObject({ expiresAt: '2999-02-01' })
  await expect(forge.platform.authenticate(old.secret)).rejects.toMatchObject({ code: 'unauthenticated' })
  await accessTokens.revoke({ project, token: old.id })
  await drain()
  await forge.platform.authenticate(secret)
  const { items } = await accessTokens.list({ project })
  expect(items.map((token) => [token.id, token.active])).toEqual([
    [old.id, false],
    [id, true],
  ])
  expect((await accessTokens.list({ project, state: 'active' })).items).toMatchObject([{ id, accessLevel: 40 }])
})

describe('the bot is removed', () => {
  test('after the revocation of its token; its contributions remain', async () => {
    const { id, secret, userId } = await forge.host.accessTokens.create({ project, ...robot })
    const { iid } = await forge.platform.as({ token: secret }).issues.create({ project, title: 'Found' })
    await forge.as('alice').accessTokens.revoke({ project, token: id })
    await expect(forge.platform.authenticate(secret)).rejects.toMatchObject({ code: 'unauthenticated' })
    await expect(forge.host.members.get({ project, user: userId })).rejects.toMatchObject(missing)
    await drain()
    await expect(findUser(userId)).rejects.toMatchObject(missing)
    expect((await forge.host.issues.get({ project, issue: iid })).author.username).toBe('ghost')
    await expect(forge.host.accessTokens.get({ project, token: id })).rejects.toMatchObject(missing)
  })

  test('when its membership ends', async () => {
    const { secret, userId } = await forge.host.accessTokens.create({ project, ...robot })
    await forge.as('alice').members.remove({ project, user: userId })
    await expect(forge.platform.authenticate(secret)).rejects.toMatchObject({ code: 'unauthenticated' })
    await drain()
    await expect(findUser(userId)).rejects.toMatchObject(missing)
  })

  test('when its token expires', async () => {
    forge.clock.set('2026-03-10T12:00:00Z')
    const { userId } = await forge.host.accessTokens.create({ project, ...robot, expiresAt: '2026-03-12' })
    await forge.clock.advance({ days: 1 })
    await findUser(userId)
    await forge.clock.advance({ days: 1 })
    await drain()
    await expect(findUser(userId)).rejects.toMatchObject(missing)
  })

  test('with its project, and with a group above it', async () => {
    const first = await forge.host.accessTokens.create({ project, ...robot })
    await forge.host.projects.remove({ project })
    const second = await forge.host.accessTokens.create({ project: 'acme/tools/deploy', ...robot })
    const third = await forge.host.accessTokens.create({ group: 'acme/tools', ...robot })
    await forge.host.groups.remove({ group: 'acme' })
    await drain()
    for (const { userId } of [first, second, third]) await expect(findUser(userId)).rejects.toMatchObject(missing)
  })
})

test('a token is not found in another project or group', async () => {
  const { id } = await forge.host.accessTokens.create({ project, ...robot })
  for (const parent of [{ project: 'acme/tools/deploy' }, { group: 'acme' }] as const) {
    await expect(forge.host.accessTokens.get({ ...parent, token: id })).rejects.toMatchObject(missing)
    await expect(forge.host.accessTokens.rotate({ ...parent, token: id })).rejects.toMatchObject(missing)
    await expect(forge.host.accessTokens.revoke({ ...parent, token: id })).rejects.toMatchObject(missing)
  }
})
