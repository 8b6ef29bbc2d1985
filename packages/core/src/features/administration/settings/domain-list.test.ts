import { describe, expect, test } from 'vitest'
import { isEmailDomainListed, signUpEmailProblem } from './domain-list.ts'

describe('isEmailDomainListed', () => {
  test.each([
    ['ann@a.example', 'a.example', true],
    ['ann@A.EXAMPLE', 'a.Example', true],
    ['ann@a.example', ' a.example ', true],
    ['ann@a.example.', 'a.example', true],
    ['ann@sub.a.example', 'a.example', false],
    ['ann@nota.example', 'a.example', false],
    ['ann@a.example.org', 'a.example', false],
    ['ann@sub.a.example', '*.a.example', true],
    ['ann@x.sub.a.example', '*.a.example', true],
    ['ann@a.example', '*.a.example', false],
    ['ann@a.example', '*a.example', true],
    ['ann@a.example', '*', true],
    ['ann@mail.a.example', 'mail.*', true],
    ['ann@mail.a.example', 'm*a.*e', true],
    ['ann@mail.a.example', '*.*.*', true],
    ['ann@a.example', '*.*.*', false],
    ['ann@aba', 'ab*ba', false],
    ['ann@abba', 'ab*ba', true],
    ['ann@aXb', 'a.b', false],
    ['ann@münchen.example', 'xn--mnchen-3ya.example', true],
    ['ann@xn--mnchen-3ya.example', '*.example', true],
    ['ann@mail.xn--mnchen-3ya.example', '*.münchen.example', true],
    ['"ann@b.example"@a.example', 'b.example', false],
    ['"ann@b.example"@a.example', 'a.example', true],
    ['a.example', 'a.example', false],
    ['ann@', '*', false],
    ['@a.example', 'a.example', false],
  ])('%s in %s: %s', (email, pattern, listed) => {
    expect(isEmailDomainListed(email, [pattern])).toBe(listed)
  })

  test('matches when one of several patterns does, and never without patterns', () => {
    expect(isEmailDomainListed('ann@b.example', ['a.example', 'b.example'])).toBe(true)
    expect(isEmailDomainListed('ann@b.example', [])).toBe(false)
  })

  test('handles many asterisks in one pattern without backtracking', () => {
    const email = `ann@${'a'.repeat(250)}`
    for (let round = 0; round < 100; round++) expect(isEmailDomainListed(email, [`${'*a'.repeat(120)}*b`])).toBe(false)
  })
})

describe('signUpEmailProblem', () => {
  const open = {
    domainWhitelist: null,
    domainBlacklist: [],
    domainBlacklistEnabled: false,
    emailRestrictions: null,
    emailRestrictionsEnabled: false,
  }

  test('rejects addresses that match the restriction while it is enabled', () => {
    const settings = { ...open, emailRestrictions: '^[^@]*\\+', domainWhitelist: ['a.example'] }
    expect(signUpEmailProblem('ann+1@a.example', settings)).toBeUndefined()
    const enabled = { ...settings, emailRestrictionsEnabled: true }
    expect(signUpEmailProblem('ann+1@a.example', enabled)).toBe('is not allowed for sign-up.')
    expect(signUpEmailProblem('ann@a.example', enabled)).toBeUndefined()
  })

  test('allows every domain while both lists are empty', () => {
    expect(signUpEmailProblem('ann@a.example', open)).toBeUndefined()
    expect(signUpEmailProblem('ann@a.example', { ...open, domainWhitelist: [] })).toBeUndefined()
  })

  test('rejects domains outside a non-empty allow list', () => {
    const settings = { ...open, domainWhitelist: ['*.a.example', 'b.example'] }
    expect(signUpEmailProblem('ann@x.a.example', settings)).toBeUndefined()
    expect(signUpEmailProblem('ann@b.example', settings)).toBeUndefined()
    expect(signUpEmailProblem('ann@c.example', settings)).toBe('domain is not authorized for sign-up')
    expect(signUpEmailProblem('no address', settings)).toBe('domain is not authorized for sign-up')
  })

  test('applies the block list only while it is enabled', () => {
    const settings = { ...open, domainBlacklist: ['*.a.example'] }
    expect(signUpEmailProblem('ann@x.a.example', settings)).toBeUndefined()
    const enabled = { ...settings, domainBlacklistEnabled: true }
    expect(signUpEmailProblem('ann@x.a.example', enabled)).toBe('is not from an allowed domain.')
    expect(signUpEmailProblem('ann@b.example', enabled)).toBeUndefined()
  })

  test('prefers the allow list over the block list', () => {
    const settings = {
      emailRestrictions: null,
      emailRestrictionsEnabled: false,
      domainWhitelist: ['a.example'],
      domainBlacklist: ['*.example', 'a.example'],
      domainBlacklistEnabled: true,
    }
    expect(signUpEmailProblem('ann@a.example', settings)).toBeUndefined()
    expect(signUpEmailProblem('ann@b.example', settings)).toBe('domain is not authorized for sign-up')
  })
})
