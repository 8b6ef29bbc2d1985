import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toEnvironmentSlug } from './mutations.ts'

describe('toEnvironmentSlug', () => {
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
  ])('converts %s to %s', (name, slug) => {
    expect(toEnvironmentSlug(name)).toBe(slug)
  })

  test('keeps a name of 24 valid characters', () => {
    expect(toEnvironmentSlug('a'.repeat(24))).toBe('a'.repeat(24))
  })

  test('generates different slugs for names that differ only in case, punctuation or length', () => {
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
    expect(new Set(names.map((name) => toEnvironmentSlug(name))).size).toBe(names.length)
  })

  test('generates a different slug for each attempt and name', () => {
    const slugs = ['foo', 'foo-', 'Foo'].flatMap((name) => [1, 2, 3].map((attempt) => toEnvironmentSlug(name, attempt)))
    expect(new Set([...slugs, toEnvironmentSlug('foo')]).size).toBe(10)
    expect(toEnvironmentSlug('foo', 2)).toBe(toEnvironmentSlug('foo', 2))
    expect(toEnvironmentSlug('foo', 1)).toMatch(/^foo-[a-z0-9]{6}$/)
  })

  test('generates a valid slug for any name', () => {
    const name = fc.oneof(
      fc.string({ minLength: 1, maxLength: 255 }),
      fc.string({ unit: fc.constantFrom(...'aZ9/-_. {$}'), minLength: 1, maxLength: 40 }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
    )
    fc.assert(
      fc.property(name, fc.nat(3), (text, attempt) => {
        expect(toEnvironmentSlug(text, attempt)).toMatch(/^[a-z](?:[a-z0-9-]{0,22}[a-z0-9])?$/)
      }),
    )
  })
})
