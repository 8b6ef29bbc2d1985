import { createHash } from 'node:crypto'
import type { TransactionRunner } from '../../../kernel/deferred.ts'
import { PlatformError } from '../../../kernel/errors.ts'
import type { Abortable, FileDiff, Repository } from '../../../ports/git.ts'
import type { MergeRequestHead } from '../merge-requests/changes/head.ts'
import { versionsOf } from '../merge-requests/changes/queries.ts'
import { refreshVersion } from '../merge-requests/changes/refresh.ts'
import { prepareHead } from '../merge-requests/changes/source-branch.ts'
import { type FoundLine, findDiffLine, findLineOfCode } from './diff-lines.ts'
import type { LineRange, LineRangeEnd, Position } from './discussion.ts'
import { toPosition } from './position.ts'

/** Comments on the lines of larger patches are not possible. */
const maximumPatchBytes = 5 * 1024 * 1024
const maximumFileBytes = 20 * 1024 * 1024

/** The error text that clients of GitLab expect for a position outside the diff. */
const outsideDiffError = () => {
  const problems = ["can't be blank", 'must be a valid line code']
  const message = `Note {:line_code=>[${problems.map((problem) => `"${problem}"`).join(', ')}]}`
  return new PlatformError('invalid', message, {
    problems: problems.map((problem) => ({ fields: ['lineCode'], message: problem })),
    reason: 'unsaved',
  })
}

const hashPath = (path: string): string => createHash('sha1').update(path).digest('hex')

/** Identifies a line of a diff, as in addresses and comments of GitLab. */
export const formatLineCode = (path: string, oldLine: number, newLine: number): string =>
  `${hashPath(path)}_${oldLine}_${newLine}`

/** A client may give one path only; `toPosition` copies it. */
const isOf =
  ({ oldPath, newPath }: Position) =>
  (file: FileDiff): boolean =>
    oldPath === newPath
      ? file.newPath === newPath || file.oldPath === oldPath
      : file.newPath === newPath && file.oldPath === oldPath

const countLines = async (repository: Repository, commit: string, path: string, options: Abortable) => {
  const directory = path.split('/').slice(0, -1).join('/')
  const page = await repository.tree({ commit, ...(directory && { path: directory }), ...options })
  const entry = page?.entries.find((candidate) => candidate.path === path)
  const blob = entry && (await repository.blob(entry.id, { maximumBytes: maximumFileBytes, ...options }))
  if (!blob) return 0
  const text = Buffer.from(blob.content).toString('latin1')
  return text.split('\n').length - (text.endsWith('\n') || text === '' ? 1 : 0)
}

interface Reader {
  readonly repository: Repository
  readonly abortable?: Abortable
}

/** @throws PlatformError `invalid` for no line, and for a line outside all hunks that the file does not have */
const requireLine = async (
  { isNew, isDeleted, patch, newPath }: FileDiff,
  line: FoundLine | undefined,
  headSha: string,
  { repository, abortable = {} }: Reader,
): Promise<FoundLine> => {
  if (!line) throw outsideDiffError()
  if (!line.isOutside) return line
  const isText = patch === '' || patch.startsWith('@@')
  if (isNew || isDeleted || !isText) throw outsideDiffError()
  if (line.new > (await countLines(repository, headSha, newPath, abortable))) throw outsideDiffError()
  return line
}

/** The line that an end of a range names by its numbers, or else by its code. */
const findEnd = ({ newPath, patch }: FileDiff, { lineCode, oldLine, newLine }: LineRangeEnd): FoundLine | undefined => {
  if (oldLine !== null || newLine !== null) return findDiffLine(patch, oldLine, newLine)
  const [hash, old, after] = lineCode?.split('_') ?? []
  return hash === hashPath(newPath) ? findLineOfCode(patch, Number(old), Number(after)) : undefined
}

/** The line that has a type other than this one. */
const otherKinds = { new: '-', old: '+' } as const

/**
 * Completes the lines of a comment on several lines.
 *
 * @throws PlatformError `invalid` for lines outside the diff, contradictory ones, and if the first is after the last
 */
const verifyRange = async (
  file: FileDiff,
  { lineRange, headSha }: Position,
  reader: Reader,
): Promise<LineRange | null> => {
  if (lineRange === null) return null
  const verifyEnd = async (end: LineRangeEnd) => {
    const line = await requireLine(file, findEnd(file, end), headSha, reader)
    const lineCode = formatLineCode(file.newPath, line.old, line.new)
    const isOtherCode = end.lineCode !== null && end.lineCode !== lineCode
    if (isOtherCode || (end.type !== null && line.kind === otherKinds[end.type])) throw outsideDiffError()
    const oldLine = line.kind === '+' ? null : line.old
    const newLine = line.kind === '-' ? null : line.new
    // One of the counters grows from each line of a diff to the next.
    return { at: line.old + line.new, end: { ...end, lineCode, oldLine, newLine } }
  }
  const start = await verifyEnd(lineRange.start)
  const end = await verifyEnd(lineRange.end)
  if (start.at > end.at) throw outsideDiffError()
  return { start: start.end, end: end.end }
}

/**
 * Completes a position in the changes of a file with the paths of the file and the codes of its lines.
 *
 * @throws PlatformError `invalid` for a file or a line outside the diff
 */
const verifyInDiffs = async (diffs: readonly FileDiff[], position: Position, reader: Reader): Promise<Position> => {
  const { positionType, oldLine, newLine, lineRange, headSha } = position
  // The new path of one file can be the old path of another.
  const found =
    diffs.find((file) => file.newPath === position.newPath && isOf(position)(file)) ?? diffs.find(isOf(position))
  if (!found) throw outsideDiffError()
  const { oldPath, newPath } = found
  const located = { ...position, oldPath, newPath }
  if (positionType !== 'text') {
    if (oldLine !== null || newLine !== null || lineRange !== null) throw outsideDiffError()
    return located
  }
  const line = await requireLine(found, findDiffLine(found.patch, oldLine, newLine), headSha, reader)
  const lineCode = formatLineCode(newPath, line.old, line.new)
  return { ...located, lineCode, lineRange: await verifyRange(found, position, reader) }
}

/**
 * Completes a position in the diff of a merge request. Its commits are those of a version, or of two versions that are compared.
 * Without a repository nothing is known of the diff, and the position is unchanged.
 *
 * @throws PlatformError `invalid` for commits, files and lines outside the diff
 */
export const verifyPosition = async (
  { read, write }: TransactionRunner,
  head: MergeRequestHead,
  position: Position,
): Promise<Position> => {
  const { opened, mergeRequest } = head
  if (opened === undefined) return position
  await refreshVersion({ write }, await prepareHead({ write }, head))
  const versions = await read((ctx) => versionsOf(ctx, mergeRequest.id).execute())
  const { baseSha, startSha, headSha } = position
  const isVersion = versions.some(
    ({ baseCommitSha, startCommitSha, headCommitSha }) =>
      headCommitSha === headSha &&
      ((baseCommitSha === baseSha && [startCommitSha, baseCommitSha].includes(startSha)) ||
        versions.some((earlier) => earlier.headCommitSha === baseSha && startSha === baseSha)),
  )
  if (!isVersion) throw outsideDiffError()
  const { repository, abortable } = opened
  const request = { from: baseSha, to: headSha, straight: true, maximumPatchBytes, ...abortable }
  return verifyInDiffs((await repository.compare(request)).diffs, position, opened)
}

/** The commit that a commit is compared with; zeros for one without parents. */
const readFirstParent = async (repository: Repository, sha: string): Promise<string> =>
  (await repository.commit(sha))?.parents[0] ?? '0'.repeat(40)

/** Completes a position in the diff of a commit, which is compared with its first parent. @throws PlatformError as above */
export const verifyCommitPosition = async (
  repository: Repository,
  sha: string,
  position: Position,
): Promise<Position> => {
  const parent = await readFirstParent(repository, sha)
  if (position.headSha !== sha || position.baseSha !== parent || position.startSha !== parent) throw outsideDiffError()
  return verifyInDiffs(await repository.commitDiffs(sha, { maximumPatchBytes }), position, { repository })
}

interface CommentedLine {
  readonly path: string
  readonly line: number
  readonly lineType: 'new' | 'old'
}

/**
 * Returns the position of a line that a commit has added or removed.
 *
 * @throws PlatformError `invalid` for another line
 */
export const locateChangedLine = async (
  repository: Repository,
  sha: string,
  { path, line, lineType }: CommentedLine,
): Promise<Position> => {
  const parent = await readFirstParent(repository, sha)
  const place = lineType === 'new' ? { newPath: path, newLine: line } : { oldPath: path, oldLine: line }
  const position = toPosition({ baseSha: parent, startSha: parent, headSha: sha, positionType: 'text', ...place })
  return verifyInDiffs(await repository.commitDiffs(sha, { maximumPatchBytes }), position, { repository })
}
