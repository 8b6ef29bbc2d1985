import { defined } from '../../shared/defined.ts'

/** Code points that HFS+ ignores in names (git's `utf8.c`). */
const ignoredByHfs = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/** The name as HFS+ compares it. Bytes that are not UTF-8 end it, as in git. */
const toHfsName = (name: string) => defined(name.split('\ufffd', 1)[0]).replace(ignoredByHfs, '').toLowerCase()

/** The name as NTFS compares it: without a stream after `:`, and without spaces and dots at the end. */
const toNtfsName = (name: string) =>
  defined(name.split(':', 1)[0])
    .replace(/[ .]+$/, '')
    .toLowerCase()

/** Whether a file system can read a name as `.git`: with other case, ignored characters, or as the short name of NTFS. */
const isGitFolder = (name: string) => toHfsName(name) === '.git' || /^(?:\.git|git~1)$/.test(toNtfsName(name))

/** The short names that NTFS can give to `.gitmodules` (git's `path.c`). */
const shortModulesName =
  /^(?:gitmod~[1-4]|gi7eba~[1-9]|gi7eb~[1-9][0-9]|gi7e~[1-9][0-9]{2}|gi7~[1-9][0-9]{3}|gi~[1-9][0-9]{4}|g~[1-9][0-9]{5}|~[1-9][0-9]{6})$/

/** Whether a file system can read a name as `.gitmodules`, from which git reads addresses of submodules. */
const isModulesFile = (name: string) =>
  toHfsName(name) === '.gitmodules' || toNtfsName(name) === '.gitmodules' || shortModulesName.test(toNtfsName(name))

/** Bytes of a path. */
const maximumPathBytes = 4096

/** Whether a path consists of names, none of which is `.` or `..`. */
export const isRelativePath = (path: string | Uint8Array): boolean => {
  const bytes = Buffer.from(path)
  const parts = bytes.toString('latin1').split('/')
  return (
    bytes.length <= maximumPathBytes &&
    !bytes.includes(0) &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..')
  )
}

/**
 * Whether a new file can have a path on every system. False for paths that macOS or Windows read as absolute, as outside of the
 * working tree, or as git's own files, as `core.protectHFS`, `core.protectNTFS` and `git fsck` decide. `.gitmodules` must be a
 * regular file.
 */
export const isPortablePath = (
  path: string | Uint8Array,
  { isRegularFile }: { readonly isRegularFile: boolean },
): boolean => {
  if (!isRelativePath(path)) return false
  const text = Buffer.from(path).toString('utf8')
  // A drive, or the root of one.
  if (/^(?:[A-Za-z]:|\\)/.test(text)) return false
  const names = text.split(/[/\\]/)
  const last = names.length - 1
  return names.every(
    (name, index) =>
      !/^\.\.?$/.test(name) && !isGitFolder(name) && !(isModulesFile(name) && (index < last || !isRegularFile)),
  )
}
