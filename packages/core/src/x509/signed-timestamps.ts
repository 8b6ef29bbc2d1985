import { DerError } from './der.ts'
import { hexLines, timeText } from './value-text.ts'

/** Algorithms that logs sign with, by their TLS hash and signature numbers (RFC 6962 section 2.1.4). */
const signatureAlgorithms: ReadonlyMap<number, string> = new Map([
  [0x0403, 'ecdsa-with-SHA256'],
  [0x0401, 'sha256WithRSAEncryption'],
])

/** Splits a list of opaque values, each after its length in two octets. */
const splitVector = (bytes: Buffer): Buffer[] => {
  const values: Buffer[] = []
  for (let offset = 0; offset < bytes.length; ) {
    if (offset + 2 > bytes.length) throw new DerError('list is cut short')
    const end = offset + 2 + bytes.readUInt16BE(offset)
    if (end > bytes.length) throw new DerError('list is cut short')
    values.push(bytes.subarray(offset + 2, end))
    offset = end
  }
  return values
}

/** The only value of a list; trailing bytes are an error. */
const onlyValue = (bytes: Buffer): Buffer => {
  const [value, ...others] = splitVector(bytes)
  if (value === undefined || others.length > 0) throw new DerError('length does not fit')
  return value
}

const version1 = (bytes: Buffer, indentation: string): string => {
  const logEnd = 33
  const timeEnd = logEnd + 8
  if (bytes.length < timeEnd + 2) throw new DerError('timestamp is cut short')
  const extensionsEnd = timeEnd + 2 + bytes.readUInt16BE(timeEnd)
  if (extensionsEnd + 2 > bytes.length) throw new DerError('timestamp is cut short')
  const extensions = bytes.subarray(timeEnd + 2, extensionsEnd)
  const algorithm = signatureAlgorithms.get(bytes.readUInt16BE(extensionsEnd))
  const time = new Date(Number(bytes.readBigUInt64BE(logEnd)))
  if (algorithm === undefined || Number.isNaN(time.getTime())) throw new DerError('timestamp is not readable')

  const column = `${indentation}            `
  const hex = (octets: Buffer) => hexLines(octets, 16, column).toUpperCase().trimStart()
  const milliseconds = `.${String(time.getUTCMilliseconds()).padStart(3, '0')}`
  return [
    `${indentation}Version   : v1 (0x0)`,
    `${indentation}Log ID    : ${hex(bytes.subarray(1, logEnd))}`,
    `${indentation}Timestamp : ${timeText(time, milliseconds)}`,
    `${indentation}Extensions: ${extensions.length === 0 ? 'none' : hex(extensions)}`,
    `${indentation}Signature : ${algorithm}`,
    `${column}${hex(onlyValue(bytes.subarray(extensionsEnd + 2)))}`,
  ].join('\n')
}

const otherVersion = (bytes: Buffer, indentation: string) =>
  `${indentation}Version   : unknown\n${hexLines(bytes, 16, `${indentation}            `).toUpperCase()}`

/** The list of signed certificate timestamps in the extension's octet string (RFC 6962 section 3.3). */
export const signedTimestamps = (list: Buffer, indentation: string): string =>
  splitVector(onlyValue(list))
    .map((bytes) => {
      const text = bytes[0] === 0 ? version1 : otherVersion
      return `${indentation}Signed Certificate Timestamp:\n${text(bytes, `${indentation}    `)}`
    })
    .join('\n')
