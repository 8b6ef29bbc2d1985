import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { emptyStore } from '../../../../test/world.ts'
import { type Job, type JobTools, job } from '../jobs.ts'
import { drain, enqueue } from './job-queue.ts'
import type { Store } from './store.ts'

let store: Store
let now: number
const at = () => new Date(now).toISOString()
const tools = () => ({}) as JobTools

beforeEach(async () => {
  now = Date.parse('2026-11-21T10:00:00Z')
  store = await emptyStore()
})
afterEach(() => store.close())

const kind = 'members.expire'
const add = (options = {}) => store.write((handle) => enqueue(handle, at(), kind, { n: 1 }, options))
const rows = () => store.read(({ db }) => db.selectFrom('job').selectAll().orderBy('id').execute())
const counting = (run: () => Promise<void> = async () => undefined) => {
  const calls: unknown[] = []
  const work: Job = job(kind, {
    run: async (_tools, payload) => {
      calls.push(payload)
      await run()
    },
  })
  return { calls, drain: () => drain(store, [work], at, tools) }
}

test('due jobs run once, in order, and are gone', async () => {
  const { calls, drain } = counting()
  await add()
  await add()
  expect(await drain()).toBe(2)
  expect(calls).toEqual([{ n: 1 }, { n: 1 }])
  expect(await rows()).toEqual([])
})

test('a job hears when it is not tried again', async () => {
  const heard: boolean[] = []
  const work: Job = job(kind, {
    run: async ({ lastTry }) => {
      heard.push(lastTry)
      throw new Error('no')
    },
  })
  await add()
  for (let tries = 0; tries < 12; tries++) {
    await drain(store, [work], at, tools)
    now += 3_600_000
  }
  expect(heard).toEqual([...Array<boolean>(9).fill(false), true])
})

test('of several pending jobs with one key the first is kept', async () => {
  const { drain } = counting()
  await add({ key: 'a' })
  await add({ key: 'a' })
  await add({ key: 'b' })
  expect(await drain()).toBe(2)
  await add({ key: 'a' })
  expect(await drain()).toBe(1)
})

test('a job waits for its time', async () => {
  const { drain } = counting()
  await add({ runAfter: '2026-11-21T10:00:01.000Z' })
  expect(await drain()).toBe(0)
  now += 1_000
  expect(await drain()).toBe(1)
})

test('a failed job is tried again later and later, and parked after ten times', async () => {
  const { calls, drain } = counting(async () => {
    throw new Error('no luck')
  })
  await add({ key: 'a' })
  await drain()
  expect(await rows()).toMatchObject([
    { state: 'pending', attempts: 1, lastError: 'no luck', runAfter: '2026-11-21T10:00:02.000Z' },
  ])
  expect(await drain()).toBe(0)
  for (let round = 0; round < 20; round++) {
    now += 3_600_000
    await drain()
  }
  expect(calls).toHaveLength(10)
  expect(await rows()).toMatchObject([{ state: 'parked', key: null }])
})

test('a job whose process died is taken over when its lease ends', async () => {
  const { drain } = counting()
  await add()
  await store.write(({ db }) =>
    db.updateTable('job').set({ state: 'running', leaseUntil: '2026-11-21T10:01:00.000Z' }).execute(),
  )
  expect(await drain()).toBe(0)
  now += 60_000
  expect(await drain()).toBe(1)
})

test('a daily job runs once a day', async () => {
  let runs = 0
  const daily = job(kind, { every: 'day', run: async () => void runs++ })
  const go = () => drain(store, [daily], at, tools)
  expect(await go()).toBe(1)
  expect(await go()).toBe(0)
  now = Date.parse('2026-11-22T00:00:00Z')
  expect(await go()).toBe(1)
  expect(runs).toBe(2)
})

test('a job that was enqueued in a command that fails is not there', async () => {
  const failing = store.write(async (handle) => {
    await enqueue(handle, at(), kind, {})
    throw new Error('undone')
  })
  await expect(failing).rejects.toThrow('undone')
  expect(await rows()).toEqual([])
})

test('two workers never run the same job', async () => {
  const { calls, drain: one } = counting()
  const other = counting()
  for (let count = 0; count < 10; count++) await add()
  await Promise.all([one(), other.drain()])
  expect(calls.length + other.calls.length).toBe(10)
})

test('a job that runs for longer than its lease keeps it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    await add()
    let others: number | undefined
    const work = counting(async () => {
      for (let round = 0; round < 5; round++) {
        now += 30_000
        vi.advanceTimersByTime(20_000)
        await expect.poll(async () => (await rows())[0]?.leaseUntil).toBe(new Date(now + 60_000).toISOString())
      }
      others = await drain(store, [job(kind, { run: async () => undefined })], at, tools)
    })
    await work.drain()
    expect(others).toBe(0)
    expect(work.calls).toHaveLength(1)
    expect(await rows()).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})

test('a process that lost its lease does not decide what becomes of the job', async () => {
  await add()
  const late = counting(async () => {
    now += 61_000
    // Another process takes it over meanwhile, and fails.
    const failing = counting(async () => {
      throw new Error('no such host')
    })
    expect(await failing.drain()).toBe(1)
  })
  await late.drain()
  expect(await rows()).toMatchObject([{ state: 'pending', attempts: 2, lastError: 'no such host' }])
})
