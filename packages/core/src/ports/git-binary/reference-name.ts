/** Space, control characters, and what git reads as the beginning of an expression. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const forbidden = /[\u0000-\u0020\u007f~^:?*[\\]/

/**
 * True for a name git accepts for a branch or a tag (git-check-ref-format), at most 255 bytes of it, and never for one that
 * could be read as an option, a path outside or a revision expression.
 */
export const isReferenceName = (name: string): boolean =>
  name.length > 0 &&
  name.length <= 255 &&
  Buffer.byteLength(name) <= 255 &&
  name.isWellFormed() &&
  !forbidden.test(name) &&
  !name.startsWith('-') &&
  !name.endsWith('.') &&
  !name.includes('..') &&
  !name.includes('@{') &&
  name !== '@' &&
  name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'))

/** Likewise for a full name, such as `refs/heads/main`. */
export const isFullReferenceName = (name: string): boolean =>
  name.startsWith('refs/') && name.indexOf('/', 5) > 5 && isReferenceName(name)
