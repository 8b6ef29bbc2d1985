import { afterEach, beforeEach, expect, test } from 'vitest'
import { emptyStore } from '../../../../test/world.ts'
import { take } from './rate-limit.ts'
import type { Store } from './store.ts'

let store: Store
let now: number
beforeEach(async () => {
  now = Date.parse('2026-11-21T10:00:00Z')
  store = await emptyStore()
})
afterEach(() => store.close())

const ask = (key = 'user:1', limit = 5) =>
  store.write(({ db }) =>
    take({ db, now: new Date(now).toISOString() }, { name: 'archive', key, limit, message: 'too many' }),
  )
const rows = () => store.read(({ db }) => db.selectFrom('rateLimit').selectAll().orderBy('key').execute())

test('lets through what the limit allows and refuses the next one, with the seconds to wait', async () => {
  for (let left = 4; left >= 0; left--) {
    const { state, refusal } = await ask()
    expect(refusal).toBeUndefined()
    expect(state).toEqual({ name: 'archive', limit: 5, remaining: left, resetAt: now + 60_000 })
    now += 1_000
  }
  const { refusal, state } = await ask()
  expect(refusal).toMatchObject({ code: 'limited', message: 'too many', retryAfter: 55 })
  expect(state.remaining).toBe(0)
  now += 55_000
  expect((await ask()).refusal).toBeUndefined()
  expect((await ask()).refusal).toMatchObject({ retryAfter: 1 })
})

test('of any 60 seconds no more than the limit fits', async () => {
  const passed: number[] = []
  for (let second = 0; second < 300; second++) {
    now += 1_000
    if (!(await ask()).refusal) passed.push(now)
  }
  const crowded = passed.filter((start) => passed.filter((hit) => hit >= start && hit < start + 60_000).length > 5)
  expect(crowded).toEqual([])
  // And no fewer: as soon as one leaves the window, the next one fits.
  expect(passed).toHaveLength(25)
})

test('counts by key, keeps no more than it needs, and throws away what no longer counts', async () => {
  for (let call = 0; call < 9; call++) await ask('user:1')
  await ask('user:2')
  expect((await rows()).map(({ key, hits }) => [key, hits.length])).toEqual([
    ['archive user:1', 5],
    ['archive user:2', 1],
  ])
  now += 60_000
  await ask('user:3')
  expect((await rows()).map(({ key }) => key)).toEqual(['archive user:3'])
})

test('a clock that is set back locks nobody out for longer than a minute', async () => {
  for (let call = 0; call < 5; call++) await ask()
  now -= 86_400_000
  expect((await ask()).refusal).toMatchObject({ retryAfter: 60 })
  expect((await ask('user:2')).refusal).toBeUndefined()
})

test('callers that ask at the same moment are counted one by one', async () => {
  const all = await Promise.all(Array.from({ length: 12 }, () => ask()))
  expect(all.filter(({ refusal }) => refusal === undefined)).toHaveLength(5)
})
