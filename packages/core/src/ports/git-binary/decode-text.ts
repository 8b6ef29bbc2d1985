import { isUtf8 } from 'node:buffer'

/**
 * Decodes UTF-8, or Latin-1 when the bytes are not valid UTF-8. Latin-1 maps every byte to a character, so that different names
 * stay different.
 */
export const decodeUtf8OrLatin1 = (bytes: Uint8Array): string => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return buffer.toString(isUtf8(buffer) ? 'utf8' : 'latin1')
}

/** Decodes text with a declared encoding. An unknown encoding is treated like none. */
export const decodeText = (bytes: Uint8Array, encoding: string | undefined): string => {
  if (encoding === undefined || /^utf-?8$/i.test(encoding)) return decodeUtf8OrLatin1(bytes)
  // Unlike git, TextDecoder treats Latin-1 as Windows-1252.
  if (/^(iso-?8859-?1|latin-?1)$/i.test(encoding)) return Buffer.from(bytes).toString('latin1')
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    return decodeUtf8OrLatin1(bytes)
  }
}
