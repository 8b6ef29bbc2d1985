import { describe, expect, it } from 'vitest'
import { networks, originOf } from './forwarding.ts'

const headers = (given: Record<string, string>) => (name: string) => given[name]
const trusted = networks(['loopback', '10.0.0.0/8', 'fd00::/8'])

describe('who a request comes from', () => {
  it.each([
    ['nobody is trusted', '127.0.0.1', '203.0.113.9', undefined, '127.0.0.1', false],
    ['a stranger says who it is', '203.0.113.9', '127.0.0.1', trusted, '203.0.113.9', false],
    ['a trusted proxy says so', '127.0.0.1', '203.0.113.9', trusted, '203.0.113.9', true],
    ['two trusted proxies', '::1', '203.0.113.9, 10.1.2.3', trusted, '203.0.113.9', true],
    ['a client that lies before the proxy', '127.0.0.1', '127.0.0.1, 203.0.113.9', trusted, '203.0.113.9', true],
    ['a mapped address', '::ffff:127.0.0.1', '203.0.113.9', trusted, '203.0.113.9', true],
    ['ports and brackets', 'fd00::1', '[2001:db8::1]:443', trusted, '2001:db8::1', true],
    ['an address with a port', '127.0.0.1', '203.0.113.9:50000', trusted, '203.0.113.9', true],
    ['nonsense', '127.0.0.1', 'unknown', trusted, '127.0.0.1', true],
    ['everybody is a proxy', '127.0.0.1', '10.0.0.1, 10.0.0.2', trusted, '10.0.0.1', true],
  ])('%s', (_, peer, told, list, address, vouched) => {
    expect(originOf(peer, headers({ 'x-forwarded-for': told }), list)).toMatchObject({ address, vouched })
  })

  it('is the connection where the proxy says nothing', () => {
    expect(originOf('127.0.0.1', headers({}), trusted)).toEqual({ address: '127.0.0.1', vouched: false })
  })
})

describe('where a client thinks it asks', () => {
  const site = (given: Record<string, string>, peer = '127.0.0.1') =>
    originOf(peer, headers({ 'x-forwarded-for': '203.0.113.9', ...given }), trusted).site

  it('is what the proxy was asked', () => {
    expect(site({ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'forge.example' })).toBe('https://forge.example')
    expect(site({ 'x-forwarded-proto': 'https', host: 'forge.example:8443' })).toBe('https://forge.example:8443')
    expect(site({ 'x-forwarded-proto': 'https, http', 'x-forwarded-host': 'a.example, b' })).toBe('https://a.example')
  })

  it.each([
    [{ 'x-forwarded-host': 'forge.example' }],
    [{ 'x-forwarded-proto': 'javascript', 'x-forwarded-host': 'forge.example' }],
    [{ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'forge.example/evil' }],
    [{ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'a@b' }],
  ])('is not believed: %j', (given) => {
    expect(site(given)).toBeUndefined()
  })

  it('is not believed from a stranger', () => {
    expect(site({ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' }, '203.0.113.1')).toBeUndefined()
  })
})

it.each(['localhost', '10.0.0.0/33', '10.0.0/8', '::1/129', '10.0.0.0/', ''])('%j is no network', (text) => {
  expect(() => networks([text])).toThrow(RangeError)
})
