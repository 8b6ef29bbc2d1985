import { expect, test } from 'vitest'
import { memoryOf, type Remembered } from './memory.ts'
import type { Handle } from './store.ts'

const epoch = {}
const handle = { epoch: () => epoch } as Handle
const nothing = undefined

const counter = () => {
  let reads = 0
  const of: Remembered<number> = { read: async () => ++reads }
  return of
}

test('reads once, until it is told to forget', async () => {
  const memory = memoryOf()
  const of = counter()
  expect(await memory.recall(handle, nothing, of)).toBe(1)
  expect(await memory.recall(handle, nothing, of)).toBe(1)
  memory.forget(new Set([of]))
  expect(await memory.recall(handle, nothing, of)).toBe(2)
  expect([...memory.forgotten]).toEqual([of])
})

test('reads again when somebody else has written', async () => {
  const memory = memoryOf()
  const of = counter()
  await memory.recall(handle, nothing, of)
  const next = {}
  const later = { epoch: () => next } as Handle
  expect(await memory.recall(later, nothing, of)).toBe(2)
  expect(await memory.recall(later, nothing, of)).toBe(2)
})

test('a transaction that has changed it reads it anew, and keeps nothing for others', async () => {
  const memory = memoryOf()
  const of = counter()
  await memory.recall(handle, nothing, of)
  expect(await memory.recall(handle, new Set([of]), of)).toBe(2)
  expect(await memory.recall(handle, nothing, of)).toBe(1)
})

test('what was read while it was changed is not kept', async () => {
  const memory = memoryOf()
  let value = 'old'
  const waiting: (() => void)[] = []
  const of: Remembered<string> = {
    async read() {
      const seen = value
      await new Promise<void>((resolve) => waiting.push(resolve))
      return seen
    },
  }
  const early = memory.recall(handle, nothing, of)
  value = 'new'
  memory.forget(new Set([of]))
  waiting.shift()?.()
  expect(await early).toBe('old')
  const late = memory.recall(handle, nothing, of)
  waiting.shift()?.()
  expect(await late).toBe('new')
})

test('nothing that fails is kept', async () => {
  const memory = memoryOf()
  let failing = true
  const of: Remembered<string> = {
    async read() {
      if (failing) throw new Error('busy')
      return 'value'
    },
  }
  await expect(memory.recall(handle, nothing, of)).rejects.toThrow('busy')
  failing = false
  expect(await memory.recall(handle, nothing, of)).toBe('value')
})
