const begin = '-----BEGIN PGP PUBLIC KEY BLOCK-----'
const end = '-----END PGP PUBLIC KEY BLOCK-----'

const isHeader = (line: string) => /^[A-Za-z0-9-]+: /.test(line)

/** The checksum of armored data (RFC 9580, section 6.1.1). */
const crc24 = (data: Uint8Array): number => {
  let crc = 0xb704ce
  for (const byte of data) {
    crc ^= byte << 16
    for (let bit = 0; bit < 8; bit++) {
      crc <<= 1
      if (crc & 0x1000000) crc ^= 0x1864cfb
    }
  }
  return crc & 0xffffff
}

const decode = (base64: string): Buffer | undefined =>
  /^[A-Za-z0-9+/]+={0,2}$/.test(base64) && base64.length % 4 === 0 ? Buffer.from(base64, 'base64') : undefined

const hasChecksum = (data: Uint8Array, line: string): boolean => decode(line.slice(1))?.readUIntBE(0, 3) === crc24(data)

/**
 * The data of one armored public key block (RFC 9580, section 6.2), with or without headers and a checksum. Undefined for any
 * other text.
 */
export function parseArmor(text: string): Buffer | undefined {
  const lines = text.split('\n').map((line) => line.trimEnd())
  if (lines.shift() !== begin || lines.pop() !== end) return undefined
  while (lines[0] && isHeader(lines[0])) lines.shift()
  if (lines[0] === '') lines.shift()
  const checksum = lines.at(-1)?.length === 5 && lines.at(-1)?.startsWith('=') ? lines.pop() : undefined
  const data = decode(lines.join(''))
  return data && (checksum === undefined || hasChecksum(data, checksum)) ? data : undefined
}
