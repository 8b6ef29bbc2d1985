import { describe, expect, test } from 'vitest'
import { domainKey, domainNameProblem } from './domain-name.ts'

const label = 'a'.repeat(63)

describe('domainNameProblem', () => {
  test.each([
    'example.com',
    'WWW.Example.COM',
    'a-b.c--d.example',
    'xn--bcher-kva.example',
    '123.456.789',
    '0x12345.com',
    'localhost.example',
    'a',
    `${label}.example`,
    `${label}.${label}.${label}.${'a'.repeat(61)}b`,
  ])('accepts %s', (name) => {
    expect(domainNameProblem(name, 'pages.example.org')).toBeUndefined()
  })

  test.each([
    ['', "can't be blank"],
    ['  ', "can't be blank"],
    ['*.example.com', 'must not contain a wildcard'],
    ['www.*.com', 'must not contain a wildcard'],
    ['bücher.example', 'must be written in ASCII (xn--...)'],
    ['example.com\u00a0', 'must be written in ASCII (xn--...)'],
    [`${label}.${label}.${label}.${label}a`, 'is too long (maximum is 255 characters)'],
    [`${label}a.example`, 'is not a valid host name'],
    ['example..com', 'is not a valid host name'],
    ['.example.com', 'is not a valid host name'],
    ['example.com.', 'is not a valid host name'],
    ['-a.example', 'is not a valid host name'],
    ['a-.example', 'is not a valid host name'],
    ['_a.example', 'is not a valid host name'],
    ['a_b.example', 'is not a valid host name'],
    ['exa mple.com', 'is not a valid host name'],
    [' example.com', 'is not a valid host name'],
    ['example.com\n', 'is not a valid host name'],
    ['example.com:443', 'is not a valid host name'],
    ['example.com/path', 'is not a valid host name'],
    ['https://example.com', 'is not a valid host name'],
    ['[::1]', 'is not a valid host name'],
    ['localhost', 'must not be localhost'],
    ['LOCALHOST', 'must not be localhost'],
    ['a.localhost', 'must not be localhost'],
    ['127.0.0.1', 'must not be an IP address'],
    ['127.1', 'must not be an IP address'],
    ['0x7f000001', 'must not be an IP address'],
    ['2130706433', 'must not be an IP address'],
    ['ann@example.com', 'is not a valid host name'],
    ['example.com\0', 'is not a valid host name'],
  ])('rejects %j', (name, problem) => {
    expect(domainNameProblem(name)).toBe(problem)
  })

  test('rejects the Pages host and its subdomains', () => {
    const restricted = '*.pages.example.org is restricted'
    for (const name of ['pages.example.org', 'ann.pages.example.org', 'A.B.Pages.Example.Org']) {
      expect(domainNameProblem(name, 'Pages.example.org')).toBe(restricted)
    }
    for (const name of ['otherpages.example.org', 'example.org', 'pages.example.org.example']) {
      expect(domainNameProblem(name, 'pages.example.org')).toBeUndefined()
    }
  })
})

test('domainKey ignores case', () => {
  expect(domainKey('WWW.Example.com')).toBe(domainKey('www.EXAMPLE.com'))
})
