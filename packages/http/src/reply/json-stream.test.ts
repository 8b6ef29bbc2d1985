import fc from 'fast-check'
import { expect, test } from 'vitest'
import { measureJson, streamJson } from './json-stream.ts'

const collect = async (value: unknown) => {
  const pieces: Buffer[] = []
  for await (const piece of streamJson(value)) pieces.push(piece)
  return { text: Buffer.concat(pieces).toString(), largest: Math.max(0, ...pieces.map(({ length }) => length)) }
}

const long = 300_000

test('the pieces are the text of JSON.stringify', async () => {
  const values = [
    null,
    [],
    {},
    'x'.repeat(long),
    [undefined, 'a'.repeat(long), { b: undefined, c: new Date(0), d: ['"\\\n'.repeat(long)] }],
    { '"key"': '😀'.repeat(long), shifted: `x${'😀'.repeat(long)}`, lone: `${'\ud800'.repeat(long)}` },
    Array.from({ length: 100_000 }, (_, index) => ({ index })),
  ]
  for (const value of values) expect((await collect(value)).text === JSON.stringify(value)).toBe(true)
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      const large = { value, padding: 'x'.repeat(long), values: [value, value] }
      expect((await collect(large)).text).toBe(JSON.stringify(large))
    }),
    { numRuns: 20 },
  )
})

test('no piece is much longer than a quarter of a megabyte', async () => {
  const { largest } = await collect({ content: 'x'.repeat(5_000_000), list: Array(20_000).fill('y'.repeat(100)) })
  expect(largest).toBeLessThan(1_000_000)
})

test('a measurement ends at its limit', () => {
  expect(measureJson(['abc', 'de'])).toBeGreaterThanOrEqual(5)
  const endless = new Proxy([], { get: (_, key) => (key === Symbol.iterator ? [].values : undefined) })
  expect(measureJson([['x'.repeat(100)], endless], 50)).toBeGreaterThan(50)
})
