import { generateKeyPairSync } from 'node:crypto'

const field = (bytes: Buffer | string) => {
  const content = Buffer.from(bytes as string)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  return Buffer.concat([length, content])
}

/** A new public key in OpenSSH format, with a comment (RFC 4253, section 6.6, and RFC 8709). */
export const newSshKey = (comment: string): string => {
  const { publicKey } = generateKeyPairSync('ed25519')
  const point = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  const blob = Buffer.concat([field('ssh-ed25519'), field(point)])
  return `ssh-ed25519 ${blob.toString('base64')} ${comment}`
}
