import { notFound } from '../../kernel/errors.ts'
import { defined } from '../../shared/defined.ts'
import { leaveTurn } from '../../shared/time-slice.ts'
import type { BlameRange, BlameRequest } from '../git.ts'
import { decodeUtf8OrLatin1 } from './decode-text.ts'
import { GitProcessError } from './errors.ts'
import { requireCommitIds } from './object-id.ts'
import type { GitRuntime } from './runtime.ts'

/** Characters that are parsed in one turn of the event loop, which takes about 5 ms. */
const lengthPerTurn = 1024 * 1024

/** Parses the porcelain format: for each line of the file a header with the commit, other headers, and the line after a tab. */
export const parseBlame = async (output: Buffer): Promise<readonly BlameRange[]> => {
  const ranges: { readonly commit: string; readonly lines: string[] }[] = []
  let commit = ''
  const text = decodeUtf8OrLatin1(output)
  let yieldsAt = lengthPerTurn
  for (let start = 0; start < text.length; ) {
    if (start > yieldsAt) {
      yieldsAt = start + lengthPerTurn
      await leaveTurn()
    }
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const line = text.slice(start, end)
    start = end + 1
    const header = /^([0-9a-f]{40}) \d+ \d+/.exec(line)
    if (header) commit = defined(header[1])
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
