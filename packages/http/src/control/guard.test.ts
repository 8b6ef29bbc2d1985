import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { IncomingRequest } from '../request/incoming-request.ts'
import { denyAccess } from './guard.ts'

const createRequest = (
  ipAddress: string | undefined,
  headers: Record<string, string> = { host: 'localhost' },
): IncomingRequest => ({
  method: 'GET',
  target: '/_forgelet/state',
  requestId: '1',
  hostRequest: new Request('http://localhost/'),
  ipAddress,
  header: (name) => headers[name],
  headers: () => headers,
  bodySize: 0,
  body: async () => new Uint8Array(),
  stream: () => Readable.from([]),
})
const getStatus = (request: IncomingRequest, token?: string) => denyAccess(request, token)?.status

test.each([
  ['127.0.0.1', undefined],
  ['127.8.9.10', undefined],
  ['::1', undefined],
  ['::ffff:127.0.0.1', undefined],
  ['10.0.0.1', 403],
  ['2001:db8::1', 403],
  ['::ffff:10.0.0.1', 403],
])('IP address %s without a token: %s', (ipAddress, expected) => {
  expect(getStatus(createRequest(ipAddress))).toBe(expected)
})

test('allows requests without an IP address, from inside the process', () => {
  expect(getStatus(createRequest(undefined, {}))).toBeUndefined()
})

test.each([
  ['[::1]:8080', undefined],
  ['127.0.0.1:80', undefined],
  ['localhost:1', undefined],
  ['localhost.evil.example', 403],
  ['2130706433', undefined],
  ['', 403],
  ['a b', 403],
])('Host header %j: %s', (host, expected) => {
  expect(getStatus(createRequest('127.0.0.1', { host }))).toBe(expected)
})

test('with a token, allows any IP address and requires the token', () => {
  expect(getStatus(createRequest('10.0.0.1', { host: 'x', authorization: 'Bearer one' }), 'one')).toBeUndefined()
  expect(getStatus(createRequest('127.0.0.1'), 'one')).toBe(401)
  expect(getStatus(createRequest(undefined, {}), 'one')).toBe(401)
})
