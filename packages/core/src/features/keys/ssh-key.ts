import { createHash, createPublicKey } from 'node:crypto'
import { type SshWire, sshWire } from './ssh-wire.ts'

/** Which restriction of the application settings a key falls under; keys of security devices follow their plain kind. */
export type SshKeyFamily = 'rsa' | 'dsa' | 'ecdsa' | 'ed25519'

export interface SshKey {
  /** Algorithm as the key itself names it: `ssh-ed25519`. */
  readonly type: string
  readonly family: SshKeyFamily
  /** Length of the modulus, or size of the curve. */
  readonly bits: number
  /** What follows the key, `''` when nothing does. */
  readonly comment: string
  /** Type, key and comment with single blanks between them. */
  readonly normalised: string
  /** Type and key without the comment: equal for equal keys. */
  readonly body: string
  /** SHA-256 of the key in base64 without padding and without a prefix. */
  readonly sha256: string
  /** MD5 of the key as 16 lower-case hex pairs with colons. */
  readonly md5: string
}

export type SshKeyResult = { readonly key: SshKey } | { readonly complaint: string }

interface Kind {
  readonly family: SshKeyFamily
  /** Size in bits, after all fields were read; `undefined` when a field is not what it must be. */
  readonly bits: (wire: SshWire) => number | undefined
}

const longest = 10_000

/** The largest number that SSH programs read. */
const mostBits = 16_384

const rsaBits = (wire: SshWire) => {
  const exponent = wire.positiveBits()
  const modulus = wire.positiveBits()
  return exponent === undefined ? undefined : modulus
}

const dsaBits = (wire: SshWire) => {
  const [prime, ...others] = [wire.positiveBits(), wire.positiveBits(), wire.positiveBits(), wire.positiveBits()]
  return others.includes(undefined) ? undefined : prime
}

const curves = {
  nistp256: { name: 'P-256', bits: 256 },
  nistp384: { name: 'P-384', bits: 384 },
  nistp521: { name: 'P-521', bits: 521 },
}

const onCurve = (curve: string, point: Buffer) => {
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

const curveBits = (curve: keyof typeof curves) => (wire: SshWire) => {
  const { name, bits } = curves[curve]
  if (wire.string()?.toString('latin1') !== curve) return undefined
  const point = wire.string()
  const uncompressed = point?.length === 1 + 2 * Math.ceil(bits / 8) && point[0] === 4
  return uncompressed && onCurve(name, point) ? bits : undefined
}

const edwardsBits = (wire: SshWire) => (wire.string()?.length === 32 ? 256 : undefined)

/** Keys of security devices end with the application they were made for. */
const ofDevice = (bits: Kind['bits']) => (wire: SshWire) => {
  const size = bits(wire)
  return wire.string() === undefined ? undefined : size
}

/** RFC 4253 section 6.6, RFC 5656, RFC 8709 and the forms for FIDO devices. */
const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['ssh-rsa', { family: 'rsa', bits: rsaBits }],
  ['ssh-dss', { family: 'dsa', bits: dsaBits }],
  ['ecdsa-sha2-nistp256', { family: 'ecdsa', bits: curveBits('nistp256') }],
  ['ecdsa-sha2-nistp384', { family: 'ecdsa', bits: curveBits('nistp384') }],
  ['ecdsa-sha2-nistp521', { family: 'ecdsa', bits: curveBits('nistp521') }],
  ['ssh-ed25519', { family: 'ed25519', bits: edwardsBits }],
  ['sk-ecdsa-sha2-nistp256@openssh.com', { family: 'ecdsa', bits: ofDevice(curveBits('nistp256')) }],
  ['sk-ssh-ed25519@openssh.com', { family: 'ed25519', bits: ofDevice(edwardsBits) }],
])

const hash = (algorithm: string, bytes: Buffer) => createHash(algorithm).update(bytes).digest()

const decoded = (base64: string): Buffer | undefined => {
  const bytes = Buffer.from(base64, 'base64')
  // The decoder skips what it does not know, so only a text that comes back unchanged was base64.
  return bytes.length > 0 && bytes.toString('base64') === base64 ? bytes : undefined
}

const refused = (complaint: string): SshKeyResult => ({ complaint })

/**
 * Reads one public key as OpenSSH writes it, `<type> <base64> [comment]` on one line. Private keys, other formats, lines with options,
 * certificates and keys whose bytes are cut short, too long or of another type than declared are refused.
 * Complaints continue the sentence that begins with the field's name: `key is truncated or damaged`.
 */
export const parseSshKey = (text: string): SshKeyResult => {
  const line = text.trim()
  if (line === '') return refused("can't be blank")
  if (line.length > longest) return refused(`is too long (maximum is ${longest} characters)`)
  if (line.includes('PRIVATE KEY') || line.startsWith('PuTTY-User-Key-File')) {
    return refused('is a private key: keep it secret and send the public key instead')
  }
  if (line.includes('\n') || line.includes('\r')) return refused('must be a single public key on one line')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\x00-\x08\x0b-\x1f\x7f]/.test(line)) return refused('contains control characters')

  const [type = '', base64, ...rest] = line.split(/[ \t]+/)
  const kind = kinds.get(type)
  if (kind === undefined) return refused(`must begin with one of ${[...kinds.keys()].join(', ')}`)
  if (base64 === undefined) return refused('has no key after its type')
  const bytes = decoded(base64)
  if (bytes === undefined) return refused('is not valid base64')

  const wire = sshWire(bytes)
  const inner = wire.string()?.toString('latin1')
  if (inner === undefined) return refused('is truncated or damaged')
  if (inner !== type) return refused(`is declared as ${type} but holds a key of another type`)
  const bits = kind.bits(wire)
  if (bits === undefined || bits > mostBits || !wire.atEnd()) return refused('is truncated or damaged')

  const body = `${type} ${base64}`
  const comment = rest.join(' ')
  return {
    key: {
      type,
      family: kind.family,
      bits,
      comment,
      normalised: comment === '' ? body : `${body} ${comment}`,
      body,
      sha256: hash('sha256', bytes).toString('base64').replace(/=+$/, ''),
      md5: hash('md5', bytes).toString('hex').match(/../g)?.join(':') ?? '',
    },
  }
}
