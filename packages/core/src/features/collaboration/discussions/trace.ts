import type { FileDiff } from '../../../ports/git.ts'
import type { OpenedRepository } from '../../code/repository/opened-repository.ts'
import type { MergeRequestVersion } from '../merge-requests/changes/version.ts'
import { type FoundLine, findLineByNumber, moveLines } from './diff-lines.ts'
import type { LineRange, LineRangeEnd, Position } from './discussion.ts'
import { formatLineCode } from './verify-position.ts'

/** Lines of larger patches are not traced. */
const maximumPatchBytes = 5 * 1024 * 1024

type Lines = Pick<LineRangeEnd, 'oldLine' | 'newLine'>
type Paths = Pick<Position, 'baseSha' | 'headSha' | 'oldPath' | 'newPath'>

interface TracedLine {
  readonly file: FileDiff
  readonly line: FoundLine
}

const toLines = ({ file, line }: TracedLine) => ({
  oldLine: line.kind === '+' ? null : line.old,
  newLine: line.kind === '-' ? null : line.new,
  lineCode: formatLineCode(file.newPath, line.old, line.new),
})

/**
 * Returns a function that finds a position on a line in a newer version of the changes: an added or unchanged line in its head, a
 * removed one in its base. Undefined if the line was changed since, or its file has no changes any more.
 */
export const createTracer = (
  { repository, abortable }: OpenedRepository,
  { baseCommitSha, startCommitSha, headCommitSha }: MergeRequestVersion,
) => {
  const known = new Map<string, Promise<readonly FileDiff[] | undefined>>()
  const compare = async (from: string, to: string) => {
    if ((await repository.commit(from)) === undefined) return undefined
    return (await repository.compare({ from, to, straight: true, maximumPatchBytes, ...abortable })).diffs
  }
  const read = (from: string, to: string) => {
    const key = `${from} ${to}`
    const diffs = known.get(key) ?? compare(from, to)
    known.set(key, diffs)
    return diffs
  }
  const move = async (from: string, to: string, path: string, line: number) => {
    const files = from === to ? [] : await read(from, to)
    const file = files?.find(({ oldPath, isNew }) => oldPath === path && !isNew)
    const moved = file?.patch ? moveLines(file.patch, line, line) : line
    if (files === undefined || file?.isDeleted || moved === undefined) return undefined
    return { path: file?.newPath ?? path, line: moved }
  }
  const traceLine = async (
    { baseSha, headSha, oldPath, newPath }: Paths,
    { oldLine, newLine }: Lines,
  ): Promise<TracedLine | undefined> => {
    const isOld = newLine === null
    const [path, number] = isOld ? [oldPath, oldLine] : [newPath, newLine]
    if (path === null || number === null) return undefined
    const moved = await (isOld
      ? move(baseSha, baseCommitSha, path, number)
      : move(headSha, headCommitSha, path, number))
    if (moved === undefined) return undefined
    const changes = await read(baseCommitSha, headCommitSha)
    const file = changes?.find((candidate) => (isOld ? candidate.oldPath : candidate.newPath) === moved.path)
    const line = file && findLineByNumber(file.patch, isOld ? 'old' : 'new', moved.line)
    return file && line && { file, line }
  }
  const traceRange = async (paths: Paths, range: LineRange): Promise<LineRange | undefined> => {
    const [start, end] = [await traceLine(paths, range.start), await traceLine(paths, range.end)]
    return start && end && { start: { ...range.start, ...toLines(start) }, end: { ...range.end, ...toLines(end) } }
  }
  return async (position: Position): Promise<Position | undefined> => {
    const traced = await traceLine(position, position)
    const lineRange = position.lineRange && (await traceRange(position, position.lineRange))
    if (traced === undefined || lineRange === undefined) return undefined
    return {
      ...position,
      ...toLines(traced),
      lineRange,
      baseSha: baseCommitSha,
      startSha: startCommitSha,
      headSha: headCommitSha,
      oldPath: traced.file.oldPath,
      newPath: traced.file.newPath,
    }
  }
}
