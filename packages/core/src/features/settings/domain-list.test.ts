import { describe, expect, test } from 'vitest'
import { emailInDomains, signUpEmailProblem } from './domain-list.ts'

describe('emailInDomains', () => {
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
  ])('%s in %s: %s', (email, pattern, inside) => {
    expect(emailInDomains(email, [pattern])).toBe(inside)
  })

  test('one of several is enough, none is not', () => {
    expect(emailInDomains('ann@b.example', ['a.example', 'b.example'])).toBe(true)
    expect(emailInDomains('ann@b.example', [])).toBe(false)
  })

  test('is found however many stars a pattern has', () => {
    const email = `ann@${'a'.repeat(250)}`
    for (let round = 0; round < 100; round++) expect(emailInDomains(email, [`${'*a'.repeat(120)}*b`])).toBe(false)
  })
})

describe('signUpEmailProblem', () => {
  const open = { domainWhitelist: null, domainBlacklist: [], domainBlacklistEnabled: false }

  test('everybody may sign up where nothing is listed', () => {
    expect(signUpEmailProblem('ann@a.example', open)).toBeUndefined()
    expect(signUpEmailProblem('ann@a.example', { ...open, domainWhitelist: [] })).toBeUndefined()
  })

  test('a white list admits nobody else', () => {
    const settings = { ...open, domainWhitelist: ['*.a.example', 'b.example'] }
    expect(signUpEmailProblem('ann@x.a.example', settings)).toBeUndefined()
    expect(signUpEmailProblem('ann@b.example', settings)).toBeUndefined()
    expect(signUpEmailProblem('ann@c.example', settings)).toBe('domain is not authorized for sign-up')
    expect(signUpEmailProblem('no address', settings)).toBe('domain is not authorized for sign-up')
  })

  test('a black list counts only while it is in force', () => {
    const settings = { ...open, domainBlacklist: ['*.a.example'] }
    expect(signUpEmailProblem('ann@x.a.example', settings)).toBeUndefined()
    const inForce = { ...settings, domainBlacklistEnabled: true }
    expect(signUpEmailProblem('ann@x.a.example', inForce)).toBe('is not from an allowed domain.')
    expect(signUpEmailProblem('ann@b.example', inForce)).toBeUndefined()
  })

  test('the white list wins over the black list', () => {
    const settings = {
      domainWhitelist: ['a.example'],
      domainBlacklist: ['*.example', 'a.example'],
      domainBlacklistEnabled: true,
    }
    expect(signUpEmailProblem('ann@a.example', settings)).toBeUndefined()
    expect(signUpEmailProblem('ann@b.example', settings)).toBe('domain is not authorized for sign-up')
  })
})
