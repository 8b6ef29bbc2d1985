import type { Trailer } from '../git.ts'
import { logCommits } from './commit-list.ts'
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
  const blocks = await logCommits(runtime, ids, {
    options: ['--format=%x00%H%n%(trailers:only,unfold)'],
    timeout: runtime.limits.readTimeout,
    signal,
  })
  return new Map(
    blocks.map((block) => {
      const [id = '', ...lines] = decodeUtf8OrLatin1(Buffer.from(block, 'latin1')).split('\n')
      return [id, lines.filter((line) => line.includes(':')).map(parseTrailer)]
    }),
  )
}
