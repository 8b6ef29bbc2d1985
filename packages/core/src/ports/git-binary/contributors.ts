import { notFound } from '../../kernel/errors.ts'
import type { Contributor } from '../git.ts'
import { readCommit } from './commit-object.ts'
import { commitIds } from './object-id.ts'
import type { CommitAccount, Workplace } from './workplace.ts'

const newest = 2000

/** `<additions>TAB<deletions>TAB<path>`, with hyphens for binary files. */
const numbers = /^([0-9]+)\t([0-9]+)\t/

/** The counted lines of each commit as they come: its id on a line of its own, then a line for each file. */
const lineCounts = (take: (id: string, additions: number, deletions: number) => void) => {
  let unread = ''
  let current: string | undefined
  let additions = 0
  let deletions = 0
  const close = () => {
    if (current !== undefined) take(current, additions, deletions)
    additions = 0
    deletions = 0
  }
  const takeLine = (line: string) => {
    if (/^[0-9a-f]{40}$/.test(line)) {
      close()
      current = line
      return
    }
    const [, added, removed] = numbers.exec(line) ?? []
    additions += Number(added ?? 0)
    deletions += Number(removed ?? 0)
  }
  return {
    take: (chunk: Buffer) => {
      const lines = (unread + chunk.toString('latin1')).split('\n')
      unread = lines.pop() ?? ''
      for (const line of lines) takeLine(line)
    },
    close,
  }
}

/** Counts the lines of commits and keeps each account at once: what was counted before time ran out is not lost. */
const countLines = async (
  place: Workplace,
  accounts: Map<string, CommitAccount>,
  people: ReadonlyMap<string, { readonly name: string; readonly email: string }>,
  signal: AbortSignal,
) => {
  const keep = (id: string, additions: number, deletions: number) => {
    const person = people.get(id)
    if (person === undefined) return
    const account = { ...person, additions, deletions }
    accounts.set(id, account)
    place.accounts.set(`${place.directory}\0${id}`, account, 200)
  }
  const counts = lineCounts(keep)
  await place.runner.run({
    directory: place.directory,
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
    input: [...people.keys()].map((id) => `${id}\n`),
    timeLimit: place.limits.contributorsTime,
    take: counts.take,
    signal,
  })
  counts.close()
}

const sumUp = (accounts: readonly (CommitAccount | undefined)[]): readonly Contributor[] => {
  const sums = new Map<string, Contributor>()
  for (const account of accounts) {
    if (account === undefined) continue
    const sum = sums.get(account.email)
    sums.set(account.email, {
      // Newest first, so the first name seen is the newest.
      name: sum?.name ?? account.name,
      email: account.email,
      commits: (sum?.commits ?? 0) + 1,
      additions: (sum?.additions ?? 0) + account.additions,
      deletions: (sum?.deletions ?? 0) + account.deletions,
    })
  }
  return [...sums.values()]
}

/** See `Repository.contributors`. */
export const contributors = async (
  place: Workplace,
  commit: string,
  caller: AbortSignal | undefined,
): Promise<readonly Contributor[]> => {
  commitIds([commit])
  const key = `${place.directory}\0${commit}`
  const known = place.contributors.get(key)
  if (known !== undefined) return known
  return place.shared(`contributors\0${key}`, caller, async (signal) => {
    if ((await readCommit(place, commit)) === undefined) throw notFound('Commit')
    const { output } = await place.runner.run({
      directory: place.directory,
      arguments: ['rev-list', '--no-merges', `--max-count=${newest}`, '--end-of-options', commit],
      timeLimit: place.limits.readTime,
      signal,
    })
    const ids = output.toString('latin1').split('\n').filter(Boolean)
    const accounts = new Map<string, CommitAccount>()
    const unknown: string[] = []
    for (const id of ids) {
      const account = place.accounts.get(`${place.directory}\0${id}`)
      if (account === undefined) unknown.push(id)
      else accounts.set(id, account)
    }
    if (unknown.length > 0) {
      const commits = await Promise.all(unknown.map((id) => readCommit(place, id)))
      const people = new Map(commits.flatMap((found) => (found ? [[found.id, found.author] as const] : [])))
      await countLines(place, accounts, people, signal)
    }
    const result = sumUp(ids.map((id) => accounts.get(id)))
    place.contributors.set(key, result, result.length * 300)
    return result
  })
}
