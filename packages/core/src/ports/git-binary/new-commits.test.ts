import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createTemporaryFolder } from '../../../../../test/support/sample-history.ts'
import type { FileChange } from '../git.ts'
import { gitBinary } from '../git-binary.ts'

const folder = createTemporaryFolder()
const git = gitBinary()
afterAll(async () => {
  await git.close()
  rmSync(folder, { recursive: true })
})

const author = { name: 'Zoë', email: 'zoe@example.com', date: '2026-09-20T09:06:12+03:00' }
const commit = (branch: string, parents: readonly (number | string)[], files: readonly FileChange[] = []) => ({
  branch,
  message: branch,
  author,
  files,
  parents,
})

test('lists the commits that no branch or tag contains', async () => {
  const repository = await git.create(join(folder, 'new.git'))
  const [base = '', topic = ''] = await repository.writeCommits([commit('main', []), commit('topic', [0])])
  const tree = (await repository.commit(topic))?.tree as string
  const first = await repository.writeCommit({ tree, parents: [topic], message: 'first', author })
  const second = await repository.writeCommit({ tree, parents: [first], message: 'second', author })
  const limit = 10
  expect(await repository.newCommits(second, { limit })).toEqual([second, first])
  expect(await repository.newCommits(second, { limit: 1 })).toEqual([second])
  expect(await repository.newCommits(topic, { limit })).toEqual([])
  await repository.createTag({ name: 'v1', commit: first })
  expect(await repository.newCommits(second, { limit })).toEqual([second])
  await repository.updateReferences([{ name: 'refs/heads/topic', from: topic, to: undefined }])
  expect(await repository.newCommits(second, { limit })).toEqual([second])
  expect(await repository.newCommits(base, { limit })).toEqual([])
  await expect(repository.newCommits('f'.repeat(40), { limit })).rejects.toMatchObject({ code: 'not_found' })
})

test('lists the files that commits add or change', async () => {
  const repository = await git.create(join(folder, 'files.git'))
  const ids = await repository.writeCommits([
    commit('main', [], [{ path: 'kept "ü"\t.txt', content: 'one' }]),
    commit('side', [0], [{ path: 'side', content: 'side' }]),
    commit(
      'main',
      [0],
      [
        { path: 'kept "ü"\t.txt', content: 'second' },
        { path: 'moved', movedFrom: 'kept "ü"\t.txt' },
        { path: 'module', submodule: 'a'.repeat(40) },
      ],
    ),
    commit(
      'main',
      [2, 1],
      [
        { path: 'side', content: 'side' },
        { path: 'evil', content: '12345' },
      ],
    ),
  ])
  const filesOf = async (...indexes: number[]) =>
    (await repository.changedFiles(indexes.map((index) => ids[index] as string))).toSorted((a, b) =>
      a.path < b.path ? -1 : 1,
    )
  expect(await filesOf(0)).toEqual([{ path: 'kept "ü"\t.txt', isNew: true, size: 3 }])
  expect(await filesOf(1, 2)).toEqual([
    { path: 'moved', isNew: true, size: 6 },
    { path: 'side', isNew: true, size: 4 },
  ])
  expect(await filesOf(3)).toEqual([{ path: 'evil', isNew: true, size: 5 }])
  expect(await filesOf()).toEqual([])
})
