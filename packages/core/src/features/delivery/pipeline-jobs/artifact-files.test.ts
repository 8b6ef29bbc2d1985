import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../../test/sqlite-world.ts'
import { createZip, type ZipFileInput } from '../../../../../../test/support/zip.ts'
import { readZipEntries, type ZipEntry } from './zip-archive.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'

const record = async (fields: object = {}) => {
  const jobs = [{ name: 'test', status: 'success' as const }]
  const { id } = await forge.host.pipelines.record({ project, ref: 'main', sha: 'a'.repeat(40), jobs, ...fields })
  const { items } = await forge.host.pipelineJobs.list({ project, pipeline: id })
  return items[0]?.id as number
}

/** A job with an archive as its artifacts. */
const store = async (content: Uint8Array<ArrayBuffer>, fields?: object) => {
  const job = await record(fields)
  await forge.host.pipelineJobs.storeArtifacts({ project, job, file: { fileName: 'artifacts.zip', content } })
  return job
}

const files: readonly ZipFileInput[] = [
  { path: 'coverage/', mode: 0o040700 },
  { path: 'coverage/index.html', content: '<h1>90 %</h1>', mode: 0o100755 },
  { path: 'coverage/deep/a.txt', content: 'a' },
  { path: 'test.log', content: 'passed\n', compressed: false },
]

const read = async (job: number, artifactPath: string) => {
  const { fileName, size, content } = await forge.as('bob').pipelineJobs.getArtifactFile({ project, job, artifactPath })
  return { fileName, size, content: await text(content) }
}

describe('a file in artifacts', () => {
  test('is read by its path, compressed or not', async () => {
    const job = await store(createZip(files))
    const html = { fileName: 'index.html', size: 13, content: '<h1>90 %</h1>' }
    expect(await read(job, 'coverage/index.html')).toEqual(html)
    expect(await read(job, 'test.log')).toMatchObject({ content: 'passed\n' })
    const ofRef = { ref: 'main', name: 'test', artifactPath: 'test.log' }
    const { content } = await forge.as('bob').pipelineJobs.getArtifactFile({ project, ...ofRef })
    expect(await text(content)).toBe('passed\n')
  })

  test.each(['coverage/', '/test.log', '../test.log', 'coverage/./index.html', 'coverage//index.html', ''])(
    'with the path %j is invalid',
    async (path) => {
      await expect(read(await store(createZip(files)), path)).rejects.toMatchObject({ code: 'invalid' })
    },
  )

  test.each(['coverage', 'none.txt'])('with the path %j is missing', async (path) => {
    await expect(read(await store(createZip(files)), path)).rejects.toMatchObject({ code: 'not_found' })
  })

  test.each([
    ['no archive', new TextEncoder().encode('zip')],
    ['an empty file', new Uint8Array()],
    ['an encrypted file', createZip([{ path: 'a', content: 'a', flags: 0x801 }])],
    ['another compression', createZip([{ path: 'a', content: 'a', method: 12 }])],
    ['a stored file with a wrong size', createZip([{ path: 'a', content: 'a', compressed: false, announcedSize: 5 }])],
    ['a huge file', createZip([{ path: 'a', content: 'a', announcedSize: 2 ** 31 }])],
  ])('cannot be read from %s', async (_, archive) => {
    await expect(read(await store(archive), 'a')).rejects.toMatchObject({ code: 'unprocessable' })
  })

  test('ends with an error if it expands beyond its announced size', async () => {
    const bomb = createZip([{ path: 'a', content: new Uint8Array(1_000_000), announcedSize: 10 }])
    await expect(read(await store(bomb), 'a')).rejects.toThrow('too many bytes')
  })
})

describe('the tree of artifacts', () => {
  const list = async (job: number, options: object = {}) =>
    (await forge.as('bob').pipelineJobs.listArtifactFiles({ project, job, ...options })).items

  test('lists directories and files, also those without an entry of their own', async () => {
    const job = await store(createZip(files))
    expect(await list(job)).toEqual([
      { name: 'coverage', path: 'coverage/', type: 'directory', size: null, mode: '040700' },
      { name: 'test.log', path: 'test.log', type: 'file', size: 7, mode: '100644' },
    ])
    const inCoverage = [
      { name: 'deep', path: 'coverage/deep/', type: 'directory', size: null, mode: '040755' },
      { name: 'index.html', path: 'coverage/index.html', type: 'file', size: 13, mode: '100755' },
    ]
    expect(await list(job, { path: 'coverage' })).toEqual(inCoverage)
    expect(await list(job, { path: 'coverage/' })).toEqual(inCoverage)
    expect((await list(job, { recursive: true })).map(({ path }) => path)).toEqual([
      'coverage/',
      'coverage/deep/',
      'coverage/deep/a.txt',
      'coverage/index.html',
      'test.log',
    ])
    expect(await list(job, { recursive: true, page: 2, perPage: 4 })).toHaveLength(1)
    await expect(list(job, { path: 'none' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(list(job, { path: '../..' })).rejects.toMatchObject({ code: 'invalid' })
  })

  test('leaves out paths that lead out of the archive', async () => {
    const unsafe = ['/etc/passwd', '../a', 'a/../../b', 'C:\\b', 'x\0y', `${'d/'.repeat(200)}deep`]
    const job = await store(
      createZip([...unsafe.map((path) => ({ path, content: 'x' })), { path: 'ok', content: 'ok' }]),
    )
    expect((await list(job, { recursive: true })).map(({ path }) => path)).toEqual(['ok'])
    expect(await read(job, 'ok')).toMatchObject({ content: 'ok' })
  })
})

describe('an archive', () => {
  const open = (archive: Uint8Array, reads: number[] = []) =>
    readZipEntries({
      size: archive.length,
      read: async ({ offset, length }) => {
        reads.push(length)
        return Readable.from([archive.subarray(offset, offset + length)])
      },
    })

  const readAll = async (entries: AsyncIterable<ZipEntry>) => {
    for await (const { path, open } of entries) if (!path.endsWith('/')) await text(await open())
  }

  test('is read in blocks', async () => {
    const many = Array.from({ length: 5_000 }, (_, at) => ({ path: `files/${at}.txt`, content: `${at}` }))
    const archive = createZip(many)
    const reads: number[] = []
    let count = 0
    for await (const _ of open(archive, reads)) count += 1
    expect(count).toBe(5_000)
    expect(reads.length).toBeLessThanOrEqual(Math.ceil(archive.length / 262_144) + 1)
  })

  test('with any damage is read or rejected with an error', { timeout: 60_000 }, async () => {
    const archive = createZip(files)
    for (let at = 0; at < archive.length; at++) {
      for (const value of [0, 0xff, (archive[at] as number) ^ 1]) {
        const damaged = new Uint8Array(archive)
        damaged[at] = value
        await readAll(open(damaged)).catch((error: unknown) => expect(error).toBeInstanceOf(Error))
      }
      await readAll(open(archive.subarray(0, at))).catch((error: unknown) => expect(error).toBeInstanceOf(Error))
    }
  })

  test('reports errors of the storage as they are', async () => {
    const failure = new Error('The storage is unreachable')
    const entries = readZipEntries({ size: 100, read: () => Promise.reject(failure) })
    await expect(readAll(entries)).rejects.toBe(failure)
  })
})

test('the artifacts of a project are removed, except those of the newest successful pipeline of each ref', async () => {
  const archive = createZip(files)
  const removed = [await store(archive), await store(archive, { jobs: [{ name: 'test', status: 'failed' }] })]
  const kept = [await store(archive), await store(archive, { ref: 'v1', tag: true })]
  removed.push(await store(archive, { jobs: [{ name: 'test', status: 'running' }] }))
  const { pipelineJobs } = forge.as('alice')
  await pipelineJobs.removeProjectArtifacts({ project })
  await forge.platform.jobs.drain()
  const have = async (jobs: readonly number[]) =>
    Promise.all(jobs.map(async (job) => (await pipelineJobs.get({ project, job })).artifact !== null))
  expect(await have(kept)).toEqual([true, true])
  expect(await have(removed)).toEqual([false, false, false])
})

test('the size of artifacts is limited by the project, its group, or the instance', async () => {
  const { settings, groups, projects } = forge.host
  const isStored = async () => {
    try {
      await store(new Uint8Array(1024 ** 2 + 1))
      return true
    } catch (error) {
      expect(error).toMatchObject({ code: 'unprocessable', reason: 'artifacts_too_large' })
      return false
    }
  }
  expect(await isStored()).toBe(true)
  await settings.update({ maxArtifactsSize: 1 })
  expect(await isStored()).toBe(false)
  await groups.update({ group: 'acme', settings: { maxArtifactsSize: 2 } })
  expect(await isStored()).toBe(true)
  await projects.update({ project, settings: { maxArtifactsSize: 1 } })
  expect(await isStored()).toBe(false)
})
