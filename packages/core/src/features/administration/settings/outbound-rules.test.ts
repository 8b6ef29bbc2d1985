import { describe, expect, test } from 'vitest'
import { toOutboundRules } from './outbound-rules.ts'

const defaults = {
  allowLocalRequestsFromWebHooksAndServices: false,
  outboundLocalRequestsWhitelist: [] as string[],
  dnsRebindingProtectionEnabled: true,
}
const rules = (changes: Partial<typeof defaults> = {}) => toOutboundRules({ ...defaults, ...changes })
const resolveTo =
  (...addresses: string[]) =>
  async () =>
    addresses

describe('default rules', () => {
  test.each(['localhost', '127.0.0.1', '10.0.0.1', '[::1]', '0x7f.1'])('reject %s', async (host) => {
    expect(rules().getHostError(host)).toMatch(/^Requests to /)
    expect(await rules().checkHost(host, resolveTo('93.184.216.34'))).toMatchObject({ status: 'refused' })
  })

  test('reject a host name with any local IP address', async () => {
    const local = await rules().checkHost('git.example.com', resolveTo('93.184.216.34', '10.0.0.1'))
    expect(local).toEqual({ status: 'refused', reason: 'Requests to the local network are not allowed' })
    const external = await rules().checkHost('git.example.com', resolveTo('93.184.216.34'))
    expect(external).toEqual({ status: 'allowed', addresses: ['93.184.216.34'] })
    expect(await rules().checkHost('git.example.com', resolveTo())).toEqual({ status: 'unresolved' })
  })

  test('pin IP addresses', () => {
    expect(rules().pinsAddresses).toBe(true)
    expect(rules({ dnsRebindingProtectionEnabled: false }).pinsAddresses).toBe(false)
  })
})

describe('rules that allow local requests', () => {
  const open = rules({ allowLocalRequestsFromWebHooksAndServices: true })

  test('allow local host names, IP addresses, and names that resolve to them', async () => {
    expect(open.allowsLocal).toBe(true)
    expect(open.getHostError('localhost')).toBeUndefined()
    expect(open.getAddressError('10.0.0.1')).toBeUndefined()
    expect(await open.checkHost('intern.example', resolveTo('10.0.0.1'))).toMatchObject({ status: 'allowed' })
  })

  test.each(['', 'a b', 'host/path', '#'])('reject the invalid host %j', async (host) => {
    expect(open.getHostError(host)).toBe('Hostname or IP address invalid')
    expect(await open.checkHost(host, resolveTo('10.0.0.1'))).toMatchObject({ status: 'refused' })
  })
})

describe('an allow list', () => {
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
    'allows %s',
    (address) => {
      expect(listed.getHostError(address)).toBeUndefined()
      expect(listed.getAddressError(address)).toBeUndefined()
    },
  )

  test.each(['10.2.0.1', '192.168.0.8', '127.0.0.1', 'fe80::1', 'localhost', '10.1.0.0.intern.example'])(
    'does not allow %s',
    async (host) => {
      expect(await listed.checkHost(host, resolveTo('10.2.0.1'))).toMatchObject({ status: 'refused' })
    },
  )

  test('allows listed names with any IP address, other names with listed IP addresses only', async () => {
    const unlisted = resolveTo('10.9.9.9')
    expect(await listed.checkHost('INTERN.example.', unlisted)).toMatchObject({ status: 'allowed' })
    expect(await listed.checkHost('sub.intern.example', unlisted)).toMatchObject({ status: 'refused' })
    expect(await listed.checkHost('sub.intern.example', resolveTo('10.1.2.3'))).toMatchObject({ status: 'allowed' })
  })
})
