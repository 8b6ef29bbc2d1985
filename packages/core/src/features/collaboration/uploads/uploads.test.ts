import { buffer } from 'node:stream/consumers'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'
import { toSafeFileName } from '../../../shared/safe-file-name.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'
const uploads = (user = 'dave') => forge.as(user).uploads
const bytes = new Uint8Array([0, 255, 10, 13, 128])

test.each([
  ['notes.txt', 'notes.txt'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\tmp\\a b"c.png', 'a_b_c.png'],
  ['übergröße.pdf', 'übergröße.pdf'],
  ['..', 'file'],
  ['', 'file'],
])('stores the file name %s as %s', (fileName, stored) => {
  expect(toSafeFileName(fileName)).toBe(stored)
})

test('cuts a long file name at a character boundary', () => {
  const name = toSafeFileName('ü'.repeat(300))
  expect(Buffer.byteLength(name)).toBe(254)
})

test('stores the content unchanged under a random secret', async () => {
  const upload = await uploads().create({ project, file: { fileName: 'data.bin', content: bytes } })
  expect(upload).toMatchObject({ fileName: 'data.bin', size: 5, uploadedBy: { username: 'dave' } })
  expect(upload.secret).toMatch(/^[0-9a-f]{32}$/)
  const { secret, fileName } = upload
  const { size, content } = await forge.platform.uploads.get({ project, secret, fileName })
  expect([size, [...(await buffer(content))]]).toEqual([5, [...bytes]])
  await expect(uploads().get({ project, secret, fileName: 'other.bin' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(uploads('bob').get({ project: 'bob/notes', secret, fileName })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('maintainers list and remove the files of a project', async () => {
  const { secret, fileName } = await uploads().create({ project, file: { fileName: 'a.txt', content: bytes } })
  await expect(uploads('bob').list({ project })).rejects.toMatchObject({ code: 'forbidden' })
  expect((await uploads('alice').list({ project })).items).toMatchObject([{ fileName, size: 5 }])
  await uploads('alice').remove({ project, secret, fileName })
  await expect(uploads('alice').remove({ project, secret, fileName })).rejects.toMatchObject({ code: 'not_found' })
})

test('only members upload files, up to the maximum size', async () => {
  const file = { fileName: 'a.txt', content: bytes }
  await expect(uploads('mallory').create({ project, file })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(forge.platform.uploads.create({ project, file })).rejects.toMatchObject({ code: 'unauthenticated' })
  await forge.as('root').settings.update({ maxAttachmentSize: 1 })
  const large = { fileName: 'a.txt', content: new Uint8Array(1024 ** 2 + 1) }
  await expect(uploads().create({ project, file: large })).rejects.toMatchObject({
    problems: [{ fields: ['file'], message: 'is too big (maximum is 1 MB)' }],
  })
})

const findFiles = async (prefix: string) => (await forge.platform.ports.files.list(prefix)).files

test('stores the content in the file storage, and removes it after the upload', async () => {
  const { id, projectId, secret, fileName } = await uploads().create({
    project,
    file: { fileName: 'a', content: bytes },
  })
  const files = await findFiles(`uploads/${projectId}/`)
  expect(files).toMatchObject([{ size: 5 }])
  expect(await forge.platform.jobs.list()).not.toContainEqual(expect.objectContaining({ kind: 'uploads.removeFile' }))
  // A job that was queued before the upload was recorded.
  await forge.platform.jobs.drain()
  expect(await findFiles(`uploads/${projectId}/`)).toEqual(files)
  await uploads('alice').remove({ project, secret, fileName })
  await forge.platform.jobs.drain()
  expect([id, await findFiles(`uploads/${projectId}/`)]).toEqual([id, []])
})

test('removes the files of a removed project', async () => {
  const { id } = await forge.as('alice').projects.create({ name: 'Short-lived' })
  for (const fileName of ['a', 'b']) await uploads('alice').create({ project: id, file: { fileName, content: bytes } })
  expect(await findFiles(`uploads/${id}/`)).toHaveLength(2)
  await forge.as('alice').projects.remove({ project: id })
  await forge.platform.jobs.drain()
  expect(await findFiles(`uploads/${id}/`)).toEqual([])
})

test('removes a file whose upload could not be recorded', async () => {
  const storage = forge.platform.ports.files
  const { write } = storage
  const { id } = await forge.as('alice').projects.create({ name: 'Gone' })
  // The project is removed while the file is written.
  const stored = Object.assign(storage, {
    async write(...parameters: Parameters<typeof write>) {
      const written = await write.apply(storage, parameters)
      await forge.as('alice').projects.remove({ project: id })
      return written
    },
  })
  const upload = uploads('alice').create({ project: id, file: { fileName: 'a', content: bytes } })
  await expect(upload).rejects.toMatchObject({ code: 'not_found' })
  stored.write = write
  expect(await findFiles(`uploads/${id}/`)).toHaveLength(1)
  await forge.clock.advance({ hours: 2 })
  expect(await findFiles(`uploads/${id}/`)).toEqual([])
})
