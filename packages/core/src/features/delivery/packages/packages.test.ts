import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'
import { memoryFileStorage } from '../../../ports/file-storage/memory.ts'
import type { FileStorage } from '../../../ports/file-storage.ts'

let forge: FakeForge
let files: FileStorage
beforeEach(async () => {
  files = memoryFileStorage()
  forge = await world({ ports: { files } })
})
afterEach(() => forge.close())

const project = 'acme/web'
const file = { project, packageName: 'tool', packageVersion: '1.0.0', fileName: 'a.txt' }
const bytes = (text: string) => new TextEncoder().encode(text)

const storedKeys = async () => (await files.list('packages/')).files.map(({ key }) => key)

async function* streamOf(chunks: readonly string[], end: () => void = () => undefined) {
  for (const chunk of chunks) yield bytes(chunk)
  end()
}

test('a stream is stored, and read back', async () => {
  const { packages } = forge.as('bob')
  const { size, md5 } = await packages.publishGeneric({ ...file, content: streamOf(['hel', 'lo']) })
  expect([size, md5]).toEqual([5, '5d41402abc4b2a76b9719d911017c592'])
  const { content, ...details } = await packages.downloadGeneric(file)
  expect(details).toMatchObject({ fileName: 'a.txt', size: 5 })
  expect(Buffer.concat(await content.toArray()).toString()).toBe('hello')
})

test('an upload that ends early leaves nothing behind', async () => {
  const { packages } = forge.as('bob')
  const fail = () => {
    throw new Error('The client disconnected')
  }
  await expect(packages.publishGeneric({ ...file, content: streamOf(['a'], fail) })).rejects.toThrow('disconnected')
  expect(await storedKeys()).toEqual([])
  expect((await packages.list({ project })).items).toEqual([])
})

test('the permission is checked again after the content was received', async () => {
  const { packages } = forge.as('bob')
  const content = async function* () {
    yield bytes('a')
    await forge.host.projects.archive({ project })
  }
  await expect(packages.publishGeneric({ ...file, content: content() })).rejects.toMatchObject({ code: 'forbidden' })
  expect((await packages.list({ project })).items).toEqual([])
})

test('the content is not read without permission', async () => {
  const untouched = {
    [Symbol.asyncIterator]: (): AsyncIterator<Uint8Array> => {
      throw new Error('The content was read')
    },
  }
  const published = forge.as('dave').packages.publishGeneric({ ...file, content: untouched })
  await expect(published).rejects.toMatchObject({ code: 'forbidden' })
})

test('files are removed with their package, and with their project', async () => {
  const { packages } = forge.as('alice')
  const { packageId } = await packages.publishGeneric({ ...file, content: bytes('a') })
  await packages.publishGeneric({ ...file, fileName: 'b.txt', content: bytes('b') })
  expect(await storedKeys()).toHaveLength(2)
  await packages.remove({ project, package: packageId })
  await forge.platform.jobs.drain()
  expect(await storedKeys()).toEqual([])
  await packages.publishGeneric({ ...file, content: bytes('a') })
  await forge.host.projects.remove({ project })
  await forge.platform.jobs.drain()
  expect(await storedKeys()).toEqual([])
})

test('changes are reported as domain events', async () => {
  const events: unknown[] = []
  forge.platform.on(
    'package.published',
    (event) => void events.push(['published', event.package.name, event.file.size]),
  )
  forge.platform.on('package.fileRemoved', ({ file: { fileName } }) => void events.push(['fileRemoved', fileName]))
  forge.platform.on('package.removed', (event) => void events.push(['removed', event.package.version]))
  const { packages, packageFiles } = forge.as('alice')
  const { id, packageId } = await packages.publishGeneric({ ...file, content: bytes('abc') })
  await packageFiles.remove({ project, package: packageId, packageFile: id })
  await packages.remove({ project, package: packageId })
  expect(events).toEqual([
    ['published', 'tool', 3],
    ['fileRemoved', 'a.txt'],
    ['removed', '1.0.0'],
  ])
})

test('packages of a seed can be downloaded, also after a reset', async () => {
  const packages = [{ name: 'tool', version: '1.0.0', files: [{ name: 'a.txt', content: 'seeded' }] }]
  const seed = { users: [{ username: 'ann' }], projects: [{ path: 'ann/web', packages }] }
  await using seeded = await fakeForge({ seed })
  for (let count = 0; count < 2; count++) {
    const { content } = await seeded.host.packages.downloadGeneric({ ...file, project: 'ann/web' })
    expect(Buffer.concat(await content.toArray()).toString()).toBe('seeded')
    await seeded.reset()
  }
})
