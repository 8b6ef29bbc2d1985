/** One DER element (X.690). */
export interface DerElement {
  /** The identifier octet: class, constructed bit and tag number, `0x30` for a SEQUENCE. */
  readonly tag: number
  readonly content: Buffer
  /** Identifier, length and content octets. */
  readonly encoded: Buffer
}

/** Identifier octets of the universal types in certificates; context tag `[n]` is `0x80 + n` or, constructed, `0xa0 + n`. */
export const tag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  numericString: 0x12,
  printableString: 0x13,
  teletexString: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  visibleString: 0x1a,
  universalString: 0x1c,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const

/** Thrown for bytes that are not the expected DER structure. */
export class DerError extends Error {
  override readonly name = 'DerError'
}

const lengthAt = (bytes: Buffer, offset: number): { length: number; start: number } => {
  const first = bytes[offset]
  if (first === undefined) throw new DerError('length is missing')
  if (first < 0x80) return { length: first, start: offset + 1 }
  const octets = first - 0x80
  if (octets < 1 || octets > 4 || offset + octets >= bytes.length) throw new DerError('length is not readable')
  return { length: bytes.readUIntBE(offset + 1, octets), start: offset + 1 + octets }
}

const elementAt = (bytes: Buffer, offset: number): DerElement => {
  const first = bytes[offset]
  if (first === undefined || (first & 0x1f) === 0x1f) throw new DerError('tag is not readable')
  const { length, start } = lengthAt(bytes, offset + 1)
  if (start + length > bytes.length) throw new DerError('content is cut short')
  return { tag: first, content: bytes.subarray(start, start + length), encoded: bytes.subarray(offset, start + length) }
}

/** The first element; trailing bytes are ignored, as OpenSSL does for extension values. */
export const readDer = (bytes: Buffer): DerElement => elementAt(bytes, 0)

/** The child elements of a constructed element. */
export const derChildren = ({ content }: DerElement): DerElement[] => {
  const children: DerElement[] = []
  for (let offset = 0; offset < content.length; ) {
    const child = elementAt(content, offset)
    children.push(child)
    offset += child.encoded.length
  }
  return children
}

/** Asserts the element's tag. */
export const expectTag = (element: DerElement | undefined, expected: number): DerElement => {
  if (element?.tag !== expected) throw new DerError(`expected tag ${expected}`)
  return element
}

/** An implicitly tagged element (`[0] IMPLICIT INTEGER`) with the tag of its universal type. */
export const retagged = (element: DerElement, universal: number): DerElement => ({ ...element, tag: universal })

export const derSequence = (element: DerElement | undefined): DerElement[] =>
  derChildren(expectTag(element, tag.sequence))

export const derInteger = (element: DerElement | undefined): bigint => {
  const { content } = expectTag(element, tag.integer)
  if (content.length === 0) throw new DerError('integer is empty')
  return BigInt.asIntN(8 * content.length, BigInt(`0x${content.toString('hex')}`))
}

/** The octets of a bit string, including unused bits of the last one. */
export const derBits = (element: DerElement | undefined): Buffer => {
  const { content } = expectTag(element, tag.bitString)
  const [unused] = content
  if (unused === undefined || unused > 7) throw new DerError('bit string is not readable')
  return content.subarray(1)
}

/** Positions of the bits that are set; bit 0 is the most significant bit of the first octet. */
export const setBits = (octets: Buffer): number[] =>
  [...octets].flatMap((octet, index) =>
    [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => octet & (0x80 >> bit)).map((bit) => 8 * index + bit),
  )

/** In octets. Identifiers in use are shorter, and the time to decode one grows with the square of its length. */
const maxIdentifierLength = 128

/** `2.5.4.3`. Arcs may have any size: those below 2.25 are UUIDs of 128 bits. */
export const derIdentifier = (element: DerElement | undefined): string => {
  const { content } = expectTag(element, tag.objectIdentifier)
  if (content.length > maxIdentifierLength) throw new DerError('object identifier is too long')
  const arcs: bigint[] = []
  let arc = 0n
  let incomplete = true
  for (const octet of content) {
    arc = (arc << 7n) | BigInt(octet & 0x7f)
    incomplete = octet >= 0x80
    if (incomplete) continue
    arcs.push(arc)
    arc = 0n
  }
  const [first] = arcs
  if (first === undefined || incomplete) throw new DerError('object identifier is not readable')
  const root = first < 80n ? first / 40n : 2n
  return [root, first - 40n * root, ...arcs.slice(1)].join('.')
}
