const escapes: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  '\\': 92,
}

/**
 * Decodes a path as git prints it: unchanged, or in double quotes with the escapes of C if it contains other bytes than
 * printable ASCII.
 */
export const unquotePath = (printed: Buffer): Buffer => {
  if (printed[0] !== 34) return printed
  const text = printed.toString('latin1', 1, printed.length - 1)
  const bytes: number[] = []
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index)
    if (character !== '\\') {
      bytes.push(character.charCodeAt(0))
      continue
    }
    const octal = text.slice(index + 1, index + 4)
    if (/^[0-3][0-7]{2}$/.test(octal)) {
      bytes.push(Number.parseInt(octal, 8))
      index += 3
    } else {
      bytes.push(escapes[text.charAt(index + 1)] ?? 63)
      index += 1
    }
  }
  return Buffer.from(bytes)
}

/** Quotes a path for `git fast-import`. Escapes all bytes except printable ASCII. */
export const quotePath = (path: Uint8Array): string => {
  let text = '"'
  for (const byte of path) {
    const isPlain = byte >= 32 && byte < 127 && byte !== 34 && byte !== 92
    text += isPlain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`
  }
  return `${text}"`
}
