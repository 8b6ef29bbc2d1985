import { describe, expect, test } from 'vitest'
import { maskOutboundUrl, type OutboundUrl, type OutboundUrlRules, parseOutboundUrl } from './outbound-url.ts'

const parse = (text: string, rules?: OutboundUrlRules): OutboundUrl => {
  const result = parseOutboundUrl(text, rules)
  if ('problem' in result) throw new Error(result.problem)
  return result.target
}

const problemOf = (text: string, rules?: OutboundUrlRules) => {
  const result = parseOutboundUrl(text, rules)
  return 'problem' in result ? result.problem : undefined
}

describe('accepted', () => {
  test.each([
    ['https://example.com/x.git', 'https://example.com/x.git', null, null, 'https://example.com/x.git'],
    ['https://user:pw@h.example/x.git', 'https://h.example/x.git', 'user', 'pw', 'https://*****:*****@h.example/x.git'],
    ['ssh://git@h.example/x', 'ssh://h.example/x', 'git', null, 'ssh://*****@h.example/x'],
    ['ssh://git:pw@h.example/x', 'ssh://h.example/x', 'git', 'pw', 'ssh://*****:*****@h.example/x'],
    ['https://token@h.example/x', 'https://h.example/x', 'token', null, 'https://*****@h.example/x'],
    ['https://:pw@h.example/x', 'https://h.example/x', null, 'pw', 'https://:*****@h.example/x'],
    ['https://a:p@ss@h.example/x', 'https://h.example/x', 'a', 'p@ss', 'https://*****:*****@h.example/x'],
    ['https://a%40b.c:p%2Fw%3A@h.example/x', 'https://h.example/x', 'a@b.c', 'p/w:', 'https://*****:*****@h.example/x'],
    ['https://zoë:pässwort@h.example/x', 'https://h.example/x', 'zoë', 'pässwort', 'https://*****:*****@h.example/x'],
    ['  HTTPS://Example.COM/X.git  ', 'https://example.com/X.git', null, null, 'https://example.com/X.git'],
    ['https://bücher.example/x', 'https://xn--bcher-kva.example/x', null, null, 'https://xn--bcher-kva.example/x'],
    ['http://example.com:80/x', 'http://example.com/x', null, null, 'http://example.com/x'],
    ['https://example.com:8443/x', 'https://example.com:8443/x', null, null, 'https://example.com:8443/x'],
    ['ssh://git@example.com:443/x', 'ssh://example.com:443/x', 'git', null, 'ssh://*****@example.com:443/x'],
    ['ssh://git@example.com:80/x', 'ssh://example.com:80/x', 'git', null, 'ssh://*****@example.com:80/x'],
    ['git://example.com:9418/x', 'git://example.com:9418/x', null, null, 'git://example.com:9418/x'],
    ['https://example.com', 'https://example.com', null, null, 'https://example.com'],
    ['https://8.8.8.8/x', 'https://8.8.8.8/x', null, null, 'https://8.8.8.8/x'],
    ['ssh://0x08080808/x', 'ssh://8.8.8.8/x', null, null, 'ssh://8.8.8.8/x'],
    [
      'https://[2606:4700::1111]:444/x',
      'https://[2606:4700::1111]:444/x',
      null,
      null,
      'https://[2606:4700::1111]:444/x',
    ],
    [
      'https://example.com/a/../b c?q=1#part',
      'https://example.com/b%20c?q=1',
      null,
      null,
      'https://example.com/b%20c?q=1',
    ],
  ])('%s', (text, url, user, password, masked) => {
    const mirror = parse(text)
    expect(mirror).toEqual({ url, user, password })
    expect(maskOutboundUrl(mirror)).toBe(masked)
    if (password !== null) expect(JSON.stringify([mirror.url, masked])).not.toContain(password)
  })

  test('a canonical URL is accepted unchanged', () => {
    for (const text of [
      'ssh://git@example.com:22/~ann/x',
      'https://[2606:4700::1111]/x',
      'git://example.com/a%20b',
      'http://h.example',
    ]) {
      const { url } = parse(text)
      expect(parse(url).url).toBe(url)
    }
  })
})

describe('rejected', () => {
  const uri = 'is blocked: URI is invalid'
  const host = 'is blocked: Hostname or IP address invalid'
  const scheme = 'is blocked: Only allowed schemes are ssh, git, http, https'
  const user = 'is blocked: Username needs to start with an alphanumeric character'
  const localhost = 'is blocked: Requests to localhost are not allowed'
  const loopback = 'is blocked: Requests to loopback addresses are not allowed'
  const local = 'is blocked: Requests to the local network are not allowed'

  test.each([
    ['', "can't be blank"],
    [' \n', "can't be blank"],
    [`https://example.com/${'x'.repeat(2048)}`, 'is too long (maximum is 2048 characters)'],
    ['ftp://example.com/x', scheme],
    ['file:///etc/passwd', scheme],
    ['ext::sh -c id', scheme],
    ['javascript:alert(1)', scheme],
    ['git@example.com:x.git', scheme],
    ['example.com/x.git', scheme],
    ['/srv/git/x.git', scheme],
    ['localhost:8080/x', scheme],
    ['-u https://example.com', scheme],
    ['http+unix://x', scheme],
    ['https:example.com/x', uri],
    ['https:/example.com/x', uri],
    ['https:\\\\example.com\\x', uri],
    ['https://example.com\n/x', uri],
    ['https://example.com/x\n', uri],
    ['https://exam\tple.com/x', uri],
    ['https://example.com/%0a', uri],
    ['https://example.com/x?a=%0D%0Ahost=evil', uri],
    ['https://a%0Ahost=evil.example:pw@example.com/x', uri],
    ['https://a:pw%00@example.com/x', uri],
    ['https://a%zz@example.com/x', uri],
    ['https://example.com:99999/x', uri],
    ['https://evil.example\\@example.com/x', uri],
    ['https://', host],
    ['https:///x', host],
    ['https://ann@/x', host],
    ['https://:443/x', host],
    ['https://exa mple.com/x', host],
    ['https://example.com:port/x', host],
    ['https://1.2.3.256/x', host],
    ['https://[::1/x', host],
    ['ssh://-oProxyCommand=id/x', host],
    ['ssh://_host/x', host],
    ['ssh://%2doProxyCommand=id/x', host],
    ['ssh://git@.example/x', host],
    ['ssh://-l@example.com/x', user],
    ['https://%2Da:pw@example.com/x', user],
    ['https://$user@example.com/x', user],
    ['http://localhost/x', localhost],
    ['http://LOCALHOST:3000/x', localhost],
    ['ssh://git@a.localhost./x', localhost],
    ['http://0.0.0.0/x', localhost],
    ['http://0/x', localhost],
    ['http://127.0.0.1/x', loopback],
    ['ssh://127.1/x', loopback],
    ['git://0x7f000001/x', loopback],
    ['ssh://2130706433/x', loopback],
    ['ssh://%31%32%37.0.0.1/x', loopback],
    ['git://①②⑦.⓪.⓪.①/x', loopback],
    ['https://[::1]/x', loopback],
    ['https://[::ffff:127.0.0.1]/x', loopback],
    ['https://user:pw@10.0.0.1:8080/x', local],
    ['ssh://git@192.168.1.1/x', local],
    ['https://[fd00::1]/x', local],
    ['https://100.64.0.1/x', local],
    ['http://169.254.169.254/latest/meta-data', 'is blocked: Requests to the link local network are not allowed'],
  ])('%j', (text, expected) => {
    expect(problemOf(text)).toBe(expected)
  })

  test('problems never contain the password', () => {
    for (const text of [
      'ftp://a:hushsecret@example.com',
      'https://a:hushsecret@10.0.0.1',
      'https://-a:hushsecret@example.com',
    ]) {
      expect(problemOf(text)).not.toContain('hushsecret')
    }
  })
})

describe('instance rules', () => {
  const localUrl = 'https://ann:pw@10.0.0.1:8080/x'

  test('accept the local network if the setting allows it', () => {
    expect(parse(localUrl, { getHostError: () => undefined }).url).toBe('https://10.0.0.1:8080/x')
    expect(parse('http://localhost/x', { getHostError: () => undefined }).url).toBe('http://localhost/x')
    expect(problemOf('ftp://localhost/x', { getHostError: () => undefined })).toContain('schemes')
    expect(problemOf('ssh://-a/x', { getHostError: () => undefined })).toContain('Hostname')
  })

  test('accept the origin of the platform itself', () => {
    const rules = { siteUrl: 'http://127.0.0.1:8080/forge' }
    expect(parse('http://127.0.0.1:8080/x.git', rules).url).toBe('http://127.0.0.1:8080/x.git')
    expect(parse('http://127.1:8080/x.git', rules).url).toBe('http://127.0.0.1:8080/x.git')
    for (const text of [
      'http://127.0.0.1/x',
      'https://127.0.0.1:8080/x',
      'http://127.0.0.2:8080/x',
      'git://127.0.0.1:8080/x',
    ]) {
      expect(problemOf(text, rules)).toBe('is blocked: Requests to loopback addresses are not allowed')
    }
  })
})
