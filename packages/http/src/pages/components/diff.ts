import type { RepositoryDiff } from '@forgelet/core/operations'
import { type Html, html } from '../html.ts'

/** Lines of a file's diff; longer diffs are truncated. */
const maxLines = 2_000

/** A line of a unified diff, with its numbers in the old and the new file. */
export interface DiffLine {
  readonly kind: 'added' | 'removed' | 'context' | 'hunk'
  readonly oldNumber?: number
  readonly newNumber?: number
  readonly text: string
}

const hunkPattern = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/

/** Numbers the lines of a unified diff. */
export const parseDiff = (diff: string): readonly DiffLine[] => {
  let oldNumber = 0
  let newNumber = 0
  return diff
    .replace(/\n$/, '')
    .split('\n')
    .map((line): DiffLine => {
      const hunk = hunkPattern.exec(line)
      if (hunk) {
        oldNumber = Number(hunk[1])
        newNumber = Number(hunk[2])
        return { kind: 'hunk', text: line }
      }
      if (line.startsWith('+')) return { kind: 'added', newNumber: newNumber++, text: line }
      if (line.startsWith('-')) return { kind: 'removed', oldNumber: oldNumber++, text: line }
      // `\ No newline at end of file` is no line of a file.
      if (!line.startsWith(' ')) return { kind: 'hunk', text: line }
      return { kind: 'context', oldNumber: oldNumber++, newNumber: newNumber++, text: line }
    })
}

const describeChange = ({ newFile, deletedFile, renamedFile, aMode, bMode }: RepositoryDiff): string => {
  if (newFile) return 'added'
  if (deletedFile) return 'deleted'
  if (renamedFile) return 'renamed'
  return aMode === bMode ? 'changed' : `mode ${aMode} → ${bMode}`
}

const getName = ({ oldPath, newPath, renamedFile }: RepositoryDiff) =>
  renamedFile ? `${oldPath} → ${newPath}` : newPath

/** Characters of all differences on a page: those of further files are left out, except of the first. */
const maxLength = 500_000

/** The differences of a file as far as they are shown. */
export interface ShownDiff {
  readonly diff: RepositoryDiff
  readonly lines: readonly DiffLine[]
  /** Number of lines, also of those that are not shown. */
  readonly lineCount: number
  /** Whether the page has room for the differences. */
  readonly hasRoom: boolean
}

/** Splits the differences of a page into lines, as far as it has room for them. */
export const splitDiffs = (diffs: readonly RepositoryDiff[]): readonly ShownDiff[] => {
  let length = 0
  return diffs.map((diff, index) => {
    length += diff.diff.length
    const hasRoom = index === 0 || length <= maxLength
    const lines = hasRoom && diff.diff.startsWith('@@') ? parseDiff(diff.diff) : []
    return { diff, lines: lines.slice(0, maxLines), lineCount: lines.length, hasRoom }
  })
}

/** What is shown below a line of the differences. */
export type LineContents = ReadonlyMap<DiffLine, readonly Html[]>

const lineRow = ({ kind, oldNumber, newNumber, text }: DiffLine): Html =>
  html`<tr class="${kind}"><td class="number">${oldNumber}</td><td class="number">${newNumber}</td><td><pre>${text}</pre></td></tr>`

const diffTable = ({ diff: { diff, newPath }, lines, lineCount, hasRoom }: ShownDiff, contents: LineContents): Html => {
  if (!hasRoom) return html`<p class="empty">The page is too long to show these differences.</p>`
  if (diff === '') return html`<p class="empty">No differences are shown: the content is unchanged, or too large.</p>`
  if (lineCount === 0) return html`<p class="empty">${diff}</p>`
  return html`<div class="code" role="region" aria-label="Changes of ${newPath}" tabindex="0"><table class="diff"><tbody>${lines.map(
    (line) =>
      html`${lineRow(line)}${contents.get(line)?.map((content) => html`<tr class="remark"><td colspan="3">${content}</td></tr>`)}`,
  )}</tbody></table></div>
${lineCount > lines.length && html`<p class="note">Only the first ${maxLines} of ${lineCount} lines are shown.</p>`}`
}

/** A list of the changed files, and their differences. */
export const diffList = (diffs: readonly ShownDiff[], contents: LineContents = new Map()): Html =>
  html`<ul class="files">${diffs.map(
    ({ diff }, index) =>
      html`<li><a href="#file-${index + 1}">${getName(diff)}</a> <span class="muted">${describeChange(diff)}</span></li>`,
  )}</ul>
${diffs.map(
  (shown, index) =>
    html`<section class="file" id="file-${index + 1}"><h3>${getName(shown.diff)} <span class="muted">${describeChange(shown.diff)}</span></h3>${diffTable(shown, contents)}</section>`,
)}`
