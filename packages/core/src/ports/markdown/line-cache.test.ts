import { expect, test } from 'vitest'
import { createLineCache } from './line-cache.ts'

/** With a key of one character, an entry has 206 bytes: 106 for the characters and 100 for the entry. */
const html = 'x'.repeat(52)
const kept = (lines: ReturnType<typeof createLineCache>, texts: string) =>
  [...texts].filter((text) => lines.get(text) !== undefined).join('')

test('entries larger than an eighth of the cache are not cached', () => {
  const lines = createLineCache(1_600)
  lines.set('a', 'x'.repeat(50))
  lines.set('b', 'x'.repeat(49))
  expect(kept(lines, 'ab')).toBe('b')
})

test('recently used entries stay, others are evicted', () => {
  const lines = createLineCache(8 * 206)
  for (const text of 'abcdefgh') {
    lines.set(text, html)
    expect(lines.get('a')).toBe(html)
  }
  expect(kept(lines, 'abcdefgh')).toMatch(/^a.*h$/)
  for (const text of 'ijklmnop') lines.set(text, html)
  expect(kept(lines, 'bcdefgh')).toBe('')
})

test('the cache never exceeds its size', () => {
  const lines = createLineCache(8 * 206)
  const texts = Array.from({ length: 50 }, (_, at) => String.fromCharCode(97 + at))
  for (const text of texts) lines.set(text, html)
  expect(texts.filter((text) => lines.get(text) !== undefined).length).toBeLessThanOrEqual(8)
})

test('the same text counts once', () => {
  const lines = createLineCache(8 * 206)
  for (const text of 'abcd') lines.set(text, html)
  for (let times = 0; times < 20; times++) lines.set('d', html)
  expect(kept(lines, 'abcd')).toBe('abcd')
})
