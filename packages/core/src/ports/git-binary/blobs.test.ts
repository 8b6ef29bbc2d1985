import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
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

const resolveId = (path: string) => runGitText(sample.directory, 'rev-parse', `main:${path}`)
const readBytes = (id: string) => runGit(sample.directory, ['cat-file', 'blob', id])
const hashBlob = (content: Uint8Array) =>
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
  ])('reads %s', async (path) => {
    const id = resolveId(path)
    const blob = await repository.blob(id)
    expect(blob?.size).toBe(blob?.content.byteLength)
    expect(Buffer.compare(Buffer.from(blob?.content ?? []), readBytes(id))).toBe(0)
    const stream = await repository.blobStream(id)
    expect(stream?.size).toBe(blob?.size)
    if (stream) expect(hashBlob(await buffer(stream.content))).toBe(id)
  })

  test('reads many blobs concurrently', async () => {
    const ids = runGitLines(sample.directory, 'ls-tree', '-r', '--format=%(objecttype) %(objectname)', 'main')
      .filter((line) => line.startsWith('blob '))
      .map((line) => line.slice(5))
    expect(ids.length).toBeGreaterThan(300)
    const blobs = await Promise.all(ids.map((id) => repository.blob(id)))
    expect(blobs.map((blob) => hashBlob(blob?.content ?? new Uint8Array()))).toEqual(ids)
  })

  test('is undefined for other objects and unknown ids', async () => {
    const others = ['main', 'main:src', 'v1.0'].map((text) => runGitText(sample.directory, 'rev-parse', text))
    for (const id of [
      ...others,
      resolveId('README.md').slice(0, 20),
      '',
      'HEAD',
      'f'.repeat(40),
      '-h',
      `${resolveId('no-end')}\n`,
    ]) {
      expect(await repository.blob(id)).toBeUndefined()
      expect(await repository.blobStream(id)).toBeUndefined()
    }
  })

  test('rejects a blob above the limit without affecting other lookups', async () => {
    const [large, small] = [resolveId('large/random.bin'), resolveId('no-end')]
    for (let round = 0; round < 3; round += 1) {
      const tooLarge = repository.blob(large, { maximumBytes: 1000 + round })
      const others = Promise.all(Array.from({ length: 20 }, () => repository.blob(small)))
      await expect(tooLarge).rejects.toMatchObject({ code: 'unprocessable', reason: 'too_large' })
      expect((await others).every((blob) => blob?.id === small)).toBe(true)
    }
    expect((await repository.blob(large))?.size).toBe(3 * 1024 ** 2)
  })

  test('finds objects added or repacked while the lookup process runs', async () => {
    const before = resolveId('src/module-0/file-0.ts')
    expect(await repository.blob(before)).toBeDefined()
    const added = runGit(sample.directory, ['hash-object', '-w', '--stdin'], 'new').toString().trim()
    expect((await repository.blob(added))?.content.toString()).toBe('new')
    runGit(sample.directory, ['repack', '-a', '-d', '-f', '-q'])
    expect(await repository.blob(before)).toBeDefined()
    await repository.maintain()
    expect(hashBlob((await repository.blob(resolveId('large/random.bin')))?.content ?? new Uint8Array())).toBe(
      resolveId('large/random.bin'),
    )
    expect(await repository.size()).toBe(
      runGitLines(sample.directory, 'count-objects', '-v')
        .filter((line) => line.startsWith('size'))
        .reduce((sum, line) => sum + Number(line.split(': ')[1]) * 1024, 0),
    )
  })
})
