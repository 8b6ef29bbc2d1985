import type { Trailer } from '../git.ts'
import { assertCommits } from './commit-list.ts'
import { decodeUtf8OrLatin1 } from './decode-text.ts'
import type { GitRuntime } from './runtime.ts'

/** One trailer per line, such as `Cc: Ada <ada@example.com>`; continuation lines are joined. */
const parseTrailer = (line: string): Trailer => {
  const colon = line.indexOf(':')
  return { name: line.slice(0, colon), value: line.slice(colon + 1).trim() }
}

/** See `Repository.commitTrailers`. */
export const readCommitTrailers = async (
  runtime: GitRuntime,
  ids: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, readonly Trailer[]>> => {
  if (ids.length === 0) return new Map()
  await assertCommits(runtime, ids)
  const { output } = await runtime.runner.run({
    directory: runtime.directory,
    arguments: [
      'log',
      '--no-walk=unsorted',
      '--stdin',
      '--no-show-signature',
      // A message contains no zero byte, so each one starts a commit.
      '--format=%x00%H%n%(trailers:only,unfold)',
    ],
    input: ids.map((id) => `${id}\n`),
    timeout: runtime.limits.readTimeout,
    signal,
  })
  const blocks = output.toString('latin1').split('\0').slice(1)
  return new Map(
    blocks.map((block) => {
      const [id = '', ...lines] = decodeUtf8OrLatin1(Buffer.from(block, 'latin1')).split('\n')
      return [id, lines.filter((line) => line.includes(':')).map(parseTrailer)]
    }),
  )
}
