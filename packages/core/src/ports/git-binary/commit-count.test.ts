import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { gitBinary } from '../git-binary.ts'
import { gitText, sampleHistory } from './sample-history.ts'

const { folder, directory } = sampleHistory()
const git = gitBinary()
const repository = git.open(directory)
afterAll(async () => {
  await git.close()
  rmSync(folder, { recursive: true, force: true })
})

const id = (name: string) => gitText(directory, 'rev-parse', `${name}^{commit}`)

test.each([
  ['main', []],
  ['main', ['light']],
  ['left', ['right', 'main']],
  ['orphan', ['main']],
  ['light', ['main']],
] as const)('counts what %s has and %j has not', async (of, without) => {
  const expected = gitText(directory, 'rev-list', '--count', id(of), ...without.map((name) => `^${id(name)}`))
  expect(await repository.count({ of: id(of), without: without.map(id) })).toBe(Number(expected))
})

test('refuses what is no commit, and never passes it on', async () => {
  const tree = gitText(directory, 'rev-parse', 'main^{tree}')
  for (const text of ['main', '--all', tree, 'f'.repeat(40)]) {
    await expect(repository.count({ of: text, without: [] })).rejects.toMatchObject({ code: 'not_found' })
    await expect(repository.count({ of: id('main'), without: [text] })).rejects.toMatchObject({ code: 'not_found' })
  }
})
