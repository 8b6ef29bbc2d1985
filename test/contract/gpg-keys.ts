import { randomBytes } from 'node:crypto'

/** A packet of at most 191 bytes (RFC 9580, section 4.2). */
const packet = (tag: number, body: Buffer) => Buffer.concat([Buffer.of(0xc0 | tag, body.length), body])

const ed25519 = Buffer.from('2b06010401da470f01', 'hex')

/** The body of a public key of version 4 with a random point: version, time, algorithm, curve and point. */
const keyBody = () =>
  Buffer.concat([
    Buffer.of(4, 0x6a, 0, 0, 0, 22, ed25519.length),
    ed25519,
    Buffer.of(0x01, 0x07, 0x40),
    randomBytes(32),
  ])

/** Armored text of packets, without a checksum. */
export const armor = (data: Buffer): string =>
  [
    '-----BEGIN PGP PUBLIC KEY BLOCK-----',
    '',
    ...(data.toString('base64').match(/.{1,64}/g) ?? []),
    '-----END PGP PUBLIC KEY BLOCK-----',
  ].join('\n')

/** A new armored public key with a user id. */
export const newGpgKey = (userId = 'Bob <bob@example.com>'): string =>
  armor(Buffer.concat([packet(6, keyBody()), packet(13, Buffer.from(userId))]))
