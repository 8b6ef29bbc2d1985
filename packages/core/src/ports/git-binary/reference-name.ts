/** Space, control characters and the operators of revision expressions. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const forbiddenCharacters = /[\u0000-\u0020\u007f~^:?*[\\]/

/**
 * Tests the name of a branch or tag: valid for git-check-ref-format, at most 255 bytes, and not interpretable as an option, a
 * path outside the repository or a revision expression.
 */
export const isReferenceName = (name: string): boolean =>
  name.length > 0 &&
  name.length <= 255 &&
  Buffer.byteLength(name) <= 255 &&
  name.isWellFormed() &&
  !forbiddenCharacters.test(name) &&
  !name.startsWith('-') &&
  !name.endsWith('.') &&
  !name.includes('..') &&
  !name.includes('@{') &&
  name !== '@' &&
  name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'))

/**
 * Whether a name would be read as something else: `HEAD`, the full name of a reference, or the id of an object, also as the first
 * part of a path.
 */
export const isReservedName = (name: string): boolean =>
  name === 'HEAD' || name.startsWith('refs/') || /^(?:[0-9a-f]{40}|[0-9a-f]{64})(?:-?\/|$)/i.test(name)

/** Tests the name of a branch or tag that does not exist yet. */
export const isNewReferenceName = (name: string): boolean => isReferenceName(name) && !isReservedName(name)

/** Tests a full name, such as `refs/heads/main`. */
export const isFullReferenceName = (name: string): boolean =>
  name.startsWith('refs/') && name.indexOf('/', 5) > 5 && isReferenceName(name)
