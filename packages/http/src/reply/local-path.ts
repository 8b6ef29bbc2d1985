const placeholder = 'http://site.invalid'

/** Browsers drop line breaks and tabs, and read a backslash as a slash. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern detects control characters
const forbidden = /[\x00-\x1f\x7f\\]/

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Also checks what a proxy between the browser and this server might decode. */
const staysLocal = (path: string): boolean => path.startsWith('/') && !path.startsWith('//') && !forbidden.test(path)

/**
 * A path of this site with its query, normalized as browsers do it; undefined for the address of another site. Every redirect to an
 * address that contains input uses it, because `//evil.example` and its variants lead to another site.
 */
export const normalizeLocalPath = (path: string): string | undefined => {
  const url = staysLocal(path) ? URL.parse(path, placeholder) : null
  if (url === null || url.origin !== placeholder) return undefined
  const decoded = decode(url.pathname)
  if (decoded === undefined || !staysLocal(url.pathname) || !staysLocal(decoded)) return undefined
  return `${url.pathname}${url.search}${url.hash}`
}
