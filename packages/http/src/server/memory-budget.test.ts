import { expect, test } from 'vitest'
import { createMemoryBudget } from './memory-budget.ts'

const refused = { code: 'unavailable', retryAfter: 5 }
const create = (timeout = 10_000) => createMemoryBudget({ total: 100, caller: 60, timeout })

test('a caller waits until its earlier replies have been sent, and others do not', async () => {
  const budget = create()
  const first = budget.open(() => 'a')
  await first.reserve(40)
  const order: string[] = []
  const second = budget.open(() => 'a')
  const waiting = second.reserve(40).then(() => order.push('a again'))
  await budget
    .open(() => 'b')
    .reserve(40)
    .then(() => order.push('b'))
  first.release()
  await waiting
  expect(order).toEqual(['b', 'a again'])
})

test('all callers together have a limit, and one request is always admitted', async () => {
  const budget = create(10)
  const large = budget.open(() => 'a')
  await large.reserve(1_000)
  await expect(budget.open(() => 'b').reserve(1)).rejects.toMatchObject(refused)
  large.release()
  await budget.open(() => 'b').reserve(1)
})

test('a reply that was produced before it was counted is refused, not kept waiting', async () => {
  const budget = create()
  const first = budget.open(() => 'a')
  expect(first.admit(50)).toBe(true)
  // What the request has reserved counts once.
  expect(first.admit(60)).toBe(true)
  const second = budget.open(() => 'a')
  expect(second.admit(1)).toBe(false)
  first.release()
  expect(second.admit(60)).toBe(true)
})

test('a request whose client is gone reserves nothing, which nobody would return', async () => {
  const budget = create()
  const gone = budget.open(() => 'a')
  gone.release()
  await expect(gone.reserve(40)).rejects.toMatchObject(refused)
  expect(gone.admit(60)).toBe(true)
  expect(budget.open(() => 'a').admit(60)).toBe(true)
})
