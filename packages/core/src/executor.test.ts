import type { FakeForge } from '@forgelet/fixtures'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { emptyStore, world } from '../../../test/world.ts'
import { instance } from './access/subjects.ts'
import { createContextFactory } from './context-factory.ts'
import { createExecutor } from './executor.ts'
import type { Actor, Identity } from './kernel/actor.ts'
import type { Call } from './kernel/call.ts'
import { afterTransaction } from './kernel/deferred.ts'
import { PlatformError } from './kernel/errors.ts'
import type { LimitState } from './kernel/limit-state.ts'
import { command, type Operation, query } from './kernel/operation.ts'
import type { Handle, Store } from './kernel/store.ts'
import type { EmittedSignal } from './listeners.ts'
import { createPlatform } from './platform.ts'

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

describe('transactions and locks', () => {
  const ada: Identity = { user: 'ada' }
  const on = instance
  const can = 'todo.manageOwn'
  const limit = { name: 'tests', getLimit: () => 5, getKey: () => 'key', message: 'Too many' }
  const run = () => 'done'

  let store: Store
  /** What the executor did with the store, in this order. */
  let uses: string[]
  let published: (readonly EmittedSignal[])[]
  beforeEach(async () => {
    store = await emptyStore()
    uses = []
    published = []
    await createPlatform(store).as({ system: 'set-up' }).users.create({ username: 'ada' })
  })
  afterEach(() => store.close())

  /** The store of the test with a record of its use. Its handles have locks, as those of PostgreSQL. */
  const recordUse = (): Store => {
    const record = (handle: Handle): Handle => ({
      ...handle,
      async lock(locks) {
        uses.push(`lock ${locks.map(({ name }) => name).join()}`)
        await handle.lock?.(locks)
      },
    })
    return {
      ...store,
      getWriteError: () => undefined,
      read(work) {
        uses.push('read')
        return store.read((handle) => work(record(handle)))
      },
      write(work, options = {}) {
        uses.push(options.locks ? `write with ${options.locks.length} locks` : 'write alone')
        return store.write((handle) => work(record(handle)), options)
      },
    }
  }

  const start = (more: { readonly store?: Store; readonly ready?: () => Promise<void> } = {}) => {
    const { ports } = createPlatform(store)
    return createExecutor({
      store: recordUse(),
      tier: 'paid',
      now: () => '2026-11-22T12:00:00.000Z',
      ready: () => undefined,
      createContext: createContextFactory({
        ports,
        tier: 'paid',
        pipelinesOnPush: false,
        passwordCost: 10,
        apiVersion: '15.11.0',
      }),
      publish: (signals) => void published.push(signals),
      isAudited: false,
      ...more,
    })
  }

  const execute = (
    operation: Operation,
    {
      identity = ada,
      call = {},
      input = {},
      ...more
    }: {
      readonly identity?: Identity
      readonly call?: Call
      readonly input?: unknown
      readonly store?: Store
      readonly ready?: () => Promise<void>
    } = {},
  ) => start(more).run({ identity, call, operation, input })

  /** A signal without reactions. */
  const signal = (name: string) => ['label.created', { label: { name } as never, projectId: 1, groupId: null }] as const
  const getPublishedNames = () =>
    published.map((signals) =>
      signals.map(({ name, payload }) => (name === 'label.created' ? payload.label.name : name)),
    )

  test('the first call waits for the migration', async () => {
    const ready = async () => {
      await new Promise((resolve) => setImmediate(resolve))
      uses.push('migrated')
    }
    await expect(execute(query({ on, can, run }), { ready })).resolves.toBe('done')
    expect(uses).toEqual(['migrated', 'read'])
  })

  test('anonymous callers of operations for users are rejected before anything is read', async () => {
    for (const input of [{}, { unknown: 1 }]) {
      await expect(execute(command({ on, can, run }), { identity: null, input })).rejects.toMatchObject({
        code: 'unauthenticated',
      })
    }
    expect(uses).toEqual([])
  })

  test('invalid input is rejected after authentication, without a transaction', async () => {
    const { actors, call } = observe()
    const operation = command({ on, can, input: { title: v.string() }, run })
    await expect(execute(operation, { call })).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(execute(operation, { identity: { user: 'unknown' } })).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    expect([uses, actors.length]).toEqual([['read', 'read'], 1])
  })

  test('queries read, commands write with the locks of their subject', async () => {
    for (const serializes of ['instance', 'tree', 'project'] as const) {
      await expect(execute(command({ on, can, serializes, run }))).resolves.toBe('done')
    }
    await expect(execute(query({ on, can, run }))).resolves.toBe('done')
    expect(uses).toEqual(['write alone', 'write with 0 locks', 'write with 0 locks', 'read'])
  })

  test('commands that serialize by user lock the user, where the store has locks', async () => {
    const operation = command({ on, can, serializes: 'user', run })
    await expect(execute(operation)).resolves.toBe('done')
    expect(uses).toEqual(['write with 0 locks', expect.stringMatching(/^lock user [1-9]\d*$/)])
    const withoutLocks: Store = {
      ...store,
      write: (work, options) => store.write((handle) => work({ ...handle, lock: undefined }), options),
    }
    await expect(execute(operation, { store: withoutLocks })).resolves.toBe('done')
  })

  test('counting a call locks its count; a query reads after that, a command runs once in the same transaction', async () => {
    const call = { isRateLimited: true }
    await expect(execute(query({ on, can, limit, run }), { call })).resolves.toBe('done')
    expect(uses).toEqual(['write with 0 locks', 'lock rate limit tests key', 'read'])
    uses = []
    await expect(execute(command({ on, can, limit, run }), { call })).resolves.toBe('done')
    expect(uses).toEqual(['write alone', 'lock rate limit tests key'])
  })

  test('observers may ignore all events', async () => {
    const call = { isRateLimited: true, observer: {} }
    await expect(execute(query({ on, can, limit, run }), { call })).resolves.toBe('done')
  })

  test('queries continue without being counted while writes are rejected', async () => {
    const { limits, call } = observe()
    const operation = query({ on, can, limit, run })
    const error = new PlatformError('unavailable', 'Replaced')
    await expect(execute(operation, { call, store: { ...recordUse(), getWriteError: () => error } })).resolves.toBe(
      'done',
    )
    expect([uses, limits]).toEqual([['read'], []])
    const { getWriteError: _, ...withoutCheck } = recordUse()
    await expect(execute(operation, { call, store: withoutCheck })).resolves.toBe('done')
    expect(limits).toMatchObject([{ remaining: 4 }])
  })

  test('a retried transaction publishes its signals once', async () => {
    const retrying: Store = {
      ...store,
      write: async (work, options) => {
        await store.write(work, options)
        return store.write(work, options)
      },
    }
    const operation = command({ on, can, run: async (ctx) => void (await ctx.emit(...signal('command'))) })
    await execute(operation, { store: retrying })
    await execute(operation, { store: retrying, call: { isRateLimited: true } })
    await start({ store: retrying })
      .transactions({ kind: 'system', reason: 'test' }, {})
      .write(async (ctx) => void (await ctx.emit(...signal('job'))))
    expect(getPublishedNames()).toEqual([['command'], ['command'], ['job']])
  })

  test('deferred work reads and writes in transactions of its own, and writes as the caller', async () => {
    const operation = command({
      on,
      can,
      serializes: 'user',
      run: () =>
        afterTransaction(async ({ read, write }) => [
          await read(({ actor }) => actor.kind),
          await write(async (ctx) => {
            await ctx.emit(...signal('deferred'))
            return ctx.actor.kind
          }),
        ]),
    })
    await expect(execute(operation)).resolves.toEqual(['user', 'user'])
    const write = ['write with 0 locks', expect.stringMatching(/^lock user/)]
    expect(uses).toEqual([...write, 'read', ...write])
    expect(getPublishedNames()).toEqual([[], ['deferred']])
  })

  test('deferred work of a caller who was blocked in the meantime cannot write', async () => {
    const host = createPlatform(store).as({ system: 'test' })
    const operation = command({
      on,
      can,
      run: () =>
        afterTransaction(async ({ write }) => {
          await host.users.block({ user: 'ada' })
          return write(run)
        }),
    })
    await expect(execute(operation)).rejects.toMatchObject({ code: 'forbidden', reason: 'blocked' })
  })
})
