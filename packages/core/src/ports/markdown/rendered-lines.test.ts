import { expect, test } from 'vitest'
import { renderedLines } from './rendered-lines.ts'

/** With one character of text 206 bytes: 106 for the characters and 100 beside them. */
const html = 'x'.repeat(52)
const kept = (lines: ReturnType<typeof renderedLines>, texts: string) =>
  [...texts].filter((text) => lines.get(text) !== undefined).join('')

test('entries over an eighth of the room are not kept', () => {
  const lines = renderedLines(1_600)
  lines.set('a', 'x'.repeat(50))
  lines.set('b', 'x'.repeat(49))
  expect(kept(lines, 'ab')).toBe('b')
})

test('the least recently used one makes room', () => {
  const lines = renderedLines(8 * 206)
  for (const text of 'abcdefgh') lines.set(text, html)
  expect(lines.get('a')).toBe(html)
  lines.set('i', html)
  expect(kept(lines, 'abcdefghi')).toBe('acdefghi')
})

test('the same text counts once', () => {
  const lines = renderedLines(8 * 206)
  for (const text of 'abcdefgh') lines.set(text, html)
  for (let times = 0; times < 20; times++) lines.set('h', html)
  expect(kept(lines, 'abcdefgh')).toBe('abcdefgh')
  lines.set('a', 'y')
  expect(lines.get('a')).toBe('y')
})
