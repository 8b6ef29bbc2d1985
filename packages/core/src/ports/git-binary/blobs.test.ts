import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
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

const idOf = (path: string) => gitText(sample.directory, 'rev-parse', `main:${path}`)
const bytesOf = (id: string) => askGit(sample.directory, ['cat-file', 'blob', id])
const nameOf = (content: Uint8Array) =>
  createHash('sha1').update(`blob ${content.byteLength}\0`).update(content).digest('hex')

describe('blob', () => {
  test.each([
    'README.md',
    'no-end',
    'new-empty',
    'binary.dat',
    'large/random.bin',
    'large/one-line.txt',
    'with space.txt',
  ])('gives the bytes of %s', async (path) => {
    const id = idOf(path)
    const blob = await repository.blob(id)
    expect(blob?.size).toBe(blob?.content.byteLength)
    expect(Buffer.compare(Buffer.from(blob?.content ?? []), bytesOf(id))).toBe(0)
    const stream = await repository.blobStream(id)
    expect(stream?.size).toBe(blob?.size)
    if (stream) expect(nameOf(await buffer(stream.content))).toBe(id)
  })

  test('gives many at once, each its own', async () => {
    const ids = gitLines(sample.directory, 'ls-tree', '-r', '--format=%(objecttype) %(objectname)', 'main')
      .filter((line) => line.startsWith('blob '))
      .map((line) => line.slice(5))
    expect(ids.length).toBeGreaterThan(300)
    const blobs = await Promise.all(ids.map((id) => repository.blob(id)))
    expect(blobs.map((blob) => nameOf(blob?.content ?? new Uint8Array()))).toEqual(ids)
  })

  test('is undefined for whatever is no file', async () => {
    const others = ['main', 'main:src', 'v1.0'].map((text) => gitText(sample.directory, 'rev-parse', text))
    for (const id of [
      ...others,
      idOf('README.md').slice(0, 20),
      '',
      'HEAD',
      'f'.repeat(40),
      '-h',
      `${idOf('no-end')}\n`,
    ]) {
      expect(await repository.blob(id)).toBeUndefined()
      expect(await repository.blobStream(id)).toBeUndefined()
    }
  })

  test('refuses more than the caller takes, and goes on answering others', async () => {
    const [large, small] = [idOf('large/random.bin'), idOf('no-end')]
    for (let round = 0; round < 3; round += 1) {
      const refused = repository.blob(large, { maximumBytes: 1000 + round })
      const others = Promise.all(Array.from({ length: 20 }, () => repository.blob(small)))
      await expect(refused).rejects.toMatchObject({ code: 'unprocessable', reason: 'too_large' })
      expect((await others).every((blob) => blob?.id === small)).toBe(true)
    }
    expect((await repository.blob(large))?.size).toBe(3 * 1024 ** 2)
  })

  test('finds objects that came and were repacked while the lookup process runs', async () => {
    const before = idOf('src/module-0/file-0.ts')
    expect(await repository.blob(before)).toBeDefined()
    const added = askGit(sample.directory, ['hash-object', '-w', '--stdin'], 'new').toString().trim()
    expect((await repository.blob(added))?.content.toString()).toBe('new')
    askGit(sample.directory, ['repack', '-a', '-d', '-f', '-q'])
    expect(await repository.blob(before)).toBeDefined()
    await repository.maintain()
    expect(nameOf((await repository.blob(idOf('large/random.bin')))?.content ?? new Uint8Array())).toBe(
      idOf('large/random.bin'),
    )
    expect(await repository.size()).toBe(
      gitLines(sample.directory, 'count-objects', '-v')
        .filter((line) => line.startsWith('size'))
        .reduce((sum, line) => sum + Number(line.split(': ')[1]) * 1024, 0),
    )
  })
})
