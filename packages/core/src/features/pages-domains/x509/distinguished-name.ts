import { type DerElement, DerError, derChildren, derIdentifier, expectTag, tag } from './der.ts'
import { shortName } from './object-names.ts'

interface Attribute {
  readonly type: string
  readonly value: DerElement
}

const attribute = (pair: DerElement): Attribute => {
  const [type, value] = derChildren(expectTag(pair, tag.sequence))
  if (value === undefined) throw new DerError('attribute has no value')
  return { type: shortName(derIdentifier(type)), value }
}

/** Attributes of a name in their order; several in one set belong together. */
const attributeSets = (name: DerElement): Attribute[][] =>
  derChildren(expectTag(name, tag.sequence)).map((set) => derChildren(expectTag(set, tag.set)).map(attribute))

const octetHex = (octet: number) => octet.toString(16).toUpperCase().padStart(2, '0')

const octetsOf = ({ tag: kind, content, encoded }: DerElement): Buffer => {
  if (kind === tag.bitString) return content.subarray(1)
  return kind === tag.sequence ? encoded : content
}

const slashValue = (value: DerElement): string =>
  [...octetsOf(value)]
    .map((octet) => {
      if (octet < 0x20 || octet > 0x7e) return `\\x${octetHex(octet)}`
      const character = String.fromCharCode(octet)
      return character === '/' || character === '+' ? `\\${character}` : character
    })
    .join('')

/** `/C=DE/O=Example/CN=www.example.com`; octets that do not print as `\xE9`, attributes of one set joined with `+`. */
export const slashName = (name: DerElement): string =>
  attributeSets(name)
    .map((set) => `/${set.map(({ type, value }) => `${type}=${slashValue(value)}`).join('+')}`)
    .join('')

const basicPlane = (content: Buffer): string => {
  if (content.length % 2) throw new DerError('text is cut short')
  return Buffer.from(content).swap16().toString('utf16le')
}

const universal = (content: Buffer): string => {
  if (content.length % 4) throw new DerError('text is cut short')
  const points = Array.from({ length: content.length / 4 }, (_, index) => content.readUInt32BE(4 * index))
  if (points.some((point) => point > 0x10ffff)) throw new DerError('character does not exist')
  return points.map((point) => String.fromCodePoint(point)).join('')
}

const latin = (content: Buffer) => content.toString('latin1')

const characters: ReadonlyMap<number, (content: Buffer) => string> = new Map([
  [tag.utf8String, (content: Buffer) => content.toString('utf8')],
  [tag.bmpString, basicPlane],
  [tag.universalString, universal],
  [tag.printableString, latin],
  [tag.teletexString, latin],
  [tag.ia5String, latin],
  [tag.numericString, latin],
  [tag.visibleString, latin],
])

const needsQuotes = /^[ #]|[,+<>;]| $/

/** One value as RFC 2253 section 2.4 escapes it, with quotes around instead of backslashes before. */
const commaValue = (value: DerElement): string => {
  const read = characters.get(value.tag)
  if (read === undefined) return `#${value.encoded.toString('hex').toUpperCase()}`
  const text = read(value.content)
  const escaped = [...Buffer.from(text)].map((octet) => {
    if (octet < 0x20 || octet > 0x7e) return `\\${octetHex(octet)}`
    return octet === 0x22 || octet === 0x5c ? `\\${String.fromCharCode(octet)}` : String.fromCharCode(octet)
  })
  return needsQuotes.test(text) ? `"${escaped.join('')}"` : escaped.join('')
}

const commaSet = (set: readonly Attribute[]) =>
  set.map(({ type, value }) => `${type} = ${commaValue(value)}`).join(' + ')

/** `C = DE, O = "Example, Inc.", CN = www.example.com` */
export const commaName = (name: DerElement): string => attributeSets(name).map(commaSet).join(', ')

/** The same for a name relative to another: the pairs of one set. */
export const relativeName = (pairs: readonly DerElement[]): string => commaSet(pairs.map(attribute))
