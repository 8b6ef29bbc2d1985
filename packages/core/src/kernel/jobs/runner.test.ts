import { execFileSync } from 'node:child_process'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { emptyStore } from '../../../../../test/world.ts'
import { PlatformError } from '../errors.ts'
import type { Store } from '../store.ts'
import { defineJob, type Job, type JobContext } from './job.ts'
import { enqueue } from './queue.ts'
import { createJobRunner, type JobRunnerOptions } from './runner.ts'

let store: Store
beforeEach(async () => {
  store = await emptyStore()
})
afterEach(() => store.close())

const now = () => '2026-11-21T10:00:00.000Z'
const createRunner = (jobs: readonly Job[], options: Partial<JobRunnerOptions> = {}) =>
  createJobRunner({ store, jobs, now, createContext: () => ({}) as JobContext, ...options })
const add = (kind: Job['kind'], options = {}) =>
  store.write((handle) => enqueue(handle, { now: now(), call: {} }, kind, [{ payload: {}, ...options }]))
const rows = () => store.read(({ db }) => db.selectFrom('job').selectAll().orderBy('id').execute())

/** A job that ends when the signal aborts, like a call to a server that does not respond. */
const createHangingJob = (kind: Job['kind'], options: Partial<Job> = {}) => {
  let running = 0
  let started = 0
  const job = defineJob(kind, {
    ...options,
    async run({ signal }) {
      running += 1
      started += 1
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
    },
  })
  return { job, running: () => running, started: () => started }
}

test('an unresponsive job blocks no other kind, and its queue continues after a restart', async () => {
  const hanging = createHangingJob('remoteMirrors.push', { concurrency: 3 })
  let others = 0
  const other = defineJob('members.expire', { run: async () => void others++ })
  for (let count = 0; count < 10; count++) await add('remoteMirrors.push')
  const runner = createRunner([hanging.job, other])
  const stop = runner.start(1, (error) => expect.fail(String(error)))
  await expect.poll(hanging.running).toBe(3)
  for (let count = 1; count <= 3; count++) {
    await add('members.expire')
    await expect.poll(() => others).toBe(count)
  }
  expect(hanging.started()).toBe(3)
  await stop()
  const left = await rows()
  expect(left).toHaveLength(10)
  expect(left.every(({ state, attempts, lastError }) => state === 'pending' && attempts === 0 && !lastError)).toBe(true)
  const effects: unknown[] = []
  const working = defineJob('remoteMirrors.push', { run: async (_, payload) => void effects.push(payload) })
  expect(await createRunner([working]).drain()).toBe(10)
  expect(effects).toHaveLength(10)
  expect(await rows()).toEqual([])
})

test('limits the jobs of one destination, across processes', async () => {
  const options = { concurrency: 8, concurrencyPerDestination: 2 }
  const one = createHangingJob('remoteMirrors.push', options)
  const other = createHangingJob('remoteMirrors.push', options)
  for (let count = 0; count < 5; count++) await add('remoteMirrors.push', { destination: 'slow.example.com' })
  const first = createRunner([one.job])
  const stopFirst = first.start(1, (error) => expect.fail(String(error)))
  await expect.poll(one.running).toBe(2)
  await add('remoteMirrors.push', { destination: 'other.example.com' })
  await add('remoteMirrors.push')
  const stopSecond = createRunner([other.job]).start(1, (error) => expect.fail(String(error)))
  await expect.poll(() => one.running() + other.running()).toBe(4)
  const running = (await rows()).filter(({ state }) => state === 'running').map(({ destination }) => destination)
  expect(running.sort()).toEqual(['other.example.com', 'slow.example.com', 'slow.example.com', null].sort())
  await Promise.all([stopFirst(), stopSecond()])
})

test('one run does the work of all due jobs with the same destination', async () => {
  const payloads: unknown[] = []
  const run = async (_: JobContext, payload: unknown) => {
    payloads.push(payload)
    // Enqueued during the run, so this run may have missed its work.
    if (payloads.length === 1) await add('hooks.deliver', { destination: 'hook 1' })
  }
  const job: Job = { kind: 'hooks.deliver', coalesces: true, concurrencyPerDestination: 1, run }
  for (let count = 0; count < 3; count++) await add('hooks.deliver', { destination: 'hook 1' })
  await add('hooks.deliver', { destination: 'hook 2' })
  await add('hooks.deliver', { destination: 'hook 1', runAfter: '2026-11-21T11:00:00.000Z' })
  expect(await createRunner([job]).drain()).toBe(3)
  expect(payloads).toHaveLength(3)
  expect(await rows()).toMatchObject([{ destination: 'hook 1', runAfter: '2026-11-21T11:00:00.000Z' }])
})

test('a job that does not end is abandoned: its lease expires, and its late result is ignored', async () => {
  const { promise: end, resolve } = Promise.withResolvers<void>()
  let started = false
  const deaf = defineJob('remoteMirrors.push', {
    async run() {
      started = true
      await end
    },
  })
  await add('remoteMirrors.push')
  const runner = createRunner([deaf], { stopTimeout: 100 })
  const drained = runner.drain()
  await expect.poll(() => started).toBe(true)
  await runner.stop()
  expect(await rows()).toMatchObject([{ state: 'running', leaseUntil: '2026-11-21T10:01:00.000Z' }])
  resolve()
  await drained
})

test('starts no job while writes are rejected', async () => {
  let ran = 0
  const job = defineJob('members.expire', { run: async () => void ran++ })
  await add('members.expire')
  let error: PlatformError | undefined = new PlatformError('unavailable', 'read-only', { reason: 'readonly' })
  const runner = createRunner([job], { store: { ...store, getWriteError: () => error } })
  expect(await runner.drain()).toBe(0)
  error = undefined
  expect(await runner.drain()).toBe(1)
  expect(ran).toBe(1)
})

test('reports errors of the database to the error handler and continues', async () => {
  let failing = true
  const errors: unknown[] = []
  let ran = 0
  const job = defineJob('members.expire', { run: async () => void ran++ })
  await add('members.expire')
  const flaky: Store = { ...store, read: (work) => (failing ? Promise.reject(new Error('gone')) : store.read(work)) }
  const stop = createRunner([job], { store: flaky }).start(1, (error) => errors.push(error))
  await expect.poll(() => errors.length).toBeGreaterThan(1)
  failing = false
  await expect.poll(() => ran).toBe(1)
  await stop()
})

test('a job continues the chain of webhook requests of the call that enqueued it', async () => {
  const hookChain = { uuid: 'a', call: 'b' }
  await store.write((handle) =>
    enqueue(handle, { now: now(), call: { hookChain } }, 'members.expire', [{ payload: {} }]),
  )
  await add('archives.expire')
  const calls: unknown[] = []
  const jobs = (['members.expire', 'archives.expire'] as const).map((kind) => defineJob(kind, { run: async () => {} }))
  const createContext = (call: object) => {
    calls.push(call)
    return {} as JobContext
  }
  await createJobRunner({ store, jobs, now, createContext }).drain()
  expect(calls).toEqual(expect.arrayContaining([{ hookChain }, {}]))
})

test('the jobs of a process that was killed on this machine start at once', async () => {
  const module = new URL('../process-identity.ts', import.meta.url).href
  const program = `import { getProcessIdentity } from '${module}'; console.log(getProcessIdentity())`
  const identity = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }).trim()
  await add('members.expire', { key: 'gone' })
  await add('members.expire', { key: 'elsewhere' })
  const leaseUntil = new Date(Date.parse(now()) + 60_000).toISOString()
  const claim = (key: string, claimedBy: string) =>
    store.write(({ db }) =>
      db
        .updateTable('job')
        .set({ state: 'running', attempts: 1, leaseUntil, claimedBy })
        .where('key', '=', key)
        .execute(),
    )
  await claim('gone', identity)
  await claim('elsewhere', identity.replace(/^\S+/, 'other-machine'))
  let runs = 0
  const work = defineJob('members.expire', {
    run: async () => {
      runs += 1
    },
  })
  const runner = createRunner([work])
  runner.start(10, () => undefined)
  await vi.waitFor(() => expect(runs).toBe(1))
  await runner.close()
  const rest = await store.read(({ db }) => db.selectFrom('job').select('key').execute())
  expect(rest).toEqual([{ key: 'elsewhere' }])
})
