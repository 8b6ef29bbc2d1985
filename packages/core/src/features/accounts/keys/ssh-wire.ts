/**
 * Reads the binary form of an SSH public key: length-prefixed strings (RFC 4251 section 5).
 * Reads return `undefined` if the bytes do not contain a value of the requested type.
 */
export interface SshWireReader {
  /** The next length-prefixed string. */
  readString(): Buffer | undefined
  /** Length in bits of the next number. It must be positive and in its shortest form, because other forms change the fingerprint. */
  readPositiveBits(): number | undefined
  /** True when every byte was read. */
  isAtEnd(): boolean
}

export const createSshWireReader = (bytes: Buffer): SshWireReader => {
  let offset = 0
  const readString = (): Buffer | undefined => {
    if (offset + 4 > bytes.length) return undefined
    const start = offset + 4
    const end = start + bytes.readUInt32BE(offset)
    if (end > bytes.length) return undefined
    offset = end
    return bytes.subarray(start, end)
  }
  const readPositiveBits = (): number | undefined => {
    const number = readString()
    const [first, second] = number ?? []
    if (number === undefined || first === undefined || first >= 0x80) return undefined
    if (first > 0) return 8 * number.length - (Math.clz32(first) - 24)
    // A leading zero byte keeps the number positive; it is allowed only where it is needed.
    return second !== undefined && second >= 0x80 ? 8 * (number.length - 1) : undefined
  }
  return { readString, readPositiveBits, isAtEnd: () => offset === bytes.length }
}
