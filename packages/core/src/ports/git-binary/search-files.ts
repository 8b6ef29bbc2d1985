import type { FileSearchRequest } from '../git.ts'
import { assertCommits } from './commit-list.ts'
import { decodeUtf8OrLatin1 } from './decode-text.ts'
import type { GitRuntime } from './runtime.ts'

/** The text as the bytes of UTF-8 and, if it has others, of Latin-1; one pattern a line. */
const toPatterns = (text: string): Buffer[] => {
  const latin1 = Buffer.from(text, 'latin1')
  const hasOther = latin1.toString('latin1') === text && latin1.length < Buffer.byteLength(text)
  return [Buffer.from(`${text}\n`), ...(hasOther ? [latin1] : [])]
}

/** See `Repository.searchFiles`. */
export const searchFiles = async (
  runtime: GitRuntime,
  { commit, text, signal }: FileSearchRequest,
): Promise<readonly string[]> => {
  await assertCommits(runtime, [commit])
  const { output } = await runtime.runner.run({
    directory: runtime.directory,
    // Only names: lines of files have no size limit.
    arguments: ['grep', '--name-only', '--null', '-I', '--ignore-case', '--fixed-strings', '-f', '-', commit],
    input: toPatterns(text),
    // No file contains the text.
    expectedExitCodes: [1],
    timeout: runtime.limits.compareTimeout,
    signal,
  })
  const names = decodeUtf8OrLatin1(output).split('\0').filter(Boolean)
  return names.map((name) => name.slice(commit.length + 1))
}
