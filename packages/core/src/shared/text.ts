/** Removes HTML tags but not their contents. Runs in linear time. */
export const stripTags = (text: string): string => (text.includes('<') ? text.replace(/<[^<>]*>/g, '') : text)

/** Tests a path segment: letters, digits, `_`, `.`, `-`; no leading `-` or `.`, no trailing `.`, `.git` or `.atom`. */
export const isPathSegment = (text: string): boolean =>
  text.length > 0 &&
  text.length <= 255 &&
  /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(text) &&
  !/(\.|\.git|\.atom)$/i.test(text)

/** Converts a name to a path segment: `My Team!` becomes `my-team`. */
export const toPathSegment = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '-')
    .replace(/^[-.]+/, '')
    .replace(/[-.]+$/, '')

/** Tests the basic form of an e-mail address: text on both sides of one `@`, no whitespace or control characters. */
export const isEmail = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
  text.length <= 255 && /^[^\s@\u0000-\u001f<>]+@[^\s@\u0000-\u001f<>]+$/.test(text)

/** Tests that a database stores the text unchanged: no NUL, no lone surrogate. */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/**
 * Whether each text inside a JSON value, with the names of its fields, is storable and has at most this many characters. Bytes and
 * streams are no text.
 */
export const isStorable = (value: unknown, maximum = Number.POSITIVE_INFINITY): boolean => {
  if (typeof value === 'string') return value.length <= maximum && isStorableText(value)
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value) || Symbol.asyncIterator in value)
    return true
  return Object.entries(value).every(([key, inner]) => isStorable(key, maximum) && isStorable(inner, maximum))
}
