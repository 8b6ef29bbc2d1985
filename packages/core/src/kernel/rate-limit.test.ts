import { afterEach, beforeEach, expect, test } from 'vitest'
import { emptyStore } from '../../../../test/world.ts'
import { consumeRateLimit } from './rate-limit.ts'
import type { Store } from './store.ts'

let store: Store
let now: number
beforeEach(async () => {
  now = Date.parse('2026-11-21T10:00:00Z')
  store = await emptyStore()
})
afterEach(() => store.close())

const consume = (key = 'user:1', limit = 5) =>
  store.write(({ db, dialect }) =>
    consumeRateLimit(
      { db, dialect, now: new Date(now).toISOString() },
      { name: 'archive', key, limit, message: 'too many' },
    ),
  )
const rows = () => store.read(({ db }) => db.selectFrom('rateLimit').selectAll().orderBy('key').execute())

test('rejects calls over the limit with the seconds to wait', async () => {
  for (let left = 4; left >= 0; left--) {
    const { state, error } = await consume()
    expect(error).toBeUndefined()
    expect(state).toEqual({ name: 'archive', limit: 5, remaining: left, resetAt: now + 60_000 })
    now += 1_000
  }
  const { error, state } = await consume()
  expect(error).toMatchObject({ code: 'limited', message: 'too many', retryAfter: 55 })
  expect(state.remaining).toBe(0)
  now += 55_000
  expect((await consume()).error).toBeUndefined()
  expect((await consume()).error).toMatchObject({ retryAfter: 1 })
})

test('allows exactly the limit in every 60-second window', async () => {
  const allowed: number[] = []
  for (let second = 0; second < 300; second++) {
    now += 1_000
    if (!(await consume()).error) allowed.push(now)
  }
  const overLimit = allowed.filter((start) => allowed.filter((hit) => hit >= start && hit < start + 60_000).length > 5)
  expect(overLimit).toEqual([])
  // The limit is used up: the next call is allowed as soon as one leaves the window.
  expect(allowed).toHaveLength(25)
})

test('counts by key, stores at most the limit, and deletes expired rows', async () => {
  for (let call = 0; call < 9; call++) await consume('user:1')
  await consume('user:2')
  expect((await rows()).map(({ key, hits }) => [key, hits.length])).toEqual([
    ['archive user:1', 5],
    ['archive user:2', 1],
  ])
  now += 60_000
  await consume('user:3')
  expect((await rows()).map(({ key }) => key)).toEqual(['archive user:3'])
})

test('counts hits in the future from the first call after the clock was set back', async () => {
  for (let call = 0; call < 5; call++) await consume()
  now -= 86_400_000
  expect((await consume()).error).toMatchObject({ retryAfter: 60 })
  expect((await consume('user:2')).error).toBeUndefined()
  now += 20_000
  expect((await consume()).error).toMatchObject({ retryAfter: 40 })
  now += 40_000
  for (let call = 0; call < 5; call++) expect((await consume()).error).toBeUndefined()
  expect((await consume()).error).toMatchObject({ retryAfter: 60 })
})

test('counts concurrent calls one by one', async () => {
  const all = await Promise.all(Array.from({ length: 12 }, () => consume()))
  expect(all.filter(({ error }) => error === undefined)).toHaveLength(5)
})
