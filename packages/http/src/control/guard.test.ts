import { expect, test } from 'vitest'
import type { Ask } from '../app.ts'
import { turnedAway } from './guard.ts'

const ask = (address: string | undefined, headers: Record<string, string> = { host: 'localhost' }): Ask => ({
  method: 'GET',
  target: '/_forgelet/state',
  requestId: '1',
  request: new Request('http://localhost/'),
  address,
  header: (name) => headers[name],
  headers: () => headers,
  body: async () => new Uint8Array(),
})
const status = (given: Ask, token?: string) => turnedAway(given, token)?.status

test.each([
  ['127.0.0.1', undefined],
  ['127.8.9.10', undefined],
  ['::1', undefined],
  ['::ffff:127.0.0.1', undefined],
  ['10.0.0.1', 403],
  ['2001:db8::1', 403],
  ['::ffff:10.0.0.1', 403],
])('a call from %s without a token: %s', (address, expected) => {
  expect(status(ask(address))).toBe(expected)
})

test('a call from inside the process needs no address', () => {
  expect(status(ask(undefined, {}))).toBeUndefined()
})

test.each([
  ['[::1]:8080', undefined],
  ['127.0.0.1:80', undefined],
  ['localhost:1', undefined],
  ['localhost.evil.example', 403],
  ['2130706433', undefined],
  ['', 403],
  ['a b', 403],
])('a browser that asks for %s: %s', (host, expected) => {
  expect(status(ask('127.0.0.1', { host }))).toBe(expected)
})

test('a token opens it to every address, and is the only thing that does', () => {
  expect(status(ask('10.0.0.1', { host: 'x', authorization: 'Bearer one' }), 'one')).toBeUndefined()
  expect(status(ask('127.0.0.1'), 'one')).toBe(401)
  expect(status(ask(undefined, {}), 'one')).toBe(401)
})
