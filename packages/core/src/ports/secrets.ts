import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import { PlatformError } from '../kernel/errors.ts'
import type { KeptKey } from '../kernel/kept-key.ts'

/**
 * Keeps what is stored but must not be readable in the database: passwords of mirrors, private keys, keys of other services.
 *
 * The context says where the text belongs, such as `remote_mirror.7.password`: a sealed text that was moved to another row
 * does not open there.
 */
export interface Secrets {
  /**
   * The text as it may be stored. The same text is sealed differently each time, so sealed texts cannot be compared.
   *
   * @throws PlatformError `unavailable`, with the reason `no_secret_key`, where there is no key: nothing is stored in clear
   */
  seal(text: string, context: string): string
  /**
   * The text that was sealed in the same context.
   *
   * @throws PlatformError `unavailable`, with the reason `secret_unreadable`, when it was sealed under a key that is not
   *   here, in another context, or was changed
   */
  open(sealed: string, context: string): string
}

/** 32 bytes, or the same as 64 hexadecimal characters or 44 of Base64. */
export type SecretKey = Uint8Array | string

/** The keys of a platform: the first one seals, every one opens. */
export type SecretKeys = SecretKey | readonly [SecretKey, ...SecretKey[]]

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
const version = 's1'

const bytesOf = (key: SecretKey): Buffer => {
  const encoding = typeof key === 'string' && /^[0-9a-f]{64}$/i.test(key.trim()) ? 'hex' : 'base64'
  const bytes = typeof key === 'string' ? Buffer.from(key.trim(), encoding) : Buffer.from(key)
  if (bytes.length !== keyBytes) {
    throw new TypeError('A secret key has 32 bytes, written as 64 hexadecimal characters or 44 of Base64')
  }
  return bytes
}

/** Names a key without telling anything about it, so that a sealed text says which one it needs. */
const idOf = (key: Buffer) => hash('sha256', Buffer.concat([Buffer.from('forgelet key id\0'), key]), 'hex').slice(0, 8)

const unreadable = (why: string, cause?: unknown) =>
  new PlatformError('unavailable', `A stored secret cannot be read: ${why}`, { cause, reason: 'secret_unreadable' })

/** Sealing and opening with keys that are at hand (AES-256-GCM, NIST SP 800-38D, 96-bit random nonces). */
export const secretsUnder = (keys: SecretKeys): Secrets => {
  const all = (typeof keys === 'string' || keys instanceof Uint8Array ? [keys] : keys).map(bytesOf)
  const byId = new Map(all.map((key) => [idOf(key), key]))
  const [current] = all as [Buffer, ...Buffer[]]
  const currentId = idOf(current)
  return {
    seal(text, context) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', current, nonce).setAAD(Buffer.from(context))
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${version}.${currentId}.${sealed.toString('base64url')}`
    },
    open(sealed, context) {
      const [found, id = '', body = ''] = sealed.split('.')
      if (found !== version) throw unreadable('it is not in the form that secrets are stored in')
      const key = byId.get(id)
      if (key === undefined)
        throw unreadable(`it needs the key ${id}, and the platform has ${[...byId.keys()].join(', ')}`)
      const bytes = Buffer.from(body, 'base64url')
      if (bytes.length < nonceBytes + tagBytes) throw unreadable('it was cut short')
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {
          authTagLength: tagBytes,
        })
          .setAAD(Buffer.from(context))
          .setAuthTag(bytes.subarray(-tagBytes))
        const text = Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()])
        return text.toString('utf8')
      } catch (error) {
        throw unreadable('it was changed, or belongs elsewhere', error)
      }
    },
  }
}

/** Sealing and opening under the key that lies with the data. Nothing is read or made before the first secret. */
export const secretsKeptBy = (kept: KeptKey | undefined): Secrets => {
  let known: Secrets | undefined
  const under = (key: Uint8Array | undefined) => {
    known = key && secretsUnder(key)
    return known
  }
  const missing = () =>
    new PlatformError('unavailable', 'There is no key for secrets: give the platform one as `secretKey`', {
      reason: 'no_secret_key',
    })
  return {
    seal(text, context) {
      const secrets = known ?? under(kept?.make())
      if (!secrets) throw missing()
      return secrets.seal(text, context)
    },
    open(sealed, context) {
      const secrets = known ?? under(kept?.read())
      if (!secrets) throw kept ? unreadable('its key file is missing') : missing()
      return secrets.open(sealed, context)
    },
  }
}
