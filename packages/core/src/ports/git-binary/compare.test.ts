import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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
import { decodeUtf8OrLatin1 } from './decode-text.ts'
import { emptyTreeId } from './object-id.ts'

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

const resolveRevision = (text: string) => runGitText(sample.directory, 'rev-parse', '--verify', `${text}^{commit}`)

const options = ['-r', '--find-renames', '--full-index', '--no-color']

/** The changed files of `git diff-tree`, converted to our format. */
const listChangedFiles = (base: string, to: string) => {
  const words = runGit(sample.directory, ['diff-tree', '--raw', '-z', ...options, base, to])
    .toString('latin1')
    .split('\0')
  const files: object[] = []
  const path = (latin1: string | undefined) => decodeUtf8OrLatin1(Buffer.from(latin1 ?? '', 'latin1'))
  for (let index = 0; index + 1 < words.length; ) {
    const [oldMode = '', newMode = '', , , status = ''] = (words[index] ?? '').slice(1).split(' ')
    const oldPath = path(words[index + 1])
    const isRenamed = status.startsWith('R')
    const newPath = isRenamed ? path(words[index + 2]) : oldPath
    index += isRenamed ? 3 : 2
    const mode = (text: string) => (text === '000000' ? '0' : text)
    const kept = { isTooLarge: false, isCollapsed: false }
    const file = { oldPath, newPath, oldMode: mode(oldMode), newMode: mode(newMode), isRenamed, ...kept }
    if (status === 'T') {
      files.push({ ...file, newMode: '0', isNew: false, isDeleted: true })
      files.push({ ...file, oldMode: '0', isNew: true, isDeleted: false })
    } else files.push({ ...file, isNew: status === 'A', isDeleted: status === 'D' })
  }
  return files
}

/** The patches of `git diff-tree` for each file, from the first `@@` line on. */
const listPatches = (base: string, to: string) => {
  const words = ['-c', 'core.quotePath=true', 'diff-tree', '-p', ...options, base, to]
  const bytes = runGit(sample.directory, words)
  return bytes
    .toString('latin1')
    .split(/^diff --git .*\n/m)
    .slice(1)
    .map((section) => /^(?:@@ |Binary files ).*/ms.exec(section)?.[0] ?? '')
    .map((patch) => decodeUtf8OrLatin1(Buffer.from(patch, 'latin1')))
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
    'compares %s with %s like git',
    async (first, second) => {
      const [from, to] = [resolveRevision(first), resolveRevision(second)]
      const maximumPatchBytes = 10_000_000
      for (const straight of [false, true]) {
        const comparison = await repository.compare({ from, to, straight, maximumPatchBytes })
        const ids = runGitLines(sample.directory, 'log', '--reverse', '--format=%H', `${from}..${to}`)
        expect(comparison.commits.map(({ id }) => id)).toEqual(ids)
        const base = straight
          ? from
          : first === 'orphan'
            ? emptyTreeId
            : runGitText(sample.directory, 'merge-base', from, to)
        expect(comparison.diffs.map(({ patch, ...file }) => file)).toEqual(listChangedFiles(base, to))
        expect(comparison.diffs.map(({ patch }) => patch)).toEqual(listPatches(base, to))
        expect(comparison.timedOut).toBe(false)
      }
    },
    20_000,
  )

  test('reports every kind of change', async () => {
    const { diffs } = await repository.compare({ from: resolveRevision('main~3'), to: resolveRevision('main~2') })
    const diffsOf = (path: string) => diffs.filter(({ newPath }) => newPath === path)
    expect(diffsOf('notes/renamed 1.txt')).toMatchObject([{ oldPath: 'notes/0-0.txt', isRenamed: true, patch: '' }])
    expect(diffsOf('src/moved "module"/file-1.ts')).toMatchObject([
      { oldPath: 'src/module-1/file-1.ts', isRenamed: true },
    ])
    expect(diffsOf('run.sh')).toMatchObject([{ oldMode: '100755', newMode: '100644', patch: '' }])
    expect(diffsOf('*')).toMatchObject([{ isDeleted: true, oldMode: '100644', newMode: '0' }])
    expect(diffsOf('*')[0]?.patch).toMatch(/^@@ -1,3 \+0,0 @@\n-line /)
    expect(diffsOf('brand-new')).toMatchObject([
      { isNew: true, oldMode: '0', newMode: '100644', patch: '@@ -0,0 +1 @@\n+brand new\n' },
    ])
    expect(diffsOf('new-empty')).toMatchObject([{ oldPath: 'empty', isRenamed: true, patch: '' }])
    expect(diffsOf('binary.dat')).toMatchObject([{ patch: 'Binary files a/binary.dat and b/binary.dat differ\n' }])
    expect(diffsOf('link')).toMatchObject([
      { isDeleted: true, oldMode: '120000', newMode: '0' },
      { isNew: true, oldMode: '0', newMode: '100644', patch: '@@ -0,0 +1 @@\n+now a file\n' },
    ])
    expect(diffsOf('vendor/library')).toMatchObject([{ oldMode: '160000', newMode: '160000' }])
    expect(diffsOf('vendor/library')[0]?.patch).toContain(`+Subproject commit ${'7'.repeat(40)}`)
    expect(diffsOf('line\nfeed')[0]?.patch).toContain('\n+changed\n')
    expect(diffsOf('diff --git a b')[0]?.patch).toContain('\n++diff --git a/x b/x\n+@@ -1 +1 @@\n')
  })

  test('has no commits for a commit and itself or its ancestor', async () => {
    const [old, head] = [resolveRevision('main~50'), resolveRevision('main')]
    expect(await repository.compare({ from: head, to: head })).toMatchObject({
      commits: [],
      diffs: [],
      overflow: false,
    })
    expect(await repository.compare({ from: head, to: old })).toMatchObject({ commits: [], diffs: [] })
    expect((await repository.compare({ from: head, to: old, straight: true })).diffs.length).toBeGreaterThan(10)
  })

  test('omits patches above the limit', async () => {
    const request = { from: resolveRevision('main~3'), to: resolveRevision('main') }
    const all = await repository.compare({ ...request, maximumPatchBytes: 10_000_000 })
    const sizes = all.diffs.map(({ patch }) => Buffer.byteLength(patch)).filter((size) => size > 0)
    const middle = sizes.sort((left, right) => left - right)[Math.floor(sizes.length / 2)] ?? 0
    for (const maximumPatchBytes of [middle, middle - 1, 1]) {
      const limited = await repository.compare({ ...request, maximumPatchBytes })
      expect(limited.diffs).toEqual(
        all.diffs.map((file) =>
          Buffer.byteLength(file.patch) > maximumPatchBytes ? { ...file, patch: '', isTooLarge: true } : file,
        ),
      )
    }
  })

  test('overflows above 100 files, 5,000 lines or 500 KiB', async () => {
    const overflow = async (from: string, to: string) =>
      (await repository.compare({ from: resolveRevision(from), to: resolveRevision(to), straight: true })).overflow
    expect(await overflow('main~1', 'main')).toBe(false)
    expect(await overflow('main~1', 'light')).toBe(true)
    const directory = join(sample.folder, 'counts.git')
    const counts = await git.create(directory)
    const author = { name: 'A', email: 'a@b', date: '2020-01-01T00:00:00Z' }
    const commitFiles = async (files: readonly string[]) => {
      const changes = files.map((content, index) => ({ path: `f${index}`, content }))
      const [id = ''] = await counts.writeCommits([{ branch: 'main', message: 'm', author, files: changes }])
      return id
    }
    const start = await commitFiles([''])
    const overflowsWith = async (files: readonly string[]) => {
      const to = await commitFiles(files)
      const comparison = await counts.compare({ from: start, to, straight: true })
      await counts.updateReferences([{ name: 'refs/heads/main', from: to, to: start }])
      return comparison.overflow
    }
    expect(await overflowsWith(Array.from({ length: 100 }, () => 'x\n'))).toBe(false)
    expect(await overflowsWith(Array.from({ length: 101 }, () => 'x\n'))).toBe(true)
    // The `@@` line counts too.
    expect(await overflowsWith(['x\n'.repeat(4999)])).toBe(false)
    expect(await overflowsWith(['x\n'.repeat(5000)])).toBe(true)
    expect(await overflowsWith([`${'y'.repeat(500_000)}\n`])).toBe(false)
    expect(await overflowsWith([`${'y'.repeat(513_000)}\n`])).toBe(true)
  })

  test('limits commits and patches', async () => {
    const request = { from: resolveRevision('main~200'), to: resolveRevision('main') }
    const limited = gitBinary({ limits: { comparedCommits: 10, patchBytes: 2000 } })
    const comparison = await limited.open(sample.directory).compare(request)
    expect(comparison.overflow).toBe(true)
    expect(comparison.commits.map(({ id }) => id)).toEqual(
      runGitLines(sample.directory, 'rev-list', '--max-count=10', `${request.from}..${request.to}`).reverse(),
    )
    const patchBytes = comparison.diffs.reduce((sum, { patch }) => sum + Buffer.byteLength(patch), 0)
    expect(patchBytes).toBeGreaterThan(0)
    expect(patchBytes).toBeLessThanOrEqual(2000)
    await limited.close()
  })

  test('reports a timeout and does not cache the incomplete result', async () => {
    const program = join(sample.folder, 'slow-git')
    const pause = join(sample.folder, 'pause')
    // Prints half of the diff and then stalls.
    const stalling = `case "$*" in *diff-tree*) git "$@" | head -c 6000; sleep 60;; *) exec git "$@";; esac`
    writeFileSync(program, `#!/bin/sh\nif test -e ${pause}; then ${stalling}; else exec git "$@"; fi\n`, {
      mode: 0o755,
    })
    writeFileSync(pause, '')
    const request = { from: resolveRevision('main~30'), to: resolveRevision('main') }
    const slow = gitBinary({ program, limits: { compareTimeout: 2000 } })
    const partial = await slow.open(sample.directory).compare(request)
    const complete = await repository.compare(request)
    expect(partial.timedOut).toBe(true)
    expect(partial.commits).toEqual(complete.commits)
    expect(partial.diffs.length).toBeGreaterThan(0)
    rmSync(pause)
    expect((await slow.open(sample.directory).compare(request)).timedOut).toBe(false)
    await slow.close()
  })

  test('overflows above the output limit', async () => {
    const small = gitBinary({ limits: { outputBytes: 20_000 } })
    const request = { from: resolveRevision('main~100'), to: resolveRevision('main') }
    const comparison = await small.open(sample.directory).compare(request)
    expect(comparison).toMatchObject({ overflow: true, timedOut: false })
    expect(comparison.diffs.length).toBeGreaterThan(0)
    const smaller = gitBinary({ limits: { outputBytes: 100 } })
    const list = smaller.open(sample.directory).branches()
    await expect(list).rejects.toMatchObject({ code: 'unprocessable', reason: 'too_large' })
    await Promise.all([small.close(), smaller.close()])
  })

  test('throws not_found for unknown commits', async () => {
    const head = resolveRevision('main')
    const blob = runGitText(sample.directory, 'rev-parse', 'main:run.sh')
    for (const other of ['main', '', '--help', 'f'.repeat(40), blob]) {
      await expect(repository.compare({ from: other, to: head })).rejects.toMatchObject({ code: 'not_found' })
      await expect(repository.compare({ from: head, to: other })).rejects.toMatchObject({ code: 'not_found' })
    }
  })

  test('rejects an aborted call, resolves concurrent calls and caches the result', async () => {
    const request = { from: resolveRevision('topic/1'), to: resolveRevision('main~2') }
    const controller = new AbortController()
    const aborted = repository.compare({ ...request, signal: controller.signal })
    const other = repository.compare(request)
    controller.abort(new Error('gone'))
    await expect(aborted).rejects.toThrow('gone')
    const comparison = await other
    expect(comparison.commits.length).toBeGreaterThan(0)
    expect(await repository.compare(request)).toBe(comparison)
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
  ])('finds the merge base of %s and %s like git', async (first, second) => {
    const ids = [resolveRevision(first), resolveRevision(second)]
    expect(await repository.mergeBase(ids)).toBe(runGitText(sample.directory, 'merge-base', ...ids))
    expect(await repository.mergeBase(ids)).toBe(runGitText(sample.directory, 'merge-base', ...ids))
  })

  test('finds the common ancestor of several commits', async () => {
    const ids = ['topic/10', 'topic/20', 'topic/30', 'main'].map(resolveRevision)
    expect(await repository.mergeBase(ids)).toBe(runGitText(sample.directory, 'merge-base', '--octopus', ...ids))
    expect(await repository.mergeBase(ids.slice(0, 1))).toBe(ids[0])
  })

  test('is undefined for unrelated histories', async () => {
    const ids = [resolveRevision('main'), resolveRevision('orphan')]
    expect(await repository.mergeBase(ids)).toBeUndefined()
    expect(await repository.mergeBase(ids)).toBeUndefined()
    expect(await repository.mergeBase([...ids, resolveRevision('topic/1')])).toBeUndefined()
  })

  test('rejects unknown commits, an empty list and too many commits', async () => {
    const id = resolveRevision('main')
    await expect(repository.mergeBase([id, 'f'.repeat(40)])).rejects.toMatchObject({ code: 'not_found' })
    await expect(repository.mergeBase([id, '--octopus'])).rejects.toMatchObject({ code: 'not_found' })
    await expect(repository.mergeBase([])).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(repository.mergeBase(Array(101).fill(id))).rejects.toMatchObject({ code: 'invalid_input' })
  })
})
