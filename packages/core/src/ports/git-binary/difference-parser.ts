import type { FileDifference } from '../git.ts'
import { unquotedPath } from './quoted-path.ts'
import { tooLarge } from './run.ts'
import { shownText } from './shown-text.ts'

/** Above any of these a comparison overflows; nothing is left out for it. */
const overflowFiles = 100
const overflowLines = 5000
const overflowBytes = overflowFiles * 5 * 1024

/** A path is at most a few thousand bytes; nothing longer is waited for to be complete. */
const maximumLineWait = 64 * 1024

const lineFeed = 10

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

/**
 * Reads the list of changed files and then their patches, which come in the same order. Keeps no more of a patch than may be
 * given out; lines of any length pass through without being gathered first.
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
  let unread: Buffer = Buffer.alloc(0)
  /** Inside a line whose beginning was dealt with already. */
  let midLine = false

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

  const takePatch = (part: Buffer) => {
    partBytes += part.length
    bytes += part.length
    if (partBytes <= maximumPatchBytes) parts.push(part)
    else parts = []
  }

  /** `start` is the beginning of a line, all of it unless it is very long. */
  const takeLine = (start: Buffer) => {
    const head = start.toString('latin1', 0, 13)
    if (head.startsWith('diff --git ')) {
      closeSection()
      section += 1
    } else if (section < 0) {
      if (head.startsWith(':')) files.push(...parseRaw(start.at(-1) === lineFeed ? start.subarray(0, -1) : start))
    } else {
      inPatch ||= head.startsWith('@@ ') || head.startsWith('Binary files ')
      if (inPatch) {
        lines += 1
        takePatch(start)
      }
    }
  }

  const take = (chunk: Buffer) => {
    let rest = unread.length > 0 ? Buffer.concat([unread, chunk]) : chunk
    unread = Buffer.alloc(0)
    while (rest.length > 0) {
      const stop = rest.indexOf(lineFeed)
      if (stop < 0 && rest.length < maximumLineWait && !midLine) {
        unread = rest
        return
      }
      if (stop < 0 && section < 0) throw tooLarge('A file name')
      const part = stop < 0 ? rest : rest.subarray(0, stop + 1)
      if (!midLine) takeLine(part)
      else if (inPatch) takePatch(part)
      midLine = stop < 0
      rest = rest.subarray(part.length)
    }
  }

  const result = () => {
    if (unread.length > 0) takeLine(unread)
    unread = Buffer.alloc(0)
    closeSection()
    const overflow = files.length > overflowFiles || lines > overflowLines || bytes > overflowBytes
    return { diffs: files, overflow }
  }

  return { take, result }
}
