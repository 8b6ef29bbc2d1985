import { isUtf8 } from 'node:buffer'

/**
 * Bytes as a reader sees them: UTF-8 where they are, Latin-1 where they are not, so that every byte shows and two names
 * that differ in one of their bytes differ on the screen.
 */
export const shownText = (bytes: Uint8Array): string => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return buffer.toString(isUtf8(buffer) ? 'utf8' : 'latin1')
}

/** Text that names its encoding itself. Names nobody knows, and `UTF-8` itself, are read like text without one. */
export const decodedText = (bytes: Uint8Array, encoding: string | undefined): string => {
  if (encoding === undefined || /^utf-?8$/i.test(encoding)) return shownText(bytes)
  // The web's decoders read Latin-1 as Windows-1252, which git does not.
  if (/^(iso-?8859-?1|latin-?1)$/i.test(encoding)) return Buffer.from(bytes).toString('latin1')
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    return shownText(bytes)
  }
}
