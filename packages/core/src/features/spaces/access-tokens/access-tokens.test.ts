import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

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
    await forge.host.members.add({ project, users: ['mallory'], accessLevel: 40 })
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
  const joining = forge.host.members.add({ group: 'partners', users: [userId], accessLevel: 30 })
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

describe('a bot', () => {
  const expiresAt = '2026-04-01'
  beforeEach(() => void forge.clock.set('2026-03-10T12:00:00Z'))

  const createBots = async (parent: { project: string } | { group: string }) => {
    const values = { ...robot, accessLevel: 'group' in parent ? 50 : 40, expiresAt }
    const own = await forge.host.accessTokens.create({ ...parent, ...values })
    const other = await forge.host.accessTokens.create({ ...parent, ...values })
    return { own, other, session: forge.platform.as({ token: own.secret }) }
  }

  test.each([{ project }, { group: 'acme' }])('rotates and revokes only its own token: %j', async (parent) => {
    const { own, other, session } = await createBots(parent)
    const forbidden = { code: 'forbidden' }
    await expect(session.accessTokens.rotate({ ...parent, token: other.id })).rejects.toMatchObject(forbidden)
    await expect(session.accessTokens.revoke({ ...parent, token: other.id })).rejects.toMatchObject(forbidden)
    await expect(session.accessTokens.create({ ...parent, ...robot })).rejects.toMatchObject(forbidden)
    await expect(session.tokens.rotate({ token: other.id })).rejects.toMatchObject(missing)
    await expect(session.tokens.revoke({ token: other.id })).rejects.toMatchObject(missing)
    await expect(session.tokens.create({ user: 'alice' })).rejects.toMatchObject(forbidden)
    const rotated = await session.accessTokens.rotate({ ...parent, token: own.id })
    expect(rotated).toMatchObject({ userId: own.userId, expiresAt, active: true })
    await forge.platform.as({ token: rotated.secret }).accessTokens.revoke({ ...parent, token: rotated.id })
  })

  test.each(['2026-04-02', null])('does not extend its token to %s', async (later) => {
    const { own, session } = await createBots({ project })
    const refused = { code: 'invalid', problems: [{ fields: ['expiresAt'] }] }
    for (const rotation of [
      () => session.accessTokens.rotate({ project, token: own.id, expiresAt: later }),
      () => session.tokens.rotate({ token: own.id, expiresAt: later }),
      () => session.tokens.rotate({ expiresAt: later }),
    ])
      await expect(rotation()).rejects.toMatchObject(refused)
    expect(await session.tokens.rotate({ expiresAt: '2026-03-20' })).toMatchObject({ expiresAt: '2026-03-20' })
  })

  test('creates deploy tokens that end with its own', async () => {
    const { session } = await createBots({ project })
    const token = { name: 'x', scopes: ['read_repository' as const] }
    const end = '2026-04-01T00:00:00.000Z'
    expect(await session.deployTokens.create({ project, ...token })).toMatchObject({ expiresAt: end })
    const refused = { code: 'invalid', problems: [{ fields: ['expiresAt'] }] }
    const later = session.deployTokens.create({ project, ...token, expiresAt: '2026-04-01T00:00:01Z' })
    await expect(later).rejects.toMatchObject(refused)
    expect(await forge.as('alice').deployTokens.create({ project, ...token })).toMatchObject({ expiresAt: null })
  })
})

describe('the use of a replaced token for a rotation', () => {
  const unauthenticated = { code: 'unauthenticated' }
  const read = (secret: string) => forge.platform.as({ token: secret }).tokens.get()

  test('revokes the tokens of a user that replaced it', async () => {
    const first = await forge.host.tokens.create({ user: 'bob' })
    const second = await forge.platform.as({ token: first.secret }).tokens.rotate()
    const third = await forge.platform.as({ token: second.secret }).tokens.rotate()
    const other = await forge.host.tokens.create({ user: 'bob' })
    await expect(read(first.secret)).rejects.toMatchObject(unauthenticated)
    expect(await read(third.secret)).toMatchObject({ active: true })
    await expect(forge.platform.as({ token: first.secret }).tokens.rotate()).rejects.toMatchObject(unauthenticated)
    await expect(read(third.secret)).rejects.toMatchObject(unauthenticated)
    expect(await read(other.secret)).toMatchObject({ active: true })
  })

  test('revokes them also for a call with another token', async () => {
    const session = forge.as('bob')
    const first = await forge.host.tokens.create({ user: 'bob' })
    const second = await session.tokens.rotate({ token: first.id })
    await expect(session.tokens.rotate({ token: first.id })).rejects.toMatchObject({ code: 'conflict' })
    await expect(read(second.secret)).rejects.toMatchObject(unauthenticated)
  })

  test('revokes the tokens of a bot', async () => {
    const { id, secret } = await forge.host.accessTokens.create({ project, ...robot })
    const second = await forge.as('alice').accessTokens.rotate({ project, token: id })
    const reuse = forge.platform.as({ token: secret }).accessTokens.rotate({ project, token: second.id })
    await expect(reuse).rejects.toMatchObject(unauthenticated)
    await expect(read(second.secret)).rejects.toMatchObject(unauthenticated)
  })
})
