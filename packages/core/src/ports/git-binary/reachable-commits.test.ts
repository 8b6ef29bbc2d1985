import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createTemporaryFolder } from '../../../../../test/support/sample-history.ts'
import { gitBinary } from '../git-binary.ts'

const folder = createTemporaryFolder()
const git = gitBinary()
afterAll(async () => {
  await git.close()
  rmSync(folder, { recursive: true })
})

test('finds the commits that another one contains', async () => {
  const repository = await git.create(join(folder, 'reachable.git'))
  const author = { name: 'Zoë', email: 'zoe@example.com', date: '2026-09-20T09:06:12+03:00' }
  const commit = (branch: string, parents: readonly number[]) => ({
    branch,
    message: branch,
    author,
    files: [],
    parents,
  })
  const commits = [commit('main', []), commit('main', [0]), commit('topic', [0])]
  const [base = '', main = '', topic = ''] = await repository.writeCommits(commits)
  expect(await repository.findReachable({ commits: [topic, main, base], from: main })).toEqual([main, base])
  expect(await repository.findReachable({ commits: ['f'.repeat(40)], from: main })).toEqual([])
  await expect(repository.findReachable({ commits: [base], from: 'f'.repeat(40) })).rejects.toThrow()
})
