import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../../test/property-runs.ts'
import { compileNamePattern, namePatternProblem } from './name-pattern.ts'

const matches = (text: string, name: string): boolean => {
  const result = compileNamePattern(text)
  if ('problem' in result) throw new Error(result.problem)
  return result.pattern.matches(name)
}

describe('problems', () => {
  test.each([
    ['[', 'is an invalid regexp: missing closing ]: `[`'],
    ['(', 'is an invalid regexp: missing closing ): `(`'],
    ['*', 'is an invalid regexp: missing argument to repetition operator: `*`'],
    ['(a)\\1', 'is an invalid regexp: invalid escape sequence: `\\1`'],
    ['(?=a)', 'is an invalid regexp: invalid or unsupported Perl syntax: `(?=`'],
    ['(?<!a)b', 'is an invalid regexp: invalid named capture: `(?<!a)b`'],
    ['a{1001}', 'is an invalid regexp: invalid repeat count: `{1001}`'],
    ['a'.repeat(1025), 'is an invalid regexp: expression is too long (maximum is 1024 characters)'],
  ])('%j', (text, problem) => {
    expect(namePatternProblem(text)).toBe(problem)
  })

  test('truncates a long pattern in the message', () => {
    expect(namePatternProblem('('.repeat(900))?.length).toBeLessThan(300)
  })

  test.each([
    '',
    '.*',
    'v[0-9]+(\\.[0-9]+)*',
    '[a-f0-9]{40}',
    '\\p{Greek}+',
    '\\x{9999}',
    'a{1000}',
    'a'.repeat(1024),
    'v1\\.0|'.repeat(170),
  ])('accepts %j', (text) => {
    expect(namePatternProblem(text)).toBeUndefined()
  })
})

describe('hostile patterns', () => {
  const long = `${'a'.repeat(10_000)}b`

  test.each(['(a+)+$', '(a*)*b', '(a|a)*', '(a|aa)+$', '(.*)*x', '(x+x+)+y', '(a?){300}', '((a*)*)*c'])(
    'matching %s against a long name terminates',
    (text) => {
      expect(matches(text, long)).toBeTypeOf('boolean')
    },
  )

  test.each([
    `(${'a?'.repeat(490)}){1000}`,
    `(${'a'.repeat(1000)}){1000}`,
    `((a?){30}){30}`,
    `(${'a?'.repeat(200)}){0,99}`,
    `(${'a?'.repeat(100)}){99,}`,
    `([)]${'a?'.repeat(480)}){1000}`,
    `([(]${'a?'.repeat(480)}){1000}`,
    `(\\Q(\\E${'a?'.repeat(480)}){1000}`,
    '\\pL{1000}'.repeat(100),
    '(a?){1000}'.repeat(90),
    '((((((((((a?){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}',
  ])('rejects %s', (text) => {
    expect(namePatternProblem(text)).toBe('is an invalid regexp: expression is too large')
  })

  test('never throws', () => {
    const pieces = fc.constantFrom(
      'a',
      '.',
      '(',
      ')',
      '[',
      ']',
      '*',
      '+',
      '?',
      '{100}',
      '{2,}',
      '{0,50}',
      '|',
      '\\',
      '^',
      '$',
      '(?i)',
      '\\Q',
      'é',
      '\ud800',
    )
    fc.assert(
      fc.property(fc.string({ unit: pieces, maxLength: 60 }), (text) => {
        expect([undefined, expect.any(String)]).toContainEqual(namePatternProblem(text))
      }),
      propertyRuns(150),
    )
  })
})
