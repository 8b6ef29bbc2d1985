import { type KeyObject, sign } from 'node:crypto'
import { tag } from './der.ts'

/** A certificate to create: version 3 of X.509 with a P-256 key, signed by a P-256 key (RFC 5280, section 4.1). */
export interface NewCertificate {
  /** Positive; at most 16 bytes. */
  readonly serialNumber: Uint8Array
  /** Common name of the owner. */
  readonly subject: string
  /** Common name of the certificate with which this one is verified; that of the owner if it is signed with its own key. */
  readonly issuer: string
  readonly notBefore: Date
  readonly notAfter: Date
  readonly publicKey: KeyObject
  /** The private key of the issuer. */
  readonly signingKey: KeyObject
  /** Whether it may issue certificates itself. */
  readonly isAuthority: boolean
}

const encodeLength = (length: number): Buffer => {
  if (length < 0x80) return Buffer.from([length])
  const bytes = Buffer.from(length.toString(16).padStart(length > 0xff ? 4 : 2, '0'), 'hex')
  return Buffer.concat([Buffer.from([0x80 + bytes.length]), bytes])
}

const encode = (identifier: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([identifier]), encodeLength(content.length), content])
}

const sequence = (...parts: readonly Uint8Array[]) => encode(tag.sequence, ...parts)

/** Encoded object identifiers. */
const identifiers = {
  commonName: '0603550403',
  ecdsaWithSha256: '06082a8648ce3d040302',
  basicConstraints: '0603551d13',
  keyUsage: '0603551d0f',
} as const

const identifier = (name: keyof typeof identifiers) => Buffer.from(identifiers[name], 'hex')

const encodeName = (commonName: string) =>
  sequence(encode(tag.set, sequence(identifier('commonName'), encode(tag.utf8String, Buffer.from(commonName)))))

/** `YYYYMMDDHHMMSSZ`, which is permitted from the year 2050 on; before, the year has two digits (RFC 5280, section 4.1.2.5). */
const encodeTime = (date: Date) => {
  const text = `${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`
  return date.getUTCFullYear() < 2050
    ? encode(tag.utcTime, Buffer.from(text.slice(2)))
    : encode(tag.generalizedTime, Buffer.from(text))
}

const encodedTrue = encode(tag.boolean, Buffer.from([0xff]))

const encodeExtension = (name: keyof typeof identifiers, value: Uint8Array) =>
  sequence(identifier(name), encodedTrue, encode(tag.octetString, value))

/** Bits of the key usage: 5, to sign certificates, or 0, for other signatures. The first byte counts the unused bits. */
const encodeKeyUsage = (isAuthority: boolean) => encode(tag.bitString, Buffer.from(isAuthority ? [2, 0x04] : [7, 0x80]))

const versionThree = encode(0xa0, encode(tag.integer, Buffer.from([2])))

/** Creates a certificate in DER. */
export const createCertificate = (input: NewCertificate): Buffer => {
  const { serialNumber, subject, issuer, notBefore, notAfter, publicKey, signingKey, isAuthority } = input
  const algorithm = sequence(identifier('ecdsaWithSha256'))
  const content = sequence(
    versionThree,
    // The first byte is positive, and not zero: other leading bytes have several encodings.
    encode(tag.integer, Buffer.from([0x01]), serialNumber),
    algorithm,
    encodeName(issuer),
    sequence(encodeTime(notBefore), encodeTime(notAfter)),
    encodeName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    encode(
      0xa3,
      sequence(
        encodeExtension('basicConstraints', isAuthority ? sequence(encodedTrue) : sequence()),
        encodeExtension('keyUsage', encodeKeyUsage(isAuthority)),
      ),
    ),
  )
  const signature = sign('sha256', content, signingKey)
  return sequence(content, algorithm, encode(tag.bitString, Buffer.from([0]), signature))
}

/** A certificate as PEM. */
export const toPem = (der: Uint8Array): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der)
    .toString('base64')
    .replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`
