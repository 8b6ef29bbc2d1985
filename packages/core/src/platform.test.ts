import { demo, type FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../test/world.ts'
import { sqlite } from './db/sqlite/sqlite.ts'
import type { PlatformError } from './kernel/errors.ts'
import { createPlatform } from './platform.ts'
import type { Session } from './session.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

test('is an anonymous session: public resources are readable, all others are not', async () => {
  const { labels } = forge.platform
  expect((await labels.list({ project: 'acme/web' })).total).toBe(3)
  await expect(labels.list({ project: 'bob/notes' })).rejects.toMatchObject({ code: 'not_found', kind: 'Project' })
  await expect(labels.create({ project: 'acme/web', name: 'x', color: 'red' })).rejects.toMatchObject({
    code: 'unauthenticated',
  })
})

test('an error has the failed call in its stack trace, and only the details that apply', async () => {
  const failingCall = async () => {
    await forge.platform.labels.list({ project: 'acme/unknown' })
  }
  const error = await failingCall().catch((thrown: PlatformError) => thrown)
  expect(error?.stack).toContain('failingCall')
  expect(Object.keys(error ?? {})).toEqual(['name', 'code', 'problems', 'kind'])
})

test('binds the identity of a single-user host', async () => {
  const platform = createPlatform(sqlite(':memory:'), { identity: { user: 'me' } })
  await platform.as({ system: 'set-up' }).users.create({ username: 'me' })
  await platform.projects.create({ name: 'Notes' })
  await platform.labels.create({ project: 'me/notes', name: 'idea', color: 'gold' })
  expect(await platform.labels.subscribe({ project: 'me/notes', label: 'idea' })).toMatchObject({ changed: true })
  await platform.close()
})

test('checks the user and memberships at each call', async () => {
  const bob = forge.as('bob')
  await expect(bob.labels.create({ project: 'acme/web', name: 'one', color: 'red' })).resolves.toBeDefined()
  await forge.host.members.remove({ group: 'acme', user: 'bob' })
  await expect(bob.labels.create({ project: 'acme/web', name: 'two', color: 'red' })).rejects.toMatchObject({
    code: 'forbidden',
  })
  await forge.host.users.block({ user: 'bob' })
  await expect(bob.labels.list({ project: 'acme/web' })).rejects.toMatchObject({ code: 'forbidden', reason: 'blocked' })
  await forge.host.users.unblock({ user: 'bob' })
  await expect(bob.labels.list({ project: 'acme/web' })).resolves.toBeDefined()
})

test('ends a membership at the start of its expiry date', async () => {
  let now = Date.parse('2026-11-20T23:59:59.999Z')
  await using dated = await world({ ports: { clock: { now: () => now } } })
  await dated.host.members.add({
    project: 'acme/tools/deploy',
    users: ['mallory'],
    accessLevel: 30,
    expiresAt: '2026-11-21',
  })
  const listLabels = () => dated.as('mallory').labels.list({ project: 'acme/tools/deploy' })
  await expect(listLabels()).resolves.toBeDefined()
  now += 1
  await expect(listLabels()).rejects.toMatchObject({ code: 'not_found' })
  // The daily job then deletes the row and emits the signal.
  const signals: unknown[] = []
  dated.platform.on('member.left', (signal) => void signals.push(signal))
  expect(await dated.platform.jobs.drain()).toBeGreaterThan(0)
  await new Promise((resolve) => setImmediate(resolve))
  expect(signals).toEqual([expect.objectContaining({ expired: true })])
})

test('takes the highest level of the project, its ancestor groups and shares', async () => {
  const { host } = forge
  const getLevel = async (username: string, project: string) => {
    // Determines the level by allowed operations: labels 20, merge requests 30, update 40, unarchive 50.
    const session = forge.as(username)
    const attempts: [number, () => Promise<unknown>][] = [
      [50, () => session.projects.unarchive({ project })],
      [40, () => session.projects.update({ project, description: 'x' })],
      [
        30,
        () => session.mergeRequests.create({ project, title: 'x', sourceBranch: `from-${username}-${Math.random()}` }),
      ],
      [20, () => session.labels.create({ project, name: `${Math.random()}`, color: 'red' })],
    ]
    for (const [level, attempt] of attempts) {
      if (
        await attempt().then(
          () => true,
          () => false,
        )
      )
        return level
    }
    return 0
  }
  expect(await getLevel('alice', 'acme/tools/deploy')).toBe(50)
  expect(await getLevel('bob', 'acme/tools/deploy')).toBe(30)
  expect(await getLevel('erin', 'acme/web')).toBe(20)
  await host.members.add({ group: 'acme/tools', users: ['carol'], accessLevel: 40 })
  expect(await getLevel('carol', 'acme/tools/deploy')).toBe(40)
  // A share grants the lower of the two levels.
  await host.shares.create({ group: 'acme/tools', withGroup: 'partners', accessLevel: 40 })
  expect(await getLevel('erin', 'acme/tools/deploy')).toBe(30)
  expect(await getLevel('bob', 'bob/notes')).toBe(50)
  expect(await getLevel('mallory', 'acme/web')).toBe(0)
})

test('validates the input of library callers', async () => {
  const { labels } = forge.as('carol')
  // @ts-expect-error a field that does not exist
  await expect(labels.list({ project: 'acme/web', colour: 'red' })).rejects.toMatchObject({
    code: 'invalid_input',
    problems: [{ fields: ['colour'], message: 'is not known' }],
  })
  // @ts-expect-error neither project nor group
  await expect(labels.list({})).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('exactly one'),
  })
  const both = { project: 'acme/web', group: 'acme' } as never
  await expect(labels.list(both)).rejects.toMatchObject({ message: 'project, group are mutually exclusive' })
})

test.each<[string, (host: Session) => Promise<unknown>, string]>([
  [
    'an input that is no object',
    ({ issues }) => issues.list('acme/web' as never),
    'The input must be an object such as { project: … }',
  ],
  [
    'a misspelt field',
    ({ users }) => users.update({ user: 'carol', nmae: 'x' } as never),
    "nmae is not known. Did you mean 'name'?",
  ],
  ['a field like no other', ({ users }) => users.update({ user: 'carol', zzz: 'x' } as never), 'zzz is not known'],
  [
    'a value that is not in the list',
    ({ issues }) => issues.list({ project: 'acme/web', state: 'open' as never }),
    'state does not have a valid value. state must be "opened" or "closed" or "all"',
  ],
  [
    'values of the wrong type',
    ({ issues }) => issues.list({ project: 'acme/web', search: 4, labels: [3] } as never),
    'labels is invalid, search is invalid. each of labels must be string. search must be string',
  ],
])('tells library callers how to correct %s', async (_, call, message) => {
  await expect(call(forge.host)).rejects.toMatchObject({ code: 'invalid_input', message })
})

test('runs several calls in one transaction', async () => {
  const { platform } = forge
  const projectId = await platform.atomic(async (open) => {
    const alice = open.as({ user: 'alice' })
    const { id } = await alice.projects.create({ namespace: 'acme', name: 'together' })
    await alice.labels.create({ project: id, name: 'one', color: 'red' })
    return id
  })
  expect((await forge.as('alice').labels.list({ project: projectId })).total).toBe(2)
})

test('rejects calls of other sessions inside the callback of a transaction, which would wait for it', async () => {
  const { platform, host } = forge
  const message = expect.stringContaining('use the platform that `atomic` passes to its callback')
  await platform.atomic(async (open) => {
    await expect(host.users.create({ username: 'outside' })).rejects.toMatchObject({ message })
    await expect(platform.labels.list({ project: 'acme/web' })).rejects.toMatchObject({ message })
    await expect(platform.atomic(async () => undefined)).rejects.toMatchObject({ message })
    await open.as({ system: 'test' }).users.create({ username: 'inside' })
  })
  expect((await host.users.list({ username: 'inside' })).total).toBe(1)
})

test('calls that begin in the callback of a transaction and run after it are permitted', async () => {
  const { platform } = forge
  let later: Promise<{ readonly total?: number | undefined }> | undefined
  const ended = Promise.withResolvers<void>()
  await platform.atomic(async () => {
    later = ended.promise.then(() => platform.labels.list({ project: 'acme/web' }))
  })
  ended.resolve()
  expect((await later)?.total).toBe(3)
})

test('close ends the background jobs, and rejects later calls', async () => {
  const platform = createPlatform(sqlite(':memory:'))
  platform.jobs.start({ interval: 1 })
  platform.jobs.start()
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  await platform.close()
  expect(timers()).toBeLessThanOrEqual(before - 2)
  await expect(platform.users.get()).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The platform is closed',
  })
})

test('runs a host statement in the transaction', async () => {
  const rows = await forge.platform.atomic(async (open, _at, sql) => {
    const { id } = await open.as({ user: 'alice' }).projects.create({ namespace: 'acme', name: 'paid' })
    await sql('create temporary table receipt (project_id bigint, paid boolean)')
    await sql(`insert into receipt values (${id}, true)`)
    return sql('select project_id, paid, count(*) as receipts from receipt group by project_id, paid')
  })
  expect(rows).toEqual([{ projectId: expect.any(Number), paid: true, receipts: 1 }])
})

test('authenticates a token until it is revoked', async () => {
  const { id, secret } = await forge.host.tokens.create({ user: 'bob', scopes: ['api'] })
  expect(secret).toMatch(/^fgpat-[\w-]{27}$/)
  const session = await forge.platform.authenticate(secret)
  expect(await session.users.get()).toMatchObject({ username: 'bob' })
  await forge.host.tokens.revoke({ token: id })
  await expect(session.users.get()).rejects.toMatchObject({ code: 'unauthenticated', reason: 'revoked' })
  await expect(forge.platform.authenticate(secret)).rejects.toMatchObject({ reason: 'revoked' })
  await expect(forge.platform.authenticate('guess')).rejects.toMatchObject({ reason: 'unknown' })
})

test.each([
  { token: undefined },
  { token: 7 },
  { scim: undefined },
  { user: undefined },
  { user: {} },
  { provider: undefined, externalUid: undefined },
])('rejects the identity %o as unknown', async (identity) => {
  await expect(forge.platform.as(identity as never).labels.list({ project: 'acme/web' })).rejects.toMatchObject({
    code: 'unauthenticated',
    reason: 'unknown',
  })
})

test('rejects a token from its expiry date', async () => {
  let now = Date.parse('2026-11-20T12:00:00Z')
  await using dated = await world({ ports: { clock: { now: () => now } } })
  const { secret } = await dated.host.tokens.create({ user: 'bob', expiresAt: '2026-11-21' })
  await expect(dated.platform.authenticate(secret)).resolves.toBeDefined()
  now = Date.parse('2026-11-21T00:00:00Z')
  await expect(dated.platform.authenticate(secret)).rejects.toMatchObject({ reason: 'expired' })
})

test('stores tokens only as hashes', async () => {
  await using memory = await world()
  const { secret } = await memory.host.tokens.create({ user: 'bob' })
  const listed = await memory.host.tokens.list({ user: 'bob' })
  expect(JSON.stringify(listed)).not.toContain(secret)
  expect(JSON.stringify(listed)).not.toContain('bob-token')
})

test('finds users by id and by username, ignoring case', async () => {
  const byUsername = await forge.host.users.get({ user: 'BOB' })
  expect(await forge.host.users.get({ user: byUsername.id })).toEqual(byUsername)
  await expect(forge.as('bob').users.block({ user: 'alice' })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(forge.as('root').users.create({ username: 'robot', bot: true })).rejects.toMatchObject({
    code: 'forbidden',
    message: 'Only the host application can set bot',
  })
  await expect(forge.host.users.create({ username: 'Bob' })).rejects.toMatchObject({
    code: 'conflict',
    message: 'Username has already been taken',
  })
  await expect(forge.host.users.create({ username: 'a b', email: 'none' })).rejects.toMatchObject({
    problems: [{ fields: ['username'] }, { fields: ['email'], message: 'is invalid' }],
  })
})

test('changes the paths of subgroups and projects with a group', async () => {
  await forge.as('alice').groups.update({ group: 'acme', path: 'apex', name: 'Apex' })
  expect(await forge.as('alice').projects.get({ project: 'apex/tools/deploy' })).toMatchObject({ name: 'Deploy' })
  expect(await forge.host.groups.get({ group: 'apex/tools' })).toMatchObject({ fullName: 'Apex / Tools' })
  await expect(forge.host.groups.get({ group: 'acme' })).rejects.toMatchObject({ code: 'not_found' })
})

test('rejects a path that a group, user or project uses', async () => {
  const conflict = { code: 'conflict', message: 'Path has already been taken' }
  await expect(forge.host.groups.create({ name: 'Bob', path: 'BOB' })).rejects.toMatchObject(conflict)
  await expect(
    forge.host.groups.create({ parent: 'acme', name: 'Web', path: 'web', visibility: 'public' }),
  ).rejects.toMatchObject(conflict)
  await expect(forge.host.projects.create({ namespace: 'acme', name: 'Tools' })).rejects.toMatchObject(conflict)
})

test('rejects a child that is more visible than its parent', async () => {
  const invalidVisibility = { code: 'invalid', problems: [{ fields: ['visibility'] }] }
  const { host } = forge
  await expect(host.groups.create({ parent: 'acme/tools', name: 'open', visibility: 'public' })).rejects.toMatchObject(
    invalidVisibility,
  )
  await expect(
    host.projects.create({ namespace: 'acme/tools', name: 'open', visibility: 'internal' }),
  ).rejects.toMatchObject(invalidVisibility)
  await expect(host.groups.update({ group: 'acme', visibility: 'private' })).rejects.toMatchObject(invalidVisibility)
})

test('shows a private group to users who can see one of its projects', async () => {
  await forge.host.members.add({ project: 'acme/tools/deploy', users: ['mallory'], accessLevel: 10 })
  expect(await forge.as('mallory').groups.get({ group: 'acme/tools' })).toMatchObject({ name: 'Tools' })
  await expect(forge.as('dave').groups.get({ group: 'acme/tools' })).rejects.toMatchObject({ code: 'not_found' })
})

test('restores the same data on reset', async () => {
  await forge.host.groups.remove({ group: 'acme' })
  await expect(forge.platform.labels.list({ project: 'acme/web' })).rejects.toMatchObject({ code: 'not_found' })
  await forge.reset()
  expect((await forge.platform.labels.list({ project: 'acme/web' })).total).toBe(3)
  const label = await forge.as('carol').labels.create({ project: 'acme/web', name: 'again', color: 'red' })
  await forge.reset()
  expect((await forge.as('carol').labels.create({ project: 'acme/web', name: 'again', color: 'red' })).id).toBe(
    label.id,
  )
})

test('reports all problems of a seed with their paths and seeds nothing', async () => {
  const invalidSeed = {
    users: [{ username: 'zoe', tokens: [{ scopes: ['api'] }] }],
    projects: [{ path: 'zoe/x', colour: 1 }],
  }
  await expect(forge.seed(invalidSeed as never)).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringMatching(
      /seed\.users\[0\]\.tokens\[0\]\.secret: is missing[\s\S]*seed\.projects\[0\]\.colour: is not known here/,
    ),
  })
  const conflicting = forge.seed({ users: [{ username: 'zoe' }, { username: 'bob' }] })
  await expect(conflicting).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('seed.users[1] (bob): '),
  })
  await expect(forge.host.users.get({ user: 'zoe' })).rejects.toMatchObject({ code: 'not_found' })
})

test('returns the seeded records by name', async () => {
  const result = await forge.seed({
    users: [{ username: 'zoe', tokens: [{ secret: 'zoe-token' }] }],
    projects: [
      {
        path: 'zoe/site',
        labels: [{ name: 'bug' }],
        issues: [
          { as: 'first', title: 'It breaks', author: 'zoe', labels: ['bug'], createdAt: '2020-02-03T04:05:06Z' },
          { title: 'Closed long ago', author: 'zoe', state: 'closed', endedAt: '2021-01-01T00:00:00Z' },
        ],
      },
    ],
  })
  const project = result.projects?.['zoe/site']?.id as number
  expect(result.issues?.first).toMatchObject({ iid: 1 })
  expect(forge.tokens.zoe).toBe('zoe-token')
  const { items } = await forge.as('zoe').issues.list({ project })
  expect(items).toMatchObject([
    { title: 'Closed long ago', state: 'closed', closedAt: '2021-01-01T00:00:00.000Z' },
    { title: 'It breaks', createdAt: '2020-02-03T04:05:06.000Z', labels: ['bug'], author: { username: 'zoe' } },
  ])
})

test('contains users in the demo seed', () => {
  expect(demo.users?.map(({ username }) => username)).toContain('alice')
})

test('apiVersion is the version that clients see', async () => {
  const newer = createPlatform(sqlite(':memory:'), { identity: { system: 'test' }, apiVersion: '17.2.1' })
  expect(await newer.instance.getVersion()).toMatchObject({ version: '17.2.1' })
  await newer.close()
  expect(() => createPlatform(sqlite(':memory:'), { apiVersion: '17' })).toThrow(
    "apiVersion must be like '15.11.0', not '17'",
  )
})
