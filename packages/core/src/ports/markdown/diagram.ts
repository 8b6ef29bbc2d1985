import { deflateRawSync } from 'node:zlib'

const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_'

/** Longer diagrams stay text: servers refuse long URLs. UTF-16 code units. */
const maxSourceLength = 16_384

/** The text encoding of PlantUML: raw DEFLATE in base64 with another order of the digits, filled up with zero bytes. */
const encodeDiagram = (source: string): string => {
  const compressed = deflateRawSync(source, { level: 9 })
  const padded = Buffer.concat([compressed, Buffer.alloc((3 - (compressed.length % 3)) % 3)])
  return padded.toString('base64').replace(/./g, (digit) => digits.charAt(base64.indexOf(digit)))
}

/** The URL of the image of a diagram; undefined for one that is too long. */
export const createDiagramUrl = (server: string, source: string): string | undefined =>
  source.length > maxSourceLength ? undefined : `${server.replace(/\/+$/, '')}/png/${encodeDiagram(source)}`
