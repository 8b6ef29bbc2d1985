import { notFound } from '../../kernel/errors.ts'
import type { CommitDiffOptions, CommitListRequest, FileDiff, LineStats } from '../git.ts'
import { readCommit } from './commit-object.ts'
import { defaultPatchBytes, readDiffs } from './compare.ts'
import { decodeUtf8OrLatin1 } from './decode-text.ts'
import { emptyTreeId, requireCommitIds } from './object-id.ts'
import type { GitRuntime } from './runtime.ts'

/** git reads the number as 32 bits. */
const maximumOffset = 2 ** 31 - 1

const toUnixSeconds = (instant: string) => Math.floor(Date.parse(instant) / 1000)

const toFilters = ({ since, until, author, message, firstParent, order }: CommitListRequest): readonly string[] => [
  ...(since === undefined ? [] : [`--max-age=${toUnixSeconds(since)}`]),
  ...(until === undefined ? [] : [`--min-age=${toUnixSeconds(until)}`]),
  ...(author === undefined ? [] : ['--fixed-strings', `--author=${author}`]),
  ...(message === undefined ? [] : ['--fixed-strings', '--regexp-ignore-case', `--grep=${message}`]),
  ...(firstParent ? ['--first-parent'] : []),
  ...(order === 'topo' ? ['--topo-order'] : []),
]

/** @throws PlatformError `not_found` if an id is not that of a commit */
export const assertCommits = async (runtime: GitRuntime, ids: readonly string[]) => {
  const objects = await Promise.all(requireCommitIds(ids).map((id) => runtime.objects.info(id)))
  if (objects.some((object) => object?.type !== 'commit')) throw notFound('Commit')
}

/** `git rev-list` cannot follow renames, and `git log` skips commits before it selects those of a followed file. */
const toRangeArguments = ({ follow, path, offset, limit }: CommitListRequest): readonly string[] =>
  follow && path
    ? [
        'log',
        '--follow',
        '--format=%H',
        '--no-show-signature',
        `--max-count=${Math.min(offset + limit, maximumOffset)}`,
      ]
    : ['rev-list', `--skip=${offset}`, `--max-count=${limit}`]

/** See `Repository.listCommits`. */
export const listCommits = async (runtime: GitRuntime, request: CommitListRequest): Promise<readonly string[]> => {
  const { tips, exclude = [], path = '', follow, offset, limit, signal } = request
  const filters = toFilters(request)
  await assertCommits(runtime, [...tips, ...exclude])
  // git rejects these paths and numbers; no commit has them.
  if (offset > maximumOffset || path.startsWith('/') || path.includes('\0') || path.split('/').includes('..')) return []
  // The first commit of a history is its tip.
  if (tips.length === 1 && limit === 1 && offset === 0 && exclude.length + path.length + filters.length === 0)
    return tips
  const { output } = await runtime.runner.run({
    directory: runtime.directory,
    arguments: [
      ...toRangeArguments(request),
      ...filters,
      ...(tips.length === 0 ? ['--branches'] : []),
      '--end-of-options',
      ...tips,
      ...exclude.map((id) => `^${id}`),
      '--',
      ...(path === '' ? [] : [path]),
    ],
    timeout: runtime.limits.compareTimeout,
    signal,
  })
  const ids = output.toString('latin1').split('\n').filter(Boolean)
  return follow && path ? ids.slice(offset) : ids
}

const parseStats = (block: string): LineStats => {
  let [additions, deletions] = [0, 0]
  for (const line of block.split('\n').slice(1)) {
    // Binary files have hyphens instead of numbers.
    const [, added, deleted] = /^(\d+)\t(\d+)\t/.exec(line) ?? []
    additions += Number(added ?? 0)
    deletions += Number(deleted ?? 0)
  }
  return { additions, deletions }
}

interface LogOptions {
  /** Options of `git log`, with a format that starts with a zero byte: messages contain none, so it starts a commit. */
  readonly options: readonly string[]
  readonly timeout: number
  readonly signal: AbortSignal | undefined
}

/** The output of `git log` for each of these commits, in their order and without the zero byte; as Latin-1. */
const logCommits = async (
  runtime: GitRuntime,
  ids: readonly string[],
  { options, timeout, signal }: LogOptions,
): Promise<readonly string[]> => {
  if (ids.length === 0) return []
  await assertCommits(runtime, ids)
  const { output } = await runtime.runner.run({
    directory: runtime.directory,
    arguments: ['log', '--no-walk=unsorted', '--stdin', '--no-show-signature', ...options],
    input: ids.map((id) => `${id}\n`),
    timeout,
    signal,
  })
  return output.toString('latin1').split('\0').slice(1)
}

/** See `Repository.commitStats`. */
export const readCommitStats = async (
  runtime: GitRuntime,
  ids: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, LineStats>> => {
  const blocks = await logCommits(runtime, ids, {
    options: ['--format=%x00%H', '--numstat', '--diff-merges=first-parent'],
    timeout: runtime.limits.compareTimeout,
    signal,
  })
  return new Map(blocks.map((block) => [block.slice(0, 40), parseStats(block)]))
}

/** See `Repository.commitDiffs`. */
export const readCommitDiffs = async (
  runtime: GitRuntime,
  id: string,
  { maximumPatchBytes = defaultPatchBytes, signal }: CommitDiffOptions = {},
): Promise<readonly FileDiff[]> => {
  const commit = await readCommit(runtime, id)
  if (commit === undefined) throw notFound('Commit')
  const base = commit.parents[0] ?? emptyTreeId
  return (await readDiffs(runtime, ['--end-of-options', base, id], maximumPatchBytes, signal)).diffs
}

const listReferenceNames = async (
  { directory, runner, limits }: GitRuntime,
  filter: string,
  prefixes: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly string[]> => {
  const { output } = await runner.run({
    directory,
    arguments: ['for-each-ref', '--format=%(refname)', filter, ...prefixes],
    timeout: limits.readTimeout,
    signal,
  })
  return decodeUtf8OrLatin1(output).split('\n').filter(Boolean)
}

/** See `Repository.referencesContaining`. */
export const listReferencesContaining = async (
  runtime: GitRuntime,
  commit: string,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> => {
  await assertCommits(runtime, [commit])
  return listReferenceNames(runtime, `--contains=${commit}`, ['refs/heads/', 'refs/tags/'], signal)
}

/** See `Repository.branchesMergedInto`. */
export const listBranchesMergedInto = async (
  runtime: GitRuntime,
  commit: string,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> => {
  await assertCommits(runtime, [commit])
  const names = await listReferenceNames(runtime, `--merged=${commit}`, ['refs/heads/'], signal)
  return names.map((name) => name.slice('refs/heads/'.length))
}
