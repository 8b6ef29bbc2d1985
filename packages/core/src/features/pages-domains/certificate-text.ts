import {
  bitsOf,
  type DerElement,
  derBits,
  derChildren,
  derIdentifier,
  expectTag,
  integerOf,
  readDer,
  tag,
} from './x509/der.ts'
import { commaName } from './x509/distinguished-name.ts'
import { extensionText } from './x509/extension-text.ts'
import { publicKeyText } from './x509/key-text.ts'
import { longName } from './x509/object-names.ts'
import { signatureAlgorithmText, signatureText } from './x509/signature-text.ts'
import { derTimeText, hexLines } from './x509/value-text.ts'

const pad = ' '.repeat(8)
const deeper = ' '.repeat(12)

const versionText = (element: DerElement | undefined): string => {
  const version = element === undefined ? 0n : integerOf(readDer(element.content).content)
  return version <= 2n ? `${version + 1n} (0x${version.toString(16)})` : `Unknown (${version})`
}

/** Numbers that fit a machine word in decimal, longer ones as octets of their size. */
const serialText = ({ content }: DerElement): string => {
  const number = integerOf(content)
  const sign = number < 0n ? '-' : ''
  const size = number < 0n ? -number : number
  if (BigInt.asIntN(64, number) === number) return ` ${number} (${sign}0x${size.toString(16)})`
  const digits = size.toString(16)
  const octets = Buffer.from(digits.length % 2 ? `0${digits}` : digits, 'hex')
  return `\n${deeper}${sign ? ' (Negative)' : ''}${hexLines(octets, octets.length, '')}`
}

const extensionLines = (extensions: DerElement): string[] =>
  derChildren(readDer(extensions.content)).flatMap((extension) => {
    const [identifier, ...rest] = derChildren(extension)
    const critical = rest.some((part) => part.tag === tag.boolean && part.content[0] !== 0)
    const name = derIdentifier(identifier)
    const value = expectTag(rest.at(-1), tag.octetString).content
    return [`${deeper}${longName(name)}: ${critical ? 'critical' : ''}`, extensionText(name, value)]
  })

/** Fields after the public key: unique identifiers of issuer and subject, extensions. */
const optionalLines = (field: DerElement): string[] => {
  const identifier = { 129: 'Issuer', 130: 'Subject' }[field.tag]
  if (identifier !== undefined) return [`${pad}${identifier} Unique ID: ${hexLines(bitsOf(field.content), 18, deeper)}`]
  const lines = field.tag === 0xa3 ? extensionLines(field) : []
  return lines.length === 0 ? [] : [`${pad}X509v3 extensions:`, ...lines]
}

/**
 * A certificate for people to read, line by line what `openssl x509 -text -noout` of OpenSSL 3.0 prints; fields as in RFC 5280
 * section 4.1. `der` must hold a certificate: other bytes throw.
 */
export const certificateText = (der: Buffer): string => {
  const [body, algorithm, signature] = derChildren(expectTag(readDer(der), tag.sequence))
  const fields = derChildren(expectTag(body, tag.sequence))
  const version = fields[0]?.tag === 0xa0 ? fields.shift() : undefined
  const [serial, innerAlgorithm, issuer, validity, subject, key, ...optional] = fields
  const [notBefore, notAfter] = derChildren(expectTag(validity, tag.sequence))
  const sequence = (element: DerElement | undefined) => expectTag(element, tag.sequence)
  const time = (element: DerElement | undefined) =>
    derTimeText(element?.tag === tag.utcTime ? element : expectTag(element, tag.generalizedTime))
  return [
    'Certificate:',
    '    Data:',
    `${pad}Version: ${versionText(version)}`,
    `${pad}Serial Number:${serialText(expectTag(serial, tag.integer))}`,
    signatureAlgorithmText(sequence(innerAlgorithm)),
    `${pad}Issuer: ${commaName(sequence(issuer))}`,
    `${pad}Validity`,
    `${deeper}Not Before: ${time(notBefore)}`,
    `${deeper}Not After : ${time(notAfter)}`,
    `${pad}Subject: ${commaName(sequence(subject))}`,
    `${pad}Subject Public Key Info:`,
    publicKeyText(sequence(key)),
    ...optional.flatMap(optionalLines),
    signatureText(sequence(algorithm), derBits(signature)),
    '',
  ].join('\n')
}
