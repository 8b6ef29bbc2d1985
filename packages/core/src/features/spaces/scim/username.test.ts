import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPathSegment } from '../../../shared/text.ts'
import { numberedUsername, toUsername } from './username.ts'

describe('toUsername', () => {
  test.each([
    ['ann', 'ann'],
    ['Ann.Lee', 'Ann.Lee'],
    ['ann@example.com', 'ann'],
    ['ann+work@example.com', 'annwork'],
    ['ann@a@b', 'ann'],
    ['ann_example.com#EXT#@tenant.example', 'ann_example.comEXT'],
    ["o'neil@example.com", 'oneil'],
    ['José Núñez', 'JosNez'],
    ['--ann', 'ann'],
    ['..ann', 'ann'],
    ['ann.', 'ann'],
    ['ann.git', 'ann'],
    ['ann.GIT.atom.', 'ann'],
    ['ann.git.x', 'ann.git.x'],
    ['.git', 'git'],
    ['東京', 'user'],
    ['@example.com', 'user'],
    ['...', 'user'],
    ['', 'user'],
    ['a'.repeat(300), 'a'.repeat(240)],
    [`${'a'.repeat(239)}.b`, 'a'.repeat(239)],
  ])('%s becomes %s', (userName, username) => {
    expect(toUsername(userName)).toBe(username)
  })

  test('returns a valid username for any text, also with a number', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom(...'a.-_@gitom G'), maxLength: 30 }),
    )
    fc.assert(
      fc.property(text, fc.nat(100_000), (userName, attempt) => {
        expect(isPathSegment(numberedUsername(toUsername(userName), attempt))).toBe(true)
      }),
    )
  })
})

test('numbers the attempts from the second one on', () => {
  expect([0, 1, 2].map((attempt) => numberedUsername('ann', attempt))).toEqual(['ann', 'ann1', 'ann2'])
})
