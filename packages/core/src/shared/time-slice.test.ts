import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { world } from '../../../../test/sqlite-world.ts'
import { leaveLongTurn } from './time-slice.ts'

let forge: FakeForge
beforeAll(async () => {
  forge = await world()
})
afterAll(() => forge.close())

const countTurns = async (work: () => Promise<unknown>) => {
  let turns = 0
  let isRunning = true
  const count = () => {
    turns += 1
    if (isRunning) setImmediate(count)
  }
  setImmediate(count)
  await work()
  isRunning = false
  return turns
}

const project = 'acme/web'

test.each([
  ['reads', () => forge.host.labels.list({ project })],
  ['writes', () => forge.host.issues.create({ project, title: 'Loop', author: 'alice' })],
])('a loop of awaited %s lets the event loop continue', async (_, call) => {
  const work = async () => {
    // Half a second of calls, or about fifty time slices.
    const end = performance.now() + 500
    while (performance.now() < end) await call()
  }
  expect(await countTurns(work)).toBeGreaterThan(5)
})

test('work that waits for a turn continues in the order in which it began to wait', async () => {
  const order: string[] = []
  const work = async (name: string) => {
    for (let step = 0; step < 3; step++) {
      await leaveLongTurn()
      order.push(name)
      const end = performance.now() + 12
      while (performance.now() < end);
    }
  }
  await Promise.all(['a', 'b', 'c'].map(work))
  expect(order.slice(0, 3).sort()).toEqual(['a', 'b', 'c'])
  expect(order).toHaveLength(9)
  expect(order.slice(-3).sort()).toEqual(['a', 'b', 'c'])
})
