import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { mapConcurrently } from './map-concurrently.ts'

test('returns results in the order of the items', async () => {
  const results = await mapConcurrently([30, 1, 15], 3, async (time) => {
    await pause(time)
    return time
  })
  expect(results).toEqual([30, 1, 15])
})

test('processes all items with at most `limit` calls at once', async () => {
  let running = 0
  let maximum = 0
  const results = await mapConcurrently(
    Array.from({ length: 20 }, (_, index) => index),
    4,
    async (item) => {
      maximum = Math.max(maximum, ++running)
      await pause(1)
      running -= 1
      return item
    },
  )
  expect(maximum).toBe(4)
  expect(results).toHaveLength(20)
})

test('starts no calls after a failure', async () => {
  const started: number[] = []
  const work = mapConcurrently([0, 1, 2, 3, 4, 5, 6, 7], 2, async (item) => {
    started.push(item)
    await pause(1)
    if (item === 1) throw new Error('broken')
  })
  await expect(work).rejects.toThrow('broken')
  await pause(20)
  expect(started.length).toBeLessThan(5)
})

test('returns an empty list for no items', async () => {
  expect(await mapConcurrently([], 4, async () => 1)).toEqual([])
})
