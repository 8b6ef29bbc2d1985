import type { Position } from '@forgelet/core/operations'
import type { Html } from '../html.ts'
import type { DiffLine, LineContents, ShownDiff } from './diff.ts'
import type { Thread } from './discussions.ts'

/** The line of the differences that a discussion belongs to; undefined if it is not shown. */
const findLine = (diffs: readonly ShownDiff[], position: Position): DiffLine | undefined => {
  const { oldPath, newPath, oldLine, newLine } = position
  if (oldLine === null && newLine === null) return undefined
  const shown = diffs.find(({ diff }) => (newLine === null ? diff.oldPath === oldPath : diff.newPath === newPath))
  return shown?.lines.find((line) =>
    newLine === null ? line.kind === 'removed' && line.oldNumber === oldLine : line.newNumber === newLine,
  )
}

/** The discussions that are shown in the differences, and the others: of the whole item, and of lines that have changed since. */
export const placeThreads = (
  threads: readonly Thread[],
  diffs: readonly ShownDiff[],
  headSha: string | undefined,
): { readonly contents: LineContents; readonly others: readonly Thread[] } => {
  const contents = new Map<DiffLine, Html[]>()
  const others = threads.filter(({ notes, content }) => {
    const position = notes[0]?.position
    const line = position && position.headSha === headSha ? findLine(diffs, position) : undefined
    if (line) contents.set(line, [...(contents.get(line) ?? []), content])
    return line === undefined
  })
  return { contents, others }
}
