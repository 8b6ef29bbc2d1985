import { describe, expect, test } from 'vitest'
import { escapeLikePattern, parseSearchText, toContainsPattern } from './search-text.ts'

describe('parseSearchText', () => {
  test.each([
    ['login page', ['login', 'page']],
    ['  login \t\n page ', ['login', 'page']],
    ['"login page" broken', ['login page', 'broken']],
    ['broken "login page"', ['broken', 'login page']],
    ['a login of it', ['login']],
    ['login login', ['login']],
    ['say"hello world"', ['say"hello', 'world"']],
    ['"never closed', ['"never', 'closed']],
    ['"ab" abc', ['abc']],
    ['"a b"', ['a b']],
    ['名前変更', ['名前変更']],
  ])('%j has the words %j', (text, words) => {
    expect(parseSearchText(text).words).toEqual(words)
  })

  test.each([
    ['ab', 'ab'],
    [' a  b ', 'a b'],
    ['👍👍', '👍👍'],
    ['', ''],
    [' \n', ''],
  ])('%j has no word of three characters, so the whole text is the term', (text, wholeText) => {
    expect(parseSearchText(text)).toEqual({ words: [], wholeText })
  })

  test('normalizes to composed characters', () => {
    expect(parseSearchText('cafe\u0301').words).toEqual(['caf\u00e9'])
  })

  test('accepts at most 1,024 characters', () => {
    expect(parseSearchText('a'.repeat(1024)).words).toHaveLength(1)
    expect(() => parseSearchText('a'.repeat(1025), 'query')).toThrow(
      expect.objectContaining({ code: 'invalid_input', problems: [expect.objectContaining({ fields: ['query'] })] }),
    )
  })

  test('accepts at most 64 words', () => {
    const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ')
    expect(parseSearchText(words(64)).words).toHaveLength(64)
    expect(() => parseSearchText(words(65))).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        problems: [{ fields: ['search'], message: 'has too many words (maximum is 64)' }],
      }),
    )
  })

  test('parses texts of quotes and whitespace only', () => {
    expect(parseSearchText(' '.repeat(1024)).words).toEqual([])
    for (const text of ['"'.repeat(1024), '" '.repeat(512), '"a'.repeat(512)]) {
      expect(parseSearchText(text).words.join('').length).toBeLessThanOrEqual(1024)
    }
  })
})

test('escapes the wildcards of LIKE', () => {
  expect(escapeLikePattern(String.raw`50%_a\b`)).toBe(String.raw`50\%\_a\\b`)
  expect(toContainsPattern('a_b')).toBe(String.raw`%a\_b%`)
})
