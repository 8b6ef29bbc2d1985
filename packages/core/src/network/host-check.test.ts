import { describe, expect, test, vi } from 'vitest'
import { checkHost, getAddressError, getHostError, type HostResolver } from './host-check.ts'

const resolveTo =
  (...addresses: string[]): HostResolver =>
  async () =>
    addresses

const neverResolve: HostResolver = async (host) => {
  throw new Error(`Unexpected lookup of ${host}`)
}

describe('getAddressError', () => {
  test.each([
    ['8.8.8.8', undefined],
    ['2606:4700::1111', undefined],
    ['203.0.113.9', undefined],
    ['0.0.0.0', 'Requests to localhost are not allowed'],
    ['127.0.0.1', 'Requests to loopback addresses are not allowed'],
    ['::ffff:7f00:1', 'Requests to loopback addresses are not allowed'],
    ['10.1.2.3', 'Requests to the local network are not allowed'],
    ['100.64.0.1', 'Requests to the local network are not allowed'],
    ['fd00::1', 'Requests to the local network are not allowed'],
    ['fec0::1', 'Requests to the local network are not allowed'],
    ['169.254.169.254', 'Requests to the link local network are not allowed'],
    ['fe80::1%eth0', 'Requests to the link local network are not allowed'],
    ['ff02::1', 'Requests to multicast addresses are not allowed'],
    ['255.255.255.255', 'Requests to the broadcast address are not allowed'],
    ['240.0.0.1', 'Requests to reserved addresses are not allowed'],
    ['example.com', 'Hostname or IP address invalid'],
  ])('%s: %s', (address, message) => {
    expect(getAddressError(address)).toBe(message)
  })
})

describe('getHostError', () => {
  test.each([
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'localhost.localdomain',
    'ip6-loopback',
    '0',
    '[::]',
  ])('%s is localhost', (host) => {
    expect(getHostError(host)).toBe('Requests to localhost are not allowed')
  })

  test.each(['127.1', '0x7f000001', '[::1]', '%31%32%37.0.0.1'])('%s is loopback', (host) => {
    expect(getHostError(host)).toBe('Requests to loopback addresses are not allowed')
  })

  test.each(['', '.', 'a b', 'a/b'])('%j is not a valid host', (host) => {
    expect(getHostError(host)).toBe('Hostname or IP address invalid')
  })

  test.each(['example.com', 'mylocalhost', 'localhost.example', '8.8.8.8', '[2606:4700::1111]'])(
    '%s is allowed',
    (host) => {
      expect(getHostError(host)).toBeUndefined()
    },
  )
})

describe('checkHost', () => {
  test('allows a name with public addresses', async () => {
    const addresses = ['93.184.215.14', '2606:2800:21f::1']
    expect(await checkHost('example.com', resolveTo(...addresses))).toEqual({ status: 'allowed', addresses })
  })

  test('resolves the canonical form of a name', async () => {
    const resolved: string[] = []
    const resolve: HostResolver = async (host) => {
      resolved.push(host)
      return ['8.8.8.8']
    }
    await checkHost('BÜCHER.example', resolve)
    expect(resolved).toEqual(['xn--bcher-kva.example'])
  })

  test('refuses a host with one private address at any position', async () => {
    for (const privateAddress of ['10.0.0.1', '::ffff:10.0.0.1', 'fd00::1']) {
      for (const addresses of [
        ['8.8.8.8', privateAddress],
        [privateAddress, '8.8.8.8'],
      ]) {
        const reason = 'Requests to the local network are not allowed'
        expect(await checkHost('rebind.example', resolveTo(...addresses))).toEqual({ status: 'refused', reason })
      }
    }
  })

  test('does not resolve an IP address', async () => {
    expect(await checkHost('8.8.8.8', neverResolve)).toEqual({ status: 'allowed', addresses: ['8.8.8.8'] })
    expect(await checkHost('[2606:4700::1111]', neverResolve)).toEqual({
      status: 'allowed',
      addresses: ['2606:4700::1111'],
    })
    expect(await checkHost('0177.1', neverResolve)).toMatchObject({ status: 'refused' })
    expect(await checkHost('localhost', neverResolve)).toMatchObject({ status: 'refused' })
  })

  test('reports a name without addresses as unresolved', async () => {
    expect(await checkHost('nowhere.example', resolveTo())).toEqual({ status: 'unresolved' })
    expect(await checkHost('nowhere.example', neverResolve)).toEqual({ status: 'unresolved' })
  })

  test('reports a name as unresolved when the resolver does not respond', async () => {
    vi.useFakeTimers()
    const check = checkHost('slow.example', () => new Promise(() => undefined))
    await vi.advanceTimersByTimeAsync(60_000)
    vi.useRealTimers()
    expect(await check).toEqual({ status: 'unresolved' })
  })

  test('refuses an invalid address of the resolver', async () => {
    expect(await checkHost('odd.example', resolveTo('8.8.8.8', 'not an address'))).toMatchObject({ status: 'refused' })
  })
})
