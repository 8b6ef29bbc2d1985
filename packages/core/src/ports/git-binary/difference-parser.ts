import type { FileDifference } from '../git.ts'
import { tooLarge } from './failures.ts'
import { unquotedPath } from './quoted-path.ts'
import { shownText } from './shown-text.ts'

/** Above any of these a comparison overflows; nothing is left out for it. */
const overflowFiles = 100
const overflowLines = 5000
const overflowBytes = overflowFiles * 5 * 1024

/** A path is at most a few thousand bytes; nothing longer is waited for to be complete. */
const maximumLineWait = 64 * 1024

const lineFeed = 10
const nothing = Buffer.alloc(0)

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

export interface DifferenceParser {
  /** Takes output of `git diff-tree -r --raw -p`, cut anywhere. */
  take(chunk: Buffer): void
  /** What was read so far; files whose patch has not come yet have an empty one. */
  result(): { readonly diffs: readonly FileDifference[]; readonly overflow: boolean }
}

/** `:<old mode> <new mode> <old id> <new id> <status>TAB<path>[TAB<new path>]`, as one or, where the type changes, two files. */
const parseRaw = (line: Buffer): Mutable<FileDifference>[] => {
  const tab = line.indexOf(9)
  const [oldMode = '', newMode = '', , , status = ''] = line.toString('latin1', 1, tab).split(' ')
  const second = line.indexOf(9, tab + 1)
  const oldPath = shownText(unquotedPath(line.subarray(tab + 1, second < 0 ? line.length : second)))
  const newPath = second < 0 ? oldPath : shownText(unquotedPath(line.subarray(second + 1)))
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
  }
  if (!status.startsWith('T')) return [file]
  // A file that becomes a link, or the reverse: git itself tells it as a removal and an addition.
  return [
    { ...file, newMode: '0', isDeleted: true },
    { ...file, oldMode: '0', isNew: true },
  ]
}

const sectionStart = Buffer.from('\ndiff --git ')

const countLines = (bytes: Buffer): number => {
  let count = 0
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === lineFeed) count += 1
  return count
}

/**
 * Reads the list of changed files and then their patches, which come in the same order. Keeps no more of a patch than may be
 * given out, and looks at its lines only to count them: no line of a patch begins like the next section.
 */
export const differenceParser = (maximumPatchBytes: number, maximumTotalBytes: number): DifferenceParser => {
  const files: Mutable<FileDifference>[] = []
  let section = -1
  let inPatch = false
  let parts: Buffer[] = []
  let partBytes = 0
  let keptBytes = 0
  let lines = 0
  let bytes = 0
  let unread: Buffer = nothing

  const closeSection = () => {
    const file = files[section]
    if (file !== undefined && partBytes <= maximumPatchBytes && keptBytes + partBytes <= maximumTotalBytes) {
      file.patch = shownText(Buffer.concat(parts))
      keptBytes += partBytes
    }
    parts = []
    partBytes = 0
    inPatch = false
  }

  const keepPatch = (part: Buffer) => {
    lines += countLines(part)
    partBytes += part.length
    bytes += part.length
    if (partBytes <= maximumPatchBytes) parts.push(part)
    else parts = []
  }

  /** Takes what belongs to the patch; answers the rest, which begins with the next section, or with what may become it. */
  const takePatch = (rest: Buffer): Buffer => {
    const next = rest.indexOf(sectionStart)
    if (next >= 0) {
      keepPatch(rest.subarray(0, next + 1))
      closeSection()
      return rest.subarray(next + 1)
    }
    const tail = rest.lastIndexOf(lineFeed)
    const end = tail >= 0 && rest.length - tail < sectionStart.length ? tail : rest.length
    keepPatch(rest.subarray(0, end))
    unread = rest.subarray(end)
    return nothing
  }

  /** A line before the patches or before the `@@` of one. True when the patch begins with it. */
  const takeLine = (line: Buffer): boolean => {
    const head = line.toString('latin1', 0, 13)
    if (head.startsWith('diff --git ')) section += 1
    else if (section >= 0) {
      inPatch = head.startsWith('@@ ') || head.startsWith('Binary files ')
    } else if (head.startsWith(':')) files.push(...parseRaw(line))
    return inPatch
  }

  const take = (chunk: Buffer) => {
    let rest = unread.length > 0 ? Buffer.concat([unread, chunk]) : chunk
    unread = nothing
    while (rest.length > 0) {
      if (inPatch) {
        rest = takePatch(rest)
        continue
      }
      const stop = rest.indexOf(lineFeed)
      if (stop < 0) {
        if (rest.length > maximumLineWait) throw tooLarge('A file name')
        unread = rest
        return
      }
      if (!takeLine(rest.subarray(0, stop))) rest = rest.subarray(stop + 1)
    }
  }

  const result = () => {
    if (inPatch) {
      keepPatch(unread)
      closeSection()
    }
    unread = nothing
    const overflow = files.length > overflowFiles || lines > overflowLines || bytes > overflowBytes
    return { diffs: files, overflow }
  }

  return { take, result }
}
