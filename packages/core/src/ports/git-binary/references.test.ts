import { appendFileSync, chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
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

const resolveRevision = (text: string) => runGitText(sample.directory, 'rev-parse', '--verify', text)

describe('resolve', () => {
  test('resolves every branch like git', async () => {
    const format = '--format=%(objectname) %(refname:lstrip=2)'
    const branches = runGitLines(sample.directory, 'for-each-ref', format, 'refs/heads').map((line) => line.split(' '))
    expect(branches.length).toBeGreaterThan(45)
    for (const [id, name = ''] of branches) {
      if (name !== 'both' && name !== 'deadbeef') expect(await repository.resolve(name)).toBe(id)
      expect(await repository.branch(name)).toBe(id)
    }
  })

  test.each(['light', 'v1.0', 'nested'])('resolves the tag %s', async (name) => {
    expect(await repository.resolve(name)).toBe(resolveRevision(`${name}^{commit}`))
    expect(await repository.tag(name)).toBe(resolveRevision(`${name}^{commit}`))
  })

  test('resolves HEAD, full ids and short ids', async () => {
    const id = resolveRevision('main')
    expect(await repository.resolve('HEAD')).toBe(id)
    expect(await repository.resolve(id)).toBe(id)
    expect(await repository.resolve(id.toUpperCase())).toBe(id)
    for (const length of [7, 8, 12, 39]) expect(await repository.resolve(id.slice(0, length))).toBe(id)
  })

  test('prefers a tag to a branch and a branch to a short id, like git', async () => {
    expect(resolveRevision('refs/tags/both')).not.toBe(resolveRevision('refs/heads/both'))
    expect(await repository.resolve('both')).toBe(resolveRevision('refs/tags/both'))
    expect(await repository.branch('both')).toBe(resolveRevision('refs/heads/both'))
    expect(await repository.resolve('deadbeef')).toBe(resolveRevision('refs/heads/deadbeef'))
  })

  test('does not resolve revision expressions, other references and other objects', async () => {
    const id = resolveRevision('main')
    const others = [
      id.slice(0, 6),
      resolveRevision('main^{tree}'),
      resolveRevision('main:README.md'),
      resolveRevision('refs/tags/v1.0'),
      'of-a-file',
      'refs/heads/main',
      'heads/main',
      'keep/hidden',
      'refs/keep/hidden',
      `nowhere-g${id.slice(0, 8)}`,
      `v1.0-12-g${id.slice(0, 10)}`,
      'packed-refs',
      'config',
      'main^',
      'main~1',
      'main@{0}',
      '@',
      ':/Change',
      'main:README.md',
      'main..topic/0',
      '0'.repeat(40),
      'f'.repeat(40),
      '0123456',
    ]
    for (const text of others) expect([text, await repository.resolve(text)]).toEqual([text, undefined])
    // The name of this branch has the format of `git describe`.
    expect(await repository.resolve('v1-5-gabcdef1')).toBe(resolveRevision('refs/heads/v1-5-gabcdef1'))
  })

  test('resolves references after they are packed, moved and removed', async () => {
    const tip = resolveRevision('main')
    runGit(sample.directory, ['branch', 'moving', tip])
    expect(await repository.resolve('moving')).toBe(tip)
    runGit(sample.directory, ['pack-refs', '--all'])
    expect(await repository.resolve('moving')).toBe(tip)
    expect(await repository.resolve('v1.0')).toBe(resolveRevision('v1.0^{commit}'))
    runGit(sample.directory, ['branch', '-f', 'moving', `${tip}~1`])
    expect(await repository.resolve('moving')).toBe(resolveRevision('main~1'))
    runGit(sample.directory, ['branch', '-D', 'moving'])
    expect(await repository.resolve('moving')).toBeUndefined()
  })

  test('passes only object ids to git', async () => {
    const log = join(sample.folder, 'recorded')
    const program = join(sample.folder, 'recording-git')
    writeFileSync(program, `#!/bin/sh\necho "ARGUMENTS $*" >> ${log}\ntee -a ${log} | git "$@"\n`)
    chmodSync(program, 0o755)
    const recording = gitBinary({ program })
    const recorded = recording.open(sample.directory)
    const hostile = ['--upload-pack=x', '-h', '$(id)', '`id`', 'a\nb', 'x\0y', '..', '../../x', 'z'.repeat(10_000)]
    for (const text of hostile) expect(await recorded.resolve(text)).toBeUndefined()
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.stringMatching(/^[0-9a-fA-F]{5,42}$/)),
        async (text) => {
          expect(await recorded.resolve(text)).toBeUndefined()
        },
      ),
      { numRuns: 300, seed: 11 },
    )
    expect(await recorded.resolve('main')).toBe(resolveRevision('main'))
    await recording.close()
    const lines = readFileSync(log, 'utf8').trim().split('\n')
    expect(lines.filter((line) => line.startsWith('ARGUMENTS'))).toHaveLength(1)
    const input = lines.filter((line) => !line.startsWith('ARGUMENTS'))
    expect(input.length).toBeGreaterThan(20)
    for (const line of input) expect(line).toMatch(/^(flush|info [0-9a-fA-F]{7,40}\^\{commit\})$/)
  })

  test('resolves references with git in a repository with reftables', async () => {
    const copy = join(sample.folder, 'other-form.git')
    runGit(sample.directory, ['clone', '-q', '--bare', sample.directory, copy])
    mkdirSync(join(copy, 'reftable'))
    const other = git.open(copy)
    expect(await other.resolve('topic/3')).toBe(resolveRevision('topic/3'))
    expect(await other.resolve('v1.0')).toBe(resolveRevision('v1.0^{commit}'))
    expect(await other.resolve('nowhere')).toBeUndefined()
    expect(await other.head()).toEqual({ branch: 'main', commit: resolveRevision('main') })
  })
})

describe('lists and HEAD', () => {
  test('lists branches and tags in the order of git', async () => {
    const branches = await repository.branches()
    const format = '--format=%(refname:lstrip=2) %(objectname)'
    expect(branches.map(({ name, commit }) => `${name} ${commit}`)).toEqual(
      runGitLines(sample.directory, 'for-each-ref', format, 'refs/heads'),
    )
    expect(await repository.tags()).toEqual(
      ['both', 'light', 'nested', 'v1.0'].map((name) => ({
        name,
        commit: resolveRevision(`refs/tags/${name}^{commit}`),
      })),
    )
  })

  test('HEAD of an empty repository has a branch and no commit', async () => {
    const empty = await git.create(join(sample.folder, 'empty.git'), { defaultBranch: 'trunk/new' })
    expect(await empty.head()).toEqual({ branch: 'trunk/new' })
    expect(await empty.resolve('HEAD')).toBeUndefined()
    expect(await empty.branches()).toEqual([])
    await empty.setHead('other')
    expect(await empty.head()).toEqual({ branch: 'other' })
    await expect(empty.setHead('a b')).rejects.toMatchObject({ code: 'invalid' })
  })
})

describe('updateReferences', () => {
  test('creates, moves and removes references atomically', async () => {
    const [from, to] = [resolveRevision('main~1'), resolveRevision('main')]
    const name = 'refs/heads/made'
    await repository.updateReferences([
      { name, from: undefined, to: from },
      { name: 'refs/heads/second', from: undefined, to: from },
    ])
    expect(await repository.branch('made')).toBe(from)
    await repository.updateReferences([{ name, from, to }])
    expect(await repository.branch('made')).toBe(to)
    const both = repository.updateReferences([
      { name, from: to, to: from },
      { name: 'refs/heads/second', from: to, to },
    ])
    await expect(both).rejects.toMatchObject({ code: 'conflict' })
    expect(await repository.branch('made')).toBe(to)
    await expect(repository.updateReferences([{ name, from: undefined, to }])).rejects.toMatchObject({
      code: 'conflict',
    })
    await repository.updateReferences([
      { name, from: to, to: undefined },
      { name: 'refs/heads/second', from, to: undefined },
    ])
    expect(await repository.branch('made')).toBeUndefined()
  })

  test.each(['refs/heads/a b', 'refs/heads/../../config', 'HEAD', 'config', 'refs/heads/x\ndelete refs/heads/main'])(
    'rejects the name %j',
    async (name) => {
      const update = repository.updateReferences([{ name, from: undefined, to: resolveRevision('main') }])
      await expect(update).rejects.toMatchObject({ code: 'invalid' })
    },
  )

  test('rejects unknown ids and reports a locked reference as a conflict', async () => {
    const name = 'refs/heads/unknown'
    for (const to of ['1'.repeat(40), 'main', '']) {
      const update = repository.updateReferences([{ name, from: undefined, to }])
      await expect(update).rejects.toMatchObject({ code: 'not_found' })
    }
    const lock = join(sample.directory, 'refs/heads/locked.lock')
    appendFileSync(lock, '')
    const locked = repository.updateReferences([
      { name: 'refs/heads/locked', from: undefined, to: resolveRevision('main') },
    ])
    await expect(locked).rejects.toMatchObject({ code: 'conflict' })
    rmSync(lock)
  })
})

test('reports a directory without a repository', async () => {
  const nowhere = git.open(join(sample.folder, 'nowhere.git'))
  expect(await nowhere.exists()).toBe(false)
  const damaged = { name: 'DamagedRepositoryError', message: expect.stringContaining('nowhere.git') }
  await expect(nowhere.resolve('main')).rejects.toMatchObject(damaged)
  await expect(nowhere.resolve('f'.repeat(40))).rejects.toMatchObject(damaged)
  await expect(nowhere.branches()).rejects.toMatchObject(damaged)
  await expect(nowhere.head()).rejects.toMatchObject(damaged)
  expect(await nowhere.findDamage()).toEqual([expect.stringMatching(/not a git repository: .*nowhere.git/)])
  expect(await repository.exists()).toBe(true)
})
