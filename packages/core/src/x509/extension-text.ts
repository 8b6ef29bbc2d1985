import {
  type DerElement,
  DerError,
  derBits,
  derChildren,
  derIdentifier,
  derInteger,
  derSequence,
  expectTag,
  readDer,
  retagged,
  setBits,
  tag,
} from './der.ts'
import { relativeName } from './distinguished-name.ts'
import { generalName, ipAddressText, isIpAddress, plainGeneralName } from './general-name.ts'
import { longName } from './object-names.ts'
import { policyText } from './policy-text.ts'
import { signedTimestamps } from './signed-timestamps.ts'
import { derTimeText, hexPairs, integerText, magnitude, printable } from './value-text.ts'

const pad = ' '.repeat(16)
const deeper = `${pad}  `

/** The indented text of an extension's value, without a final line break. Throws a `DerError` for a malformed value. */
type Printer = (value: DerElement) => string

/** Values on one line. An empty list counts as malformed. */
const oneLine = (texts: readonly string[]): string => {
  if (texts.length === 0) throw new DerError('list is empty')
  return pad + texts.join(', ')
}

const manyLines = (texts: readonly string[]): string => texts.map((text) => pad + text).join('\n')

const empty = `${pad}<EMPTY>\n`

/** The element has context tag `[number]`, primitive or constructed. */
const hasContext = (element: DerElement, number: number): boolean => (element.tag & 0xdf) === 0x80 + number

const bitNames =
  (names: readonly string[]): Printer =>
  (value) =>
    oneLine(setBits(derBits(value)).flatMap((bit) => names[bit] ?? []))

const alternativeNames: Printer = (value) => {
  const names = derSequence(value).map(generalName)
  return names.length === 0 ? empty : oneLine(names)
}

const basicConstraints: Printer = (value) => {
  const parts = derSequence(value)
  const isAuthority = parts.some((part) => part.tag === tag.boolean && part.content[0] !== 0)
  const length = parts.find((part) => part.tag === tag.integer)
  const texts = [`CA:${isAuthority ? 'TRUE' : 'FALSE'}`]
  if (length !== undefined) texts.push(`pathlen:${integerText(derInteger(length))}`)
  return oneLine(texts)
}

const authorityKeyIdentifier: Printer = (value) => {
  const parts = derSequence(value)
  const isOnlyPart = parts.length === 1
  const texts = parts.flatMap((part) => {
    if (hasContext(part, 0)) return [`${isOnlyPart ? '' : 'keyid:'}${hexPairs(part.content)}`]
    if (hasContext(part, 1)) return derChildren(part).map(generalName)
    return [`serial:${hexPairs(magnitude(derInteger(retagged(part, tag.integer))))}`]
  })
  if (texts.length === 0) throw new DerError('identifier is empty')
  return manyLines(texts)
}

const informationAccess: Printer = (value) => {
  const descriptions = derSequence(value).map((description) => {
    const [method, location] = derChildren(description)
    if (location === undefined) throw new DerError('location is missing')
    return `${longName(derIdentifier(method))} - ${generalName(location)}`
  })
  return descriptions.length === 0 ? empty : manyLines(descriptions)
}

const revocationReasons = [
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

const distributionPointName = (name: DerElement): string => {
  const [choice] = derChildren(name)
  if (choice === undefined) throw new DerError('name is empty')
  if (hasContext(choice, 1)) return `${pad}Relative Name:\n${deeper}${relativeName(derChildren(choice))}\n`
  return [`${pad}Full Name:`, ...derChildren(choice).map((entry) => deeper + plainGeneralName(entry))].join('\n')
}

const distributionPoints: Printer = (value) =>
  derSequence(value)
    .map((point) =>
      // OpenSSL prints no line break between the name and the reasons.
      derChildren(point)
        .map((part) => {
          if (hasContext(part, 0)) return distributionPointName(part)
          if (hasContext(part, 1)) {
            const reasons = setBits(derBits(retagged(part, tag.bitString)))
            const names = reasons.flatMap((bit) => revocationReasons[bit] ?? [])
            return `${pad}Reasons:\n${deeper}${names.join(', ') || '<EMPTY>'}\n`
          }
          return [`${pad}CRL Issuer:`, ...derChildren(part).map((entry) => deeper + plainGeneralName(entry))].join('\n')
        })
        .join(''),
    )
    .join('\n')

const addressAndMask = (octets: Buffer): string => {
  const half = octets.length >= 16 ? 16 : 4
  return `IP:${ipAddressText(octets.subarray(0, half))}/${ipAddressText(octets.subarray(half))}`
}

const subtree = (element: DerElement): string => {
  const [base] = derChildren(element)
  if (base === undefined) throw new DerError('base is missing')
  return deeper + (isIpAddress(base) ? addressAndMask(base.content) : plainGeneralName(base))
}

const nameConstraints: Printer = (value) =>
  derSequence(value)
    .flatMap((trees) => [
      `${pad}${hasContext(trees, 0) ? 'Permitted' : 'Excluded'}:`,
      ...derChildren(trees).map(subtree),
    ])
    .join('\n')

const policyConstraints: Printer = (value) =>
  oneLine(
    derSequence(value).map((part) => {
      const label = hasContext(part, 0) ? 'Require Explicit Policy' : 'Inhibit Policy Mapping'
      return `${label}:${integerText(derInteger(retagged(part, tag.integer)))}`
    }),
  )

const policyMappings: Printer = (value) =>
  oneLine(
    derSequence(value).map((pair) =>
      derChildren(pair)
        .map((part) => longName(derIdentifier(part)))
        .join(':'),
    ),
  )

const privateKeyUsagePeriod: Printer = (value) => {
  const ends = derSequence(value).map((part) => {
    const time = derTimeText(retagged(part, tag.generalizedTime))
    return `${hasContext(part, 0) ? 'Not Before' : 'Not After'}: ${time}`
  })
  return pad + ends.join(', ')
}

/** TLS extensions by number (RFC 6066, RFC 6961). */
const tlsFeatures: ReadonlyMap<bigint, string> = new Map([
  [5n, 'status_request'],
  [17n, 'status_request_v2'],
])

const tlsFeature: Printer = (value) =>
  oneLine(derSequence(value).map((part) => tlsFeatures.get(derInteger(part)) ?? String(derInteger(part))))

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

const netscapeCertificateTypes = [
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
  ['2.5.29.16', privateKeyUsagePeriod],
  ['2.5.29.17', alternativeNames],
  ['2.5.29.18', alternativeNames],
  ['2.5.29.19', basicConstraints],
  ['2.5.29.30', nameConstraints],
  ['2.5.29.31', distributionPoints],
  ['2.5.29.32', (value) => policyText(value, pad)],
  ['2.5.29.33', policyMappings],
  ['2.5.29.35', authorityKeyIdentifier],
  ['2.5.29.36', policyConstraints],
  ['2.5.29.37', (value) => oneLine(derSequence(value).map((purpose) => longName(derIdentifier(purpose))))],
  ['2.5.29.46', distributionPoints],
  ['2.5.29.54', (value) => pad + integerText(derInteger(value))],
  ['1.3.6.1.5.5.7.1.1', informationAccess],
  ['1.3.6.1.5.5.7.1.11', informationAccess],
  ['1.3.6.1.5.5.7.1.24', tlsFeature],
  ['1.3.6.1.5.5.7.48.1.5', () => ''],
  ['1.3.6.1.4.1.11129.2.4.2', (value) => signedTimestamps(expectTag(value, tag.octetString).content, pad)],
  ['1.3.6.1.4.1.11129.2.4.3', () => `${pad}NULL`],
  [`${netscape}.1`, bitNames(netscapeCertificateTypes)],
  ...[2, 3, 4, 7, 8, 12, 13].map((end): [string, Printer] => [`${netscape}.${end}`, ia5]),
])

/**
 * The value of an extension (RFC 5280 section 4.2) as indented text. Values of unknown extensions and malformed ones are printed
 * as raw bytes.
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
