import type { RepositoryDiff } from '@forgelet/core/operations'
import { type Html, html } from '../html.ts'

/** Lines of a file's diff; longer diffs are truncated. */
const maxLines = 2_000

interface DiffLine {
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

const diffTable = ({ diff, newPath }: RepositoryDiff, hasRoom: boolean): Html => {
  if (!hasRoom) return html`<p class="empty">The page is too long to show these differences.</p>`
  if (diff === '') return html`<p class="empty">No differences are shown: the content is unchanged, or too large.</p>`
  if (!diff.startsWith('@@')) return html`<p class="empty">${diff}</p>`
  const lines = parseDiff(diff)
  return html`<div class="code" role="region" aria-label="Changes of ${newPath}" tabindex="0"><table class="diff"><tbody>${lines
    .slice(0, maxLines)
    .map(
      ({ kind, oldNumber, newNumber, text }) =>
        html`<tr class="${kind}"><td class="number">${oldNumber}</td><td class="number">${newNumber}</td><td><pre>${text}</pre></td></tr>`,
    )}</tbody></table></div>
${lines.length > maxLines && html`<p class="note">Only the first ${maxLines} of ${lines.length} lines are shown.</p>`}`
}

/** Characters of all differences on a page: those of further files are left out, except of the first. */
const maxLength = 500_000

/** Whether the differences of each file have room on the page. */
const findRoom = (diffs: readonly RepositoryDiff[]): readonly boolean[] => {
  let length = 0
  return diffs.map(({ diff }, index) => {
    length += diff.length
    return index === 0 || length <= maxLength
  })
}

/** A list of the changed files, and their differences. */
export const diffList = (diffs: readonly RepositoryDiff[]): Html => {
  const room = findRoom(diffs)
  return html`<ul class="files">${diffs.map(
    (diff, index) =>
      html`<li><a href="#file-${index + 1}">${getName(diff)}</a> <span class="muted">${describeChange(diff)}</span></li>`,
  )}</ul>
${diffs.map(
  (diff, index) =>
    html`<section class="file" id="file-${index + 1}"><h3>${getName(diff)} <span class="muted">${describeChange(diff)}</span></h3>${diffTable(diff, room[index] ?? false)}</section>`,
)}`
}
