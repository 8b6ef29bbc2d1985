import { describe, expect, test } from 'vitest'
import { createSlotPool } from './slot-pool.ts'

describe('createSlotPool', () => {
  test('queues requests in order and rejects requests above the limit', async () => {
    const slots = createSlotPool(2, 2, 'calls')
    const first = await slots.acquire()
    const second = await slots.acquire()
    const order: string[] = []
    const third = slots.acquire().then((release) => {
      order.push('third')
      return release
    })
    const fourth = slots.acquire().then((release) => {
      order.push('fourth')
      return release
    })
    await expect(slots.acquire()).rejects.toMatchObject({
      code: 'limited',
      message: 'Too many calls at once',
      retryAfter: 1,
    })
    first()
    first()
    const releaseThird = await third
    expect(order).toEqual(['third'])
    second()
    await fourth
    releaseThird()
    expect(order).toEqual(['third', 'fourth'])
    await slots.acquire()
  })

  test('keeps one slot for short requests, which overtake queued long-running requests', async () => {
    const slots = createSlotPool(3, 5, 'calls')
    const long = [await slots.acquire({ isLongRunning: true }), await slots.acquire({ isLongRunning: true })]
    let started = false
    const waiting = slots.acquire({ isLongRunning: true }).then((release) => {
      started = true
      return release
    })
    const short = await slots.acquire()
    expect(started).toBe(false)
    short()
    await slots.acquire()
    expect(started).toBe(false)
    long[0]?.()
    await waiting
    expect(started).toBe(true)
  })

  test('removes aborted requests from the queue', async () => {
    const slots = createSlotPool(1, 1, 'calls')
    const release = await slots.acquire()
    const controller = new AbortController()
    const waiting = slots.acquire({ signal: controller.signal })
    controller.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    await expect(slots.acquire({ signal: controller.signal })).rejects.toThrow('gone')
    const next = slots.acquire()
    release()
    await next
  })
})
