import { notFound, PlatformError } from '../../kernel/errors.ts'
import type { Commit, CompareRequest, Comparison } from '../git.ts'
import { readCommit } from './commit-object.ts'
import { differenceParser } from './difference-parser.ts'
import { GitFailure, isTooLarge } from './failures.ts'
import { findMergeBase } from './merge-base.ts'
import { commitIds, emptyTree } from './object-id.ts'
import type { Workplace } from './workplace.ts'

const defaultPatchBytes = 100 * 1024

/** Commits that `to` has and `from` has not, oldest first; the newest `limits.commits` of them. */
const commitsBetween = async (place: Workplace, from: string, to: string, signal: AbortSignal) => {
  const { output } = await place.runner.run({
    directory: place.directory,
    arguments: ['rev-list', `--max-count=${place.limits.commits + 1}`, '--end-of-options', to, `^${from}`],
    timeLimit: place.limits.compareTime,
    signal,
  })
  const ids = output.toString('latin1').split('\n').filter(Boolean)
  const kept = ids.slice(0, place.limits.commits)
  const commits: Commit[] = []
  const batch = 500
  for (let end = kept.length; end > 0; end -= batch) {
    signal.throwIfAborted()
    const group = kept.slice(Math.max(0, end - batch), end).reverse()
    for (const commit of await Promise.all(group.map((id) => readCommit(place, id)))) {
      if (commit === undefined) throw notFound('Commit')
      commits.push(commit)
    }
  }
  return { commits, cut: ids.length > kept.length }
}

const isTimeLimit = (error: unknown) => error instanceof PlatformError && error.reason === 'time_limit'

/** `since` are the two sides, or the words that make git take their merge base as the first. */
const differences = async (
  place: Workplace,
  since: readonly string[],
  maximumPatchBytes: number,
  signal: AbortSignal,
) => {
  const parser = differenceParser(maximumPatchBytes, place.limits.patchBytes)
  let [timedOut, cut] = [false, false]
  try {
    await place.runner.run({
      directory: place.directory,
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
        ...since,
      ],
      timeLimit: place.limits.compareTime,
      take: parser.take,
      signal,
    })
  } catch (error) {
    timedOut = isTimeLimit(error)
    cut = isTooLarge(error)
    if (!timedOut && !cut) throw error
  }
  const { diffs, overflow } = parser.result()
  return { diffs, overflow: overflow || cut, timedOut }
}

/**
 * From where the histories parted. git finds that point on the way, unless there are several or none: then it is asked for,
 * and histories that never met are compared with nothing at all.
 */
const differencesSinceParting = async (
  place: Workplace,
  [from, to]: readonly [string, string],
  maximumPatchBytes: number,
  signal: AbortSignal,
) => {
  try {
    return await differences(place, ['--merge-base', '--end-of-options', from, to], maximumPatchBytes, signal)
  } catch (error) {
    if (!(error instanceof GitFailure && error.complaint.includes('merge base'))) throw error
    const base = (await findMergeBase(place, [from, to], signal)) ?? emptyTree
    return differences(place, ['--end-of-options', base, to], maximumPatchBytes, signal)
  }
}

const costOf = ({ commits, diffs }: Comparison) =>
  commits.reduce((sum, { message }) => sum + message.length * 2 + 800, 0) +
  diffs.reduce(
    (sum, { oldPath, newPath, patch }) => sum + (oldPath.length + newPath.length + patch.length) * 2 + 200,
    0,
  )

/** See `Repository.compare`. */
export const compare = async (place: Workplace, request: CompareRequest): Promise<Comparison> => {
  const { from, to, straight = false, maximumPatchBytes = defaultPatchBytes } = request
  commitIds([from, to])
  const key = `${place.directory}\0${from}\0${to}\0${straight}\0${maximumPatchBytes}`
  const known = place.comparisons.get(key)
  if (known !== undefined) return known
  return place.shared(`compare\0${key}`, request.signal, async (signal) => {
    const ends = await Promise.all([readCommit(place, from), readCommit(place, to)])
    if (ends.includes(undefined)) throw notFound('Commit')
    const [{ commits, cut }, { diffs, overflow, timedOut }] = await Promise.all([
      commitsBetween(place, from, to, signal),
      straight
        ? differences(place, ['--end-of-options', from, to], maximumPatchBytes, signal)
        : differencesSinceParting(place, [from, to], maximumPatchBytes, signal),
    ])
    const comparison = { commits, diffs, overflow: overflow || cut, timedOut }
    // A comparison that ran out of time may well be complete when asked for again.
    if (!timedOut) place.comparisons.set(key, comparison, costOf(comparison))
    return comparison
  })
}
