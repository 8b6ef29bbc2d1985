import type { Contributor, ContributorCountRequest, ContributorTotals, GitIdentity } from '../git.ts'
import type { CommitLineCounts } from './caches.ts'
import { assertCommits } from './commit-list.ts'
import { readCommit } from './commit-object.ts'
import { requireCommitIds } from './object-id.ts'
import type { GitRuntime } from './runtime.ts'

/** Commits that are counted by one process. */
const batchSize = 2_000
/** Commits that one process lists: it walks over all newer ones. A multiple of `batchSize`. */
const listSize = 20_000

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
  signal: AbortSignal | undefined,
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

const maximumTextLength = 255
const toStorableText = (text: string) => text.slice(0, maximumTextLength).replaceAll('\0', '').toWellFormed()

/** Cuts long texts, which git does not limit, and removes characters that databases do not store. */
const toStorable = ({ name, email }: GitIdentity): GitIdentity => ({
  name: toStorableText(name),
  email: toStorableText(email),
})

/** Totals of these commits, for which only the line counts that are not cached are counted. */
const countBatch = async (
  runtime: GitRuntime,
  ids: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly Contributor[]> => {
  const countsById = new Map<string, CommitLineCounts>()
  const uncounted: string[] = []
  for (const id of ids) {
    const counts = runtime.commitLineCounts.get(`${runtime.directory}\0${id}`)
    if (counts === undefined) uncounted.push(id)
    else countsById.set(id, counts)
  }
  if (uncounted.length > 0) {
    const commits = await Promise.all(uncounted.map((id) => readCommit(runtime, id)))
    const authors = new Map(commits.flatMap((found) => (found ? [[found.id, toStorable(found.author)] as const] : [])))
    await countCommitLines(runtime, countsById, authors, signal)
  }
  return sumByEmail(ids.map((id) => countsById.get(id)))
}

interface CommitRange extends Pick<ContributorCountRequest, 'commit' | 'exclude'> {
  readonly signal: AbortSignal | undefined
  readonly offset: number
  readonly limit: number
}

/** Ids of commits without merges, newest first. */
const listAuthoredCommits = async (
  { runner, directory, limits }: GitRuntime,
  { commit, exclude, offset, limit, signal }: CommitRange,
): Promise<readonly string[]> => {
  const { output } = await runner.run({
    directory,
    arguments: [
      'rev-list',
      '--no-merges',
      `--skip=${offset}`,
      `--max-count=${limit}`,
      '--end-of-options',
      commit,
      ...(exclude === undefined ? [] : [`^${exclude}`]),
    ],
    timeout: limits.contributorsTimeout,
    signal,
  })
  return output.toString('latin1').split('\n').filter(Boolean)
}

/** See `Repository.contributors`. */
export const listContributors = async (
  runtime: GitRuntime,
  commit: string,
  callerSignal: AbortSignal | undefined,
): Promise<ContributorTotals> => {
  requireCommitIds([commit])
  const key = `${runtime.directory}\0${commit}`
  const cached = runtime.contributors.get(key)
  if (cached !== undefined) return cached
  return runtime.coalesce(`contributors\0${key}`, callerSignal, async (signal) => {
    await assertCommits(runtime, [commit])
    const listed = await listAuthoredCommits(runtime, { commit, offset: 0, limit: batchSize + 1, signal })
    const ids = listed.slice(0, batchSize)
    const contributors = await countBatch(runtime, ids, signal)
    const result = { contributors, commits: ids.length, hasMore: listed.length > ids.length }
    runtime.contributors.set(key, result)
    return result
  })
}

/** See `Repository.countContributors`. */
export async function* countContributors(
  runtime: GitRuntime,
  { commit, exclude, offset, signal }: ContributorCountRequest,
): AsyncGenerator<ContributorTotals> {
  await assertCommits(runtime, exclude === undefined ? [commit] : [commit, exclude])
  let hasMore = true
  for (let start = offset; hasMore; start += listSize) {
    const range = { commit, exclude, offset: start, limit: listSize + 1, signal }
    const listed = await listAuthoredCommits(runtime, range)
    hasMore = listed.length > listSize
    const ids = listed.slice(0, listSize)
    for (let at = 0; at < ids.length; at += batchSize) {
      const batch = ids.slice(at, at + batchSize)
      const contributors = await countBatch(runtime, batch, signal)
      yield { contributors, commits: batch.length, hasMore: hasMore || at + batchSize < ids.length }
    }
  }
}
