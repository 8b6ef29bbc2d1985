import {
  type DerElement,
  derBits,
  derChildren,
  derIdentifier,
  derInteger,
  derSequence,
  expectTag,
  readDer,
  retagged,
  tag,
} from './der.ts'
import { commaName, slashName } from './distinguished-name.ts'
import { extensionText } from './extension-text.ts'
import { publicKeyText } from './key-text.ts'
import { longName } from './object-names.ts'
import { signatureAlgorithmText, signatureText } from './signature-text.ts'
import { derTimeText, hexLines, magnitude } from './value-text.ts'

const pad = ' '.repeat(8)
const deeper = ' '.repeat(12)

/** The fields of a certificate (RFC 5280 section 4.1). */
const readFields = (der: Buffer) => {
  const [body, algorithm, signature] = derSequence(readDer(der))
  const fields = derSequence(body)
  const version = fields[0]?.tag === 0xa0 ? fields.shift() : undefined
  const [serial, innerAlgorithm, issuer, validity, subject, key, ...optional] = fields
  const required = (element: DerElement | undefined) => expectTag(element, tag.sequence)
  return {
    version: version === undefined ? 0n : derInteger(readDer(version.content)),
    serial: derInteger(serial),
    innerAlgorithm: required(innerAlgorithm),
    issuer: required(issuer),
    validity: derSequence(validity),
    subject: required(subject),
    key: required(key),
    optional,
    algorithm: required(algorithm),
    signature: derBits(signature),
  }
}

const versionText = (version: bigint): string =>
  version <= 2n ? `${version + 1n} (0x${version.toString(16)})` : `Unknown (${version})`

/** Numbers of at most 64 bits in decimal, longer ones as octets of the absolute value. */
const serialText = (serial: bigint): string => {
  const octets = magnitude(serial)
  const isNegative = serial < 0n
  if (BigInt.asIntN(64, serial) !== serial) {
    return `\n${deeper}${isNegative ? ' (Negative)' : ''}${hexLines(octets, octets.length, '')}`
  }
  return ` ${serial} (${isNegative ? '-' : ''}0x${(isNegative ? -serial : serial).toString(16)})`
}

const timeOf = (element: DerElement | undefined): string =>
  derTimeText(element?.tag === tag.utcTime ? element : expectTag(element, tag.generalizedTime))

const extensionLines = (extensions: DerElement): string[] =>
  derChildren(readDer(extensions.content)).flatMap((extension) => {
    const [type, ...rest] = derChildren(extension)
    const critical = rest.some((part) => part.tag === tag.boolean && part.content[0] !== 0)
    const identifier = derIdentifier(type)
    const value = expectTag(rest.at(-1), tag.octetString).content
    return [`${deeper}${longName(identifier)}: ${critical ? 'critical' : ''}`, extensionText(identifier, value)]
  })

/** Fields after the public key: unique identifiers of issuer and subject, extensions. */
const optionalLines = (field: DerElement): string[] => {
  const owner = { 129: 'Issuer', 130: 'Subject' }[field.tag]
  if (owner !== undefined) {
    return [`${pad}${owner} Unique ID: ${hexLines(derBits(retagged(field, tag.bitString)), 18, deeper)}`]
  }
  const lines = field.tag === 0xa3 ? extensionLines(field) : []
  return lines.length === 0 ? [] : [`${pad}X509v3 extensions:`, ...lines]
}

/**
 * The output of `openssl x509 -text -noout` of OpenSSL 3.0 for a certificate. Throws for bytes that are not a certificate.
 */
export const certificateText = (der: Buffer): string => {
  const fields = readFields(der)
  const [notBefore, notAfter] = fields.validity
  return [
    'Certificate:',
    '    Data:',
    `${pad}Version: ${versionText(fields.version)}`,
    `${pad}Serial Number:${serialText(fields.serial)}`,
    signatureAlgorithmText(fields.innerAlgorithm),
    `${pad}Issuer: ${commaName(fields.issuer)}`,
    `${pad}Validity`,
    `${deeper}Not Before: ${timeOf(notBefore)}`,
    `${deeper}Not After : ${timeOf(notAfter)}`,
    `${pad}Subject: ${commaName(fields.subject)}`,
    `${pad}Subject Public Key Info:`,
    publicKeyText(fields.key),
    ...fields.optional.flatMap(optionalLines),
    signatureText(fields.algorithm, fields.signature),
    '',
  ].join('\n')
}

/** The subject in OpenSSL's one-line form, `/C=DE/CN=www.example.com`. Throws for bytes that are not a certificate. */
export const certificateSubject = (der: Buffer): string => slashName(readFields(der).subject)
