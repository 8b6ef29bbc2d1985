import { randomBytes } from 'node:crypto'

const maximumLength = 512
/** No segment starts with a dot: `..` would leave the folder, and adapters use such names for temporary files. */
const keyPattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}(\/[A-Za-z0-9_][A-Za-z0-9_.-]{0,199})*$/

/**
 * Keys consist of segments of ASCII letters, digits, `_`, `.` and `-`, which do not start with `.` or `-`, and have at most 512
 * characters.
 *
 * @throws TypeError for other keys: features build keys from ids and random digits, never from names of users
 */
export const assertFileKey = (key: string): string => {
  if (key.length > maximumLength || !keyPattern.test(key)) throw new TypeError(`${JSON.stringify(key)} is no file key`)
  return key
}

/** A prefix is empty, or a key, or a key with a trailing slash. */
export const assertFilePrefix = (prefix: string): string => {
  if (prefix !== '') assertFileKey(prefix.endsWith('/') ? prefix.slice(0, -1) : prefix)
  return prefix
}

/** A new key below a folder: `uploads/3/0f9c…`. */
export const createFileKey = (folder: string): string => assertFileKey(`${folder}/${randomBytes(16).toString('hex')}`)
