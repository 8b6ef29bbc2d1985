import { notFound } from '../../kernel/errors.ts'
import type { BlameRange, BlameRequest } from '../git.ts'
import { decodeUtf8OrLatin1 } from './decode-text.ts'
import { GitProcessError } from './errors.ts'
import { requireCommitIds } from './object-id.ts'
import type { GitRuntime } from './runtime.ts'

/** Parses the porcelain format: for each line of the file a header with the commit, other headers, and the line after a tab. */
const parseBlame = (output: Buffer): readonly BlameRange[] => {
  const ranges: { readonly commit: string; readonly lines: string[] }[] = []
  let commit = ''
  for (const line of decodeUtf8OrLatin1(output).split('\n')) {
    const header = /^([0-9a-f]{40}) \d+ \d+/.exec(line)
    if (header) commit = header[1] as string
    else if (line.startsWith('\t')) {
      const last = ranges.at(-1)
      if (last?.commit === commit) last.lines.push(line.slice(1))
      else ranges.push({ commit, lines: [line.slice(1)] })
    }
  }
  return ranges
}

/** See `Repository.blame`. */
export const blame = async (
  runtime: GitRuntime,
  { commit, path, lines, signal }: BlameRequest,
): Promise<readonly BlameRange[]> => {
  const ids = requireCommitIds([commit])
  try {
    const { output } = await runtime.runner.run({
      directory: runtime.directory,
      arguments: ['blame', '--porcelain', ...(lines ? [`-L${lines[0]},${lines[1]}`] : []), ...ids, '--', path],
      timeout: runtime.limits.compareTimeout,
      signal,
    })
    return parseBlame(output)
  } catch (error) {
    if (!(error instanceof GitProcessError)) throw error
    if (/no such path|bad object|invalid object/.test(error.stderr)) throw notFound('File')
    // The range starts after the last line.
    if (/has only \d+ lines?/.test(error.stderr)) return []
    throw error
  }
}
