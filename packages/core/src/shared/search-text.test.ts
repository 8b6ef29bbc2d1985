import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { escapeLikePattern, parseSearchText, toContainsPattern, toSearchPatterns } from './search-text.ts'

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

  test('parses texts of quotes and whitespace only', () => {
    expect(parseSearchText(' '.repeat(1024)).words).toEqual([])
    for (const text of ['"'.repeat(1024), '" '.repeat(512), '"a'.repeat(512)]) {
      expect(parseSearchText(text).words.join('').length).toBeLessThanOrEqual(1024)
    }
  })
})

describe('patterns', () => {
  const database = new Database(':memory:')
  const like = database.prepare(String.raw`select ? like ? escape '\' as hit`).pluck()
  const matches = (value: string, search: string) =>
    toSearchPatterns(search).every((pattern) => like.get(value, pattern) === 1)

  test('escape the wildcards of LIKE', () => {
    expect(escapeLikePattern(String.raw`50%_a\b`)).toBe(String.raw`50\%\_a\\b`)
    expect(toContainsPattern('a_b')).toBe(String.raw`%a\_b%`)
  })

  test.each([
    ['The Login page', 'login', true],
    ['The Login page', 'page login', true],
    ['The Login page', 'login missing', false],
    ['The Login page', '"login page"', true],
    ['The page for Login', '"login page"', false],
    ['anything', '', true],
    ['ab', 'AB', true],
    ['abc', 'ab', false],
    ['a%', '%%', false],
    ['%%', '%%', true],
    ['discount 50% off', '50%', true],
    ['discount 500 off', '50%', false],
    ['snake_case', 'e_c', true],
    ['snakeXcase', 'e_c', false],
    [String.raw`c:\temp`, String.raw`:\t`, true],
    ['c:xtemp', String.raw`:\t`, false],
  ])('%j matches %j: %s', (value, search, expected) => {
    expect(matches(value, search)).toBe(expected)
  })
})
