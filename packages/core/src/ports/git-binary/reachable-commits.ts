import type { ReachabilityRequest } from '../git.ts'
import { requireCommitIds } from './object-id.ts'
import type { GitRuntime } from './runtime.ts'

/** See `Repository.findReachable`. One process lists the commits that are not reachable. */
export const findReachable = async (
  runtime: GitRuntime,
  { commits, from, signal }: ReachabilityRequest,
): Promise<readonly string[]> => {
  const objects = await Promise.all(requireCommitIds(commits).map((id) => runtime.objects.info(id)))
  const known = commits.filter((_, index) => objects[index]?.type === 'commit')
  if (known.length === 0) return []
  const { output } = await runtime.runner.run({
    directory: runtime.directory,
    arguments: ['rev-list', '--stdin'],
    input: [...requireCommitIds([from]).map((id) => `^${id}`), ...known].map((line) => `${line}\n`),
    timeout: runtime.limits.readTimeout,
    signal,
  })
  const unreachable = new Set(output.toString('latin1').split('\n'))
  return known.filter((id) => !unreachable.has(id))
}
