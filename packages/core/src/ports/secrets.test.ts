import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createKeyFile } from '../db/sqlite/key-file.ts'
import { secretsWithKeyStore, secretsWithKeys } from './secrets.ts'

const createKey = (byte: number) => new Uint8Array(32).fill(byte)
const folders: string[] = []
const createFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'forgelet-key-'))
  folders.push(folder)
  return folder
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

const unreadable = { code: 'unavailable', reason: 'secret_unreadable' }

test('opens a sealed text in the same context only', () => {
  const secrets = secretsWithKeys(createKey(1))
  const sealed = secrets.seal('pässword', 'remote_mirror.7.password')
  expect(sealed).not.toContain('pässword')
  expect(secrets.open(sealed, 'remote_mirror.7.password')).toBe('pässword')
  expect(() => secrets.open(sealed, 'remote_mirror.8.password')).toThrow(expect.objectContaining(unreadable))
})

test('seals the same text differently each time', () => {
  const secrets = secretsWithKeys(createKey(1))
  expect(secrets.seal('x', 'here')).not.toBe(secrets.seal('x', 'here'))
})

test('seals and opens an empty text', () => {
  const secrets = secretsWithKeys(createKey(1))
  expect(secrets.open(secrets.seal('', 'here'), 'here')).toBe('')
})

test('rejects a sealed text with any byte modified', () => {
  const secrets = secretsWithKeys(createKey(1))
  const [version, id, body = ''] = secrets.seal('hush', 'here').split('.')
  const bytes = Buffer.from(body, 'base64url')
  for (let index = 0; index < bytes.length; index++) {
    const changed = Buffer.from(bytes)
    changed[index] = (changed[index] as number) ^ 1
    const sealed = `${version}.${id}.${changed.toString('base64url')}`
    expect(() => secrets.open(sealed, 'here')).toThrow(expect.objectContaining(unreadable))
  }
})

test.each(['', 'hush', 's1.', 's1.00000000.', 's2.a.b'])('rejects a text that was not sealed: %j', (text) => {
  expect(() => secretsWithKeys(createKey(1)).open(text, 'here')).toThrow(expect.objectContaining(unreadable))
})

test('names the fingerprint of the missing key, not the key', () => {
  const sealed = secretsWithKeys(createKey(1)).seal('hush', 'here')
  const open = () => secretsWithKeys(createKey(2)).open(sealed, 'here')
  expect(open).toThrow(
    /^A stored secret cannot be read: it needs the key [0-9a-f]{8}, and the platform has [0-9a-f]{8}$/,
  )
  expect(open).toThrow(expect.objectContaining(unreadable))
})

test('seals with the first key and opens with every key', () => {
  const old = secretsWithKeys(createKey(1)).seal('hush', 'here')
  const both = secretsWithKeys([createKey(2), createKey(1)])
  expect(both.open(old, 'here')).toBe('hush')
  expect(secretsWithKeys(createKey(2)).open(both.seal('hush', 'here'), 'here')).toBe('hush')
})

test.each([
  ['bytes', createKey(7)],
  ['hexadecimal', '07'.repeat(32)],
  ['Base64', Buffer.from(createKey(7)).toString('base64')],
])('accepts a key as %s', (_, key) => {
  expect(secretsWithKeys(createKey(7)).open(secretsWithKeys(key).seal('hush', 'here'), 'here')).toBe('hush')
})

test.each([new Uint8Array(16), 'short', '', 'ab'.repeat(31)])('rejects a key of another size: %j', (key) => {
  expect(() => secretsWithKeys(key)).toThrow('A secret key must have 32 bytes')
})

test('seals nothing without a key', () => {
  const secrets = secretsWithKeyStore(undefined)
  const missingKey = expect.objectContaining({ code: 'unavailable', reason: 'no_secret_key' })
  expect(() => secrets.seal('hush', 'here')).toThrow(missingKey)
  expect(() => secrets.open('s1.00000000.AAAA', 'here')).toThrow(missingKey)
})

test('creates the key file on first use, readable by its owner only, and reuses it', () => {
  const path = join(createFolder(), 'forge.db.key')
  const secrets = secretsWithKeyStore(createKeyFile(path))
  expect(() => statSync(path)).toThrow('ENOENT')
  const sealed = secrets.seal('hush', 'here')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readFileSync(path, 'utf8')).toMatch(/^[A-Za-z0-9+/]{43}=\n$/)
  expect(secretsWithKeyStore(createKeyFile(path)).open(sealed, 'here')).toBe('hush')
})

test('concurrent creation of the key file yields one key', () => {
  const path = join(createFolder(), 'forge.db.key')
  const [first, second] = [createKeyFile(path), createKeyFile(path)]
  expect(Buffer.from(first.getOrCreate())).toEqual(Buffer.from(second.getOrCreate()))
})

test('does not create a key to open a text', () => {
  const path = join(createFolder(), 'forge.db.key')
  const sealed = secretsWithKeyStore(createKeyFile(path)).seal('hush', 'here')
  rmSync(path)
  expect(() => secretsWithKeyStore(createKeyFile(path)).open(sealed, 'here')).toThrow('its key file is missing')
  expect(() => statSync(path)).toThrow('ENOENT')
})
