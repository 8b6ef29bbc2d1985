import type { FileDiff } from '../git.ts'
import { decodeUtf8OrLatin1 } from './decode-text.ts'
import { tooLargeError } from './errors.ts'
import { unquotePath } from './quoted-path.ts'

/** Above any of these, `overflow` is true. The diffs stay complete. */
const overflowFiles = 100
const overflowLines = 5000
const overflowBytes = overflowFiles * 5 * 1024

/** Limit of the buffer for an incomplete line; paths have at most a few thousand bytes. */
const maximumLineBytes = 64 * 1024

const lineFeed = 10
const emptyBuffer = Buffer.alloc(0)

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

export interface DiffParser {
  /** Parses a chunk of the output of `git diff-tree -r --raw -p`. */
  write(chunk: Buffer): void
  /** The files parsed so far; without the patches of those that follow, unless the output was complete. */
  result(isComplete: boolean): { readonly diffs: readonly FileDiff[]; readonly overflow: boolean }
}

/** Parses `:<old mode> <new mode> <old id> <new id> <status>TAB<path>[TAB<new path>]`. A type change yields two files. */
const parseRawLine = (line: Buffer): Mutable<FileDiff>[] => {
  const tab = line.indexOf(9)
  const [oldMode = '', newMode = '', , , status = ''] = line.toString('latin1', 1, tab).split(' ')
  const secondTab = line.indexOf(9, tab + 1)
  const oldPath = decodeUtf8OrLatin1(unquotePath(line.subarray(tab + 1, secondTab < 0 ? line.length : secondTab)))
  const newPath = secondTab < 0 ? oldPath : decodeUtf8OrLatin1(unquotePath(line.subarray(secondTab + 1)))
  const mode = (text: string) => (text === '000000' ? '0' : text)
  const file = {
    oldPath,
    newPath,
    oldMode: mode(oldMode),
    newMode: mode(newMode),
    patch: '',
    isNew: status.startsWith('A'),
    isRenamed: status.startsWith('R'),
    isDeleted: status.startsWith('D'),
    isTooLarge: false,
    isCollapsed: false,
  }
  if (!status.startsWith('T')) return [file]
  // A change between file and symbolic link: git prints two patches, a removal and an addition.
  return [
    { ...file, newMode: '0', isDeleted: true },
    { ...file, oldMode: '0', isNew: true },
  ]
}

const sectionStart = Buffer.from('\ndiff --git ')

const countLines = (bytes: Buffer): number => {
  let count = 0
  for (let index = 0; index < bytes.length; index += 1) if (bytes[index] === lineFeed) count += 1
  return count
}

/**
 * Parses the list of changed files and then their patches, which have the same order. Buffers a patch only up to the limits.
 * A patch ends at the next `diff --git` line: lines within a patch begin with a space, `+`, `-`, `\` or `@`.
 */
export const createDiffParser = (maximumPatchBytes: number, maximumTotalBytes: number): DiffParser => {
  const files: Mutable<FileDiff>[] = []
  let section = -1
  let inPatch = false
  let parts: Buffer[] = []
  let partBytes = 0
  let keptBytes = 0
  let lines = 0
  let bytes = 0
  let unread: Buffer = emptyBuffer

  const closeSection = () => {
    const file = files[section]
    if (file !== undefined) {
      file.isTooLarge = partBytes > maximumPatchBytes
      file.isCollapsed = !file.isTooLarge && keptBytes + partBytes > maximumTotalBytes
      if (!file.isTooLarge && !file.isCollapsed) {
        file.patch = decodeUtf8OrLatin1(Buffer.concat(parts))
        keptBytes += partBytes
      }
    }
    parts = []
    partBytes = 0
    inPatch = false
  }

  const addPatch = (part: Buffer) => {
    lines += countLines(part)
    partBytes += part.length
    bytes += part.length
    if (partBytes <= maximumPatchBytes) parts.push(part)
    else parts = []
  }

  /** Consumes the current patch and returns the bytes from the next section on. Buffers a possible incomplete section start. */
  const parsePatch = (rest: Buffer): Buffer => {
    const next = rest.indexOf(sectionStart)
    if (next >= 0) {
      addPatch(rest.subarray(0, next + 1))
      closeSection()
      return rest.subarray(next + 1)
    }
    const lastLineFeed = rest.lastIndexOf(lineFeed)
    const end = lastLineFeed >= 0 && rest.length - lastLineFeed < sectionStart.length ? lastLineFeed : rest.length
    addPatch(rest.subarray(0, end))
    unread = rest.subarray(end)
    return emptyBuffer
  }

  /** Parses a line outside of a patch. Returns true when it is the first line of a patch. */
  const parseLine = (line: Buffer): boolean => {
    const head = line.toString('latin1', 0, 13)
    if (head.startsWith('diff --git ')) section += 1
    else if (section >= 0) {
      inPatch = head.startsWith('@@ ') || head.startsWith('Binary files ')
    } else if (head.startsWith(':')) files.push(...parseRawLine(line))
    return inPatch
  }

  const write = (chunk: Buffer) => {
    let rest = unread.length > 0 ? Buffer.concat([unread, chunk]) : chunk
    unread = emptyBuffer
    while (rest.length > 0) {
      if (inPatch) {
        rest = parsePatch(rest)
        continue
      }
      const end = rest.indexOf(lineFeed)
      if (end < 0) {
        if (rest.length > maximumLineBytes) throw tooLargeError('A file name')
        unread = rest
        return
      }
      if (!parseLine(rest.subarray(0, end))) rest = rest.subarray(end + 1)
    }
  }

  const result = (isComplete: boolean) => {
    if (inPatch) {
      addPatch(unread)
      closeSection()
    }
    unread = emptyBuffer
    if (!isComplete) for (const file of files.slice(section + 1)) file.isCollapsed = true
    const overflow = files.length > overflowFiles || lines > overflowLines || bytes > overflowBytes
    return { diffs: files, overflow }
  }

  return { write, result }
}
