import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { keyFile } from '../db/key-file.ts'
import { secretsKeptBy, secretsUnder } from './secrets.ts'

const key = (byte: number) => new Uint8Array(32).fill(byte)
const folders: string[] = []
const folder = () => {
  const made = mkdtempSync(join(tmpdir(), 'forgelet-key-'))
  folders.push(made)
  return made
}

afterEach(() => {
  for (const made of folders.splice(0)) rmSync(made, { recursive: true })
})

const unreadable = { code: 'unavailable', reason: 'secret_unreadable' }

test('opens what it sealed, in the same context only', () => {
  const secrets = secretsUnder(key(1))
  const sealed = secrets.seal('pässword', 'remote_mirror.7.password')
  expect(sealed).not.toContain('pässword')
  expect(secrets.open(sealed, 'remote_mirror.7.password')).toBe('pässword')
  expect(() => secrets.open(sealed, 'remote_mirror.8.password')).toThrow(expect.objectContaining(unreadable))
})

test('seals the same text differently each time', () => {
  const secrets = secretsUnder(key(1))
  expect(secrets.seal('x', 'here')).not.toBe(secrets.seal('x', 'here'))
})

test('seals and opens nothing at all', () => {
  const secrets = secretsUnder(key(1))
  expect(secrets.open(secrets.seal('', 'here'), 'here')).toBe('')
})

test('notices every changed byte', () => {
  const secrets = secretsUnder(key(1))
  const [version, id, body = ''] = secrets.seal('hush', 'here').split('.')
  const bytes = Buffer.from(body, 'base64url')
  for (let index = 0; index < bytes.length; index++) {
    const changed = Buffer.from(bytes)
    changed[index] = (changed[index] as number) ^ 1
    const sealed = `${version}.${id}.${changed.toString('base64url')}`
    expect(() => secrets.open(sealed, 'here')).toThrow(expect.objectContaining(unreadable))
  }
})

test.each(['', 'hush', 's1.', 's1.00000000.', 's2.a.b'])('does not open what it never sealed: %j', (text) => {
  expect(() => secretsUnder(key(1)).open(text, 'here')).toThrow(expect.objectContaining(unreadable))
})

test('says which key is needed when it has another one, and never what it is', () => {
  const sealed = secretsUnder(key(1)).seal('hush', 'here')
  const refusal = () => secretsUnder(key(2)).open(sealed, 'here')
  expect(refusal).toThrow(
    /^A stored secret cannot be read: it needs the key [0-9a-f]{8}, and the platform has [0-9a-f]{8}$/,
  )
  expect(refusal).toThrow(expect.objectContaining(unreadable))
})

test('a replaced key seals with the new one and still opens what the old one sealed', () => {
  const old = secretsUnder(key(1)).seal('hush', 'here')
  const both = secretsUnder([key(2), key(1)])
  expect(both.open(old, 'here')).toBe('hush')
  expect(secretsUnder(key(2)).open(both.seal('hush', 'here'), 'here')).toBe('hush')
})

test.each([
  ['bytes', key(7)],
  ['hexadecimal', '07'.repeat(32)],
  ['Base64', Buffer.from(key(7)).toString('base64')],
])('takes a key as %s', (_, given) => {
  expect(secretsUnder(key(7)).open(secretsUnder(given).seal('hush', 'here'), 'here')).toBe('hush')
})

test.each([new Uint8Array(16), 'short', '', 'ab'.repeat(31)])('refuses a key of another size: %j', (given) => {
  expect(() => secretsUnder(given)).toThrow('A secret key has 32 bytes')
})

test('stores nothing in clear where there is no key', () => {
  const secrets = secretsKeptBy(undefined)
  const refusal = expect.objectContaining({ code: 'unavailable', reason: 'no_secret_key' })
  expect(() => secrets.seal('hush', 'here')).toThrow(refusal)
  expect(() => secrets.open('s1.00000000.AAAA', 'here')).toThrow(refusal)
})

test('makes its key file on first use, readable by its owner only, and finds it again', () => {
  const path = join(folder(), 'forge.db.key')
  const secrets = secretsKeptBy(keyFile(path))
  expect(() => statSync(path)).toThrow('ENOENT')
  const sealed = secrets.seal('hush', 'here')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readFileSync(path, 'utf8')).toMatch(/^[A-Za-z0-9+/]{43}=\n$/)
  expect(secretsKeptBy(keyFile(path)).open(sealed, 'here')).toBe('hush')
})

test('two that make the key file at once use the same key', () => {
  const path = join(folder(), 'forge.db.key')
  const [first, second] = [keyFile(path), keyFile(path)]
  expect(Buffer.from(first.make())).toEqual(Buffer.from(second.make()))
})

test('does not make a new key to open what an old one sealed', () => {
  const path = join(folder(), 'forge.db.key')
  const sealed = secretsKeptBy(keyFile(path)).seal('hush', 'here')
  rmSync(path)
  expect(() => secretsKeptBy(keyFile(path)).open(sealed, 'here')).toThrow('its key file is missing')
  expect(() => statSync(path)).toThrow('ENOENT')
})
