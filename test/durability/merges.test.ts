import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createPlatform, sqlite } from '@forgelet/core'
import { demo, seed } from '@forgelet/core/seed'
import { expect, test } from 'vitest'
import { folder, serving } from '../cli/command-line.ts'
import { reportFigures } from '../figures.ts'

const rounds = Number(process.env.FORGELET_KILLS || 2)
const perRound = 12
const project = 'acme/web'
const headers = { 'PRIVATE-TOKEN': 'alice-token' }
const author = { name: 'Alice', email: 'alice@example.com' }
const file = join(folder, 'merges.db')
const openPlatform = () => createPlatform(sqlite(file), { repositories: `${file}.repositories` })

/** Merge requests of diverged branches, each with a file of its own. Returns their numbers. */
const createMergeRequests = async (count: number): Promise<number[]> => {
  const platform = openPlatform()
  await seed(platform, demo)
  const host = platform.as({ system: 'test' })
  const numbers: number[] = []
  const start = { branch: 'main', message: 'Begin', author, files: [{ path: 'a', content: 'a' }] }
  const { ids } = await host.commits.import({ project, commits: [start] })
  for (let at = 0; at < count; at++) {
    const branch = `topic-${at}`
    const files = [{ path: branch, content: branch }]
    await host.commits.import({ project, commits: [{ branch, message: branch, author, files, parents: [...ids] }] })
    const input = { project, title: branch, sourceBranch: branch, removeSourceBranch: true }
    numbers.push((await platform.as({ user: 'alice' }).mergeRequests.create(input)).iid)
  }
  await platform.close()
  return numbers
}

/** Merges one after another until the server is killed. Returns the acknowledged ones. */
const mergeUntilKilled = async (url: string, numbers: readonly number[], acknowledged: Set<number>) => {
  for (const number of numbers) {
    try {
      const path = `/api/v4/projects/acme%2Fweb/merge_requests/${number}/merge`
      const response = await fetch(`${url}${path}`, { method: 'PUT', headers })
      // A merge that the next process has completed is rejected.
      if (![200, 405].includes(response.status)) throw new Error(`${response.status} ${await response.text()}`)
      acknowledged.add(number)
    } catch (error) {
      if (error instanceof TypeError) return
      throw error
    }
  }
}

test(
  'a merge takes effect in the repository and in the database, or in neither, when the server is killed',
  async () => {
    const numbers = await createMergeRequests(rounds * perRound)
    const acknowledged = new Set<number>()
    for (let round = 0; round < rounds; round++) {
      const { url, child, ended } = await serving(['--data', file, '--log-level', 'silent'])
      const before = acknowledged.size
      const remaining = numbers.filter((number) => !acknowledged.has(number))
      const merging = mergeUntilKilled(url, remaining, acknowledged)
      // The first merge of a round can wait for the lock of the killed process.
      await expect.poll(() => acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(before)
      await pause(Math.random() * 300)
      child.kill('SIGKILL')
      await Promise.all([merging, ended])
    }

    const platform = openPlatform()
    const host = platform.as({ system: 'test' })
    // A change waits for the lock of the killed process, and records what it has left.
    await host.tags.create({ project, tagName: 'end' })
    const { directory } = await host.repository.get({ project })
    const git = (...args: string[]) =>
      execFileSync('git', ['--git-dir', directory as string, ...args], { encoding: 'utf8' })
    const files = git('ls-tree', '--name-only', 'main').split('\n')
    const branches = git('branch', '--format=%(refname:short)').split('\n')
    const { items } = await host.mergeRequests.list({ project, state: 'all', perPage: 100 })
    const { items: events } = await platform.as({ user: 'alice' }).events.list({ project, perPage: 100 })
    let merged = 0
    for (const { iid, state, sourceBranch } of items.filter(({ iid }) => numbers.includes(iid))) {
      const isMerged = state === 'merged'
      expect([sourceBranch, files.includes(sourceBranch)]).toEqual([sourceBranch, isMerged])
      expect([sourceBranch, branches.includes(sourceBranch)]).toEqual([sourceBranch, !isMerged])
      if (acknowledged.has(iid)) expect([sourceBranch, state]).toEqual([sourceBranch, 'merged'])
      merged += isMerged ? 1 : 0
    }
    expect(events.filter(({ actionName }) => actionName === 'accepted')).toHaveLength(merged)
    expect(Number(git('rev-list', '--count', '--merges', 'main'))).toBe(merged)
    await platform.close()
    reportFigures('killed merges', { kills: rounds, 'acknowledged merges': acknowledged.size, merges: merged })
  },
  60_000 + rounds * 90_000,
)
