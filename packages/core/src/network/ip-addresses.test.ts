import { describe, expect, test } from 'vitest'
import { canonicalizeHost, classifyIpAddress, parseHostAddress } from './ip-addresses.ts'

describe('classifyIpAddress', () => {
  test.each([
    ['8.8.8.8', 'public'],
    ['1.1.1.1', 'public'],
    ['9.255.255.255', 'public'],
    ['11.0.0.0', 'public'],
    ['100.63.255.255', 'public'],
    ['100.128.0.0', 'public'],
    ['126.255.255.255', 'public'],
    ['128.0.0.0', 'public'],
    ['172.15.255.255', 'public'],
    ['172.32.0.0', 'public'],
    ['192.167.255.255', 'public'],
    ['192.169.0.0', 'public'],
    ['223.255.255.255', 'public'],
    ['2001:4860:4860::8888', 'public'],
    ['2606:4700::1111', 'public'],
    ['::ffff:8.8.8.8', 'public'],
    ['64:ff9b::8.8.8.8', 'public'],
    ['2002:808:808::1', 'public'],
    ['192.0.2.1', 'documentation'],
    ['198.51.100.7', 'documentation'],
    ['203.0.113.255', 'documentation'],
    ['2001:db8::1', 'documentation'],
    ['0.0.0.0', 'unspecified'],
    ['::', 'unspecified'],
    ['::ffff:0.0.0.0', 'unspecified'],
    ['0.1.2.3', 'reserved'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['::1', 'loopback'],
    ['0:0:0:0:0:0:0:1', 'loopback'],
    ['0000:0000:0000:0000:0000:0000:0000:0001', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['::FFFF:7F00:0001', 'loopback'],
    ['::127.0.0.1', 'loopback'],
    ['::ffff:0:127.0.0.1', 'loopback'],
    ['64:ff9b::127.0.0.1', 'loopback'],
    ['2002:7f00:1::', 'loopback'],
    ['[::1]', 'loopback'],
    ['10.0.0.0', 'private'],
    ['10.255.255.255', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.0.1', 'private'],
    ['::ffff:192.168.1.1', 'private'],
    ['64:ff9b::10.0.0.1', 'private'],
    ['2002:a00:1::5', 'private'],
    ['100.64.0.0', 'shared'],
    ['100.127.255.255', 'shared'],
    ['::ffff:100.64.0.1', 'shared'],
    ['169.254.0.1', 'link-local'],
    ['169.254.169.254', 'link-local'],
    ['::ffff:169.254.169.254', 'link-local'],
    ['fe80::1', 'link-local'],
    ['febf:ffff::1', 'link-local'],
    ['fe80::1%eth0', 'link-local'],
    ['fc00::1', 'unique-local'],
    ['fdff:ffff::1', 'unique-local'],
    ['fd00:ec2::254', 'unique-local'],
    ['fec0::1', 'site-local'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['ff02::1', 'multicast'],
    ['255.255.255.255', 'broadcast'],
    ['240.0.0.1', 'reserved'],
    ['192.0.0.8', 'reserved'],
    ['198.18.0.1', 'reserved'],
    ['2001::1', 'reserved'],
    ['64:ff9b:1::1', 'reserved'],
    ['100::1', 'reserved'],
  ])('%s is %s', (address, kind) => {
    expect(classifyIpAddress(address)).toBe(kind)
  })

  test.each([
    '',
    'example.com',
    '256.1.1.1',
    '1.2.3.4.5',
    '1::2::3',
    '12345::',
    '127.0.0.1/8',
    '127.0.0.1:80',
    '[::1]:80',
    ' 127.0.0.1',
    '1.1.1.1%1',
  ])('%j is not an IP address', (text) => {
    expect(classifyIpAddress(text)).toBe('invalid')
  })
})

describe('parseHostAddress', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0x0.0x0.0x1',
    '0X7F.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '%31%32%37.0.0.1',
    '１２７.０.０.１',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
  ])('%s is another notation of 127.0.0.1', (host) => {
    expect(parseHostAddress(host)).toBe('127.0.0.1')
    expect(classifyIpAddress(host)).toBe('loopback')
  })

  test.each([
    ['[::ffff:127.0.0.1]', '::ffff:7f00:1'],
    ['::FFFF:7f00:0001', '::ffff:7f00:1'],
    ['[0:0::0:1]', '::1'],
    ['0', '0.0.0.0'],
    ['0x', '0.0.0.0'],
  ])('%s is %s', (host, address) => {
    expect(parseHostAddress(host)).toBe(address)
  })

  test.each([
    'example.com',
    '1.2.3.4.example',
    'a.0x7f.com',
    '',
    '127.0.0.1/x',
    '127.0.0.1#x',
    'a@127.0.0.1',
    '127.0.0.1\\x',
    '1.2.3.256',
    '4294967296',
    '127.0.0.0x1g',
  ])('%j is not an IP address', (host) => {
    expect(parseHostAddress(host)).toBeUndefined()
  })
})

describe('canonicalizeHost', () => {
  test.each([
    ['Example.COM', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['localhost', 'localhost'],
    ['ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', 'localhost'],
    ['[::1]', '[::1]'],
    ['::1', '[::1]'],
  ])('%s is %s', (host, canonical) => {
    expect(canonicalizeHost(host)).toBe(canonical)
  })

  test.each([
    '',
    ' ',
    'a b',
    'a/b',
    'a?b',
    'a#b',
    'a\\b',
    'a@b',
    'a:80',
    '[::1]:80',
    '[::1',
    'a%2fb',
    'a%00b',
    'a\tb',
    'a<b',
  ])('%j is not a valid host', (host) => {
    expect(canonicalizeHost(host)).toBeUndefined()
  })
})
