/**
 * Reads the binary form inside an SSH public key: strings with a length in front (RFC 4251 section 5).
 * Every read answers `undefined` once the bytes do not hold what was asked for.
 */
export interface SshWire {
  /** The next length-prefixed string. */
  string(): Buffer | undefined
  /** Bits of the next number, which must be positive and written in its shortest form: another form is another fingerprint. */
  positiveBits(): number | undefined
  /** True when every byte was read. */
  atEnd(): boolean
}

export const sshWire = (bytes: Buffer): SshWire => {
  let offset = 0
  const string = (): Buffer | undefined => {
    if (offset + 4 > bytes.length) return undefined
    const start = offset + 4
    const end = start + bytes.readUInt32BE(offset)
    if (end > bytes.length) return undefined
    offset = end
    return bytes.subarray(start, end)
  }
  const positiveBits = (): number | undefined => {
    const number = string()
    const [first, second] = number ?? []
    if (number === undefined || first === undefined || first >= 0x80) return undefined
    if (first > 0) return 8 * number.length - (Math.clz32(first) - 24)
    // One zero byte keeps the number positive; it is only allowed where it is needed.
    return second !== undefined && second >= 0x80 ? 8 * (number.length - 1) : undefined
  }
  return { string, positiveBits, atEnd: () => offset === bytes.length }
}
