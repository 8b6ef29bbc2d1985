import { type DerElement, derBits, derIdentifier, derInteger, derSequence, readDer } from './der.ts'
import { longName, shortName } from './object-names.ts'
import { hexLines, magnitude } from './value-text.ts'

const pad = ' '.repeat(16)

/** A number below 2^64 on the line of its label, a larger one in hexadecimal lines that begin with a sign octet where DER has one. */
export const labelledNumber = (label: string, number: bigint, indentation: string): string => {
  if (number >> 64n === 0n) return `${indentation}${label} ${number} (0x${number.toString(16)})`
  const octets = magnitude(number)
  const signed = (octets[0] as number) >= 0x80 ? Buffer.concat([Buffer.of(0), octets]) : octets
  return `${indentation}${label}\n${hexLines(signed, 15, `${indentation}    `)}`
}

const sizeLine = (bits: number) => `${pad}Public-Key: (${bits} bit)`

const bitLength = (number: bigint) => number.toString(2).length

interface PublicKey {
  readonly parameters: DerElement | undefined
  readonly content: Buffer
}

const rsa = ({ content }: PublicKey): string => {
  const [modulus, exponent] = derSequence(readDer(content)).map(derInteger)
  if (modulus === undefined || exponent === undefined) throw new RangeError('key is not complete')
  return [
    sizeLine(bitLength(modulus)),
    labelledNumber('Modulus:', modulus, pad),
    labelledNumber('Exponent:', exponent, pad),
  ].join('\n')
}

/** `SHA2-256`: the spelling in PSS restrictions. */
const restrictedHash = (hash: string) => hash.toUpperCase().replace(/^SHA(?=\d{3}$)/, 'SHA2-')

const rsaPss = (key: PublicKey): string => {
  if (key.parameters === undefined) return `${rsa(key)}\n${pad}No PSS parameter restrictions`
  const { hash, mask, salt, trailer } = pssParameters(key.parameters)
  const lines = [
    'PSS parameter restrictions:',
    `  Hash Algorithm: ${restrictedHash(hash)}${hash === pssDefaults.hash ? ' (default)' : ''}`,
    `  Mask Algorithm: MGF1 with ${restrictedHash(mask)}${mask === pssDefaults.hash ? ' (default)' : ''}`,
    `  Minimum Salt Length: ${salt ?? pssDefaults.salt}${salt === undefined || salt === pssDefaults.salt ? ' (default)' : ''}`,
    `  Trailer Field: 0x${(trailer ?? 1n).toString(16)}${trailer === undefined || trailer === 1n ? ' (default)' : ''}`,
  ]
  return [rsa(key), ...lines.map((line) => pad + line)].join('\n')
}

const pssDefaults = { hash: 'sha1', salt: 20n }

/** Parameters of RSASSA-PSS (RFC 4055 section 3.1). Absent numbers are `undefined`, absent hash functions are the default. */
export const pssParameters = (element: DerElement) => {
  const parts = new Map(derSequence(element).map((part) => [part.tag - 0xa0, readDer(part.content)]))
  const algorithm = (part: DerElement | undefined) => (part === undefined ? [] : derSequence(part))
  const hashOf = (identifier: DerElement | undefined) =>
    identifier === undefined ? pssDefaults.hash : longName(derIdentifier(identifier))
  const [hash] = algorithm(parts.get(0))
  const [, maskParameters] = algorithm(parts.get(1))
  const [mask] = algorithm(maskParameters)
  const [salt, trailer] = [parts.get(2), parts.get(3)]
  return {
    hash: hashOf(hash),
    mask: hashOf(mask),
    salt: salt === undefined ? undefined : derInteger(salt),
    trailer: trailer === undefined ? undefined : derInteger(trailer),
    hasHash: hash !== undefined,
    hasMask: mask !== undefined,
  }
}

const dsa = ({ parameters, content }: PublicKey): string => {
  const [prime = 0n, divisor = 0n, generator = 0n] = derSequence(parameters).map(derInteger)
  return [
    sizeLine(bitLength(prime)),
    labelledNumber('pub: ', derInteger(readDer(content)), pad),
    labelledNumber('P:   ', prime, pad),
    labelledNumber('Q:   ', divisor, pad),
    labelledNumber('G:   ', generator, pad),
  ].join('\n')
}

interface Curve {
  /** Size of the group order. */
  readonly bits: number
  /** The curve's name in FIPS 186. */
  readonly nist?: string
}

const curves: ReadonlyMap<string, Curve> = new Map<string, Curve>([
  ['prime192v1', { bits: 192, nist: 'P-192' }],
  ['secp224r1', { bits: 224, nist: 'P-224' }],
  ['prime256v1', { bits: 256, nist: 'P-256' }],
  ['secp384r1', { bits: 384, nist: 'P-384' }],
  ['secp521r1', { bits: 521, nist: 'P-521' }],
  ['secp256k1', { bits: 256 }],
  ['SM2', { bits: 256 }],
  ...['160', '192', '224', '256', '320', '384', '512'].flatMap((bits) =>
    ['r1', 't1'].map((end): [string, Curve] => [`brainpoolP${bits}${end}`, { bits: Number(bits) }]),
  ),
])

const ellipticCurve = ({ parameters, content }: PublicKey): string => {
  const name = shortName(derIdentifier(parameters))
  const curve = curves.get(name)
  if (curve === undefined) throw new RangeError('curve is not known')
  return [
    sizeLine(curve.bits),
    `${pad}pub:`,
    hexLines(content, 15, `${pad}    `),
    `${pad}ASN1 OID: ${name}`,
    ...(curve.nist === undefined ? [] : [`${pad}NIST CURVE: ${curve.nist}`]),
  ].join('\n')
}

const rawKey =
  (name: string) =>
  ({ content }: PublicKey) =>
    `${pad}${name} Public-Key:\n${pad}pub:\n${hexLines(content, 15, `${pad}    `)}`

const printers: ReadonlyMap<string, (key: PublicKey) => string> = new Map<string, (key: PublicKey) => string>([
  ['1.2.840.113549.1.1.1', rsa],
  ['1.2.840.113549.1.1.10', rsaPss],
  ['1.2.840.10040.4.1', dsa],
  ['1.2.840.10045.2.1', ellipticCurve],
  ...['X25519', 'X448', 'ED25519', 'ED448'].map((name, index): [string, (key: PublicKey) => string] => [
    `1.3.101.${110 + index}`,
    rawKey(name),
  ]),
])

/** A subject public key (RFC 5280 section 4.1.2.7) with its algorithm. Keys of unsupported types appear as not loadable. */
export const publicKeyText = (element: DerElement): string => {
  const [algorithm, key] = derSequence(element)
  const [identifier, parameters] = derSequence(algorithm)
  const name = derIdentifier(identifier)
  const heading = `            Public Key Algorithm: ${longName(name)}`
  try {
    const text = printers.get(name)?.({ parameters, content: derBits(key) })
    if (text !== undefined) return `${heading}\n${text}`
  } catch {
    // A malformed key does not make the certificate unreadable.
  }
  return `${heading}\n            Unable to load Public Key`
}
