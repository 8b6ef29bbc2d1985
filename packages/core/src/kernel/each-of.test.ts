import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eachOf } from './each-of.ts'

test('results stand in the order of the items, however long each takes', async () => {
  const found = await eachOf([30, 1, 15], 3, async (time) => {
    await pause(time)
    return time
  })
  expect(found).toEqual([30, 1, 15])
})

test('no more than agreed at once, and all of them in the end', async () => {
  let running = 0
  let most = 0
  const done = await eachOf(
    Array.from({ length: 20 }, (_, at) => at),
    4,
    async (at) => {
      most = Math.max(most, ++running)
      await pause(1)
      running -= 1
      return at
    },
  )
  expect(most).toBe(4)
  expect(done).toHaveLength(20)
})

test('after a failure nothing new is begun', async () => {
  const begun: number[] = []
  const work = eachOf([0, 1, 2, 3, 4, 5, 6, 7], 2, async (at) => {
    begun.push(at)
    await pause(1)
    if (at === 1) throw new Error('broken')
  })
  await expect(work).rejects.toThrow('broken')
  await pause(20)
  expect(begun.length).toBeLessThan(5)
})

test('nothing is nothing', async () => {
  expect(await eachOf([], 4, async () => 1)).toEqual([])
})
