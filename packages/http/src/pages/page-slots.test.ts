import { expect, test } from 'vitest'
import { createPageSlots } from './page-slots.ts'

test('the pages of one caller wait for each other, and those of others do not', async () => {
  const slots = createPageSlots({ total: 3, caller: 2, waiting: 1, timeout: 10_000 })
  const gate = Promise.withResolvers<void>()
  const order: string[] = []
  const show = (caller: string, name: string) => slots.run(caller, () => gate.promise.then(() => order.push(name)))
  const pages = [show('a', 'a1'), show('a', 'a2'), show('a', 'a3')]
  await expect(show('a', 'a4')).rejects.toMatchObject({ code: 'limited', retryAfter: 5 })
  await slots.run('b', async () => order.push('b'))
  gate.resolve()
  await Promise.all(pages)
  expect(order).toEqual(['b', 'a1', 'a2', 'a3'])
  await slots.run('a', async () => order.push('a5'))
  expect(order.at(-1)).toBe('a5')
})

test('a page that gets no slot in time is refused, and an error frees its slot', async () => {
  const slots = createPageSlots({ total: 1, caller: 1, waiting: 1, timeout: 10 })
  const gate = Promise.withResolvers<void>()
  const failing = slots.run('a', () => gate.promise.then(() => Promise.reject(new Error('broken'))))
  await expect(slots.run('b', async () => 'late')).rejects.toMatchObject({ code: 'unavailable' })
  gate.resolve()
  await expect(failing).rejects.toThrow('broken')
  expect(await slots.run('b', async () => 'free')).toBe('free')
})
