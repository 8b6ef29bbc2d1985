/** Removes HTML tags; what stands between them stays. Linear in the length of the text. */
export const withoutTags = (text: string): string => (text.includes('<') ? text.replace(/<[^<>]*>/g, '') : text)

/** A path segment: letters, digits, `_`, `.`, `-`; no leading `-` or `.`, no trailing `.`, `.git` or `.atom`. */
export const isPathSegment = (text: string): boolean =>
  text.length > 0 &&
  text.length <= 255 &&
  /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(text) &&
  !/(\.|\.git|\.atom)$/i.test(text)

/** A path segment made of any name: `My Team!` → `my-team`. */
export const pathFrom = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '-')
    .replace(/^[-.]+/, '')
    .replace(/[-.]+$/, '')

/** An e-mail address as far as a form can tell: one `@`, something on both sides, no blanks or control characters. */
export const isEmail = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it keeps out
  text.length <= 255 && /^[^\s@\u0000-\u001f<>]+@[^\s@\u0000-\u001f<>]+$/.test(text)

/** True for text that a database and every reader can hold as it is: no NUL and no lone surrogate. */
export const isPlainText = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
