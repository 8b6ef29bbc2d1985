import { defined } from '../../shared/defined.ts'
import type { Abortable, ChangedFile, ReachabilityRequest } from '../git.ts'
import { assertCommits } from './commit-list.ts'
import { decodeUtf8OrLatin1 } from './decode-text.ts'
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

/** See `Repository.newCommits`. */
export const listNewCommits = async (
  runtime: GitRuntime,
  tip: string,
  { limit, signal }: Abortable & { readonly limit: number },
): Promise<readonly string[]> => {
  await assertCommits(runtime, [tip])
  const { output } = await runtime.runner.run({
    directory: runtime.directory,
    arguments: ['rev-list', `--max-count=${limit}`, tip, '--not', '--branches', '--tags', '--'],
    timeout: runtime.limits.compareTimeout,
    signal,
  })
  return output.toString('latin1').split('\n').filter(Boolean)
}

const submodule = '160000'
const missing = '000000'

/** `:100644 100644 <id> <id> M`, or for a merge one colon, mode, id and letter for each parent. */
const parseChange = (header: string) => {
  const parents = /^:+/.exec(header)?.[0].length ?? 0
  const fields = header.slice(parents).split(' ')
  return {
    mode: defined(fields[parents]),
    id: defined(fields[2 * parents + 1]),
    isNew: /^A+$/.test(defined(fields.at(-1))),
  }
}

/** See `Repository.changedFiles`. */
export const listChangedFiles = async (
  runtime: GitRuntime,
  commits: readonly string[],
  { signal }: Abortable = {},
): Promise<readonly ChangedFile[]> => {
  if (commits.length === 0) return []
  await assertCommits(runtime, commits)
  const { output } = await runtime.runner.run({
    directory: runtime.directory,
    arguments: [
      ...['diff-tree', '--stdin', '--no-commit-id', '--raw', '-r', '--root', '-c', '-z'],
      ...['--no-renames', '--no-abbrev', '--no-ext-diff'],
    ],
    input: commits.map((id) => `${id}\n`),
    timeout: runtime.limits.compareTimeout,
    signal,
  })
  const parts = decodeUtf8OrLatin1(output).split('\0')
  const files = new Map<string, Omit<ChangedFile, 'size'> & { readonly id: string }>()
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const { mode, id, isNew } = parseChange(defined(parts[index]))
    const path = defined(parts[index + 1])
    if (mode !== missing && mode !== submodule) files.set(`${id} ${isNew} ${path}`, { path, id, isNew })
  }
  return Promise.all(
    [...files.values()].map(async ({ path, id, isNew }) => ({
      path,
      isNew,
      size: (await runtime.objects.info(id))?.size ?? 0,
    })),
  )
}
