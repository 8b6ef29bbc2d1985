import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { parseBlame } from './blame.ts'

const [first, second] = ['a'.repeat(40), 'b'.repeat(40)]

test('lines belong to their commits', async () => {
  const output = `${first} 1 1 2\nauthor A\n\tone\n${first} 2 2\n\t\ttwo\n${second} 1 3 1\nauthor B\n\t\n`
  expect(await parseBlame(Buffer.from(output))).toEqual([
    { commit: first, lines: ['one', '\ttwo'] },
    { commit: second, lines: [''] },
  ])
  expect(await parseBlame(Buffer.from(''))).toEqual([])
})

test('a large file is parsed over several turns of the event loop', async () => {
  let turns = 0
  let isRunning = true
  const count = async () => {
    while (isRunning) {
      turns += 1
      await setImmediate()
    }
  }
  const counting = count()
  const [range, ...others] = await parseBlame(Buffer.from(`${first} 1 1\n\tline\n`.repeat(100_000)))
  isRunning = false
  await counting
  expect([range?.lines.length, others.length]).toEqual([100_000, 0])
  // 5 MB, of which a turn parses one.
  expect(turns).toBeGreaterThanOrEqual(5)
})
