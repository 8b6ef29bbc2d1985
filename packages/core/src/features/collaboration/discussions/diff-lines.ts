/** A line of a unified diff: the counters before and after the change at this line. A removed or added line has one number. */
interface DiffLine {
  readonly kind: '-' | '+' | ' '
  readonly old: number
  readonly new: number
}

interface Hunk {
  /** The first line, and the one after the last, before and after the change. */
  readonly old: readonly [start: number, end: number]
  readonly new: readonly [start: number, end: number]
  readonly lines: readonly DiffLine[]
}

const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/** Without lines on one side, git names the line before the place. */
const toRange = (start: number, count: number): readonly [number, number] =>
  count === 0 ? [start + 1, start + 1] : [start, start + count]

const readLines = (texts: readonly string[], old: number, after: number): DiffLine[] => {
  const lines: DiffLine[] = []
  let [before, now] = [old, after]
  for (const text of texts) {
    const kind = text[0]
    if (kind !== '-' && kind !== '+' && kind !== ' ') continue
    lines.push({ kind, old: before, new: now })
    if (kind !== '+') before++
    if (kind !== '-') now++
  }
  return lines
}

const toHunk = (text: string): Hunk | undefined => {
  const [first = '', ...rest] = text.split('\n')
  const match = header.exec(first)
  if (!match) return undefined
  const [, old, oldCount = '1', after, newCount = '1'] = match
  return {
    old: toRange(Number(old), Number(oldCount)),
    new: toRange(Number(after), Number(newCount)),
    lines: readLines(rest, Number(old), Number(after)),
  }
}

/** The hunks of a patch; none for a binary file, a rename without changes and an omitted patch. */
const parseHunks = (patch: string): readonly Hunk[] =>
  patch.startsWith('@@') ? patch.split(/^(?=@@ -)/m).flatMap((text) => toHunk(text) ?? []) : []

const matches = ({ kind, old, new: after }: DiffLine, oldLine: number | null, newLine: number | null): boolean => {
  if (kind === '+') return oldLine === null && newLine === after
  if (kind === '-') return newLine === null && oldLine === old
  return oldLine === old && newLine === after
}

/** Whether a line outside all hunks has these two numbers. */
const isUnchangedOutside = (hunks: readonly Hunk[], oldLine: number, newLine: number): boolean => {
  const isInside = hunks.some(({ old, new: after }) =>
    [oldLine >= old[0] && oldLine < old[1], newLine >= after[0] && newLine < after[1]].includes(true),
  )
  const previous = hunks.findLast(({ old }) => old[1] <= oldLine)
  const offset = previous ? previous.new[1] - previous.old[1] : 0
  return !isInside && newLine - oldLine === offset
}

/** A line of a diff; `isOutside`: outside all hunks, so that the length of the file decides if it exists. */
export interface FoundLine extends DiffLine {
  readonly isOutside: boolean
}

const findOutside = (hunks: readonly Hunk[], old: number, after: number): FoundLine | undefined =>
  isUnchangedOutside(hunks, old, after) ? { kind: ' ', old, new: after, isOutside: true } : undefined

/**
 * Finds a line of the diff of a file: an added line by its new number, a removed line by its old one, and an unchanged line by both,
 * as clients name them. Undefined if no line has these numbers.
 */
export const findDiffLine = (patch: string, oldLine: number | null, newLine: number | null): FoundLine | undefined => {
  const hunks = parseHunks(patch)
  for (const { lines } of hunks) {
    const line = lines.find((candidate) => matches(candidate, oldLine, newLine))
    if (line) return { ...line, isOutside: false }
  }
  return oldLine === null || newLine === null ? undefined : findOutside(hunks, oldLine, newLine)
}

/** Finds a line of the diff of a file by the two counters in its code. */
export const findLineOfCode = (patch: string, old: number, after: number): FoundLine | undefined => {
  const hunks = parseHunks(patch)
  for (const { lines } of hunks) {
    const line = lines.find((candidate) => candidate.old === old && candidate.new === after)
    if (line) return { ...line, isOutside: false }
  }
  return old > 0 && after > 0 ? findOutside(hunks, old, after) : undefined
}

/** Finds a line by its number on one side: an added or unchanged line by its new number, a removed or unchanged one by its old one. */
export const findLineByNumber = (patch: string, side: 'old' | 'new', number: number): FoundLine | undefined => {
  const hunks = parseHunks(patch)
  const other = side === 'old' ? '+' : '-'
  for (const { lines } of hunks) {
    const line = lines.find((candidate) => candidate.kind !== other && candidate[side] === number)
    if (line) return { ...line, isOutside: false }
  }
  const previous = hunks.findLast((hunk) => hunk[side][1] <= number)
  const offset = previous ? previous.new[1] - previous.old[1] : 0
  return side === 'old' ? findOutside(hunks, number, number + offset) : findOutside(hunks, number - offset, number)
}

/** The number after the change of an unchanged line; undefined for a removed one. */
const moveLine = (hunks: readonly Hunk[], line: number): number | undefined => {
  const inside = hunks.find(({ old }) => line >= old[0] && line < old[1])
  if (inside) return inside.lines.find(({ kind, old }) => kind === ' ' && old === line)?.new
  const previous = hunks.findLast(({ old }) => old[1] <= line)
  return previous ? line + previous.new[1] - previous.old[1] : line
}

/** The first of some successive lines after the change; undefined if one was removed, or others were added between them. */
export const moveLines = (patch: string, from: number, to: number): number | undefined => {
  const hunks = parseHunks(patch)
  const first = moveLine(hunks, from)
  const isUnchanged = first !== undefined && moveLine(hunks, to) === first + to - from
  return isUnchanged ? first : undefined
}
