import { invalidInput, notFound } from '../../kernel/errors.ts'
import { readCommit } from './commit-object.ts'
import { GitProcessError } from './errors.ts'
import { requireCommitIds } from './object-id.ts'
import type { GitRuntime } from './runtime.ts'

const maximumCommits = 100

/**
 * The best common ancestor of all commits. When two commits have several, git selects one. Three or more commits require
 * `--octopus`: without it, git compares the first commit with a hypothetical merge of the others.
 */
export const findMergeBase = async (
  runtime: GitRuntime,
  commits: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string | undefined> => {
  if (commits.length === 0 || commits.length > maximumCommits) {
    throw invalidInput([{ fields: ['commits'], message: `must have 1 to ${maximumCommits} items` }])
  }
  const ids = requireCommitIds(commits)
  const key = [runtime.directory, ...ids].join('\0')
  const cached = runtime.mergeBases.get(key)
  if (cached !== undefined) return cached || undefined
  const found = await Promise.all(ids.map((id) => readCommit(runtime, id)))
  if (found.includes(undefined)) throw notFound('Commit')
  if (ids.every((id) => id === ids[0])) return ids[0]
  const { code, output, stderr } = await runtime.runner.run({
    directory: runtime.directory,
    arguments: ['merge-base', ...(ids.length > 2 ? ['--octopus'] : []), '--end-of-options', ...ids],
    timeout: runtime.limits.readTimeout,
    // 1: no common ancestor
    expectedExitCodes: [1],
    signal,
  })
  // git reports an unreadable commit as the lack of a common ancestor.
  if (code !== 0 && stderr !== '') throw new GitProcessError('git merge-base', code, stderr)
  const base = output.toString('latin1').slice(0, 40)
  runtime.mergeBases.set(key, base || false)
  return base || undefined
}
