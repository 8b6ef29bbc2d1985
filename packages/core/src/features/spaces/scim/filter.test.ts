import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPlatformError } from '../../../kernel/errors.ts'
import { parseScimFilter } from './filter.ts'

const filterErrorOf = (text: string) => {
  try {
    parseScimFilter(text)
  } catch (error) {
    if (isPlatformError(error)) return { code: error.code, scimType: error.reason }
    throw error
  }
  return undefined
}

describe('parseScimFilter', () => {
  test.each([
    ['id eq "abc"', 'id', 'abc'],
    ['userName eq "ann@example.com"', 'userName', 'ann@example.com'],
    ['externalId eq "0b1d9e5a-3c55-4a7e-9d43-000000000001"', 'externalId', '0b1d9e5a-3c55-4a7e-9d43-000000000001'],
    ['externalId eq jyoung', 'externalId', 'jyoung'],
    ['username EQ "Ann"', 'userName', 'Ann'],
    ['EXTERNALID Eq 7', 'externalId', '7'],
    ['emails.value eq "ann@example.com"', 'emails.value', 'ann@example.com'],
    ['  id   eq\t"abc"  ', 'id', 'abc'],
    ['id eq ""', 'id', ''],
    ['id eq "a b"', 'id', 'a b'],
    ['id eq "a \\"b\\" \\\\ \\u00e9"', 'id', 'a "b" \\ é'],
    ['id eq "a/b?c=d&e"', 'id', 'a/b?c=d&e'],
    ["userName eq o'neil@example.com", 'userName', "o'neil@example.com"],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ann"', 'userName', 'ann'],
  ])('parses %s', (text, attribute, value) => {
    expect(parseScimFilter(text)).toEqual({ attribute, value })
  })

  test.each([
    '',
    ' ',
    'id',
    'id eq',
    'id eq ',
    'ideq"abc"',
    'id "abc"',
    'eq "abc"',
    'id eq "abc',
    'id eq abc"',
    'id eq "abc"def',
    'id eq "abc" def',
    'id eq a b',
    'id eq "a\nb"',
    'id eq "a\\q"',
    'id eq "\\u0000"',
    'id eq "\\ud800"',
    'id eq \ud800',
    'id eq "a" and active eq true',
    'id eq "a" or id eq "b"',
    'not (id eq "a")',
    '(id eq "a")',
    'id eq (a)',
    'id eq ["a"]',
    'id eq {"a":1}',
    'id ne "a"',
    'id co "a"',
    'id pr',
    'id == "a"',
    'active eq true',
    'emails eq "ann@example.com"',
    'emails[type eq "work"].value eq "ann@example.com"',
    'name.formatted eq "Ann"',
    'meta.id eq "a"',
    '__proto__ eq "a"',
    'constructor eq "a"',
    'urn:ietf:params:scim:schemas:core:2.0:Group:id eq "a"',
    `id eq "${'a'.repeat(1024)}"`,
  ])('rejects %j', (text) => {
    expect(filterErrorOf(text)).toEqual({ code: 'invalid_input', scimType: 'invalid_filter' })
  })

  test('returns any value as it was encoded in JSON', () => {
    const value = fc.string({ unit: 'grapheme', maxLength: 100 }).filter((text) => !text.includes('\0'))
    fc.assert(fc.property(value, (text) => parseScimFilter(`userName eq ${JSON.stringify(text)}`).value === text))
  })

  test('parses or rejects any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const outcome = filterErrorOf(`id eq ${text}`)
        return outcome === undefined || outcome.scimType === 'invalid_filter'
      }),
    )
    expect(filterErrorOf(`id${' '.repeat(1_000_000)}eq`)?.scimType).toBe('invalid_filter')
    expect(filterErrorOf(`id eq ${' "'.repeat(500)}`)?.scimType).toBe('invalid_filter')
  })
})
