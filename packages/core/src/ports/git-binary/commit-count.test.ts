import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { createSampleHistory, runGitText } from '../../../../../test/support/sample-history.ts'
import { gitBinary } from '../git-binary.ts'

const { folder, directory } = createSampleHistory()
const git = gitBinary()
const repository = git.open(directory)
afterAll(async () => {
  await git.close()
  rmSync(folder, { recursive: true, force: true })
})

const resolveId = (name: string) => runGitText(directory, 'rev-parse', `${name}^{commit}`)

test.each([
  ['main', []],
  ['main', ['light']],
  ['left', ['right', 'main']],
  ['orphan', ['main']],
  ['light', ['main']],
  ['left', ['left']],
  ['left', ['left~1']],
  ['left~1', ['left']],
  ['left~1', ['left', 'left~2']],
  ['orphan', []],
  ['main', ['orphan']],
  ['main', ['main~2']],
] as const)('counts commits of %s without %j', async (revision, exclude) => {
  const expected = runGitText(
    directory,
    'rev-list',
    '--count',
    resolveId(revision),
    ...exclude.map((name) => `^${resolveId(name)}`),
  )
  expect(await repository.countCommits({ commit: resolveId(revision), exclude: exclude.map(resolveId) })).toBe(
    Number(expected),
  )
})

test('rejects text that is not the id of a commit', async () => {
  const tree = runGitText(directory, 'rev-parse', 'main^{tree}')
  for (const text of ['main', '--all', tree, 'f'.repeat(40)]) {
    await expect(repository.countCommits({ commit: text, exclude: [] })).rejects.toMatchObject({ code: 'not_found' })
    await expect(repository.countCommits({ commit: resolveId('main'), exclude: [text] })).rejects.toMatchObject({
      code: 'not_found',
    })
  }
})
