import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { environmentSlug } from './slug.ts'

describe('environmentSlug', () => {
  test.each([
    ['mepmep', 'mepmep'],
    ['production', 'production'],
    ['Production', 'production-iis43c'],
    ['review/fix-foo', 'review-fix-foo-v25cyx'],
    ['staging 1', 'staging-1-jjkrkn'],
    ['1foo', 'env-1foo-qtxreu'],
    ['foo--bar', 'foo-bar-q006cp'],
    ['a'.repeat(25), `${'a'.repeat(17)}-1n7uof`],
    ['foo-', 'foo'],
  ])('%s becomes %s', (name, slug) => {
    expect(environmentSlug(name)).toBe(slug)
  })

  test('a name of exactly 24 legal characters stays', () => {
    expect(environmentSlug('a'.repeat(24))).toBe('a'.repeat(24))
  })

  test('names that differ in case, marks or length only have different slugs', () => {
    const names = [
      'Staging',
      'STAGING',
      'staging',
      'staging.',
      'sta/ging',
      'sta ging',
      '-staging',
      '{staging}',
      '$staging',
      's'.repeat(40),
    ]
    expect(new Set(names.map((name) => environmentSlug(name))).size).toBe(names.length)
  })

  test('later attempts differ from each other, from the first one and between names', () => {
    const slugs = ['foo', 'foo-', 'Foo'].flatMap((name) => [1, 2, 3].map((attempt) => environmentSlug(name, attempt)))
    expect(new Set([...slugs, environmentSlug('foo')]).size).toBe(10)
    expect(environmentSlug('foo', 2)).toBe(environmentSlug('foo', 2))
    expect(environmentSlug('foo', 1)).toMatch(/^foo-[a-z0-9]{6}$/)
  })

  test('whatever the name, the slug is legal', () => {
    const name = fc.oneof(
      fc.string({ minLength: 1, maxLength: 255 }),
      fc.string({ unit: fc.constantFrom(...'aZ9/-_. {$}'), minLength: 1, maxLength: 40 }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
    )
    fc.assert(
      fc.property(name, fc.nat(3), (text, attempt) => {
        expect(environmentSlug(text, attempt)).toMatch(/^[a-z](?:[a-z0-9-]{0,22}[a-z0-9])?$/)
      }),
    )
  })
})
