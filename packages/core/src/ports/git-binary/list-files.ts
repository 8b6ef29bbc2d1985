import type { SizedFile } from '../git.ts'
import { assertCommits } from './commit-list.ts'
import { decodeUtf8OrLatin1 } from './decode-text.ts'
import type { GitRuntime } from './runtime.ts'

/** A line of `git ls-tree --long`: `100644 blob <id>     <size>\t<path>`. */
const filePattern = /^100(?:644|755) blob ([0-9a-f]{40}) +([0-9]+)\t(.*)$/s

/** See `Repository.files`. */
export const listFiles = async (
  runtime: GitRuntime,
  commit: string,
  signal: AbortSignal | undefined,
): Promise<readonly SizedFile[]> => {
  await assertCommits(runtime, [commit])
  const { output } = await runtime.runner.run({
    directory: runtime.directory,
    arguments: ['ls-tree', '-r', '-z', '--long', '--full-tree', commit],
    timeout: runtime.limits.compareTimeout,
    signal,
  })
  return decodeUtf8OrLatin1(output)
    .split('\0')
    .flatMap((line) => {
      const [, id, size, path] = filePattern.exec(line) ?? []
      return id === undefined || path === undefined ? [] : [{ id, path, size: Number(size) }]
    })
}
