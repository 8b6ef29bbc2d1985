import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'

const field = (content: Buffer | string) => {
  const bytes = Buffer.from(content)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** A positive number in the format of SSH: a leading bit would be a sign (RFC 4251, section 5). */
const number = (text: string | undefined) => {
  const bytes = Buffer.from(text ?? '', 'base64url')
  return (bytes[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes
}

const line = (kind: string, ...fields: readonly (Buffer | string)[]) =>
  `${kind} ${Buffer.concat([field(kind), ...fields.map(field)]).toString('base64')} alice`

const jwkOf = (key: KeyObject) => createPublicKey(key.export({ format: 'pem', type: 'spki' })).export({ format: 'jwk' })

/** A public key of 2,048 bits in OpenSSH format. */
export const rsaKey = (): string => {
  const { e, n } = jwkOf(generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey)
  return line('ssh-rsa', number(e), number(n))
}

/** A public key of 256 bits in OpenSSH format. */
export const ecdsaKey = (): string => {
  const { x = '', y = '' } = jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey)
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  return line('ecdsa-sha2-nistp256', 'nistp256', point)
}
