import { describe, expect, test } from 'vitest'
import { slots } from './slots.ts'

describe('slots', () => {
  test('let so many in, the others in their order, and refuse the one too many', async () => {
    const places = slots(2, 2)
    const first = await places.take()
    const second = await places.take()
    const order: string[] = []
    const third = places.take().then((leave) => {
      order.push('third')
      return leave
    })
    const fourth = places.take().then((leave) => {
      order.push('fourth')
      return leave
    })
    await expect(places.take()).rejects.toMatchObject({ code: 'limited', retryAfter: 1 })
    first()
    first()
    const leaveThird = await third
    expect(order).toEqual(['third'])
    second()
    await fourth
    leaveThird()
    expect(order).toEqual(['third', 'fourth'])
    await places.take()
  })

  test('keep one free of long work, and let short work pass waiting long work', async () => {
    const places = slots(3, 5)
    const long = [await places.take({ long: true }), await places.take({ long: true })]
    let started = false
    const waiting = places.take({ long: true }).then((leave) => {
      started = true
      return leave
    })
    const short = await places.take()
    expect(started).toBe(false)
    short()
    await places.take()
    expect(started).toBe(false)
    long[0]?.()
    await waiting
    expect(started).toBe(true)
  })

  test('forget those that leave the line', async () => {
    const places = slots(1, 1)
    const leave = await places.take()
    const controller = new AbortController()
    const waiting = places.take({ signal: controller.signal })
    controller.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    await expect(places.take({ signal: controller.signal })).rejects.toThrow('gone')
    const next = places.take()
    leave()
    await next
  })
})
