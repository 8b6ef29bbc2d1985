import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { findMarkedProcesses } from '../../../../../test/support/process-list.ts'
import {
  createSampleHistory,
  readBlobs,
  runGit,
  runGitLines,
  runGitText,
  type SampleHistory,
} from '../../../../../test/support/sample-history.ts'
import type { ArchiveFormat, Git } from '../git.ts'
import { gitBinary } from '../git-binary.ts'
import { sanitizeArchivePrefix } from './archive.ts'

let sample: SampleHistory
let commit: string
/** A commit of 40 MB that does not compress, more than any pipe or buffer holds. */
let largeCommit: string
const marker = `forgelet-archive-test-${process.pid}`
const openedGits: Git[] = []

const createGit = (limits = {}): Git => {
  const git = gitBinary({ environment: { FORGELET_MARKER: marker }, limits })
  openedGits.push(git)
  return git
}

beforeAll(() => {
  sample = createSampleHistory()
  commit = runGitText(sample.directory, 'rev-parse', 'main')
  const paths = Array.from({ length: 20 }, (_, index) => join(sample.folder, `part-${index}`))
  for (const path of paths) writeFileSync(path, randomBytes(2 * 1024 ** 2))
  const words = ['-c', 'core.looseCompression=0', 'hash-object', '-w', '--no-filters', ...paths]
  const ids = runGitLines(sample.directory, ...words)
  const entries = ids.map((id, index) => `100644 blob ${id}\tpart-${index}\n`)
  const tree = runGit(sample.directory, ['mktree'], entries.join('')).toString().trim()
  largeCommit = runGitText(
    sample.directory,
    '-c',
    'user.name=a',
    '-c',
    'user.email=a@b',
    'commit-tree',
    '-m',
    'heavy',
    tree,
  )
}, 30_000)

afterEach(async () => {
  for (const git of openedGits.splice(0)) await git.close()
})

afterAll(() => rmSync(sample.folder, { recursive: true }))

const compareText = (left: string, right: string) => (left < right ? -1 : 1)

const unpack = (format: ArchiveFormat, file: string, folder: string) => {
  mkdirSync(folder)
  if (format === 'zip') execFileSync('unzip', ['-q', file, '-d', folder])
  else
    execFileSync('tar', [
      '-xf',
      file,
      '-C',
      folder,
      { tar: '--no-auto-compress', 'tar.gz': '-z', 'tar.bz2': '-j' }[format],
    ])
}

/** The kind and content of all files below a folder by path. Paths and contents are decoded as Latin-1. */
const readFiles = (folder: Buffer, prefix = ''): Map<string, string> => {
  const files = new Map<string, string>()
  for (const name of readdirSync(folder, { encoding: 'buffer' })) {
    const path = Buffer.concat([folder, Buffer.from('/'), name])
    const decoded = prefix + name.toString('latin1')
    const stats = lstatSync(path)
    if (stats.isDirectory()) for (const [inner, content] of readFiles(path, `${decoded}/`)) files.set(inner, content)
    else if (stats.isSymbolicLink()) files.set(decoded, `link ${readlinkSync(path)}`)
    else files.set(decoded, `${stats.mode & 0o100 ? 'program' : 'file'} ${readFileSync(path).toString('latin1')}`)
  }
  return files
}

/** The same result, read from the objects of the commit. */
const readCommitFiles = (id: string): Map<string, string> => {
  const output = runGit(sample.directory, ['ls-tree', '-r', '-z', id]).toString('latin1')
  const entries = output
    .split('\0')
    .filter(Boolean)
    .map((line) => [...line.slice(0, line.indexOf('\t')).split(' '), line.slice(line.indexOf('\t') + 1)])
    .filter(([, type]) => type === 'blob')
  const ids = entries.map(([, , id = '']) => id)
  const contents = readBlobs(sample.directory, ids)
  return new Map(
    entries.map(([mode = '', , , path = ''], index) => {
      const kind = { '100755': 'program', '120000': 'link' }[mode] ?? 'file'
      return [path, `${kind} ${contents[index]?.toString('latin1')}`]
    }),
  )
}

describe('archive', () => {
  test.each(['tar', 'tar.gz', 'tar.bz2'] as const)(
    'a %s archive unpacks to the files of the commit',
    async (format) => {
      const stream = await createGit().open(sample.directory).archive({ commit, format, prefix: 'sample-main' })
      const file = join(sample.folder, `sample.${format}`)
      await writeFile(file, stream)
      const folder = join(sample.folder, `unpacked.${format}`)
      unpack(format, file, folder)
      expect(readdirSync(folder)).toEqual(['sample-main'])
      const unpacked = readFiles(Buffer.from(join(folder, 'sample-main')))
      const expected = readCommitFiles(commit)
      expect(expected.size).toBeGreaterThan(300)
      expect(new Set(unpacked.keys())).toEqual(new Set(expected.keys()))
      for (const [path, content] of expected) expect(unpacked.get(path) === content, path).toBe(true)
    },
    20_000,
  )

  test('a zip archive contains the files of the commit', async () => {
    const file = join(sample.folder, 'sample.zip')
    await writeFile(file, await createGit().open(sample.directory).archive({ commit, format: 'zip', prefix: 'p' }))
    execFileSync('unzip', ['-tq', file])
    // unzip renames files with unusual names, so Python reads the archive.
    const script = [
      'import sys, zipfile, json',
      'z = zipfile.ZipFile(sys.argv[1])',
      'print(json.dumps([[i.orig_filename, z.read(i).decode("latin-1")] for i in z.infolist() if not i.is_dir()]))',
    ]
    const output = execFileSync('python3', ['-c', script.join('\n'), file], { maxBuffer: 1024 ** 3 })
    const entries = JSON.parse(output.toString()) as [string, string][]
    const expected = readCommitFiles(commit)
    expect(entries).toHaveLength(expected.size)
    const contents = (texts: Iterable<string>) => [...texts].toSorted(compareText)
    expect(contents(entries.map(([, content]) => content))).toEqual(
      contents([...expected.values()].map((content) => content.slice(content.indexOf(' ') + 1))),
    )
    expect(entries.every(([name]) => name.startsWith('p/'))).toBe(true)
  })

  test('an archive without a prefix equals the output of git', async () => {
    for (const format of ['tar', 'tar.gz', 'zip'] as const) {
      const stream = await createGit().open(sample.directory).archive({ commit, format })
      expect(
        (await buffer(stream)).equals(runGit(sample.directory, ['archive', `--format=${format}`, commit])),
        format,
      ).toBe(true)
    }
  })

  test('rejects file names outside of the archive folder', async () => {
    const directory = join(sample.folder, 'evil.git')
    runGit(directory, ['init', '-q', '--bare', directory])
    const blob = runGit(directory, ['hash-object', '-w', '--stdin'], 'evil').toString().trim()
    for (const name of ['..', '.', '../../evil', '/etc/evil']) {
      const inner = Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(blob, 'hex')])
      const tree = runGit(directory, ['hash-object', '-w', '-t', 'tree', '--literally', '--stdin'], inner)
        .toString()
        .trim()
      const outer = runGit(directory, ['mktree'], `040000 tree ${tree}\tfolder\n`).toString().trim()
      const id = runGitText(directory, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit-tree', '-m', 'evil', outer)
      const archive = createGit().open(directory).archive({ commit: id, format: 'tar' })
      await expect(archive).rejects.toMatchObject({ code: 'unprocessable', reason: 'unsafe_names' })
    }
  })

  test('rejects an unknown commit, an unknown format and a missing bzip2', async () => {
    const repository = createGit().open(sample.directory)
    for (const other of ['main', '', '--remote=x', 'f'.repeat(40)]) {
      await expect(repository.archive({ commit: other, format: 'tar' })).rejects.toMatchObject({ code: 'not_found' })
    }
    const format = 'rar' as ArchiveFormat
    await expect(repository.archive({ commit, format })).rejects.toMatchObject({ code: 'invalid_input' })
    const bare = join(sample.folder, 'bare-bin')
    mkdirSync(bare)
    symlinkSync('/usr/bin/git', join(bare, 'git'))
    const withoutBzip2 = gitBinary({ environment: { PATH: bare } })
    openedGits.push(withoutBzip2)
    const archive = withoutBzip2.open(sample.directory).archive({ commit, format: 'tar.bz2' })
    await expect(archive).rejects.toMatchObject({ code: 'unprocessable', reason: 'bzip2_missing' })
    const tar = await buffer(await withoutBzip2.open(sample.directory).archive({ commit, format: 'tar' }))
    expect(tar.length).toBeGreaterThan(1e6)
  })

  test('the stream of an incomplete archive fails', async () => {
    const directory = join(sample.folder, 'torn.git')
    runGit(directory, ['init', '-q', '--bare', directory])
    const store = (content: Buffer) => runGit(directory, ['hash-object', '-w', '--stdin'], content).toString().trim()
    const [first, lost] = [store(randomBytes(1024 ** 2)), store(randomBytes(10))]
    const tree = runGit(directory, ['mktree'], `100644 blob ${first}\ta\n100644 blob ${lost}\tb\n`)
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b']
    const torn = runGitText(directory, ...identity, 'commit-tree', '-m', 'torn', tree.toString().trim())
    rmSync(join(directory, 'objects', lost.slice(0, 2), lost.slice(2)))
    for (const format of ['tar', 'tar.bz2'] as const) {
      const archive = createGit().open(directory).archive({ commit: torn, format })
      await expect(archive.then(buffer)).rejects.toThrow(/git archive ended with/)
    }
  })
})

describe('processes', () => {
  test('12 concurrent archives use at most 4 processes', async () => {
    const repository = createGit({ queuedCalls: 12 }).open(sample.directory)
    let maximum = 0
    const timer = setInterval(() => {
      maximum = Math.max(maximum, findMarkedProcesses(marker, /archive/).length)
    }, 10)
    const archives = Array.from({ length: 12 }, async () => buffer(await repository.archive({ commit, format: 'tar' })))
    const sizes = new Set((await Promise.all(archives)).map((bytes) => bytes.length))
    clearInterval(timer)
    expect(sizes.size).toBe(1)
    expect(maximum).toBeGreaterThan(1)
    expect(maximum).toBeLessThanOrEqual(4)
  }, 30_000)

  test('rejects calls above the queue limit, and long-running calls leave a slot free', async () => {
    const repository = createGit({ queuedCalls: 2 }).open(sample.directory)
    const stalled = await Promise.all([1, 2, 3].map(() => repository.archive({ commit: largeCommit, format: 'tar' })))
    const waiting = [1, 2].map(() => repository.archive({ commit, format: 'tar' }))
    await pause(100)
    await expect(repository.archive({ commit, format: 'tar' })).rejects.toMatchObject({
      code: 'limited',
      retryAfter: 1,
    })
    expect(await repository.branches()).not.toEqual([])
    for (const stream of stalled) stream.destroy()
    for (const stream of await Promise.all(waiting)) expect((await buffer(stream)).length).toBeGreaterThan(1e6)
  })

  test.each(['tar', 'tar.gz', 'tar.bz2', 'zip'] as const)(
    'destroying a %s stream stops its processes',
    async (format) => {
      const repository = createGit().open(sample.directory)
      for (let round = 0; round < 3; round += 1) {
        const stream = await repository.archive({ commit: largeCommit, format })
        for await (const chunk of stream) if (chunk.length > 0) break
        expect(stream.destroyed).toBe(true)
      }
      const controller = new AbortController()
      const aborted = await repository.archive({ commit: largeCommit, format, signal: controller.signal })
      controller.abort(new Error('gone'))
      await expect(buffer(aborted)).rejects.toThrow('gone')
      // A process may start shortly after it was stopped and then end.
      await vi.waitFor(() => expect(findMarkedProcesses(marker, /archive|bzip2/)).toEqual([]), {
        timeout: 10_000,
        interval: 20,
      })
    },
    30_000,
  )

  test('applies backpressure and stops a stalled stream', async () => {
    const repository = createGit({ stallTimeout: 300 }).open(sample.directory)
    const stream = await repository.archive({ commit: largeCommit, format: 'tar' })
    const failed = new Promise((resolve) => stream.once('error', resolve))
    await pause(150)
    expect(stream.readableLength).toBeLessThan(1024 ** 2)
    expect(await failed).toMatchObject({ code: 'unavailable', reason: 'time_limit' })
  })

  test('limits duration and size', async () => {
    const slow = createGit({ streamTimeout: 100 }).open(sample.directory)
    await expect(slow.archive({ commit: largeCommit, format: 'tar.bz2' }).then(buffer)).rejects.toMatchObject({
      code: 'unavailable',
      reason: 'time_limit',
    })
    const large = createGit({ archiveBytes: 10_000_000 }).open(sample.directory)
    await expect(large.archive({ commit: largeCommit, format: 'tar' }).then(buffer)).rejects.toMatchObject({
      code: 'unprocessable',
      reason: 'too_large',
    })
  })
})

test.each([
  ['project-main-1234', 'project-main-1234/'],
  ['', ''],
  ['/etc/passwd', 'etc/passwd/'],
  ['../../x', 'x/'],
  ['a/./b//c/..', 'a/b/c/'],
  ['a\0b\nc\\d', 'a-b-c-d/'],
  ['--output=x', '--output=x/'],
  ['..', ''],
  ['x'.repeat(1000), `${'x'.repeat(255)}/`],
])('sanitizeArchivePrefix(%j) is %j', (input, prefix) => {
  expect(sanitizeArchivePrefix(input)).toBe(prefix)
})
