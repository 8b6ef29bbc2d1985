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
 * The bytes of a path as git prints it: plain, or between double quotes with the escapes of C where it holds anything but
 * printable ASCII.
 */
export const unquotedPath = (printed: Buffer): Buffer => {
  if (printed[0] !== 34) return printed
  const text = printed.toString('latin1', 1, printed.length - 1)
  const bytes: number[] = []
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (character !== '\\') {
      bytes.push(character.charCodeAt(0))
      continue
    }
    const octal = text.slice(at + 1, at + 4)
    if (/^[0-3][0-7]{2}$/.test(octal)) {
      bytes.push(Number.parseInt(octal, 8))
      at += 3
    } else {
      bytes.push(escapes[text.charAt(at + 1)] ?? 63)
      at += 1
    }
  }
  return Buffer.from(bytes)
}

/** A path as git reads it inside an import stream: always between quotes, every byte but printable ASCII escaped. */
export const quotedPath = (path: Uint8Array): string => {
  let text = '"'
  for (const byte of path) {
    const plain = byte >= 32 && byte < 127 && byte !== 34 && byte !== 92
    text += plain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`
  }
  return `${text}"`
}
