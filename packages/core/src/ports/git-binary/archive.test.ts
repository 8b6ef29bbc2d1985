import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ArchiveFormat, Git } from '../git.ts'
import { gitBinary } from '../git-binary.ts'
import { archivePrefix } from './archive.ts'
import { childrenMarked } from './process-list.ts'
import { askGit, gitText, type SampleHistory, sampleHistory } from './sample-history.ts'

let sample: SampleHistory
let commit: string
/** A commit of 40 MB that does not compress: no pipe or buffer holds it. */
let heavy: string
const marker = `forgelet-archive-test-${process.pid}`
const open: Git[] = []

const start = (limits = {}): Git => {
  const git = gitBinary({ environment: { FORGELET_MARKER: marker }, limits })
  open.push(git)
  return git
}

beforeAll(() => {
  sample = sampleHistory()
  commit = gitText(sample.directory, 'rev-parse', 'main')
  const entries = Array.from({ length: 20 }, (_, index) => {
    const words = ['-c', 'core.looseCompression=0', 'hash-object', '-w', '--stdin']
    const id = askGit(sample.directory, words, randomBytes(2 * 1024 ** 2))
      .toString()
      .trim()
    return `100644 blob ${id}\tpart-${index}\n`
  })
  const tree = askGit(sample.directory, ['mktree'], entries.join('')).toString().trim()
  heavy = gitText(sample.directory, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit-tree', '-m', 'heavy', tree)
}, 30_000)

afterEach(async () => {
  for (const git of open.splice(0)) await git.close()
})

afterAll(() => rmSync(sample.folder, { recursive: true }))

const byText = (left: string, right: string) => (left < right ? -1 : 1)

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

/** Every file below a folder by its path, as its kind and bytes. Paths are bytes, told as Latin-1. */
const files = (folder: Buffer, prefix = ''): Map<string, string> => {
  const found = new Map<string, string>()
  for (const name of readdirSync(folder, { encoding: 'buffer' })) {
    const path = Buffer.concat([folder, Buffer.from('/'), name])
    const shown = prefix + name.toString('latin1')
    const state = lstatSync(path)
    if (state.isDirectory()) for (const [inside, content] of files(path, `${shown}/`)) found.set(inside, content)
    else if (state.isSymbolicLink()) found.set(shown, `link ${readlinkSync(path)}`)
    else found.set(shown, `${state.mode & 0o100 ? 'program' : 'file'} ${readFileSync(path).toString('latin1')}`)
  }
  return found
}

/** The same from git's objects themselves. */
const filesOfCommit = (id: string): Map<string, string> => {
  const output = askGit(sample.directory, ['ls-tree', '-r', '-z', id]).toString('latin1')
  const entries = output
    .split('\0')
    .filter(Boolean)
    .map((line) => [...line.slice(0, line.indexOf('\t')).split(' '), line.slice(line.indexOf('\t') + 1)])
    .filter(([, type]) => type === 'blob')
  const objects = askGit(
    sample.directory,
    ['cat-file', '--batch'],
    entries.map(([, , object]) => `${object}\n`).join(''),
  )
  const found = new Map<string, string>()
  let at = 0
  for (const [mode = '', , , path = ''] of entries) {
    const start = objects.indexOf(10, at) + 1
    const size = Number(objects.toString('latin1', at, start).trim().split(' ')[2])
    const kind = { '100755': 'program', '120000': 'link' }[mode] ?? 'file'
    found.set(path, `${kind} ${objects.toString('latin1', start, start + size)}`)
    at = start + size + 1
  }
  return found
}

describe('archive', () => {
  test.each(['tar', 'tar.gz', 'tar.bz2'] as const)(
    'as %s unpacks to the files of the commit, byte by byte',
    async (format) => {
      const stream = await start().open(sample.directory).archive({ commit, format, prefix: 'sample-main' })
      const file = join(sample.folder, `sample.${format}`)
      await writeFile(file, stream)
      const folder = join(sample.folder, `unpacked.${format}`)
      unpack(format, file, folder)
      expect(readdirSync(folder)).toEqual(['sample-main'])
      const found = files(Buffer.from(join(folder, 'sample-main')))
      const expected = filesOfCommit(commit)
      expect(expected.size).toBeGreaterThan(300)
      expect(new Set(found.keys())).toEqual(new Set(expected.keys()))
      for (const [path, content] of expected) expect(found.get(path) === content, path).toBe(true)
    },
    20_000,
  )

  test('as zip holds the files of the commit, byte by byte', async () => {
    const file = join(sample.folder, 'sample.zip')
    await writeFile(file, await start().open(sample.directory).archive({ commit, format: 'zip', prefix: 'p' }))
    execFileSync('unzip', ['-tq', file])
    // unzip rewrites odd names and warns of them; a small commit of plain ones is unpacked, the other one is read in place.
    const script = [
      'import sys, zipfile, json',
      'z = zipfile.ZipFile(sys.argv[1])',
      'print(json.dumps([[i.orig_filename, z.read(i).decode("latin-1")] for i in z.infolist() if not i.is_dir()]))',
    ]
    const output = execFileSync('python3', ['-c', script.join('\n'), file], { maxBuffer: 1024 ** 3 })
    const entries = JSON.parse(output.toString()) as [string, string][]
    const expected = filesOfCommit(commit)
    expect(entries).toHaveLength(expected.size)
    const contents = (texts: Iterable<string>) => [...texts].toSorted(byText)
    expect(contents(entries.map(([, content]) => content))).toEqual(
      contents([...expected.values()].map((content) => content.slice(content.indexOf(' ') + 1))),
    )
    expect(entries.every(([name]) => name.startsWith('p/'))).toBe(true)
  })

  test('without a prefix, and with the same bytes as git itself', async () => {
    for (const format of ['tar', 'tar.gz', 'zip'] as const) {
      const stream = await start().open(sample.directory).archive({ commit, format })
      expect(
        (await buffer(stream)).equals(askGit(sample.directory, ['archive', `--format=${format}`, commit])),
        format,
      ).toBe(true)
    }
  })

  test('refuses names that would leave the folder', async () => {
    const directory = join(sample.folder, 'evil.git')
    askGit(directory, ['init', '-q', '--bare', directory])
    const blob = askGit(directory, ['hash-object', '-w', '--stdin'], 'evil').toString().trim()
    for (const name of ['..', '.', '../../evil', '/etc/evil']) {
      const inner = Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(blob, 'hex')])
      const tree = askGit(directory, ['hash-object', '-w', '-t', 'tree', '--literally', '--stdin'], inner)
        .toString()
        .trim()
      const outer = askGit(directory, ['mktree'], `040000 tree ${tree}\tfolder\n`).toString().trim()
      const id = gitText(directory, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit-tree', '-m', 'evil', outer)
      const archive = start().open(directory).archive({ commit: id, format: 'tar' })
      await expect(archive).rejects.toMatchObject({ code: 'unprocessable', reason: 'unsafe_names' })
    }
  })

  test('refuses unknown commits, unknown formats and a missing bzip2', async () => {
    const repository = start().open(sample.directory)
    for (const other of ['main', '', '--remote=x', 'f'.repeat(40)]) {
      await expect(repository.archive({ commit: other, format: 'tar' })).rejects.toMatchObject({ code: 'not_found' })
    }
    const format = 'rar' as ArchiveFormat
    await expect(repository.archive({ commit, format })).rejects.toMatchObject({ code: 'invalid_input' })
    const bare = join(sample.folder, 'bare-bin')
    mkdirSync(bare)
    symlinkSync('/usr/bin/git', join(bare, 'git'))
    const poor = gitBinary({ environment: { PATH: bare } })
    open.push(poor)
    const archive = poor.open(sample.directory).archive({ commit, format: 'tar.bz2' })
    await expect(archive).rejects.toMatchObject({ code: 'unprocessable', reason: 'bzip2_missing' })
    expect((await buffer(await poor.open(sample.directory).archive({ commit, format: 'tar' }))).length).toBeGreaterThan(
      1e6,
    )
  })

  test('a torn archive fails instead of ending', async () => {
    const directory = join(sample.folder, 'torn.git')
    askGit(sample.directory, ['clone', '-q', '--bare', sample.directory, directory])
    const blob = gitText(directory, 'rev-parse', 'main:with space.txt')
    const objects = askGit(directory, ['pack-objects', '--all', '--stdout'], '')
    rmSync(join(directory, 'objects'), { recursive: true })
    mkdirSync(join(directory, 'objects'))
    askGit(directory, ['unpack-objects', '-q'], objects)
    rmSync(join(directory, 'objects', blob.slice(0, 2), blob.slice(2)))
    for (const format of ['tar', 'tar.bz2'] as const) {
      const stream = await start().open(directory).archive({ commit, format })
      await expect(buffer(stream)).rejects.toThrow(/git archive ended with/)
    }
  })
})

describe('processes', () => {
  test('forty archives at once have at most four processes, and all come', async () => {
    const repository = start({ waiting: 40 }).open(sample.directory)
    let most = 0
    const watching = setInterval(() => {
      most = Math.max(most, childrenMarked(marker, /archive/).length)
    }, 2)
    const archives = Array.from({ length: 40 }, async () => buffer(await repository.archive({ commit, format: 'tar' })))
    const sizes = new Set((await Promise.all(archives)).map((bytes) => bytes.length))
    clearInterval(watching)
    expect(sizes.size).toBe(1)
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(4)
  }, 30_000)

  test('the one too many is refused, and long work leaves room for short', async () => {
    const repository = start({ waiting: 2 }).open(sample.directory)
    const held = await Promise.all([1, 2, 3].map(() => repository.archive({ commit: heavy, format: 'tar' })))
    const waiting = [1, 2].map(() => repository.archive({ commit, format: 'tar' }))
    await pause(100)
    await expect(repository.archive({ commit, format: 'tar' })).rejects.toMatchObject({
      code: 'limited',
      retryAfter: 1,
    })
    expect(await repository.branches()).not.toEqual([])
    for (const stream of held) stream.destroy()
    for (const stream of await Promise.all(waiting)) expect((await buffer(stream)).length).toBeGreaterThan(1e6)
  })

  test.each(['tar', 'tar.gz', 'tar.bz2', 'zip'] as const)(
    'a consumer that leaves a %s leaves no process',
    async (format) => {
      const repository = start().open(sample.directory)
      for (let round = 0; round < 3; round += 1) {
        const stream = await repository.archive({ commit: heavy, format })
        for await (const chunk of stream) if (chunk.length > 0) break
        expect(stream.destroyed).toBe(true)
      }
      const controller = new AbortController()
      const aborted = await repository.archive({ commit: heavy, format, signal: controller.signal })
      controller.abort(new Error('gone'))
      await expect(buffer(aborted)).rejects.toThrow('gone')
      // Git may start a moment after it was told to stop, and ends a moment later: what counts is that nothing stays.
      await vi.waitFor(() => expect(childrenMarked(marker, /archive|bzip2/)).toEqual([]), {
        timeout: 10_000,
        interval: 20,
      })
    },
    30_000,
  )

  test('a consumer that takes nothing is given up, and no more is read than it takes', async () => {
    const repository = start({ stallTime: 300 }).open(sample.directory)
    const stream = await repository.archive({ commit: heavy, format: 'tar' })
    const failed = new Promise((resolve) => stream.once('error', resolve))
    await pause(150)
    expect(stream.readableLength).toBeLessThan(1024 ** 2)
    expect(await failed).toMatchObject({ code: 'unavailable', reason: 'time_limit' })
  })

  test('time and size have an end', async () => {
    const slow = await start({ streamTime: 100 }).open(sample.directory).archive({ commit: heavy, format: 'tar.bz2' })
    await expect(buffer(slow)).rejects.toMatchObject({ code: 'unavailable', reason: 'time_limit' })
    const large = await start({ archiveBytes: 10_000_000 })
      .open(sample.directory)
      .archive({ commit: heavy, format: 'tar' })
    await expect(buffer(large)).rejects.toMatchObject({ code: 'unprocessable', reason: 'too_large' })
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
])('archivePrefix(%j) is %j', (wanted, prefix) => {
  expect(archivePrefix(wanted)).toBe(prefix)
})
