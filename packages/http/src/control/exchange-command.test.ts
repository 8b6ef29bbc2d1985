import { expect, test } from 'vitest'
import type { Exchange } from './exchange.ts'
import { createExchangeCommand } from './exchange-command.ts'

const createCommand = (headers: Record<string, string>, changes: Partial<Exchange> = {}, body = '') => {
  const message = { headers, body, size: body.length, truncated: false }
  const exchange = { method: 'GET', path: '/x', query: '', request: message, ...changes } as Exchange
  return createExchangeCommand(exchange, 'http://forge.test')
}

test.each([
  [{ 'private-token': '[redacted]' }, '"private-token: $TOKEN" '],
  [{ authorization: 'Bearer [redacted]' }, '"authorization: Bearer $TOKEN" '],
  // The token is part of an encoded value.
  [{ authorization: 'Basic [redacted]' }, "'authorization: Basic [redacted]' "],
  // The scheme is text of the client.
  [{ authorization: '$(id) [redacted]' }, `'authorization: $(id) '"$TOKEN" `],
  [{ accept: 'application/json' }, "'accept: application/json' "],
])('the headers %j become %s', (headers, argument) => {
  expect(createCommand(headers)).toBe(`curl --header ${argument}http://forge.test/x`)
})

test('headers of the connection and of the client are omitted', () => {
  const headers = {
    host: 'forge.test',
    'user-agent': 'client',
    accept: '*/*',
    cookie: '[redacted]',
    'content-length': '2',
  }
  expect(createCommand(headers)).toBe('curl http://forge.test/x')
})

test.each(['\u001b[2J', '\0', '\ufffd', '\u009b'])('a body with %j has no command', (text) => {
  expect(createCommand({}, { method: 'POST' }, text)).toBeUndefined()
})
