import { createHash, createPublicKey } from 'node:crypto'
import { createSshWireReader, type SshWireReader } from './ssh-wire.ts'

/** The key family of a restriction in the settings. Keys of security devices belong to the family of their algorithm. */
export type SshKeyFamily = 'rsa' | 'dsa' | 'ecdsa' | 'ed25519'

export interface SshKey {
  /** Algorithm name in the key: `ssh-ed25519`. */
  readonly type: string
  readonly family: SshKeyFamily
  /** Length of the modulus, or size of the curve. */
  readonly bits: number
  /** The text after the key; may be empty. */
  readonly comment: string
  /** Type, key and comment, separated by single spaces. */
  readonly normalised: string
  /** Type and key without the comment; equal for equal keys. */
  readonly body: string
  /** SHA-256 of the key in base64 without padding and without a prefix. */
  readonly sha256: string
  /** MD5 of the key as 16 lower-case hex pairs with colons. */
  readonly md5: string
}

export type SshKeyResult = { readonly key: SshKey } | { readonly problem: string }

interface KeyFormat {
  readonly family: SshKeyFamily
  /** Reads all fields and returns the size in bits; `undefined` for an invalid field. */
  readonly readBits: (wire: SshWireReader) => number | undefined
}

const maxLength = 10_000

/** The largest key size that SSH programs accept, in bits. */
const maxBits = 16_384

const readRsaBits = (wire: SshWireReader) => {
  const exponent = wire.readPositiveBits()
  const modulus = wire.readPositiveBits()
  return exponent === undefined ? undefined : modulus
}

const readDsaBits = (wire: SshWireReader) => {
  const [prime, ...others] = [
    wire.readPositiveBits(),
    wire.readPositiveBits(),
    wire.readPositiveBits(),
    wire.readPositiveBits(),
  ]
  return others.includes(undefined) ? undefined : prime
}

const curves = {
  nistp256: { name: 'P-256', bits: 256 },
  nistp384: { name: 'P-384', bits: 384 },
  nistp521: { name: 'P-521', bits: 521 },
}

const isOnCurve = (curve: string, point: Buffer) => {
  const half = (point.length - 1) / 2
  const x = point.toString('base64url', 1, 1 + half)
  const y = point.toString('base64url', 1 + half)
  try {
    createPublicKey({ key: { kty: 'EC', crv: curve, x, y }, format: 'jwk' })
    return true
  } catch {
    return false
  }
}

const createCurveBitsReader = (curve: keyof typeof curves) => (wire: SshWireReader) => {
  const { name, bits } = curves[curve]
  if (wire.readString()?.toString('latin1') !== curve) return undefined
  const point = wire.readString()
  const isUncompressed = point?.length === 1 + 2 * Math.ceil(bits / 8) && point[0] === 4
  return isUncompressed && isOnCurve(name, point) ? bits : undefined
}

const readEdwardsBits = (wire: SshWireReader) => (wire.readString()?.length === 32 ? 256 : undefined)

/** Keys of security devices have a further field at the end: the application of the key. */
const createDeviceBitsReader = (readBits: KeyFormat['readBits']) => (wire: SshWireReader) => {
  const bits = readBits(wire)
  return wire.readString() === undefined ? undefined : bits
}

/** RFC 4253 section 6.6, RFC 5656, RFC 8709 and the formats of FIDO devices. */
const keyFormats: ReadonlyMap<string, KeyFormat> = new Map<string, KeyFormat>([
  ['ssh-rsa', { family: 'rsa', readBits: readRsaBits }],
  ['ssh-dss', { family: 'dsa', readBits: readDsaBits }],
  ['ecdsa-sha2-nistp256', { family: 'ecdsa', readBits: createCurveBitsReader('nistp256') }],
  ['ecdsa-sha2-nistp384', { family: 'ecdsa', readBits: createCurveBitsReader('nistp384') }],
  ['ecdsa-sha2-nistp521', { family: 'ecdsa', readBits: createCurveBitsReader('nistp521') }],
  ['ssh-ed25519', { family: 'ed25519', readBits: readEdwardsBits }],
  [
    'sk-ecdsa-sha2-nistp256@openssh.com',
    { family: 'ecdsa', readBits: createDeviceBitsReader(createCurveBitsReader('nistp256')) },
  ],
  ['sk-ssh-ed25519@openssh.com', { family: 'ed25519', readBits: createDeviceBitsReader(readEdwardsBits) }],
])

const hash = (algorithm: string, bytes: Buffer) => createHash(algorithm).update(bytes).digest()

const decodeBase64 = (base64: string): Buffer | undefined => {
  const bytes = Buffer.from(base64, 'base64')
  // The decoder skips invalid characters, so the text is valid base64 only if it encodes to the same text again.
  return bytes.length > 0 && bytes.toString('base64') === base64 ? bytes : undefined
}

const rejectKey = (problem: string): SshKeyResult => ({ problem })

/**
 * Parses one public key in the OpenSSH format, `<type> <base64> [comment]` on one line. Rejects private keys, other formats,
 * lines with options, certificates, and keys with truncated or extra bytes or of another type than declared.
 * The problem continues the name of the field: `key is truncated or damaged`.
 */
export const parseSshKey = (text: string): SshKeyResult => {
  const line = text.trim()
  if (line === '') return rejectKey("can't be blank")
  if (line.length > maxLength) return rejectKey(`is too long (maximum is ${maxLength} characters)`)
  if (line.includes('PRIVATE KEY') || line.startsWith('PuTTY-User-Key-File')) {
    return rejectKey('is a private key: keep it secret and send the public key instead')
  }
  if (line.includes('\n') || line.includes('\r')) return rejectKey('must be a single public key on one line')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
  if (/[\x00-\x08\x0b-\x1f\x7f]/.test(line)) return rejectKey('contains control characters')

  const [type = '', base64, ...rest] = line.split(/[ \t]+/)
  const format = keyFormats.get(type)
  if (format === undefined) return rejectKey(`must begin with one of ${[...keyFormats.keys()].join(', ')}`)
  if (base64 === undefined) return rejectKey('has no key after its type')
  const bytes = decodeBase64(base64)
  if (bytes === undefined) return rejectKey('is not valid base64')

  const wire = createSshWireReader(bytes)
  const innerType = wire.readString()?.toString('latin1')
  if (innerType === undefined) return rejectKey('is truncated or damaged')
  if (innerType !== type) return rejectKey(`is declared as ${type} but holds a key of another type`)
  const bits = format.readBits(wire)
  if (bits === undefined || bits > maxBits || !wire.isAtEnd()) return rejectKey('is truncated or damaged')

  const body = `${type} ${base64}`
  const comment = rest.join(' ')
  return {
    key: {
      type,
      family: format.family,
      bits,
      comment,
      normalised: comment === '' ? body : `${body} ${comment}`,
      body,
      sha256: hash('sha256', bytes).toString('base64').replace(/=+$/, ''),
      md5: hash('md5', bytes).toString('hex').match(/../g)?.join(':') ?? '',
    },
  }
}
