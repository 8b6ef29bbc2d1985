import { notFound } from '../../kernel/errors.ts'
import type { CommitCountRequest } from '../git.ts'
import { requireCommitIds } from './object-id.ts'
import type { GitRuntime } from './runtime.ts'

/** See `Repository.count`. */
export const countCommits = async (
  runtime: GitRuntime,
  { commit, exclude, firstParent, signal }: CommitCountRequest,
): Promise<number> => {
  const ids = requireCommitIds([commit, ...exclude])
  const objects = await Promise.all(ids.map((id) => runtime.objects.info(id)))
  if (objects.some((object) => object?.type !== 'commit')) throw notFound('Commit')
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
