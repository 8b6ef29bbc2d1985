import { notFound } from '../../kernel/errors.ts'
import type { Commit, CommitCountRequest, CommitCountsRequest } from '../git.ts'
import { readCommit } from './commit-object.ts'
import { requireCommitIds } from './object-id.ts'
import type { GitRuntime } from './runtime.ts'

/** A push seldom has more commits; reading them one after another would take longer than a process. */
const maximumSteps = 10

/**
 * Counts from a commit down to the excluded one, or to the first one of the history, without a process. `undefined` for merges,
 * many commits and histories that do not contain the excluded commit. Another excluded commit could be above the counted ones.
 */
const countSteps = async (runtime: GitRuntime, commit: string, [end, ...others]: readonly string[]) => {
  let id: string | undefined = commit
  for (let count = 0; count <= maximumSteps && others.length === 0; count += 1) {
    if (id === end) return count
    const found: Commit | undefined = id === undefined ? undefined : await readCommit(runtime, id)
    if (found === undefined || found.parents.length > 1) return undefined
    id = found.parents[0]
  }
  return undefined
}

/** See `Repository.countEachCommits`. */
export const countEachCommits = async (
  runtime: GitRuntime,
  { tips, exclude, signal }: CommitCountsRequest,
): Promise<readonly number[]> => {
  const { output } = await runtime.runner.run({
    directory: runtime.directory,
    arguments: ['rev-list', '--parents', '--stdin'],
    input: [...requireCommitIds(tips), ...requireCommitIds(exclude).map((id) => `^${id}`)].map((line) => `${line}\n`),
    timeout: runtime.limits.readTimeout,
    signal,
  })
  const lines = output.toString('latin1').split('\n').filter(Boolean)
  const parentsOf = new Map(lines.map((line) => [line.slice(0, 40), line.slice(41)]))
  return tips.map((tip) => {
    let count = 0
    const pending = [tip]
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      const parents = parentsOf.get(id)
      // Excluded, or counted before.
      if (parents === undefined || !parentsOf.delete(id)) continue
      count += 1
      if (parents !== '') pending.push(...parents.split(' '))
    }
    return count
  })
}

/** See `Repository.countCommits`. */
export const countCommits = async (
  runtime: GitRuntime,
  { commit, exclude, firstParent, signal }: CommitCountRequest,
): Promise<number> => {
  const ids = requireCommitIds([commit, ...exclude])
  const objects = await Promise.all(ids.map((id) => runtime.objects.info(id)))
  if (objects.some((object) => object?.type !== 'commit')) throw notFound('Commit')
  const steps = await countSteps(runtime, commit, exclude)
  if (steps !== undefined) return steps
  const { output } = await runtime.runner.run({
    directory: runtime.directory,
    arguments: ['rev-list', '--count', ...(firstParent ? ['--first-parent'] : []), '--stdin'],
    // Standard input, because the ids of very many branches exceed the length of a command line.
    input: [commit, ...exclude.map((id) => `^${id}`)].map((line) => `${line}\n`),
    timeout: runtime.limits.readTimeout,
    signal,
  })
  return Number(output.toString('latin1'))
}
