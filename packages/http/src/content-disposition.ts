/** Bytes of a name in a header: longer ones are cut, which every client can live with. */
const longestName = 255

/** Nothing that ends a header, quotes, or leads out of the folder a client saves to. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it keeps out
const unsafe = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069"\\/]/g

const cut = (name: string): string => {
  let kept = ''
  let size = 0
  for (const character of name) {
    size += Buffer.byteLength(character)
    if (size > longestName) break
    kept += character
  }
  return kept
}

const encoded = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * `Content-Disposition` for content that is to be saved, not shown: RFC 6266, with the name as RFC 8187 writes it where it is
 * not plain ASCII.
 *
 * @param name as people gave it; a name of which nothing is left is replaced by `fallback`
 */
export const attachment = (name: string, fallback: string): string => {
  const clean = cut(name.toWellFormed().replace(unsafe, '')).trim()
  // A name of dots alone is a folder.
  const safe = /^\.*$/.test(clean) ? fallback : clean
  const ascii = safe.replace(/[^\u0020-\u007e]/g, '_').replaceAll('%', '_')
  return ascii === safe
    ? `attachment; filename="${safe}"`
    : `attachment; filename="${ascii}"; filename*=UTF-8''${encoded(safe)}`
}
