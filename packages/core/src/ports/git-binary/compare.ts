import { notFound, PlatformError } from '../../kernel/errors.ts'
import type { Commit, CompareRequest, Comparison } from '../git.ts'
import { readCommit } from './commit-object.ts'
import { createDiffParser } from './diff-parser.ts'
import { GitProcessError, isTooLargeError } from './errors.ts'
import { findMergeBase } from './merge-base.ts'
import { emptyTreeId, requireCommitIds } from './object-id.ts'
import type { GitRuntime } from './runtime.ts'

export const defaultPatchBytes = 100 * 1024

/** Commits reachable from `to` but not from `from`, oldest first. Above `limits.comparedCommits`, only the newest. */
const listCommitsBetween = async (runtime: GitRuntime, from: string, to: string, signal: AbortSignal) => {
  const { output } = await runtime.runner.run({
    directory: runtime.directory,
    arguments: ['rev-list', `--max-count=${runtime.limits.comparedCommits + 1}`, '--end-of-options', to, `^${from}`],
    timeout: runtime.limits.compareTimeout,
    signal,
  })
  const ids = output.toString('latin1').split('\n').filter(Boolean)
  const listed = ids.slice(0, runtime.limits.comparedCommits)
  const commits: Commit[] = []
  const batchSize = 500
  for (let end = listed.length; end > 0; end -= batchSize) {
    signal.throwIfAborted()
    const batch = listed.slice(Math.max(0, end - batchSize), end).reverse()
    for (const commit of await Promise.all(batch.map((id) => readCommit(runtime, id)))) {
      if (commit === undefined) throw notFound('Commit')
      commits.push(commit)
    }
  }
  return { commits, isTruncated: ids.length > listed.length }
}

const isTimeLimitError = (error: unknown) => error instanceof PlatformError && error.reason === 'time_limit'

/** `revisions` are the revision arguments of `git diff-tree`. */
export const readDiffs = async (
  runtime: GitRuntime,
  revisions: readonly string[],
  maximumPatchBytes: number,
  signal: AbortSignal | undefined,
) => {
  const parser = createDiffParser(maximumPatchBytes, runtime.limits.patchBytes)
  let [timedOut, isTruncated] = [false, false]
  try {
    await runtime.runner.run({
      directory: runtime.directory,
      arguments: [
        'diff-tree',
        '-r',
        '--raw',
        '--patch',
        '--full-index',
        '--find-renames',
        '--no-color',
        '--no-ext-diff',
        '--no-textconv',
        '--src-prefix=a/',
        '--dst-prefix=b/',
        ...revisions,
      ],
      timeout: runtime.limits.compareTimeout,
      onOutput: parser.write,
      signal,
    })
  } catch (error) {
    timedOut = isTimeLimitError(error)
    isTruncated = isTooLargeError(error)
    if (!timedOut && !isTruncated) throw error
  }
  const { diffs, overflow } = parser.result(!timedOut && !isTruncated)
  return { diffs, overflow: overflow || isTruncated, timedOut }
}

/**
 * `git diff-tree --merge-base` fails when there are several merge bases or none. Then `findMergeBase` selects one; unrelated
 * histories are compared with the empty tree.
 */
const readDiffsSinceMergeBase = async (
  runtime: GitRuntime,
  [from, to]: readonly [string, string],
  maximumPatchBytes: number,
  signal: AbortSignal,
) => {
  try {
    return await readDiffs(runtime, ['--merge-base', '--end-of-options', from, to], maximumPatchBytes, signal)
  } catch (error) {
    if (!(error instanceof GitProcessError && error.stderr.includes('merge base'))) throw error
    const base = (await findMergeBase(runtime, [from, to], signal)) ?? emptyTreeId
    return readDiffs(runtime, ['--end-of-options', base, to], maximumPatchBytes, signal)
  }
}

/** See `Repository.compare`. */
export const compare = async (runtime: GitRuntime, request: CompareRequest): Promise<Comparison> => {
  const { from, to, straight = false, maximumPatchBytes = defaultPatchBytes } = request
  requireCommitIds([from, to])
  const key = `${runtime.directory}\0${from}\0${to}\0${straight}\0${maximumPatchBytes}`
  const cached = runtime.comparisons.get(key)
  if (cached !== undefined) return cached
  return runtime.coalesce(`compare\0${key}`, request.signal, async (signal) => {
    const ends = await Promise.all([readCommit(runtime, from), readCommit(runtime, to)])
    if (ends.includes(undefined)) throw notFound('Commit')
    const [{ commits, isTruncated }, { diffs, overflow, timedOut }] = await Promise.all([
      listCommitsBetween(runtime, from, to, signal),
      straight
        ? readDiffs(runtime, ['--end-of-options', from, to], maximumPatchBytes, signal)
        : readDiffsSinceMergeBase(runtime, [from, to], maximumPatchBytes, signal),
    ])
    const comparison = { commits, diffs, overflow: overflow || isTruncated, timedOut }
    // The next attempt may complete within the time limit.
    if (!timedOut) runtime.comparisons.set(key, comparison)
    return comparison
  })
}
