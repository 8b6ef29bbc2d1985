/** One element of DER data (X.690). */
export interface DerElement {
  /** The first octet: class, constructed bit and number together, `0x30` for a sequence. */
  readonly tag: number
  readonly content: Buffer
  /** The element with its tag and length. */
  readonly encoded: Buffer
}

/** Tags as they stand in certificates; context tags `[0]`, `[1]`, … are `0x80` or `0xa0` plus their number. */
export const tag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  nothing: 0x05,
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

/** Thrown for bytes that are not the expected DER; readers of certificates catch it and refuse or print the bytes. */
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

/** The first element; what follows it is not looked at. */
export const readDer = (bytes: Buffer): DerElement => elementAt(bytes, 0)

/** The elements inside a constructed one. */
export const derChildren = ({ content }: DerElement): DerElement[] => {
  const children: DerElement[] = []
  for (let offset = 0; offset < content.length; ) {
    const child = elementAt(content, offset)
    children.push(child)
    offset += child.encoded.length
  }
  return children
}

/** The element, checked to have the given tag. */
export const expectTag = (element: DerElement | undefined, expected: number): DerElement => {
  if (element?.tag !== expected) throw new DerError(`expected tag ${expected}`)
  return element
}

export const derInteger = (element: DerElement | undefined): bigint => {
  const { content } = expectTag(element, tag.integer)
  return integerOf(content)
}

/** Two's complement, most significant octet first. */
export const integerOf = (content: Buffer): bigint => {
  if (content.length === 0) throw new DerError('number is empty')
  return BigInt.asIntN(8 * content.length, BigInt(`0x${content.toString('hex')}`))
}

/** Octets of a bit string without the leading count of unused bits. */
export const derBits = (element: DerElement | undefined): Buffer => {
  const { content } = expectTag(element, tag.bitString)
  return bitsOf(content)
}

/** The same for a bit string under a context tag. */
export const bitsOf = (content: Buffer): Buffer => {
  const [unused] = content
  if (unused === undefined || unused > 7) throw new DerError('bit string is not readable')
  return content.subarray(1)
}

/** Positions of the bits that are set; bit 0 is the most significant one of the first octet. */
export const setBits = (octets: Buffer): number[] =>
  [...octets].flatMap((octet, index) =>
    [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => octet & (0x80 >> bit)).map((bit) => 8 * index + bit),
  )

/** `2.5.4.3` */
export const derIdentifier = (element: DerElement | undefined): string => {
  const { content } = expectTag(element, tag.objectIdentifier)
  return identifierOf(content)
}

/** Longer identifiers do not exist, and numbers of any length would take long to read. */
const longestIdentifier = 128

/** The same for an identifier under a context tag. */
export const identifierOf = (content: Buffer): string => {
  if (content.length > longestIdentifier) throw new DerError('object identifier is too long')
  const arcs: bigint[] = []
  let arc = 0n
  let open = true
  for (const octet of content) {
    arc = (arc << 7n) | BigInt(octet & 0x7f)
    open = octet >= 0x80
    if (open) continue
    arcs.push(arc)
    arc = 0n
  }
  const [first] = arcs
  if (first === undefined || open) throw new DerError('object identifier is not readable')
  const root = first < 80n ? first / 40n : 2n
  return [root, first - 40n * root, ...arcs.slice(1)].join('.')
}
