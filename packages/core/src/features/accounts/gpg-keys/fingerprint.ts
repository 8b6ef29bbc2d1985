import { createHash } from 'node:crypto'

/** Types of packets (RFC 9580, section 5). */
const publicKey = 6
const publicSubkey = 14
const maxTag = 60

/** Packets of a public key: signatures, keys, user ids, trust, attributes and padding, and experimental ones. */
const permittedTags = new Set([2, publicKey, 12, 13, publicSubkey, 17, 21])

interface Packet {
  readonly tag: number
  readonly body: Buffer
}

/** The length and the start of a body, after the first byte of a packet (RFC 9580, section 4.2). */
const readLength = (data: Buffer, at: number, first: number): readonly [length: number, start: number] | undefined => {
  const isLegacy = (first & 0x40) === 0
  const octet = data[at] as number
  const size = isLegacy ? [1, 2, 4][first & 3] : octet < 192 ? 1 : octet < 224 ? 2 : octet === 255 ? 5 : undefined
  // Bodies of unknown or partial length do not occur in keys.
  if (size === undefined || at + size > data.length) return undefined
  if (isLegacy) return [data.readUIntBE(at, size), at + size]
  if (size === 1) return [octet, at + 1]
  return [size === 2 ? ((octet - 192) << 8) + (data[at + 1] as number) + 192 : data.readUInt32BE(at + 1), at + size]
}

/** All packets, or undefined if the data is malformed. */
const readPackets = (data: Buffer): Packet[] | undefined => {
  const packets: Packet[] = []
  for (let at = 0; at < data.length; ) {
    const first = data[at] as number
    const found = first & 0x80 ? readLength(data, at + 1, first) : undefined
    if (!found || found[0] + found[1] > data.length) return undefined
    const [length, start] = found
    const tag = first & 0x40 ? first & 0x3f : (first >> 2) & 0xf
    packets.push({ tag, body: data.subarray(start, start + length) })
    at = start + length
  }
  return packets
}

/** The prefix and the hash of a fingerprint, by version of the key (RFC 9580, section 5.5.4; version 5 is that of LibrePGP). */
const hashes: Readonly<Record<number, readonly [prefix: number, lengthBytes: 2 | 4, algorithm: string]>> = {
  4: [0x99, 2, 'sha1'],
  5: [0x9a, 4, 'sha256'],
  6: [0x9b, 4, 'sha256'],
}

/** The shortest body of a public key: version, time and algorithm. */
const minKeyBytes = 6
const maxShortLength = 0xffff

const hashKey = (body: Buffer): string | undefined => {
  const hash = body.length >= minKeyBytes ? hashes[body[0] as number] : undefined
  if (!hash || (hash[1] === 2 && body.length > maxShortLength)) return undefined
  const [prefix, lengthBytes, algorithm] = hash
  const head = Buffer.alloc(1 + lengthBytes, prefix)
  head.writeUIntBE(body.length, 1, lengthBytes)
  return createHash(algorithm).update(head).update(body).digest('hex')
}

/** The id in signatures: the end of a fingerprint of version 4, the beginning of later ones (RFC 9580, section 5.5.4). */
export const toKeyId = (fingerprint: string): string =>
  fingerprint.length === 40 ? fingerprint.slice(-16) : fingerprint.slice(0, 16)

/** The fingerprints of a key: the primary key, then its subkeys. */
export interface KeyFingerprints {
  readonly primary: string
  readonly subkeys: readonly string[]
}

/**
 * The fingerprints of one public key with its user ids and subkeys, in lowercase hexadecimal. Undefined if the data is malformed,
 * contains another number of keys, a secret key or other packets, or has an obsolete version.
 */
export function readFingerprints(data: Buffer): KeyFingerprints | undefined {
  const packets = readPackets(data) ?? []
  const [primary, ...others] = packets
  if (primary?.tag !== publicKey || others.some(({ tag }) => tag === publicKey)) return undefined
  if (others.some(({ tag }) => tag < maxTag && !permittedTags.has(tag))) return undefined
  const fingerprint = hashKey(primary.body)
  const subkeys = others.filter(({ tag }) => tag === publicSubkey).flatMap(({ body }) => hashKey(body) ?? [])
  return fingerprint === undefined ? undefined : { primary: fingerprint, subkeys }
}
