import { appendFileSync, chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Repository } from '../git.ts'
import { gitBinary } from '../git-binary.ts'
import { askGit, gitLines, gitText, type SampleHistory, sampleHistory } from './sample-history.ts'

let sample: SampleHistory
let repository: Repository
const git = gitBinary()

beforeAll(() => {
  sample = sampleHistory()
  repository = git.open(sample.directory)
})

afterAll(async () => {
  await git.close()
  rmSync(sample.folder, { recursive: true })
})

const revision = (text: string) => gitText(sample.directory, 'rev-parse', '--verify', text)

describe('resolve', () => {
  test('finds every branch as git does', async () => {
    const names = gitLines(sample.directory, 'for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads')
    expect(names.length).toBeGreaterThan(45)
    for (const name of names) {
      if (name !== 'both' && name !== 'deadbeef')
        expect(await repository.resolve(name)).toBe(revision(`refs/heads/${name}`))
      expect(await repository.branch(name)).toBe(revision(`refs/heads/${name}`))
    }
  })

  test.each(['light', 'v1.0', 'nested'])('finds the commit that tag %s marks', async (name) => {
    expect(await repository.resolve(name)).toBe(revision(`${name}^{commit}`))
    expect(await repository.tag(name)).toBe(revision(`${name}^{commit}`))
  })

  test('finds HEAD, full ids and short ids', async () => {
    const id = revision('main')
    expect(await repository.resolve('HEAD')).toBe(id)
    expect(await repository.resolve(id)).toBe(id)
    expect(await repository.resolve(id.toUpperCase())).toBe(id)
    for (const length of [7, 8, 12, 39]) expect(await repository.resolve(id.slice(0, length))).toBe(id)
  })

  test('prefers a tag to a branch and a branch to a short id, as git does', async () => {
    expect(revision('refs/tags/both')).not.toBe(revision('refs/heads/both'))
    expect(await repository.resolve('both')).toBe(revision('refs/tags/both'))
    expect(await repository.branch('both')).toBe(revision('refs/heads/both'))
    expect(await repository.resolve('deadbeef')).toBe(revision('refs/heads/deadbeef'))
  })

  test('knows nothing of other things that git would find', async () => {
    const id = revision('main')
    const others = [
      id.slice(0, 6),
      revision('main^{tree}'),
      revision('main:README.md'),
      revision('refs/tags/v1.0'),
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
    // A branch may well have a name that git takes for a description of a commit.
    expect(await repository.resolve('v1-5-gabcdef1')).toBe(revision('refs/heads/v1-5-gabcdef1'))
  })

  test('finds what was packed, changed and removed meanwhile', async () => {
    const tip = revision('main')
    askGit(sample.directory, ['branch', 'moving', tip])
    expect(await repository.resolve('moving')).toBe(tip)
    askGit(sample.directory, ['pack-refs', '--all'])
    expect(await repository.resolve('moving')).toBe(tip)
    expect(await repository.resolve('v1.0')).toBe(revision('v1.0^{commit}'))
    askGit(sample.directory, ['branch', '-f', 'moving', `${tip}~1`])
    expect(await repository.resolve('moving')).toBe(revision('main~1'))
    askGit(sample.directory, ['branch', '-D', 'moving'])
    expect(await repository.resolve('moving')).toBeUndefined()
  })

  test('gives git nothing but object ids, whatever the text', async () => {
    const log = join(sample.folder, 'asked')
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
    expect(await recorded.resolve('main')).toBe(revision('main'))
    await recording.close()
    const asked = readFileSync(log, 'utf8').trim().split('\n')
    expect(asked.filter((line) => line.startsWith('ARGUMENTS'))).toHaveLength(1)
    const rest = asked.filter((line) => !line.startsWith('ARGUMENTS'))
    expect(rest.length).toBeGreaterThan(20)
    for (const line of rest) expect(line).toMatch(/^(flush|info [0-9a-f]{7,40}\^\{commit\})$/)
  })

  test('asks git where references are kept in another form', async () => {
    const copy = join(sample.folder, 'other-form.git')
    askGit(sample.directory, ['clone', '-q', '--bare', sample.directory, copy])
    mkdirSync(join(copy, 'reftable'))
    const other = git.open(copy)
    expect(await other.resolve('topic/3')).toBe(revision('topic/3'))
    expect(await other.resolve('v1.0')).toBe(revision('v1.0^{commit}'))
    expect(await other.resolve('nowhere')).toBeUndefined()
    expect(await other.head()).toEqual({ branch: 'main', commit: revision('main') })
  })
})

describe('lists and HEAD', () => {
  test('branches and tags are those of git, in its order', async () => {
    const branches = await repository.branches()
    const format = '--format=%(refname:lstrip=2) %(objectname)'
    expect(branches.map(({ name, commit }) => `${name} ${commit}`)).toEqual(
      gitLines(sample.directory, 'for-each-ref', format, 'refs/heads'),
    )
    expect(await repository.tags()).toEqual(
      ['both', 'light', 'nested', 'v1.0'].map((name) => ({ name, commit: revision(`refs/tags/${name}^{commit}`) })),
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
  test('moves, makes and removes all or none', async () => {
    const [from, to] = [revision('main~1'), revision('main')]
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
    'refuses the name %j',
    async (name) => {
      const update = repository.updateReferences([{ name, from: undefined, to: revision('main') }])
      await expect(update).rejects.toMatchObject({ code: 'invalid' })
    },
  )

  test('refuses ids that nobody has, and a lock that stays is a conflict', async () => {
    const name = 'refs/heads/unknown'
    for (const to of ['1'.repeat(40), 'main', '']) {
      const update = repository.updateReferences([{ name, from: undefined, to }])
      await expect(update).rejects.toMatchObject({ code: 'not_found' })
    }
    const lock = join(sample.directory, 'refs/heads/locked.lock')
    appendFileSync(lock, '')
    const locked = repository.updateReferences([{ name: 'refs/heads/locked', from: undefined, to: revision('main') }])
    await expect(locked).rejects.toMatchObject({ code: 'conflict' })
    rmSync(lock)
  })
})

test('a directory without a repository', async () => {
  const nowhere = git.open(join(sample.folder, 'nowhere.git'))
  expect(await nowhere.exists()).toBe(false)
  expect(await nowhere.resolve('main')).toBeUndefined()
  await expect(nowhere.resolve('f'.repeat(40))).rejects.toMatchObject({ code: 'not_found', kind: 'Repository' })
  await expect(nowhere.branches()).rejects.toMatchObject({ code: 'not_found', kind: 'Repository' })
  expect(await repository.exists()).toBe(true)
})
