import { expect, test } from 'vitest'
import { coalesce } from './coalesce.ts'

test('callers never share a call that began before their own, and share the next one', async () => {
  const calls: PromiseWithResolvers<number>[] = []
  const load = coalesce(() => {
    const call = Promise.withResolvers<number>()
    calls.push(call)
    return call.promise
  })
  const first = load()
  const [second, third] = [load(), load()]
  expect(calls).toHaveLength(1)
  calls[0]?.resolve(1)
  expect(await first).toBe(1)
  expect(calls).toHaveLength(2)
  const fourth = load()
  calls[1]?.reject(new Error('lost'))
  await expect(second).rejects.toThrow('lost')
  await expect(third).rejects.toThrow('lost')
  expect(calls).toHaveLength(3)
  calls[2]?.resolve(3)
  expect(await fourth).toBe(3)
  const fifth = load()
  expect(calls).toHaveLength(4)
  calls[3]?.resolve(4)
  expect(await fifth).toBe(4)
})
