import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import { PlatformError } from '../kernel/errors.ts'
import type { KeyStore } from '../kernel/key-store.ts'

/**
 * Encrypts secrets for storage in the database: passwords of mirrors, private keys, API keys of other services.
 *
 * The context names the row and column of the secret, such as `remote_mirror.7.password`. A sealed text can only be opened in
 * the context in which it was sealed.
 */
export interface Secrets {
  /**
   * Encrypts a text. The result differs for each call, so sealed texts cannot be compared.
   *
   * @throws PlatformError `unavailable`, with the reason `no_secret_key`, when no key is configured
   */
  seal(text: string, context: string): string
  /**
   * Decrypts a text that was sealed in the same context.
   *
   * @throws PlatformError `unavailable`, with the reason `secret_unreadable`, when the text was sealed with an unknown key or
   *   in another context, or was modified
   */
  open(sealed: string, context: string): string
}

/** Seals a text, or returns the stored sealed text if it contains the same: a row with the present values stays equal. */
export const sealChanged = (secrets: Secrets, stored: string | null, text: string, context: string): string => {
  try {
    if (stored !== null && secrets.open(stored, context) === text) return stored
  } catch (error) {
    // A secret that cannot be read can be replaced.
    if (!(error instanceof PlatformError && error.code === 'unavailable')) throw error
  }
  return secrets.seal(text, context)
}

/** 32 bytes, or a string of 64 hexadecimal or 44 Base64 characters. */
export type SecretKey = Uint8Array | string

/** The keys of a platform: the first key seals, all keys open. */
export type SecretKeys = SecretKey | readonly [SecretKey, ...SecretKey[]]

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
const formatVersion = 's1'

const decodeKey = (key: SecretKey): Buffer => {
  const encoding = typeof key === 'string' && /^[0-9a-f]{64}$/i.test(key.trim()) ? 'hex' : 'base64'
  const bytes = typeof key === 'string' ? Buffer.from(key.trim(), encoding) : Buffer.from(key)
  if (bytes.length !== keyBytes) {
    throw new TypeError('A secret key must have 32 bytes: pass them, or 64 hexadecimal or 44 Base64 characters')
  }
  return bytes
}

/** Identifies the key that a sealed text requires, without revealing the key. */
const fingerprintKey = (key: Buffer) =>
  hash('sha256', Buffer.concat([Buffer.from('forgelet key id\0'), key]), 'hex').slice(0, 8)

const unreadableSecretError = (reason: string, cause?: unknown) =>
  new PlatformError('unavailable', `A stored secret cannot be read: ${reason}`, { cause, reason: 'secret_unreadable' })

/** Encrypts with the given keys (AES-256-GCM, NIST SP 800-38D, 96-bit random nonces). */
export const secretsWithKeys = (keys: SecretKeys): Secrets => {
  const all = (typeof keys === 'string' || keys instanceof Uint8Array ? [keys] : keys).map(decodeKey)
  const byId = new Map(all.map((key) => [fingerprintKey(key), key]))
  const [current] = all as [Buffer, ...Buffer[]]
  const currentId = fingerprintKey(current)
  return {
    seal(text, context) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', current, nonce).setAAD(Buffer.from(context))
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${formatVersion}.${currentId}.${sealed.toString('base64url')}`
    },
    open(sealed, context) {
      const [version, id = '', body = ''] = sealed.split('.')
      if (version !== formatVersion) throw unreadableSecretError('its format is unknown')
      const key = byId.get(id)
      if (key === undefined)
        throw unreadableSecretError(`it needs the key ${id}, and the platform has ${[...byId.keys()].join(', ')}`)
      const bytes = Buffer.from(body, 'base64url')
      if (bytes.length < nonceBytes + tagBytes) throw unreadableSecretError('it is truncated')
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {
          authTagLength: tagBytes,
        })
          .setAAD(Buffer.from(context))
          .setAuthTag(bytes.subarray(-tagBytes))
        const text = Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()])
        return text.toString('utf8')
      } catch (error) {
        throw unreadableSecretError('it was modified, or sealed in another context', error)
      }
    },
  }
}

/** Encrypts with the key that is stored beside the data. The first use reads or creates the key. */
export const secretsWithKeyStore = (keyStore: KeyStore | undefined): Secrets => {
  let cached: Secrets | undefined
  const withKey = (key: Uint8Array | undefined) => {
    cached = key && secretsWithKeys(key)
    return cached
  }
  const missingKeyError = () =>
    new PlatformError('unavailable', 'No key for secrets is configured: set the option `secretKey`', {
      reason: 'no_secret_key',
    })
  return {
    seal(text, context) {
      const secrets = cached ?? withKey(keyStore?.getOrCreate())
      if (!secrets) throw missingKeyError()
      return secrets.seal(text, context)
    },
    open(sealed, context) {
      const secrets = cached ?? withKey(keyStore?.read())
      if (!secrets) throw keyStore ? unreadableSecretError('its key file is missing') : missingKeyError()
      return secrets.open(sealed, context)
    },
  }
}
