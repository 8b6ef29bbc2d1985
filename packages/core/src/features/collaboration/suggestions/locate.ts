import type { Abortable, Repository } from '../../../ports/git.ts'
import { findTreeEntry } from '../../code/repository/tree-entries.ts'
import { moveLines } from '../discussions/diff-lines.ts'
import type { Position } from '../discussions/discussion.ts'
import type { NewSuggestion } from './queries.ts'
import { parseSuggestions } from './suggestion.ts'

/** Suggestions in larger files and patches are not possible. */
const maximumBytes = 5 * 1024 * 1024

/** The lines of a text file with their line breaks; undefined for a missing, binary or too large file. */
export const readLines = async (
  repository: Repository,
  commit: string,
  path: string,
  abortable: Abortable = {},
): Promise<readonly string[] | undefined> => {
  if ((await repository.commit(commit)) === undefined) return undefined
  const entry = await findTreeEntry(repository, commit, path, abortable)
  if (entry?.type !== 'blob') return undefined
  const blob = await repository.blob(entry.id, { maximumBytes, ...abortable })
  if (blob === undefined || blob.content.byteLength < blob.size) return undefined
  const text = Buffer.from(blob.content).toString('utf8')
  return text.includes('\uFFFD') || text.includes('\0') ? undefined : (text.match(/[^\n]*\n|[^\n]+/g) ?? [])
}

/** The suggestions in the text of a comment on a line of a diff; none if its file cannot be read. */
export const readSuggestions = async (
  repository: Repository,
  { positionType, newPath, newLine, headSha }: Position,
  body: string,
  abortable?: Abortable,
): Promise<readonly NewSuggestion[]> => {
  const blocks = parseSuggestions(body)
  if (!blocks.length || positionType !== 'text' || newPath === null || newLine === null) return []
  const lines = await readLines(repository, headSha, newPath, abortable)
  if (lines === undefined || newLine > lines.length) return []
  return blocks.map(({ above, below, toContent }) => {
    const fromLine = Math.max(1, newLine - above)
    const toLine = Math.min(lines.length, newLine + below)
    const fromContent = lines.slice(fromLine - 1, toLine).join('')
    return { path: newPath, headSha, fromLine, toLine, fromContent, toContent }
  })
}

/** The lines of a suggestion in another commit. */
export interface Location {
  readonly path: string
  readonly fromLine: number
  readonly toLine: number
}

type Located = Omit<NewSuggestion, 'toContent'>

/** Finds the lines of suggestions in a newer commit; undefined for lines that were changed since. */
export const createLocator = (repository: Repository, tip: string, abortable: Abortable = {}) => {
  const diffs = new Map<string, ReturnType<typeof readDiffs>>()
  const readDiffs = async (from: string) => {
    if ((await repository.commit(from)) === undefined) return undefined
    const request = { from, to: tip, straight: true, maximumPatchBytes: maximumBytes, ...abortable }
    return (await repository.compare(request)).diffs
  }
  const read = (from: string) => {
    const known = diffs.get(from) ?? readDiffs(from)
    diffs.set(from, known)
    return known
  }
  return async ({ path, headSha, fromLine, toLine, fromContent }: Located): Promise<Location | undefined> => {
    const files = headSha === tip ? [] : await read(headSha)
    if (files === undefined) return undefined
    const file = files.find(({ oldPath, isNew }) => oldPath === path && !isNew)
    const first = file?.patch ? moveLines(file.patch, fromLine, toLine) : fromLine
    if (first === undefined || file?.isDeleted) return undefined
    const location = { path: file?.newPath ?? path, fromLine: first, toLine: first + toLine - fromLine }
    const lines = await readLines(repository, tip, location.path, abortable)
    return lines?.slice(location.fromLine - 1, location.toLine).join('') === fromContent ? location : undefined
  }
}
