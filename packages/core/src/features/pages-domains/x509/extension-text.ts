import {
  bitsOf,
  type DerElement,
  DerError,
  derBits,
  derChildren,
  derIdentifier,
  derInteger,
  expectTag,
  integerOf,
  readDer,
  setBits,
  tag,
} from './der.ts'
import { relativeName } from './distinguished-name.ts'
import { addressText, generalName, isAddress, plainGeneralName } from './general-name.ts'
import { longName } from './object-names.ts'
import { policyText } from './policy-text.ts'
import { signedTimestamps } from './signed-timestamps.ts'
import { derTimeText, hexPairs, integerText, printable } from './value-text.ts'

const pad = ' '.repeat(16)
const deeper = `${pad}  `

/** Text of one kind of extension, indented, without the last line break. A `DerError` makes the caller print the bytes. */
type Printer = (value: DerElement) => string

/** Values on one line. A list that may not be empty is not readable when it is. */
const oneLine = (texts: readonly string[]): string => {
  if (texts.length === 0) throw new DerError('list is empty')
  return pad + texts.join(', ')
}

const manyLines = (texts: readonly string[]): string => texts.map((text) => pad + text).join('\n')

const empty = `${pad}<EMPTY>\n`

const context = (element: DerElement, number: number): boolean => (element.tag & 0xdf) === 0x80 + number

const sequence = (value: DerElement) => derChildren(expectTag(value, tag.sequence))

const bitNames =
  (names: readonly string[]): Printer =>
  (value) =>
    oneLine(setBits(derBits(value)).flatMap((bit) => names[bit] ?? []))

const alternativeNames: Printer = (value) => {
  const names = sequence(value).map(generalName)
  return names.length === 0 ? empty : oneLine(names)
}

const basicConstraints: Printer = (value) => {
  const parts = sequence(value)
  const authority = parts.some((part) => part.tag === tag.boolean && part.content[0] !== 0)
  const length = parts.find((part) => part.tag === tag.integer)
  const texts = [`CA:${authority ? 'TRUE' : 'FALSE'}`]
  if (length !== undefined) texts.push(`pathlen:${integerText(derInteger(length))}`)
  return oneLine(texts)
}

const authorityKeyIdentifier: Printer = (value) => {
  const parts = sequence(value)
  const alone = parts.length === 1
  const texts = parts.flatMap((part) => {
    if (context(part, 0)) return [`${alone ? '' : 'keyid:'}${hexPairs(part.content)}`]
    if (context(part, 1)) return derChildren(part).map(generalName)
    const serial = integerOf(part.content)
    const digits = (serial < 0n ? -serial : serial).toString(16)
    return [`serial:${hexPairs(Buffer.from(digits.length % 2 ? `0${digits}` : digits, 'hex'))}`]
  })
  if (texts.length === 0) throw new DerError('nothing is named')
  return manyLines(texts)
}

const informationAccess: Printer = (value) => {
  const places = sequence(value).map((description) => {
    const [method, place] = derChildren(description)
    if (place === undefined) throw new DerError('place is missing')
    return `${longName(derIdentifier(method))} - ${generalName(place)}`
  })
  return places.length === 0 ? empty : manyLines(places)
}

const reasons = [
  'Unused',
  'Key Compromise',
  'CA Compromise',
  'Affiliation Changed',
  'Superseded',
  'Cessation Of Operation',
  'Certificate Hold',
  'Privilege Withdrawn',
  'AA Compromise',
]

const pointName = (name: DerElement): string => {
  const [choice] = derChildren(name)
  if (choice === undefined) throw new DerError('name is empty')
  if (context(choice, 1)) return `${pad}Relative Name:\n${deeper}${relativeName(derChildren(choice))}\n`
  return [`${pad}Full Name:`, ...derChildren(choice).map((entry) => deeper + plainGeneralName(entry))].join('\n')
}

const distributionPoints: Printer = (value) =>
  sequence(value)
    .map((point) =>
      // Reasons begin right after the name's last character, without a line break: that is how the text has always looked.
      derChildren(point)
        .map((part) => {
          if (context(part, 0)) return pointName(part)
          if (context(part, 1)) {
            const given = setBits(bitsOf(part.content)).flatMap((bit) => reasons[bit] ?? [])
            return `${pad}Reasons:\n${deeper}${given.join(', ') || '<EMPTY>'}\n`
          }
          return [`${pad}CRL Issuer:`, ...derChildren(part).map((entry) => deeper + plainGeneralName(entry))].join('\n')
        })
        .join(''),
    )
    .join('\n')

const addressAndMask = (octets: Buffer): string => {
  const half = octets.length >= 16 ? 16 : 4
  const [address, mask] =
    octets.length < half ? [octets, Buffer.alloc(0)] : [octets.subarray(0, half), octets.subarray(half)]
  return `IP:${addressText(address)}/${addressText(mask)}`
}

const subtree = (element: DerElement): string => {
  const [base] = derChildren(element)
  if (base === undefined) throw new DerError('base is missing')
  return deeper + (isAddress(base) ? addressAndMask(base.content) : plainGeneralName(base))
}

const nameConstraints: Printer = (value) =>
  sequence(value)
    .flatMap((trees) => [`${pad}${context(trees, 0) ? 'Permitted' : 'Excluded'}:`, ...derChildren(trees).map(subtree)])
    .join('\n')

const policyConstraints: Printer = (value) =>
  oneLine(
    sequence(value).map(
      (part) =>
        `${context(part, 0) ? 'Require Explicit Policy' : 'Inhibit Policy Mapping'}:${integerText(integerOf(part.content))}`,
    ),
  )

const policyMappings: Printer = (value) =>
  oneLine(
    sequence(value).map((pair) =>
      derChildren(pair)
        .map((part) => longName(derIdentifier(part)))
        .join(':'),
    ),
  )

const keyPeriod: Printer = (value) => {
  const ends = sequence(value).map((part) => {
    const time = derTimeText({ ...part, tag: tag.generalizedTime })
    return `${context(part, 0) ? 'Not Before' : 'Not After'}: ${time}`
  })
  return pad + ends.join(', ')
}

/** TLS extensions by number (RFC 6066, RFC 6961). */
const tlsFeatures: ReadonlyMap<bigint, string> = new Map([
  [5n, 'status_request'],
  [17n, 'status_request_v2'],
])

const tlsFeature: Printer = (value) =>
  oneLine(sequence(value).map((part) => tlsFeatures.get(derInteger(part)) ?? String(derInteger(part))))

const ia5: Printer = (value) => pad + expectTag(value, tag.ia5String).content.toString('utf8')

const keyUsages = [
  'Digital Signature',
  'Non Repudiation',
  'Key Encipherment',
  'Data Encipherment',
  'Key Agreement',
  'Certificate Sign',
  'CRL Sign',
  'Encipher Only',
  'Decipher Only',
]

const netscapeKinds = [
  'SSL Client',
  'SSL Server',
  'S/MIME',
  'Object Signing',
  'Unused',
  'SSL CA',
  'S/MIME CA',
  'Object Signing CA',
]

const netscape = '2.16.840.1.113730.1'

const printers: ReadonlyMap<string, Printer> = new Map<string, Printer>([
  ['2.5.29.14', (value) => pad + hexPairs(expectTag(value, tag.octetString).content)],
  ['2.5.29.15', bitNames(keyUsages)],
  ['2.5.29.16', keyPeriod],
  ['2.5.29.17', alternativeNames],
  ['2.5.29.18', alternativeNames],
  ['2.5.29.19', basicConstraints],
  ['2.5.29.30', nameConstraints],
  ['2.5.29.31', distributionPoints],
  ['2.5.29.32', (value) => policyText(expectTag(value, tag.sequence), pad)],
  ['2.5.29.33', policyMappings],
  ['2.5.29.35', authorityKeyIdentifier],
  ['2.5.29.36', policyConstraints],
  ['2.5.29.37', (value) => oneLine(sequence(value).map((purpose) => longName(derIdentifier(purpose))))],
  ['2.5.29.46', distributionPoints],
  ['2.5.29.54', (value) => pad + integerText(derInteger(value))],
  ['1.3.6.1.5.5.7.1.1', informationAccess],
  ['1.3.6.1.5.5.7.1.11', informationAccess],
  ['1.3.6.1.5.5.7.1.24', tlsFeature],
  ['1.3.6.1.5.5.7.48.1.5', () => ''],
  ['1.3.6.1.4.1.11129.2.4.2', (value) => signedTimestamps(expectTag(value, tag.octetString).content, pad)],
  ['1.3.6.1.4.1.11129.2.4.3', () => `${pad}NULL`],
  [`${netscape}.1`, bitNames(netscapeKinds)],
  ...[2, 3, 4, 7, 8, 12, 13].map((end): [string, Printer] => [`${netscape}.${end}`, ia5]),
])

/**
 * What an extension says, indented for the text form of a certificate; RFC 5280 section 4.2.
 * Extensions that are unknown, or whose bytes are not what their kind asks for, appear as their printable bytes.
 */
export const extensionText = (identifier: string, value: Buffer): string => {
  const printer = printers.get(identifier)
  if (printer === undefined) return pad + printable(value)
  try {
    return printer(readDer(value))
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    return pad + printable(value)
  }
}
