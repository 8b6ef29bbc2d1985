import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Repository } from '../git.ts'
import { gitBinary } from '../git-binary.ts'
import { emptyTree } from './object-id.ts'
import { askGit, gitLines, gitText, type SampleHistory, sampleHistory } from './sample-history.ts'
import { shownText } from './shown-text.ts'

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

const revision = (text: string) => gitText(sample.directory, 'rev-parse', '--verify', `${text}^{commit}`)

const options = ['-r', '--find-renames', '--full-index', '--no-color']

/** git's list of changed files with plain paths, each as we tell it. */
const changedFiles = (base: string, to: string) => {
  const words = askGit(sample.directory, ['diff-tree', '--raw', '-z', ...options, base, to])
    .toString('latin1')
    .split('\0')
  const files: object[] = []
  const path = (latin1: string | undefined) => shownText(Buffer.from(latin1 ?? '', 'latin1'))
  for (let at = 0; at + 1 < words.length; ) {
    const [oldMode = '', newMode = '', , , status = ''] = (words[at] ?? '').slice(1).split(' ')
    const oldPath = path(words[at + 1])
    const isRenamed = status.startsWith('R')
    const newPath = isRenamed ? path(words[at + 2]) : oldPath
    at += isRenamed ? 3 : 2
    const mode = (text: string) => (text === '000000' ? '0' : text)
    const file = { oldPath, newPath, oldMode: mode(oldMode), newMode: mode(newMode), isRenamed }
    if (status === 'T') {
      files.push({ ...file, newMode: '0', isNew: false, isDeleted: true })
      files.push({ ...file, oldMode: '0', isNew: true, isDeleted: false })
    } else files.push({ ...file, isNew: status === 'A', isDeleted: status === 'D' })
  }
  return files
}

/** git's patch text cut into files, from their first `@@` line on. */
const patches = (base: string, to: string) => {
  const words = ['-c', 'core.quotePath=true', 'diff-tree', '-p', ...options, base, to]
  const bytes = askGit(sample.directory, words)
  return bytes
    .toString('latin1')
    .split(/^diff --git .*\n/m)
    .slice(1)
    .map((section) => /^(?:@@ |Binary files ).*/ms.exec(section)?.[0] ?? '')
    .map((patch) => shownText(Buffer.from(patch, 'latin1')))
}

const pairs = [
  ['main~3', 'main'],
  ['main~3', 'main~2'],
  ['main~100', 'main'],
  ['topic/5', 'main'],
  ['main', 'topic/39'],
  ['light', 'v1.0'],
  ['left', 'right'],
  ['main', 'left'],
  ['orphan', 'main~1'],
] as const

describe('compare', () => {
  test.each(pairs)(
    '%s with %s is what git says',
    async (first, second) => {
      const [from, to] = [revision(first), revision(second)]
      const maximumPatchBytes = 10_000_000
      for (const straight of [false, true]) {
        const found = await repository.compare({ from, to, straight, maximumPatchBytes })
        const ids = gitLines(sample.directory, 'log', '--reverse', '--format=%H', `${from}..${to}`)
        expect(found.commits.map(({ id }) => id)).toEqual(ids)
        const base = straight
          ? from
          : first === 'orphan'
            ? emptyTree
            : gitText(sample.directory, 'merge-base', from, to)
        expect(found.diffs.map(({ patch, ...file }) => file)).toEqual(changedFiles(base, to))
        expect(found.diffs.map(({ patch }) => patch)).toEqual(patches(base, to))
        expect(found.timedOut).toBe(false)
      }
    },
    20_000,
  )

  test('tells every kind of change', async () => {
    const { diffs } = await repository.compare({ from: revision('main~3'), to: revision('main~2') })
    const of = (path: string) => diffs.filter(({ newPath }) => newPath === path)
    expect(of('notes/renamed 1.txt')).toMatchObject([{ oldPath: 'notes/0-0.txt', isRenamed: true, patch: '' }])
    expect(of('src/moved "module"/file-1.ts')).toMatchObject([{ oldPath: 'src/module-1/file-1.ts', isRenamed: true }])
    expect(of('run.sh')).toMatchObject([{ oldMode: '100755', newMode: '100644', patch: '' }])
    expect(of('*')).toMatchObject([{ isDeleted: true, oldMode: '100644', newMode: '0' }])
    expect(of('*')[0]?.patch).toMatch(/^@@ -1,3 \+0,0 @@\n-line /)
    expect(of('brand-new')).toMatchObject([
      { isNew: true, oldMode: '0', newMode: '100644', patch: '@@ -0,0 +1 @@\n+brand new\n' },
    ])
    expect(of('new-empty')).toMatchObject([{ oldPath: 'empty', isRenamed: true, patch: '' }])
    expect(of('binary.dat')).toMatchObject([{ patch: 'Binary files a/binary.dat and b/binary.dat differ\n' }])
    expect(of('link')).toMatchObject([
      { isDeleted: true, oldMode: '120000', newMode: '0' },
      { isNew: true, oldMode: '0', newMode: '100644', patch: '@@ -0,0 +1 @@\n+now a file\n' },
    ])
    expect(of('vendor/library')).toMatchObject([{ oldMode: '160000', newMode: '160000' }])
    expect(of('vendor/library')[0]?.patch).toContain(`+Subproject commit ${'7'.repeat(40)}`)
    expect(of('line\nfeed')[0]?.patch).toContain('\n+changed\n')
    expect(of('diff --git a b')[0]?.patch).toContain('\n++diff --git a/x b/x\n+@@ -1 +1 @@\n')
  })

  test('one commit with itself, and an ancestor, have nothing new', async () => {
    const [old, head] = [revision('main~50'), revision('main')]
    expect(await repository.compare({ from: head, to: head })).toMatchObject({
      commits: [],
      diffs: [],
      overflow: false,
    })
    expect(await repository.compare({ from: head, to: old })).toMatchObject({ commits: [], diffs: [] })
    expect((await repository.compare({ from: head, to: old, straight: true })).diffs.length).toBeGreaterThan(10)
  })

  test('leaves patches out above the limit, exactly', async () => {
    const request = { from: revision('main~3'), to: revision('main') }
    const all = await repository.compare({ ...request, maximumPatchBytes: 10_000_000 })
    const sizes = all.diffs.map(({ patch }) => Buffer.byteLength(patch)).filter((size) => size > 0)
    const middle = sizes.sort((left, right) => left - right)[Math.floor(sizes.length / 2)] ?? 0
    for (const maximumPatchBytes of [middle, middle - 1, 1]) {
      const some = await repository.compare({ ...request, maximumPatchBytes })
      expect(some.diffs).toEqual(
        all.diffs.map((file) => (Buffer.byteLength(file.patch) > maximumPatchBytes ? { ...file, patch: '' } : file)),
      )
    }
  })

  test('overflows above 100 files, 5,000 lines or 500 KiB', async () => {
    const overflow = async (from: string, to: string) =>
      (await repository.compare({ from: revision(from), to: revision(to), straight: true })).overflow
    expect(await overflow('main~1', 'main')).toBe(false)
    expect(await overflow('main~1', 'light')).toBe(true)
    const directory = join(sample.folder, 'counts.git')
    const counts = await git.create(directory)
    const author = { name: 'A', email: 'a@b', date: '2020-01-01T00:00:00Z' }
    const add = async (files: readonly string[]) => {
      const changes = files.map((content, index) => ({ path: `f${index}`, content }))
      const [id = ''] = await counts.write([{ branch: 'main', message: 'm', author, files: changes }])
      return id
    }
    const start = await add([''])
    const next = async (files: readonly string[]) => {
      const to = await add(files)
      const { overflow: over } = await counts.compare({ from: start, to, straight: true })
      await counts.updateReferences([{ name: 'refs/heads/main', from: to, to: start }])
      return over
    }
    expect(await next(Array.from({ length: 100 }, () => 'x\n'))).toBe(false)
    expect(await next(Array.from({ length: 101 }, () => 'x\n'))).toBe(true)
    // One line more than there are lines in the file: the `@@` line.
    expect(await next(['x\n'.repeat(4999)])).toBe(false)
    expect(await next(['x\n'.repeat(5000)])).toBe(true)
    expect(await next([`${'y'.repeat(500_000)}\n`])).toBe(false)
    expect(await next([`${'y'.repeat(513_000)}\n`])).toBe(true)
  })

  test('keeps to its bounds of time, commits and patches', async () => {
    const request = { from: revision('main~200'), to: revision('main') }
    const few = gitBinary({ limits: { commits: 10, patchBytes: 2000 } })
    const cut = await few.open(sample.directory).compare(request)
    expect(cut.overflow).toBe(true)
    expect(cut.commits.map(({ id }) => id)).toEqual(
      gitLines(sample.directory, 'rev-list', '--max-count=10', `${request.from}..${request.to}`).reverse(),
    )
    const kept = cut.diffs.reduce((sum, { patch }) => sum + Buffer.byteLength(patch), 0)
    expect(kept).toBeGreaterThan(0)
    expect(kept).toBeLessThanOrEqual(2000)
    await few.close()
  })

  test('tells when time ran out, and tries again the next time', async () => {
    const program = join(sample.folder, 'slow-git')
    const pause = join(sample.folder, 'pause')
    // Half of the differences, and then nothing.
    const slowly = `case "$*" in *diff-tree*) git "$@" | head -c 6000; sleep 60;; *) exec git "$@";; esac`
    writeFileSync(program, `#!/bin/sh\nif test -e ${pause}; then ${slowly}; else exec git "$@"; fi\n`, { mode: 0o755 })
    writeFileSync(pause, '')
    const request = { from: revision('main~30'), to: revision('main') }
    const slow = gitBinary({ program, limits: { compareTime: 2000 } })
    const late = await slow.open(sample.directory).compare(request)
    const whole = await repository.compare(request)
    expect(late.timedOut).toBe(true)
    expect(late.commits).toEqual(whole.commits)
    expect(late.diffs.length).toBeGreaterThan(0)
    rmSync(pause)
    expect((await slow.open(sample.directory).compare(request)).timedOut).toBe(false)
    await slow.close()
  })

  test('more output than git may print overflows', async () => {
    const small = gitBinary({ limits: { outputBytes: 20_000 } })
    const request = { from: revision('main~100'), to: revision('main') }
    const cut = await small.open(sample.directory).compare(request)
    expect(cut).toMatchObject({ overflow: true, timedOut: false })
    expect(cut.diffs.length).toBeGreaterThan(0)
    const less = gitBinary({ limits: { outputBytes: 100 } })
    const list = less.open(sample.directory).branches()
    await expect(list).rejects.toMatchObject({ code: 'unprocessable', reason: 'too_large' })
    await Promise.all([small.close(), less.close()])
  })

  test('unknown commits are not found', async () => {
    const head = revision('main')
    const blob = gitText(sample.directory, 'rev-parse', 'main:run.sh')
    for (const other of ['main', '', '--help', 'f'.repeat(40), blob]) {
      await expect(repository.compare({ from: other, to: head })).rejects.toMatchObject({ code: 'not_found' })
      await expect(repository.compare({ from: head, to: other })).rejects.toMatchObject({ code: 'not_found' })
    }
  })

  test('a caller that goes away is told so, others still get the answer, and it comes from the cache afterwards', async () => {
    const request = { from: revision('topic/1'), to: revision('main~2') }
    const controller = new AbortController()
    const left = repository.compare({ ...request, signal: controller.signal })
    const stayed = repository.compare(request)
    controller.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    const answer = await stayed
    expect(answer.commits.length).toBeGreaterThan(0)
    expect(await repository.compare(request)).toBe(answer)
    await expect(repository.compare({ ...request, straight: true, signal: controller.signal })).rejects.toThrow('gone')
  })
})

describe('mergeBase', () => {
  test.each([
    ['main', 'topic/7'],
    ['topic/3', 'topic/30'],
    ['left', 'right'],
    ['light', 'main'],
    ['main', 'main'],
  ])('of %s and %s is what git says', async (first, second) => {
    const ids = [revision(first), revision(second)]
    expect(await repository.mergeBase(ids)).toBe(gitText(sample.directory, 'merge-base', ...ids))
    expect(await repository.mergeBase(ids)).toBe(gitText(sample.directory, 'merge-base', ...ids))
  })

  test('of several is common to all of them', async () => {
    const ids = ['topic/10', 'topic/20', 'topic/30', 'main'].map(revision)
    expect(await repository.mergeBase(ids)).toBe(gitText(sample.directory, 'merge-base', '--octopus', ...ids))
    expect(await repository.mergeBase(ids.slice(0, 1))).toBe(ids[0])
  })

  test('is undefined for histories that never met', async () => {
    const ids = [revision('main'), revision('orphan')]
    expect(await repository.mergeBase(ids)).toBeUndefined()
    expect(await repository.mergeBase(ids)).toBeUndefined()
    expect(await repository.mergeBase([...ids, revision('topic/1')])).toBeUndefined()
  })

  test('refuses unknown commits, none and too many', async () => {
    const id = revision('main')
    await expect(repository.mergeBase([id, 'f'.repeat(40)])).rejects.toMatchObject({ code: 'not_found' })
    await expect(repository.mergeBase([id, '--octopus'])).rejects.toMatchObject({ code: 'not_found' })
    await expect(repository.mergeBase([])).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(repository.mergeBase(Array(101).fill(id))).rejects.toMatchObject({ code: 'invalid_input' })
  })
})
