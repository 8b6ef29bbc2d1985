/** A path segment of a user, group or project. */
export const isPathSegment = (text: string): boolean =>
  text.length <= 255 && /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(text) && !/(\.|\.git|\.atom)$/i.test(text)

/** The full path of a group or project. */
export const isFullPath = (path: string): boolean =>
  path.length <= 1_000 && path.split('/').length <= 20 && path.split('/').every(isPathSegment)

/** A branch or tag. The rules are stricter than those of git. */
export const isReferenceName = (name: string): boolean =>
  name.length <= 80 &&
  name !== 'HEAD' &&
  /^[\p{L}\p{N}_][\p{L}\p{N}_.+@/#-]*$/u.test(name) &&
  !/\.\.|\/\/|\/\.|@\{|[./]$|\.lock(?:\/|$)/.test(name)

/** A full or abbreviated commit id. */
export const isCommitId = (name: string): boolean => /^[0-9a-f]{7,64}$/.test(name)

/** The path of a file in a repository. */
export const isFilePath = (path: string): boolean =>
  path.length <= 1_000 &&
  path.isWellFormed() &&
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
  !/[\u0000-\u001f\u007f\\]/.test(path) &&
  path.split('/').every((name) => name !== '' && name !== '.' && name !== '..' && !/^\.git$/i.test(name))
