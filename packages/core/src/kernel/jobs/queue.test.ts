import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { emptyStore } from '../../../../../test/world.ts'
import type { Store } from '../store.ts'
import { defineJob, type Job, type JobContext } from './job.ts'
import { cancel, claim, enqueue } from './queue.ts'
import { createJobRunner } from './runner.ts'

let store: Store
let now: number
const currentInstant = () => new Date(now).toISOString()
const createContext = () => ({}) as JobContext
const drain = (jobs: readonly Job[]) => createJobRunner({ store, jobs, now: currentInstant, createContext }).drain()

beforeEach(async () => {
  now = Date.parse('2026-11-21T10:00:00Z')
  store = await emptyStore()
})
afterEach(() => store.close())

const kind = 'members.expire'
const add = (options = {}) =>
  store.write((handle) =>
    enqueue(handle, { now: currentInstant(), call: {} }, kind, [{ payload: { n: 1 }, ...options }]),
  )
const rows = () => store.read(({ db }) => db.selectFrom('job').selectAll().orderBy('id').execute())
const createCountingJob = (run: () => Promise<void> = async () => undefined) => {
  const calls: unknown[] = []
  const work: Job = defineJob(kind, {
    run: async (_tools, payload) => {
      calls.push(payload)
      await run()
    },
  })
  return { calls, drain: () => drain([work]) }
}

test('runs due jobs once, in order, and deletes them', async () => {
  const { calls, drain } = createCountingJob()
  await add()
  await add()
  expect(await drain()).toBe(2)
  expect(calls).toEqual([{ n: 1 }, { n: 1 }])
  expect(await rows()).toEqual([])
})

test('sets isLastAttempt only on the tenth attempt', async () => {
  const attempts: boolean[] = []
  const work: Job = defineJob(kind, {
    run: async ({ isLastAttempt }) => {
      attempts.push(isLastAttempt)
      throw new Error('no')
    },
  })
  await add()
  for (let tries = 0; tries < 12; tries++) {
    await drain([work])
    now += 3_600_000
  }
  expect(attempts).toEqual([...Array<boolean>(9).fill(false), true])
})

test('keeps only the first of several pending jobs with the same key', async () => {
  const { drain } = createCountingJob()
  await add({ key: 'a' })
  await add({ key: 'a' })
  await add({ key: 'b' })
  expect(await drain()).toBe(2)
  await add({ key: 'a' })
  expect(await drain()).toBe(1)
})

test('runs a job once more that was queued again while it ran', async () => {
  let repeats = 2
  const { calls, drain } = createCountingJob(async () => {
    if (repeats-- > 0) await add({ key: 'a' })
  })
  await add({ key: 'a' })
  expect(await drain()).toBe(3)
  expect(calls).toHaveLength(3)
  expect(await rows()).toEqual([])
})

test('gives a job that was queued again during its last attempt ten new ones', async () => {
  let runs = 0
  const { drain } = createCountingJob(async () => {
    runs += 1
    if (runs === 10) await add({ key: 'a' })
    throw new Error('no')
  })
  await add({ key: 'a' })
  for (let tries = 0; tries < 25; tries++) {
    await drain()
    now += 3_600_000
  }
  expect(runs).toBe(20)
  expect(await rows()).toMatchObject([{ state: 'parked', key: null }])
})

test('does not run a job once more whose second request was canceled', async () => {
  const { calls, drain } = createCountingJob(async () => {
    await add({ key: 'a' })
    expect(await store.write((handle) => cancel(handle, kind, 'a'))).toBe(false)
  })
  await add({ key: 'a' })
  await drain()
  expect(calls).toHaveLength(1)
})

test('keeps one of several jobs with the same key in one statement', async () => {
  const { drain } = createCountingJob()
  const job = { payload: {}, key: 'a' }
  await store.write((handle) => enqueue(handle, { now: currentInstant(), call: {} }, kind, [job, job, { payload: {} }]))
  expect(await drain()).toBe(2)
})

test('does not run a job before runAfter', async () => {
  const { drain } = createCountingJob()
  await add({ runAfter: '2026-11-21T10:00:01.000Z' })
  expect(await drain()).toBe(0)
  now += 1_000
  expect(await drain()).toBe(1)
})

test('parks a job whose process ended in ten attempts, before it is claimed once more', async () => {
  const { calls, drain } = createCountingJob()
  await add({ key: 'a' })
  await add()
  await store.write(({ db }) =>
    db
      .updateTable('job')
      .set({ state: 'running', attempts: 9, leaseUntil: currentInstant() })
      .where('key', '=', 'a')
      .execute(),
  )
  const claimed = await claim(store, currentInstant(), defineJob(kind, { run: async () => undefined }))
  expect(claimed).toMatchObject({ attempts: 10 })
  now += 61_000
  expect(await drain()).toBe(1)
  expect(calls).toHaveLength(1)
  expect(await rows()).toMatchObject([
    {
      state: 'parked',
      key: null,
      attempts: 10,
      lastError: 'The process ended while the job ran, or the job lost its lease',
    },
  ])
})

test('a parked daily job runs again on the next day', async () => {
  const attempts: string[] = []
  const daily: Job = defineJob(kind, {
    every: 'day',
    run: async () => {
      attempts.push(currentInstant().slice(0, 10))
      throw new Error('no')
    },
  })
  for (let tries = 0; tries < 10; tries++, now += 3_600_000) await drain([daily])
  expect(await rows()).toMatchObject([{ state: 'parked' }, { state: 'pending', runAfter: '2026-11-22T00:00:00.000Z' }])
  expect(attempts).toHaveLength(10)
})

test('retries a failed job with growing delays and parks it after ten attempts', async () => {
  const { calls, drain } = createCountingJob(async () => {
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

test('claims the job of a dead process when its lease expires', async () => {
  const { drain } = createCountingJob()
  await add()
  await store.write(({ db }) =>
    db.updateTable('job').set({ state: 'running', leaseUntil: '2026-11-21T10:01:00.000Z' }).execute(),
  )
  expect(await drain()).toBe(0)
  now += 60_000
  expect(await drain()).toBe(1)
})

test('runs a daily job once a day', async () => {
  let runs = 0
  const daily = defineJob(kind, { every: 'day', run: async () => void runs++ })
  const go = () => drain([daily])
  expect(await go()).toBe(1)
  expect(await go()).toBe(0)
  now = Date.parse('2026-11-22T00:00:00Z')
  expect(await go()).toBe(1)
  expect(runs).toBe(2)
})

describe('after the clock was set back by a month', () => {
  const setBack = () => {
    now -= 30 * 86_400_000
  }

  test('runs pending jobs at once', async () => {
    const { drain } = createCountingJob()
    await add()
    setBack()
    expect(await drain()).toBe(1)
  })

  test('retries a failed job at once and then with its regular delay', async () => {
    const { calls, drain } = createCountingJob(async () => {
      throw new Error('no luck')
    })
    await add()
    await drain()
    setBack()
    expect(await drain()).toBe(1)
    expect(await drain()).toBe(0)
    now += 4_000
    expect(await drain()).toBe(1)
    expect(calls).toHaveLength(3)
  })

  test('runs a daily job at once and then every day', async () => {
    let runs = 0
    const daily = defineJob(kind, { every: 'day', run: async () => void runs++ })
    const go = () => drain([daily])
    await go()
    setBack()
    expect(await go()).toBe(1)
    expect(await go()).toBe(0)
    now += 86_400_000
    expect(await go()).toBe(1)
  })

  test('claims the job of a dead process after a whole lease', async () => {
    const { drain } = createCountingJob()
    await add()
    const leaseUntil = new Date(now + 60_000).toISOString()
    await store.write(({ db }) => db.updateTable('job').set({ state: 'running', leaseUntil }).execute())
    setBack()
    expect(await drain()).toBe(0)
    now += 59_999
    expect(await drain()).toBe(0)
    now += 1
    expect(await drain()).toBe(1)
  })

  test('keeps the delay of jobs that were stored since', async () => {
    const { drain } = createCountingJob()
    setBack()
    await add({ runAfter: new Date(now + 86_400_000).toISOString() })
    expect(await drain()).toBe(0)
  })
})

test('rolls back a job that was enqueued in a failed transaction', async () => {
  const failing = store.write(async (handle) => {
    await enqueue(handle, { now: currentInstant(), call: {} }, kind, [{ payload: {} }])
    throw new Error('undone')
  })
  await expect(failing).rejects.toThrow('undone')
  expect(await rows()).toEqual([])
})

test('never runs a job in two workers', async () => {
  const { calls, drain: one } = createCountingJob()
  const other = createCountingJob()
  for (let count = 0; count < 10; count++) await add()
  await Promise.all([one(), other.drain()])
  expect(calls.length + other.calls.length).toBe(10)
})

test('renews the lease of a long-running job', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    await add()
    let others: number | undefined
    const work = createCountingJob(async () => {
      for (let round = 0; round < 5; round++) {
        now += 30_000
        vi.advanceTimersByTime(20_000)
        await expect.poll(async () => (await rows())[0]?.leaseUntil).toBe(new Date(now + 60_000).toISOString())
      }
      others = await drain([defineJob(kind, { run: async () => undefined })])
    })
    await work.drain()
    expect(others).toBe(0)
    expect(work.calls).toHaveLength(1)
    expect(await rows()).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})

test('ignores the result of a process that lost its lease', async () => {
  await add()
  const late = createCountingJob(async () => {
    now += 61_000
    // Another process claims the job and fails.
    const failing = createCountingJob(async () => {
      throw new Error('no such host')
    })
    expect(await failing.drain()).toBe(1)
  })
  await late.drain()
  expect(await rows()).toMatchObject([{ state: 'pending', attempts: 2, lastError: 'no such host' }])
})
