import { describe, expect, test } from 'vitest'
import { addressComplaint, checkHost, hostComplaint, type Lookup } from './host-check.ts'

const answering =
  (...addresses: string[]): Lookup =>
  async () =>
    addresses

const never: Lookup = async (host) => {
  throw new Error(`${host} was looked up`)
}

describe('addressComplaint', () => {
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
  ])('%s: %s', (address, complaint) => {
    expect(addressComplaint(address)).toBe(complaint)
  })
})

describe('hostComplaint', () => {
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
    expect(hostComplaint(host)).toBe('Requests to localhost are not allowed')
  })

  test.each(['127.1', '0x7f000001', '[::1]', '%31%32%37.0.0.1'])('%s is loopback', (host) => {
    expect(hostComplaint(host)).toBe('Requests to loopback addresses are not allowed')
  })

  test.each(['', '.', 'a b', 'a/b'])('%j is no host', (host) => {
    expect(hostComplaint(host)).toBe('Hostname or IP address invalid')
  })

  test.each(['example.com', 'mylocalhost', 'localhost.example', '8.8.8.8', '[2606:4700::1111]'])(
    '%s may be asked',
    (host) => {
      expect(hostComplaint(host)).toBeUndefined()
    },
  )
})

describe('checkHost', () => {
  test('a name with public addresses', async () => {
    const addresses = ['93.184.215.14', '2606:2800:21f::1']
    expect(await checkHost('example.com', answering(...addresses))).toEqual({ status: 'allowed', addresses })
  })

  test('the name is asked in canonical form', async () => {
    const asked: string[] = []
    const resolve: Lookup = async (host) => {
      asked.push(host)
      return ['8.8.8.8']
    }
    await checkHost('BÜCHER.example', resolve)
    expect(asked).toEqual(['xn--bcher-kva.example'])
  })

  test('one near address among far ones refuses the host, wherever it stands', async () => {
    for (const near of ['10.0.0.1', '::ffff:10.0.0.1', 'fd00::1']) {
      for (const addresses of [
        ['8.8.8.8', near],
        [near, '8.8.8.8'],
      ]) {
        const complaint = 'Requests to the local network are not allowed'
        expect(await checkHost('rebind.example', answering(...addresses))).toEqual({ status: 'refused', complaint })
      }
    }
  })

  test('an address needs no lookup', async () => {
    expect(await checkHost('8.8.8.8', never)).toEqual({ status: 'allowed', addresses: ['8.8.8.8'] })
    expect(await checkHost('[2606:4700::1111]', never)).toEqual({ status: 'allowed', addresses: ['2606:4700::1111'] })
    expect(await checkHost('0177.1', never)).toMatchObject({ status: 'refused' })
    expect(await checkHost('localhost', never)).toMatchObject({ status: 'refused' })
  })

  test('a name without addresses', async () => {
    expect(await checkHost('nowhere.example', answering())).toEqual({ status: 'unresolved' })
    expect(await checkHost('nowhere.example', never)).toEqual({ status: 'unresolved' })
  })

  test('a resolver that answers nonsense', async () => {
    expect(await checkHost('odd.example', answering('8.8.8.8', 'not an address'))).toMatchObject({ status: 'refused' })
  })
})
