import { describe, expect, test } from 'vitest'
import { rulesOf } from './outbound-rules.ts'

const standard = {
  allowLocalRequestsFromWebHooksAndServices: false,
  outboundLocalRequestsWhitelist: [] as string[],
  dnsRebindingProtectionEnabled: true,
}
const rules = (given: Partial<typeof standard> = {}) => rulesOf({ ...standard, ...given })
const resolveTo =
  (...addresses: string[]) =>
  async () =>
    addresses

describe('by default', () => {
  test.each(['localhost', '127.0.0.1', '10.0.0.1', '[::1]', '0x7f.1'])('%s is refused', async (host) => {
    expect(rules().hostComplaint(host)).toMatch(/^Requests to /)
    expect(await rules().checkHost(host, resolveTo('93.184.216.34'))).toMatchObject({ status: 'refused' })
  })

  test('a name that leads into the local network is refused, one that leads out is allowed', async () => {
    const inside = await rules().checkHost('git.example.com', resolveTo('93.184.216.34', '10.0.0.1'))
    expect(inside).toEqual({ status: 'refused', complaint: 'Requests to the local network are not allowed' })
    const outside = await rules().checkHost('git.example.com', resolveTo('93.184.216.34'))
    expect(outside).toEqual({ status: 'allowed', addresses: ['93.184.216.34'] })
    expect(await rules().checkHost('git.example.com', resolveTo())).toEqual({ status: 'unresolved' })
  })

  test('addresses are pinned', () => {
    expect(rules().pinsAddresses).toBe(true)
    expect(rules({ dnsRebindingProtectionEnabled: false }).pinsAddresses).toBe(false)
  })
})

describe('where local requests are allowed', () => {
  const open = rules({ allowLocalRequestsFromWebHooksAndServices: true })

  test('local hosts, addresses and names that lead there are', async () => {
    expect(open.allowsLocal).toBe(true)
    expect(open.hostComplaint('localhost')).toBeUndefined()
    expect(open.addressComplaint('10.0.0.1')).toBeUndefined()
    expect(await open.checkHost('intern.example', resolveTo('10.0.0.1'))).toMatchObject({ status: 'allowed' })
  })

  test.each(['', 'a b', 'host/path', '#'])('%j is still no host', async (host) => {
    expect(open.hostComplaint(host)).toBe('Hostname or IP address invalid')
    expect(await open.checkHost(host, resolveTo('10.0.0.1'))).toMatchObject({ status: 'refused' })
  })
})

describe('what is listed', () => {
  const listed = rules({
    outboundLocalRequestsWhitelist: [
      'Intern.Example',
      '10.1.0.0/16',
      '192.168.0.7',
      'fd00::/8',
      'not a host',
      '10.2.0.0/99',
    ],
  })

  test.each(['10.1.255.255', '192.168.0.7', '0xc0a80007', 'fd12::1', '[fd12::1]', '::ffff:192.168.0.7'])(
    '%s may be called',
    (address) => {
      expect(listed.hostComplaint(address)).toBeUndefined()
      expect(listed.addressComplaint(address)).toBeUndefined()
    },
  )

  test.each(['10.2.0.1', '192.168.0.8', '127.0.0.1', 'fe80::1', 'localhost', '10.1.0.0.intern.example'])(
    '%s is not on the list',
    async (host) => {
      expect(await listed.checkHost(host, resolveTo('10.2.0.1'))).toMatchObject({ status: 'refused' })
    },
  )

  test('a listed name may lead anywhere, others only to listed addresses', async () => {
    const somewhere = resolveTo('10.9.9.9')
    expect(await listed.checkHost('INTERN.example.', somewhere)).toMatchObject({ status: 'allowed' })
    expect(await listed.checkHost('sub.intern.example', somewhere)).toMatchObject({ status: 'refused' })
    expect(await listed.checkHost('sub.intern.example', resolveTo('10.1.2.3'))).toMatchObject({ status: 'allowed' })
  })
})
