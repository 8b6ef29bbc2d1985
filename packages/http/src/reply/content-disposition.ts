/** Longer names are truncated; 255 bytes is the limit of common file systems. */
const maxNameBytes = 255

/** Characters that end a header or a quoted string, or that separate folders. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed
const unsafeCharacters = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069"\\/]/g

const truncateName = (name: string): string => {
  let truncated = ''
  let size = 0
  for (const character of name) {
    size += Buffer.byteLength(character)
    if (size > maxNameBytes) break
    truncated += character
  }
  return truncated
}

const encodeName = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * `Content-Disposition: attachment` (RFC 6266). A name that is not ASCII is encoded according to RFC 8187.
 *
 * @param name may contain any characters; unsafe ones are removed
 * @param fallback used if nothing of the name is left
 */
export const formatAttachment = (name: string, fallback: string): string => {
  const clean = truncateName(name.toWellFormed().replace(unsafeCharacters, '')).trim()
  // `.` and `..` are folders.
  const safe = /^\.*$/.test(clean) ? fallback : clean
  const ascii = safe.replace(/[^\u0020-\u007e]/g, '_').replaceAll('%', '_')
  return ascii === safe
    ? `attachment; filename="${safe}"`
    : `attachment; filename="${ascii}"; filename*=UTF-8''${encodeName(safe)}`
}
