import { describe, expect, it } from 'vitest'
import { parseNetworks, resolveOrigin } from './forwarding.ts'

const createHeaderReader = (headers: Record<string, string>) => (name: string) => headers[name]
const trusted = parseNetworks(['loopback', '10.0.0.0/8', 'fd00::/8'])

describe('IP address of the client', () => {
  it.each([
    ['no trusted proxies', '127.0.0.1', '203.0.113.9', undefined, '127.0.0.1', false],
    ['header from an untrusted client', '203.0.113.9', '127.0.0.1', trusted, '203.0.113.9', false],
    ['header from a trusted proxy', '127.0.0.1', '203.0.113.9', trusted, '203.0.113.9', true],
    ['two trusted proxies', '::1', '203.0.113.9, 10.1.2.3', trusted, '203.0.113.9', true],
    ['client that forges the header', '127.0.0.1', '127.0.0.1, 203.0.113.9', trusted, '203.0.113.9', true],
    ['IPv4-mapped IPv6 address', '::ffff:127.0.0.1', '203.0.113.9', trusted, '203.0.113.9', true],
    ['ports and brackets', 'fd00::1', '[2001:db8::1]:443', trusted, '2001:db8::1', true],
    ['IPv4 address with a port', '127.0.0.1', '203.0.113.9:50000', trusted, '203.0.113.9', true],
    ['invalid value', '127.0.0.1', 'unknown', trusted, '127.0.0.1', true],
    ['only trusted proxies', '127.0.0.1', '10.0.0.1, 10.0.0.2', trusted, '10.0.0.1', true],
  ])('%s', (_, peer, forwardedFor, networks, address, isTrusted) => {
    const header = createHeaderReader({ 'x-forwarded-for': forwardedFor })
    expect(resolveOrigin(peer, header, networks)).toMatchObject({ address, isTrusted })
  })

  it('is that of the connection without a forwarding header', () => {
    expect(resolveOrigin('127.0.0.1', createHeaderReader({}), trusted)).toEqual({
      address: '127.0.0.1',
      isTrusted: false,
    })
  })
})

describe('site', () => {
  const getSite = (headers: Record<string, string>, peer = '127.0.0.1') =>
    resolveOrigin(peer, createHeaderReader({ 'x-forwarded-for': '203.0.113.9', ...headers }), trusted).site

  it('is read from the headers of the proxy', () => {
    expect(getSite({ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'forge.example' })).toBe('https://forge.example')
    expect(getSite({ 'x-forwarded-proto': 'https', host: 'forge.example:8443' })).toBe('https://forge.example:8443')
    expect(getSite({ 'x-forwarded-proto': 'https, http', 'x-forwarded-host': 'a.example, b' })).toBe(
      'https://a.example',
    )
  })

  it.each([
    [{ 'x-forwarded-host': 'forge.example' }],
    [{ 'x-forwarded-proto': 'javascript', 'x-forwarded-host': 'forge.example' }],
    [{ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'forge.example/evil' }],
    [{ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'a@b' }],
  ])('rejects %j', (headers) => {
    expect(getSite(headers)).toBeUndefined()
  })

  it('ignores the headers of an untrusted client', () => {
    expect(getSite({ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' }, '203.0.113.1')).toBeUndefined()
  })
})

it.each(['localhost', '10.0.0.0/33', '10.0.0/8', '::1/129', '10.0.0.0/', ''])('rejects the network %j', (text) => {
  expect(() => parseNetworks([text])).toThrow(RangeError)
})
