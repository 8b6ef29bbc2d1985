import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { readTrailers } from './commit-trailers.ts'

const messages: Readonly<Record<string, string>> = {
  'one name twice': 'Title\n\nText.\n\nCc: Ada <ada@example.com>\nCc: Bob\nReviewed-by: Eve\n',
  'a continued value': 'Title\n\nCc: Ada\n  Lovelace\n\tof London\nSigned-off-by: Bob\n',
  'a title only': 'Cc: Ada\n',
  'a title and a text with a colon': 'Title\n\nNote this: it works\nand more\n',
  'text before a trailer in the same paragraph': 'Title\n\nText\nCc: Ada\n',
  'text around a signature': 'Title\n\nText\nmore text\nSigned-off-by: Ada\n',
  'too much text around a signature': 'Title\n\n1\n2\n3\n4\nSigned-off-by: Ada\n',
  'a cherry-pick': 'Title\n\nCc: Ada\n(cherry picked from commit 1234567)\n',
  'blanks before the colon': 'Title\n\nCc : Ada\nReviewed-by\t: Bob\n',
  'blank lines and a comment at the end': 'Title\n\nCc: Ada\n\n# a comment\n\n',
  'an empty value': 'Title\n\nCc:\nX: \n',
  'a space in the name': 'Title\n\nNot a trailer: x\n',
  'blank lines at the beginning': '\n\nTitle\n\nCc: Ada\n',
  'a line that is indented first': 'Title\n\n  Cc: Ada\nCc: Bob\n',
  'a name of Object': 'Title\n\nconstructor: x\n__proto__: y\n',
}

test.each(Object.entries(messages))('trailers are those of git: %s', (_, message) => {
  const parsed = execFileSync('git', ['interpret-trailers', '--parse', '--no-divider'], {
    input: message.trimStart(),
    encoding: 'utf8',
  })
  const expected = parsed.split('\n').flatMap((line) => (line === '' ? [] : [line.replace(/: ?/, ': ').trimEnd()]))
  const { extendedTrailers } = readTrailers(message)
  const found = Object.entries(extendedTrailers).flatMap(([name, values]) =>
    values.map((value) => `${name}: ${value}`.trimEnd()),
  )
  expect(found.toSorted()).toEqual(expected.toSorted())
})

test('a name has its last value, and all of them', () => {
  expect(readTrailers('Title\n\nCc: Ada\nCc: Bob\n')).toEqual({
    trailers: { Cc: 'Bob' },
    extendedTrailers: { Cc: ['Ada', 'Bob'] },
  })
})
