import { notFound } from '../../kernel/errors.ts'
import type { Contributor } from '../git.ts'
import type { CommitLineCounts } from './caches.ts'
import { readCommit } from './commit-object.ts'
import { requireCommitIds } from './object-id.ts'
import type { GitRuntime } from './runtime.ts'

const maximumCommits = 2000

/** `<additions>TAB<deletions>TAB<path>`; binary files have hyphens instead of numbers and do not match. */
const numstatLine = /^([0-9]+)\t([0-9]+)\t/

/** Parses `git diff-tree --numstat`: for each commit a line with its id, then one line for each file. */
const createNumstatParser = (onCommit: (id: string, additions: number, deletions: number) => void) => {
  let unread = ''
  let current: string | undefined
  let additions = 0
  let deletions = 0
  const end = () => {
    if (current !== undefined) onCommit(current, additions, deletions)
    additions = 0
    deletions = 0
  }
  const parseLine = (line: string) => {
    if (/^[0-9a-f]{40}$/.test(line)) {
      end()
      current = line
      return
    }
    const [, added, removed] = numstatLine.exec(line) ?? []
    additions += Number(added ?? 0)
    deletions += Number(removed ?? 0)
  }
  return {
    write: (chunk: Buffer) => {
      const lines = (unread + chunk.toString('latin1')).split('\n')
      unread = lines.pop() ?? ''
      for (const line of lines) parseLine(line)
    },
    end,
  }
}

/** Counts the changed lines of commits. Caches each commit immediately, so that a timeout keeps the finished ones. */
const countCommitLines = async (
  runtime: GitRuntime,
  countsById: Map<string, CommitLineCounts>,
  authors: ReadonlyMap<string, { readonly name: string; readonly email: string }>,
  signal: AbortSignal,
) => {
  const parser = createNumstatParser((id, additions, deletions) => {
    const author = authors.get(id)
    if (author === undefined) return
    const counts = { ...author, additions, deletions }
    countsById.set(id, counts)
    runtime.commitLineCounts.set(`${runtime.directory}\0${id}`, counts)
  })
  await runtime.runner.run({
    directory: runtime.directory,
    arguments: [
      'diff-tree',
      '--stdin',
      '--always',
      '-r',
      '--root',
      '--numstat',
      '--find-renames',
      '--no-ext-diff',
      '--no-textconv',
    ],
    input: [...authors.keys()].map((id) => `${id}\n`),
    timeout: runtime.limits.contributorsTimeout,
    onOutput: parser.write,
    signal,
  })
  parser.end()
}

/** `newestFirst` determines the name and the order of the contributors. */
const sumByEmail = (newestFirst: readonly (CommitLineCounts | undefined)[]): readonly Contributor[] => {
  const sums = new Map<string, Contributor>()
  for (const counts of newestFirst) {
    if (counts === undefined) continue
    const sum = sums.get(counts.email)
    sums.set(counts.email, {
      name: sum?.name ?? counts.name,
      email: counts.email,
      commits: (sum?.commits ?? 0) + 1,
      additions: (sum?.additions ?? 0) + counts.additions,
      deletions: (sum?.deletions ?? 0) + counts.deletions,
    })
  }
  return [...sums.values()]
}

/** See `Repository.contributors`. */
export const listContributors = async (
  runtime: GitRuntime,
  commit: string,
  callerSignal: AbortSignal | undefined,
): Promise<readonly Contributor[]> => {
  requireCommitIds([commit])
  const key = `${runtime.directory}\0${commit}`
  const cached = runtime.contributors.get(key)
  if (cached !== undefined) return cached
  return runtime.coalesce(`contributors\0${key}`, callerSignal, async (signal) => {
    if ((await readCommit(runtime, commit)) === undefined) throw notFound('Commit')
    const { output } = await runtime.runner.run({
      directory: runtime.directory,
      arguments: ['rev-list', '--no-merges', `--max-count=${maximumCommits}`, '--end-of-options', commit],
      timeout: runtime.limits.readTimeout,
      signal,
    })
    const ids = output.toString('latin1').split('\n').filter(Boolean)
    const countsById = new Map<string, CommitLineCounts>()
    const uncounted: string[] = []
    for (const id of ids) {
      const counts = runtime.commitLineCounts.get(`${runtime.directory}\0${id}`)
      if (counts === undefined) uncounted.push(id)
      else countsById.set(id, counts)
    }
    if (uncounted.length > 0) {
      const commits = await Promise.all(uncounted.map((id) => readCommit(runtime, id)))
      const authors = new Map(commits.flatMap((found) => (found ? [[found.id, found.author] as const] : [])))
      await countCommitLines(runtime, countsById, authors, signal)
    }
    const result = sumByEmail(ids.map((id) => countsById.get(id)))
    runtime.contributors.set(key, result)
    return result
  })
}
