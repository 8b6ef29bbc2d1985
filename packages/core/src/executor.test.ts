import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../test/world.ts'
import type { Actor } from './kernel/actor.ts'
import type { Call } from './kernel/call.ts'
import type { LimitState } from './kernel/limit-state.ts'

const project = 'acme/web'

let forge: FakeForge
let now: number
beforeEach(async () => {
  now = Date.parse('2026-11-22T12:00:00.000Z')
  forge = await world({ ports: { clock: { now: () => now } } })
})
afterEach(() => forge.close())

/** A call over the network, with a record of what its observer received. */
const observe = (more: Call = {}) => {
  const actors: Actor[] = []
  const limits: LimitState[] = []
  const observer = {
    onActor: (actor: Actor) => actors.push(actor),
    onRateLimit: (state: LimitState) => limits.push(state),
  }
  return { actors, limits, call: { isRateLimited: true, observer, ...more } satisfies Call }
}

const limitIssues = (issuesCreateLimit: number) => forge.host.settings.update({ issuesCreateLimit })

describe('the order of checks', () => {
  test('authentication comes before the input, and the input before the subject', async () => {
    const invalid = { project: 'missing', name: '', color: 7 as never }
    const create = (identity: Parameters<typeof forge.platform.as>[0]) =>
      forge.platform.as(identity).labels.create(invalid)
    await expect(create(null)).rejects.toMatchObject({ code: 'unauthenticated', message: 'Authentication required' })
    await expect(create({ token: 'unknown' })).rejects.toMatchObject({ code: 'unauthenticated' })
    await expect(create({ user: 'bob' })).rejects.toMatchObject({ code: 'invalid_input' })
    const valid = { project: 'missing', name: 'x', color: 'red' }
    await expect(forge.as('bob').labels.create(valid)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('the scope of a token comes before the input', async () => {
    await forge.host.tokens.create({ user: 'bob', name: 'reading', scopes: ['read_api'], secret: 'reading-token' })
    const { labels } = forge.platform.as({ token: 'reading-token' })
    await expect(labels.create({ project, name: 7 as never, color: 'red' })).rejects.toMatchObject({
      code: 'insufficient_scope',
    })
    expect((await labels.list({ project })).items).not.toEqual([])
  })

  test('an operation of the paid tier is rejected on the free tier, also with invalid input', async () => {
    await using free = await world({ tier: 'free' })
    const { dependencies } = free.as('root')
    const expected = { code: 'not_licensed', message: 'This operation requires the paid tier' }
    await expect(dependencies.list({ project })).rejects.toMatchObject(expected)
    await expect(dependencies.list({ project: [] as never })).rejects.toMatchObject(expected)
    expect((await free.as('root').labels.list({ project })).items).not.toEqual([])
    await expect(forge.as('root').dependencies.list({ project })).resolves.toBeDefined()
  })
})

test('the observer receives the actor of each call, also of a rejected one', async () => {
  const { actors, call } = observe()
  const bob = forge.platform.as({ user: 'bob' }, call)
  await bob.labels.list({ project })
  await expect(bob.labels.list({ project: 7.5 })).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(bob.labels.list({ project: 'missing' })).rejects.toMatchObject({ code: 'not_found' })
  expect(actors.map((actor) => actor.kind === 'user' && actor.username)).toEqual(['bob', 'bob', 'bob'])
})

describe('rate limits', () => {
  test('count commands, failed ones as well, and reject those over the limit', async () => {
    await limitIssues(2)
    const { limits, call } = observe()
    const { issues } = forge.platform.as({ user: 'bob' }, call)
    await issues.create({ project, title: 'first' })
    await expect(issues.create({ project, title: '' })).rejects.toMatchObject({ code: 'invalid' })
    await expect(issues.create({ project, title: 'third' })).rejects.toMatchObject({ code: 'limited' })
    expect(limits.map(({ limit, remaining }) => [limit, remaining])).toEqual([
      [2, 1],
      [2, 0],
      [2, 0],
    ])
    const titles = (await forge.host.issues.list({ project })).items.map(({ title }) => title)
    expect(titles).toContain('first')
    expect(titles).not.toContain('third')
    now += 60_000
    await expect(issues.create({ project, title: 'later' })).resolves.toMatchObject({ title: 'later' })
  })

  test('do not count calls that the checks reject', async () => {
    await limitIssues(1)
    const { limits, call } = observe()
    const { issues } = forge.platform.as({ user: 'bob' }, call)
    await expect(issues.create({ project: 'missing', title: 'x' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(issues.create({ project, title: 7 as never })).rejects.toMatchObject({ code: 'invalid_input' })
    expect(limits).toEqual([])
    await expect(issues.create({ project, title: 'x' })).resolves.toBeDefined()
  })

  test('apply to calls over the network only, and 0 is no limit', async () => {
    await limitIssues(1)
    const create = (call: Call, title: string) =>
      forge.platform.as({ user: 'bob' }, call).issues.create({ project, title })
    const local = observe({ isRateLimited: false })
    for (const title of ['one', 'two']) await expect(create(local.call, title)).resolves.toBeDefined()
    await limitIssues(0)
    const remote = observe()
    for (const title of ['three', 'four']) await expect(create(remote.call, title)).resolves.toBeDefined()
    expect([...local.limits, ...remote.limits]).toEqual([])
  })

  test('emit the signals of a command that succeeds, and none of one that fails', async () => {
    await limitIssues(5)
    const opened: string[] = []
    forge.platform.on('issue.opened', ({ issue }) => void opened.push(issue.title))
    const { issues } = forge.platform.as({ user: 'bob' }, observe().call)
    await issues.create({ project, title: 'heard' })
    await expect(issues.create({ project, title: 'failed', milestone: 999 })).rejects.toThrow()
    expect(opened).toEqual(['heard'])
  })

  test('count queries that run afterwards, anonymous callers by address', async () => {
    const { limits, call } = observe({ ipAddress: '192.0.2.1' })
    const anonymous = forge.platform.as(null, call)
    expect(await anonymous.markdown.render({ text: '*hi*' })).toMatchObject({
      html: expect.stringContaining('<em>hi</em>'),
    })
    await anonymous.markdown.render({ text: '#1', project, gfm: true })
    expect(limits.map(({ name, remaining, limit }) => [name, limit - remaining])).toEqual([
      ['markdown', 1],
      ['markdown', 2],
    ])
    const signedIn = observe({ ipAddress: '192.0.2.1' })
    await forge.platform.as({ user: 'bob' }, signedIn.call).markdown.render({ text: 'x' })
    expect(signedIn.limits).toEqual([])
  })

  test('reject queries over the limit', async () => {
    const { call } = observe({ ipAddress: '192.0.2.2' })
    const { markdown } = forge.platform.as(null, call)
    const outcomes: unknown[] = []
    for (let count = 0; count <= 60; count++) {
      outcomes.push(
        await markdown.render({ text: 'x' }).then(
          () => 'ok',
          (error: { code: string }) => error.code,
        ),
      )
    }
    expect(outcomes.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 'ok'))
    expect(outcomes[60]).toBe('limited')
  })
})

test('signals of a call are published if it succeeds', async () => {
  const signals: string[] = []
  forge.platform.on('label.created', ({ label }) => void signals.push(label.name))
  await forge.as('carol').labels.create({ project, name: 'published', color: 'red' })
  await expect(forge.as('carol').labels.create({ project, name: 'published', color: 'red' })).rejects.toThrow()
  expect(signals).toEqual(['published'])
})
