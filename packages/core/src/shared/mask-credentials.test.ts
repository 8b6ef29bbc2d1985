import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskCredentials } from './mask-credentials.ts'

describe('maskCredentials', () => {
  test.each([
    ['nothing to hide', 'nothing to hide'],
    ['', ''],
    ['see https://example.com/a@b', 'see https://example.com/a@b'],
    [
      "fatal: unable to access 'https://ann:pw@h.example/x.git/': 403",
      "fatal: unable to access 'https://*****:*****@h.example/x.git/': 403",
    ],
    ['HTTPS://ann:pw@h.example', 'HTTPS://*****:*****@h.example'],
    ['https://token@h.example/x', 'https://*****@h.example/x'],
    ['https://:pw@h.example/x', 'https://:*****@h.example/x'],
    ['ssh://git@h.example/x', 'ssh://*****@h.example/x'],
    ['ssh://git:pw@h.example/x', 'ssh://*****:*****@h.example/x'],
    ['https://a:p@ss:w@h.example/x', 'https://*****:*****@h.example/x'],
    ['https://a:p?w#x@h.example/x', 'https://*****:*****@h.example/x'],
    ['https://a:pw@h1/x and\thttp://b:pw@h2', 'https://*****:*****@h1/x and\thttp://*****:*****@h2'],
    ['<https://a:pw@h/x>"https://b:pw@h"', '<https://*****:*****@h/x>"https://*****:*****@h"'],
    ['https://[2606:4700::1111]:444/x', 'https://[2606:4700::1111]:444/x'],
    ['https://a:pw@[2606:4700::1111]:444/x', 'https://*****:*****@[2606:4700::1111]:444/x'],
    [
      'proxy socks5h://a:pw@h:1080, redirect=https://b:pw@h/',
      'proxy socks5h://*****:*****@h:1080, redirect=https://*****:*****@h/',
    ],
    ['https://a:pw@', 'https://*****:*****@'],
    ['://a:pw@h ://', '://*****:*****@h ://'],
  ])('%j', (text, expected) => {
    expect(maskCredentials(text)).toBe(expected)
  })

  test('masks secrets everywhere, plain and encoded', () => {
    const secret = 'p/w d$1&'
    const text = `plain p/w d$1& encoded p%2Fw%20d%241%26 half p/w%20d$1& url https://a:p/w d$1&@h`
    expect(maskCredentials(text, { secrets: [secret, '', null] })).toBe(
      'plain ***** encoded ***** half ***** url https://a:*****@h',
    )
  })

  test('masks nested secrets and accepts lone surrogates', () => {
    expect(maskCredentials('abcd abcdef', { secrets: ['abcd', 'abcdef'] })).toBe('***** *****')
    expect(maskCredentials('x', { secrets: ['\ud800'] })).toBe('x')
  })

  test('removes lines that contain a secret of fewer than four characters', () => {
    const text = 'fatal: unable to access\nremote: xyz is wrong\nremote: x%26z too\nhint: check it'
    expect(maskCredentials(text, { secrets: ['xyz', 'x&z'] })).toBe('fatal: unable to access\nhint: check it')
    expect(maskCredentials(text, { secrets: ['xyz w'] })).toBe(text)
    expect(maskCredentials('all', { secrets: ['a'] })).toBe('')
  })

  test('masks the user before the host', () => {
    const text = 'git@h.example: Permission denied (publickey). legit@h.example, git push'
    const masked = '*****@h.example: Permission denied (publickey). legit@h.example, git push'
    expect(maskCredentials(text, { user: 'git' })).toBe(masked)
    expect(maskCredentials('a.b+c@h', { user: 'a.b+c' })).toBe('*****@h')
  })

  test('masks the password of a URL in any text', () => {
    const password = fc.string({
      unit: fc.constantFrom(...'abcXYZ019-._~!$&()+,;=:@%*?#[]'),
      minLength: 6,
      maxLength: 20,
    })
    fc.assert(
      fc.property(fc.string(), password, fc.string(), (before, secret, after) => {
        const text = `${before} https://ann:hush${secret}hush@h.example/x ${after}`
        expect(maskCredentials(text)).not.toContain(`hush${secret}hush`)
      }),
    )
  })

  test('handles long hostile texts within the time limit', () => {
    const hostile = ['://'.repeat(200_000), `://${'@'.repeat(600_000)}`, `://${'a:'.repeat(300_000)}`]
    for (const text of hostile) {
      expect(maskCredentials(text, { secrets: ['secret'] }).length).toBeGreaterThan(0)
    }
  })
})
