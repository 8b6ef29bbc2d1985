import { type DerElement, DerError, derChildren, derIdentifier, derSequence, expectTag, tag } from './der.ts'
import { shortName } from './object-names.ts'

interface Attribute {
  readonly type: string
  readonly value: DerElement
}

const toAttribute = (element: DerElement): Attribute => {
  const [type, value] = derSequence(element)
  if (value === undefined) throw new DerError('attribute has no value')
  return { type: shortName(derIdentifier(type)), value }
}

/** The relative distinguished names in their order, each with its attributes. */
const relativeNames = (name: DerElement): Attribute[][] =>
  derSequence(name).map((set) => derChildren(expectTag(set, tag.set)).map(toAttribute))

const octetHex = (octet: number) => octet.toString(16).toUpperCase().padStart(2, '0')

const isPrintable = (octet: number) => octet >= 0x20 && octet <= 0x7e

const valueOctets = ({ tag: type, content, encoded }: DerElement): Buffer => {
  if (type === tag.bitString) return content.subarray(1)
  return type === tag.sequence ? encoded : content
}

const slashValue = (value: DerElement): string =>
  [...valueOctets(value)]
    .map((octet) => (isPrintable(octet) ? String.fromCharCode(octet).replace(/[/+]/, '\\$&') : `\\x${octetHex(octet)}`))
    .join('')

/**
 * OpenSSL's one-line form: `/C=DE/O=Example/CN=www.example.com`. Octets that are not printable appear as `\xE9`, attributes of one
 * relative name are joined with `+`.
 */
export const slashName = (name: DerElement): string =>
  relativeNames(name)
    .map((attributes) => `/${attributes.map(({ type, value }) => `${type}=${slashValue(value)}`).join('+')}`)
    .join('')

const decodeBmp = (content: Buffer): string => {
  if (content.length % 2) throw new DerError('text is cut short')
  return Buffer.from(content).swap16().toString('utf16le')
}

const decodeUniversal = (content: Buffer): string => {
  if (content.length % 4) throw new DerError('text is cut short')
  const points = Array.from({ length: content.length / 4 }, (_, index) => content.readUInt32BE(4 * index))
  if (points.some((point) => point > 0x10ffff)) throw new DerError('character does not exist')
  return points.map((point) => String.fromCodePoint(point)).join('')
}

const decodeLatin = (content: Buffer) => content.toString('latin1')

const decoders: ReadonlyMap<number, (content: Buffer) => string> = new Map([
  [tag.utf8String, (content: Buffer) => content.toString('utf8')],
  [tag.bmpString, decodeBmp],
  [tag.universalString, decodeUniversal],
  [tag.printableString, decodeLatin],
  [tag.teletexString, decodeLatin],
  [tag.ia5String, decodeLatin],
  [tag.numericString, decodeLatin],
  [tag.visibleString, decodeLatin],
])

const needsQuotes = /^[ #]|[,+<>;]| $/

/** A value escaped as in RFC 2253 section 2.4, but quoted where that uses backslashes. */
const commaValue = ({ tag: type, content, encoded }: DerElement): string => {
  const text = decoders.get(type)?.(content)
  if (text === undefined) return `#${encoded.toString('hex').toUpperCase()}`
  const escaped = [...Buffer.from(text)]
    .map((octet) => (isPrintable(octet) ? String.fromCharCode(octet).replace(/["\\]/, '\\$&') : `\\${octetHex(octet)}`))
    .join('')
  return needsQuotes.test(text) ? `"${escaped}"` : escaped
}

const commaAttributes = (attributes: readonly Attribute[]) =>
  attributes.map(({ type, value }) => `${type} = ${commaValue(value)}`).join(' + ')

/** `C = DE, O = "Example, Inc.", CN = www.example.com` */
export const commaName = (name: DerElement): string => relativeNames(name).map(commaAttributes).join(', ')

/** One relative distinguished name: `CN = one + O = two`. */
export const relativeName = (attributes: readonly DerElement[]): string => commaAttributes(attributes.map(toAttribute))
