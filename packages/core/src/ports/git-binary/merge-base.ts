import { invalidInput, notFound } from '../../kernel/errors.ts'
import { readCommit } from './commit-object.ts'
import { commitIds } from './object-id.ts'
import type { Workplace } from './workplace.ts'

const maximumCommits = 100

/**
 * The best commit that all the others contain. Two commits are asked for as people do (the answer is git's own choice where
 * histories crossed); for more, only what is common to every one of them counts.
 */
export const findMergeBase = async (
  place: Workplace,
  commits: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string | undefined> => {
  if (commits.length === 0 || commits.length > maximumCommits) {
    throw invalidInput([{ fields: ['commits'], message: `must be 1 to ${maximumCommits}` }])
  }
  const ids = commitIds(commits)
  const key = [place.directory, ...ids].join('\0')
  const known = place.mergeBases.get(key)
  if (known !== undefined) return known || undefined
  const found = await Promise.all(ids.map((id) => readCommit(place, id)))
  if (found.includes(undefined)) throw notFound('Commit')
  if (ids.every((id) => id === ids[0])) return ids[0]
  const { output } = await place.runner.run({
    directory: place.directory,
    arguments: ['merge-base', ...(ids.length > 2 ? ['--octopus'] : []), '--end-of-options', ...ids],
    timeLimit: place.limits.readTime,
    // No common ancestor.
    codes: [1],
    signal,
  })
  const base = output.toString('latin1').slice(0, 40)
  place.mergeBases.set(key, base || false, 100)
  return base || undefined
}
