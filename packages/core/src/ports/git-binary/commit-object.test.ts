import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createSampleHistory,
  runGit,
  runGitLines,
  runGitText,
  type SampleHistory,
} from '../../../../../test/support/sample-history.ts'
import type { Repository } from '../git.ts'
import { gitBinary } from '../git-binary.ts'
import { parseCommit, parseSignature } from './commit-object.ts'

let sample: SampleHistory
let repository: Repository
const git = gitBinary()

beforeAll(() => {
  sample = createSampleHistory()
  repository = git.open(sample.directory)
})

afterAll(async () => {
  await git.close()
  rmSync(sample.folder, { recursive: true })
})

describe('commit', () => {
  test('reads every commit like git', async () => {
    const format = '%H%x01%T%x01%P%x01%an%x01%ae%x01%aI%x01%cn%x01%ce%x01%cI'
    const ids = runGitLines(sample.directory, 'rev-list', '--all')
    expect(ids.length).toBeGreaterThan(1200)
    const lines = runGit(sample.directory, ['log', '--all', '--no-decorate', `--format=${format}`])
    const expected = lines
      .toString('latin1')
      .trim()
      .split('\n')
      .map((line) => line.split('\x01'))
    const commits = await Promise.all(ids.map((id) => repository.commit(id)))
    for (const [index, commit] of commits.entries()) {
      const [id, tree, parents, name = '', email, authored = '', committer = '', mail, committed = ''] =
        expected[index] ?? []
      // git prints whole seconds, and Z for a zero offset.
      const date = (text: string) => text.replace(/Z$/, '+00:00').replace(/T.{8}/, '$&.000')
      const text = (latin1: string) => {
        const utf8 = Buffer.from(latin1, 'latin1').toString()
        return utf8.includes('\ufffd') ? latin1 : utf8
      }
      expect(commit).toMatchObject({
        id,
        tree,
        parents: parents?.split(' ').filter(Boolean),
        author: { name: text(name), email },
        committer: { name: text(committer), email: mail },
      })
      expect(commit?.authoredAt).toBe(date(authored))
      expect(commit?.committedAt).toBe(date(committed))
    }
  })

  test('decodes messages and always has a title', async () => {
    const readCommit = (revision: string) => repository.commit(runGitText(sample.directory, 'rev-parse', revision))
    expect(await readCommit('main~2')).toMatchObject({ title: 'Rénommer', message: 'Rénommer\n' })
    expect(await readCommit('main~1')).toMatchObject({ title: 'No commit message', message: '' })
    expect(await readCommit('main')).toMatchObject({ title: '  Late title', message: '\n\n  Late title \r\n\nrest' })
  })

  test('is undefined for other objects and unknown ids', async () => {
    const others = ['v1.0^{tag}', 'main:src', 'main:run.sh'].map((text) =>
      runGitText(sample.directory, 'rev-parse', text),
    )
    for (const id of [...others, 'main', 'HEAD', '', 'f'.repeat(40), `${'f'.repeat(40)}\n`]) {
      expect(await repository.commit(id)).toBeUndefined()
    }
  })
})

test.each([
  ['A <a@b> 1348131372 +0300', 'A', 'a@b', '2012-09-20T11:56:12.000+03:00'],
  ['A B  <> 0 +0000', 'A B', '', '1970-01-01T00:00:00.000+00:00'],
  ['A <a@b> 0 -0000', 'A', 'a@b', '1970-01-01T00:00:00.000+00:00'],
  ['A <a@b> 1 -0930', 'A', 'a@b', '1969-12-31T14:30:01.000-09:30'],
  ['A <a@b> -86400 +0000', 'A', 'a@b', '1969-12-31T00:00:00.000+00:00'],
  ['A <a@b> 99999999999999999999 +0000', 'A', 'a@b', '1970-01-01T00:00:00.000+00:00'],
  ['A <a@b> 1 +051800', 'A', 'a@b', '1970-01-01T00:00:01.000+00:00'],
  ['A <a@b>', 'A', 'a@b', '1970-01-01T00:00:00.000+00:00'],
  ['A <a>b> 5 +0000', 'A', 'a', '1970-01-01T00:00:05.000+00:00'],
  ['nobody', 'nobody', '', '1970-01-01T00:00:00.000+00:00'],
  ['', '', '', '1970-01-01T00:00:00.000+00:00'],
])('parseSignature(%j)', (line, name, email, date) => {
  expect(parseSignature(line)).toEqual({ person: { name, email }, date })
})

test('parses a commit with a header of several lines and a damaged commit', () => {
  const lines = [
    `tree ${'1'.repeat(40)}`,
    `parent ${'2'.repeat(40)}`,
    'author A <a@b> 1 +0000',
    'committer C <c@d> 2 +0000',
  ]
  const text = `${lines.join('\n')}\ngpgsig -----BEGIN\n \n parent ${'3'.repeat(40)}\n -----END\n\nTitle\n\nbody\n`
  expect(parseCommit('4'.repeat(40), Buffer.from(text))).toEqual({
    id: '4'.repeat(40),
    title: 'Title',
    message: 'Title\n\nbody\n',
    tree: '1'.repeat(40),
    parents: ['2'.repeat(40)],
    author: { name: 'A', email: 'a@b' },
    authoredAt: '1970-01-01T00:00:01.000+00:00',
    committer: { name: 'C', email: 'c@d' },
    committedAt: '1970-01-01T00:00:02.000+00:00',
  })
  expect(parseCommit('4'.repeat(40), Buffer.from('damaged'))).toMatchObject({ title: 'No commit message', parents: [] })
})
