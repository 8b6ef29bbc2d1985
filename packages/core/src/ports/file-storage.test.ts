import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type S3Server, startS3Server } from '../../../../test/support/s3-server.ts'
import { createFileKey } from './file-storage/file-key.ts'
import { folderFileStorage } from './file-storage/folder.ts'
import { memoryFileStorage } from './file-storage/memory.ts'
import { s3FileStorage } from './file-storage/s3.ts'
import type { FileStorage } from './file-storage.ts'

const folder = mkdtempSync(join(tmpdir(), 'forgelet-files-'))
const root = join(folder, 'files')
let server: S3Server
beforeAll(async () => {
  server = await startS3Server()
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const mebibyte = 1024 ** 2
const unlimited = { maximumBytes: 100 * mebibyte }
const text = (content: string) => [Buffer.from(content)]

const readAll = async (stream: Readable | undefined) => stream && (await buffer(stream))
const readText = async (stream: Readable | undefined) => (await readAll(stream))?.toString()

const adapters: readonly [string, () => FileStorage][] = [
  ['folder', () => folderFileStorage(root)],
  ['memory', memoryFileStorage],
  ['S3', () => s3FileStorage({ ...server.options, partBytes: 5 * mebibyte })],
]

describe.each(adapters)('%s', (name, open) => {
  let storage: FileStorage
  beforeAll(() => {
    storage = open()
  })
  afterAll(() => storage.close())

  test('stores a file with its size and digest, and replaces it', async () => {
    const bytes = randomBytes(100_000)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const start = Date.now() - 2_000
    expect(await storage.write('kept/one', [bytes.subarray(0, 70_000), bytes.subarray(70_000)], unlimited)).toEqual({
      size: 100_000,
      sha256,
    })
    expect((await readAll(await storage.read('kept/one')))?.equals(bytes)).toBe(true)
    const found = await storage.stat('kept/one')
    expect(found).toEqual({ key: 'kept/one', size: 100_000, modifiedAt: expect.any(String) })
    expect(Date.parse(found?.modifiedAt ?? '')).toBeGreaterThan(start)
    await storage.write('kept/one', text('short'), unlimited)
    expect(await readText(await storage.read('kept/one'))).toBe('short')
  })

  test('stores an empty file', async () => {
    expect(await storage.write('empty', [], unlimited)).toMatchObject({ size: 0 })
    expect(await readText(await storage.read('empty'))).toBe('')
    expect(await readText(await storage.read('empty', { offset: 3, length: 2 }))).toBe('')
  })

  test('stores a file of several parts', async () => {
    const hash = createHash('sha256')
    const chunk = randomBytes(mebibyte)
    const content = async function* () {
      for (let count = 0; count < 17; count++) {
        hash.update(chunk)
        yield chunk
      }
    }
    const { size, sha256 } = await storage.write('big/one', content(), unlimited)
    expect([size, sha256]).toEqual([17 * mebibyte, hash.digest('hex')])
    expect((await storage.stat('big/one'))?.size).toBe(size)
    const part = await readAll(await storage.read('big/one', { offset: 16 * mebibyte - 1, length: 2 }))
    expect(part).toEqual(Buffer.from([chunk.at(-1) as number, chunk[0] as number]))
    const whole = await readAll(await storage.read('big/one'))
    expect(
      createHash('sha256')
        .update(whole as Buffer)
        .digest('hex'),
    ).toBe(sha256)
  })

  test.each([
    [{ offset: 2 }, 'cdef'],
    [{ length: 2 }, 'ab'],
    [{ offset: 2, length: 2 }, 'cd'],
    [{ offset: 4, length: 10 }, 'ef'],
    [{ offset: 6 }, ''],
    [{ offset: 1, length: 0 }, ''],
  ])('reads the range %j', async (range, expected) => {
    await storage.write('range', text('abcdef'), unlimited)
    expect(await readText(await storage.read('range', range))).toBe(expected)
  })

  test('finds no missing file, and removes a file any number of times', async () => {
    expect(await storage.read('none/at/all')).toBeUndefined()
    expect(await storage.read('none', { length: 0 })).toBeUndefined()
    expect(await storage.stat('none')).toBeUndefined()
    await storage.write('removed/file', text('a'), unlimited)
    expect(await storage.stat('removed')).toBeUndefined()
    expect(await storage.read('removed')).toBeUndefined()
    for (let count = 0; count < 2; count++) await storage.remove('removed/file')
    expect(await storage.stat('removed/file')).toBeUndefined()
  })

  test.each([
    ['small', 10],
    ['of several parts', 12 * mebibyte],
  ])('stores nothing of a %s file above the limit, after an error or an abort', async (_, size) => {
    const chunk = randomBytes(Math.min(size, mebibyte))
    const generate = async function* (end: () => void) {
      for (let sent = 0; sent < size; sent += chunk.length) yield chunk
      end()
      yield chunk
    }
    const ignore = () => undefined
    const limited = storage.write('unfinished', generate(ignore), { maximumBytes: size })
    await expect(limited).rejects.toMatchObject({ code: 'unprocessable', reason: 'too_large' })
    const fail = () => {
      throw new Error('The client disconnected')
    }
    await expect(storage.write('unfinished', generate(fail), unlimited)).rejects.toThrow('The client disconnected')
    const controller = new AbortController()
    const abort = () => controller.abort(new Error('Stopped'))
    const aborted = storage.write('unfinished', generate(abort), { ...unlimited, signal: controller.signal })
    await expect(aborted).rejects.toThrow('Stopped')
    expect(await storage.stat('unfinished')).toBeUndefined()
    expect((await storage.list('')).files.map(({ key }) => key)).not.toContain('unfinished')
  })

  test('never shows an incomplete file to readers while it is replaced', async () => {
    const versions = ['a', 'b'].map((letter) => Buffer.alloc(300_000, letter))
    await storage.write('replaced', [versions[0] as Buffer], unlimited)
    let isWriting = true
    const writing = (async () => {
      for (let count = 1; count <= 20; count++)
        await storage.write('replaced', [versions[count % 2] as Buffer], unlimited)
      isWriting = false
    })()
    while (isWriting) {
      const read = (await readAll(await storage.read('replaced'))) as Buffer
      expect(versions.some((version) => version.equals(read))).toBe(true)
    }
    await writing
  })

  test('lists files by prefix and page, in byte order', async () => {
    const keys = ['l/a', 'l/a-b', 'l/a.c', 'l/a1/x', 'l/a1/y', 'l/b/c/d', 'l/b/c/e', 'l/z', 'l2/a']
    for (const key of keys) await storage.write(key, text(key), unlimited)
    const listAll = async (prefix: string, limit: number) => {
      const found: string[] = []
      for (let after: string | undefined, pages = 0; pages < 20; pages++) {
        const { files, next } = await storage.list(prefix, { after, limit })
        found.push(...files.map(({ key }) => key))
        expect(files.length).toBeLessThanOrEqual(limit)
        if (next === undefined) return found
        after = next
      }
      throw new Error('The list does not end')
    }
    const sorted = (prefix: string) => keys.filter((key) => key.startsWith(prefix)).sort()
    for (const limit of [1, 2, 3, 100]) expect(await listAll('l/', limit)).toEqual(sorted('l/'))
    expect(await listAll('l/a', 2)).toEqual(sorted('l/a'))
    expect(await listAll('l', 4)).toEqual(sorted('l'))
    expect(await listAll('l/b/c/', 10)).toEqual(sorted('l/b/c/'))
    expect(await listAll('none/', 10)).toEqual([])
    expect((await storage.list('l/z')).files).toEqual([{ key: 'l/z', size: 3, modifiedAt: expect.any(String) }])
  })

  test.each([
    '',
    '/',
    '../x',
    'a/../b',
    'a//b',
    '/a',
    'a/',
    '.a',
    'a/.b',
    '-a',
    'a\\b',
    'a b',
    'ü',
    'a\0',
    'a'.repeat(201),
  ])('rejects the key %j', async (key) => {
    await expect((async () => storage.write(key, [], unlimited))()).rejects.toThrow('is no file key')
    await expect((async () => storage.read(key))()).rejects.toThrow(TypeError)
    await expect((async () => storage.stat(key))()).rejects.toThrow(TypeError)
    await expect((async () => storage.remove(key))()).rejects.toThrow(TypeError)
  })

  test('keeps shared files, and removes those of its own when it closes, only in memory', async () => {
    const [shared, own] = [createFileKey('world'), createFileKey('world')]
    const other = open()
    await other.write(shared, text('shared'), unlimited)
    other.markShared()
    await other.write(own, text('own'), unlimited)
    if (name === 'memory') await other.remove(shared)
    other.close()
    expect(await readText(await storage.read(shared))).toBe('shared')
    expect(await readText(await storage.read(own))).toBe(name === 'memory' ? undefined : 'own')
  })
})

describe('folder', () => {
  const storage = folderFileStorage(root)

  test('is readable by its owner only, and contains no temporary files', async () => {
    await storage.write('private/file', text('a'), unlimited)
    expect(statSync(root).mode & 0o777).toBe(0o700)
    expect(statSync(join(root, 'private/file')).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(root, '.incoming'))).toEqual([])
  })

  test('removes temporary files of interrupted writes', async () => {
    const draft = (name: string) => join(root, '.incoming', name)
    writeFileSync(draft('old'), 'half')
    utimesSync(draft('old'), new Date(0), new Date(0))
    writeFileSync(draft('new'), 'half')
    expect(await storage.removeAbandoned('2020-01-01T00:00:00.000Z')).toBe(1)
    expect([existsSync(draft('old')), existsSync(draft('new'))]).toEqual([false, true])
    rmSync(draft('new'))
  })

  test('does not list symbolic links', async () => {
    writeFileSync(join(folder, 'outside'), 'secret')
    symlinkSync(join(folder, 'outside'), join(root, 'link'))
    expect((await storage.list('link')).files).toEqual([])
  })

  test('reports a folder that it cannot write to', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    await expect(folderFileStorage(join(file, 'below')).write('a', [], unlimited)).rejects.toThrow('ENOTDIR')
  })
})

describe('S3', () => {
  test('aborts uploads that were interrupted', async () => {
    const storage = s3FileStorage(server.options)
    expect(await storage.removeAbandoned('2020-01-01T00:00:00.000Z')).toBe(0)
    storage.close()
  })

  test('is unavailable while the server does not respond', async () => {
    const sockets: Socket[] = []
    const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
    await new Promise((resolve) => silent.once('listening', resolve))
    const { port } = silent.address() as { port: number }
    const expected = { code: 'unavailable', retryAfter: 5, message: 'The file storage is not available' }
    const endpoint = `http://127.0.0.1:${port}`
    const slow = s3FileStorage({ ...server.options, endpoint, requestTimeout: 100 })
    await expect(slow.stat('a')).rejects.toMatchObject(expected)
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => silent.close(resolve))
    const stopped = s3FileStorage({ ...server.options, endpoint })
    await expect(stopped.write('a', text('a'), unlimited)).rejects.toMatchObject(expected)
    await expect(stopped.read('a')).rejects.toMatchObject(expected)
    slow.close()
    stopped.close()
  })

  test('reports a wrong configuration as an error that is not temporary', async () => {
    const noBucket = s3FileStorage({ ...server.options, bucket: 'missing-bucket' })
    await expect(noBucket.write('a', text('a'), unlimited)).rejects.toThrow('rejected a request: NoSuchBucket')
    noBucket.close()
  })
})
