import { createHash, createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto'
import { createSshWireReader } from '../../../accounts/keys/ssh-wire.ts'

/** A signature that `ssh-keygen -Y sign` makes (PROTOCOL.sshsig of OpenSSH). */
export interface SshSignature {
  /** SHA-256 of the public key in base64 without padding. */
  readonly keySha256: string
  /** Whether the key signed these bytes, for git. */
  readonly verify: (payload: Uint8Array) => boolean
}

const block = /^-----BEGIN SSH SIGNATURE-----\n([A-Za-z0-9+/=\n]+)\n-----END SSH SIGNATURE-----\s*$/
const magic = 'SSHSIG'
const versionBytes = 4
const version = 1

const hashes = ['sha256', 'sha512']

/** Curve and bytes of a coordinate, by the type of the key. */
const curves: Readonly<Record<string, readonly [curve: string, bytes: number, hash: string]>> = {
  'ecdsa-sha2-nistp256': ['P-256', 32, 'sha256'],
  'ecdsa-sha2-nistp384': ['P-384', 48, 'sha384'],
  'ecdsa-sha2-nistp521': ['P-521', 66, 'sha512'],
}

const rsaHashes: Readonly<Record<string, string>> = { 'rsa-sha2-256': 'sha256', 'rsa-sha2-512': 'sha512' }

/** A number of SSH without its leading zeros. */
const stripZeros = (bytes: Buffer) => bytes.subarray(bytes.findIndex((byte) => byte !== 0))

type Verifier = (data: Buffer, algorithm: string, signature: Buffer) => boolean

const importKey = (key: JsonWebKey): KeyObject => createPublicKey({ key, format: 'jwk' })

/** How a public key verifies; undefined for other types, such as those of security devices. Throws for malformed keys. */
const createVerifier = (blob: Buffer): Verifier | undefined => {
  const wire = createSshWireReader(blob)
  const read = () => wire.readString() ?? Buffer.alloc(0)
  const type = read().toString('latin1')
  if (type === 'ssh-ed25519') {
    const key = importKey({ kty: 'OKP', crv: 'Ed25519', x: read().toString('base64url') })
    return (data, algorithm, signature) => algorithm === type && verify(null, data, key, signature)
  }
  if (type === 'ssh-rsa') {
    const e = stripZeros(read()).toString('base64url')
    const key = importKey({ kty: 'RSA', e, n: stripZeros(read()).toString('base64url') })
    return (data, algorithm, signature) => {
      const hash = rsaHashes[algorithm]
      return hash !== undefined && verify(hash, data, key, signature)
    }
  }
  const [curve, bytes = 0, hash] = curves[type] ?? []
  if (curve === undefined) return undefined
  read()
  const point = read().subarray(1)
  const x = point.subarray(0, bytes).toString('base64url')
  const key = importKey({ kty: 'EC', crv: curve, x, y: point.subarray(bytes).toString('base64url') })
  return (data, algorithm, signature) => {
    const numbers = createSshWireReader(signature)
    const pad = (number: Buffer | undefined) => {
      const digits = stripZeros(number ?? Buffer.alloc(0))
      return Buffer.concat([Buffer.alloc(Math.max(0, bytes - digits.length)), digits])
    }
    const raw = Buffer.concat([pad(numbers.readString()), pad(numbers.readString())])
    return algorithm === type && verify(hash, data, { key, dsaEncoding: 'ieee-p1363' }, raw)
  }
}

const encodeString = (bytes: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** Undefined for text that is no signature. */
export const parseSshSignature = (text: string): SshSignature | undefined => {
  const data = Buffer.from(block.exec(text)?.[1] ?? '', 'base64')
  const start = magic.length + versionBytes
  if (data.toString('latin1', 0, magic.length) !== magic || data.length < start) return undefined
  if (data.readUInt32BE(magic.length) !== version) return undefined
  const wire = createSshWireReader(data.subarray(start))
  const [publicKey, namespace, reserved, hash, signature] = Array.from({ length: 5 }, () => wire.readString())
  if (!publicKey || !namespace || !reserved || !hash || !signature || !wire.isAtEnd()) return undefined
  const hashName = hash.toString('latin1')
  const isFor = namespace.toString('latin1') === 'git' && hashes.includes(hashName)
  const verifyPayload = (payload: Uint8Array): boolean => {
    const message = createHash(hashName).update(payload).digest()
    const signed = Buffer.concat([Buffer.from(magic), ...[namespace, reserved, hash, message].map(encodeString)])
    const parts = createSshWireReader(signature)
    const algorithm = parts.readString()?.toString('latin1') ?? ''
    return createVerifier(publicKey)?.(signed, algorithm, parts.readString() ?? Buffer.alloc(0)) ?? false
  }
  return {
    keySha256: createHash('sha256').update(publicKey).digest('base64').replace(/=+$/, ''),
    verify: (payload) => {
      try {
        return isFor && verifyPayload(payload)
      } catch {
        // The key is malformed: no stored key is equal to it.
        return false
      }
    },
  }
}
