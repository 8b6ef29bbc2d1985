import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createWaitQueues } from './wait-queue.ts'

const createQueues = (timeout = 0) => createWaitQueues({ timeout, createError: () => new Error('too late') })

test('work of one name runs in the order of the calls, one at a time, and of different names at the same time', async () => {
  const queues = createQueues()
  const events: string[] = []
  const gates = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() }
  const run = (name: string, label: string, gate: Promise<void> = Promise.resolve()) =>
    queues.run(name, async () => {
      events.push(`${label} starts`)
      await gate
      events.push(`${label} ends`)
    })
  const first = run('project 1', 'a', gates.a.promise)
  const second = run('project 1', 'b', gates.b.promise)
  const third = run('project 1', 'c')
  await run('project 2', 'other')
  expect(events).toEqual(['a starts', 'other starts', 'other ends'])
  gates.a.resolve()
  await first
  gates.b.resolve()
  await Promise.all([second, third])
  expect(events.slice(3)).toEqual(['a ends', 'b starts', 'b ends', 'c starts', 'c ends'])
})

test('an error does not stop the queue', async () => {
  const queues = createQueues()
  const failing = queues.run('x', () => Promise.reject(new Error('broken')))
  const next = queues.run('x', async () => 'done')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('done')
  expect(await queues.run('x', async () => 'again')).toBe('again')
})

test('a turn that does not come in time is given up, and the others continue', async () => {
  const queues = createQueues(20)
  const gate = Promise.withResolvers<string>()
  const running = queues.run('x', () => gate.promise)
  let hasRun = false
  await expect(
    queues.run('x', async () => {
      hasRun = true
    }),
  ).rejects.toThrow('too late')
  gate.resolve('done')
  expect(await running).toBe('done')
  expect(await queues.run('x', async () => 'next')).toBe('next')
  await pause(30)
  expect(hasRun).toBe(false)
})
