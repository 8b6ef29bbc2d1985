import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../test/world.ts'
import { safeFileName } from './upload.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'
const uploads = (who = 'dave') => forge.as(who).uploads
const bytes = new Uint8Array([0, 255, 10, 13, 128])

test.each([
  ['notes.txt', 'notes.txt'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\tmp\\a b"c.png', 'a_b_c.png'],
  ['übergröße.pdf', 'übergröße.pdf'],
  ['..', 'file'],
  ['', 'file'],
])('%s is kept as %s', (given, kept) => {
  expect(safeFileName(given)).toBe(kept)
})

test('a very long name is cut where a character ends', () => {
  const name = safeFileName('ü'.repeat(300))
  expect(Buffer.byteLength(name)).toBe(254)
})

test('a file is kept byte by byte, under an address that nobody guesses', async () => {
  const sent = await uploads().create({ project, file: { fileName: 'data.bin', content: bytes } })
  expect(sent).toMatchObject({ fileName: 'data.bin', size: 5, uploadedBy: { username: 'dave' } })
  expect(sent.secret).toMatch(/^[0-9a-f]{32}$/)
  const { secret, fileName } = sent
  const read = await forge.platform.uploads.get({ project, secret, fileName })
  expect([...read.content]).toEqual([...bytes])
  await expect(uploads().get({ project, secret, fileName: 'other.bin' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(uploads('bob').get({ project: 'bob/notes', secret, fileName })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('maintainers see all files of a project and remove them', async () => {
  const { secret, fileName } = await uploads().create({ project, file: { fileName: 'a.txt', content: bytes } })
  await expect(uploads('bob').list({ project })).rejects.toMatchObject({ code: 'forbidden' })
  expect((await uploads('alice').list({ project })).items).toMatchObject([{ fileName, size: 5 }])
  await uploads('alice').remove({ project, secret, fileName })
  await expect(uploads('alice').remove({ project, secret, fileName })).rejects.toMatchObject({ code: 'not_found' })
})

test('only members send files, and none that is too large', async () => {
  const file = { fileName: 'a.txt', content: bytes }
  await expect(uploads('mallory').create({ project, file })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(forge.platform.uploads.create({ project, file })).rejects.toMatchObject({ code: 'unauthenticated' })
  await forge.as('root').settings.update({ maxAttachmentSize: 1 })
  const large = { fileName: 'a.txt', content: new Uint8Array(1024 ** 2 + 1) }
  await expect(uploads().create({ project, file: large })).rejects.toMatchObject({
    problems: [{ fields: ['file'], message: 'is too big (maximum is 1 MB)' }],
  })
})
