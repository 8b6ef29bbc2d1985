import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
const project = 'acme/web'

beforeEach(async () => {
  forge = await world()
  const author = { name: 'Bob Builder', email: 'bob@example.com' }
  const first = [
    { path: 'README.md', content: 'first\n' },
    { path: 'src/deep/run', content: 'run\n', mode: '100755' as const },
  ]
  const second = [{ path: 'README.md', content: 'second\n' }]
  const commits = [
    { message: 'Begin', author, files: first },
    { message: 'Go on', author, files: second },
  ]
  const { ids } = await forge.host.commits.import({ project, commits })
  await forge.host.tags.create({ project, tagName: 'v1', ref: ids[0] as string })
})
afterEach(() => forge.close())

const files = (user = 'mallory') => forge.as(user).repositoryFiles

test('returns a file at the default branch and at a tag', async () => {
  const latest = await files().get({ project, filePath: 'README.md' })
  expect(latest).toMatchObject({ fileName: 'README.md', size: 7, encoding: 'base64', ref: 'HEAD' })
  expect(Buffer.from(latest.content, 'base64').toString()).toBe('second\n')
  const tagged = await files().get({ project, filePath: 'README.md', ref: 'v1' })
  expect(Buffer.from(tagged.content, 'base64').toString()).toBe('first\n')
  expect(tagged.contentSha256).toBe('b640e840b19d378660b32fb51ae18d67dccb4a8596a29e7bd72c1b2ae5928f41')
  expect(await files().get({ project, filePath: 'src/deep/run' })).toMatchObject({ executeFilemode: true })
})

test('returns the raw bytes', async () => {
  const { size, content } = await files().getRaw({ project, filePath: 'src/deep/run', ref: 'main' })
  expect([size, (await buffer(content as Readable)).toString()]).toEqual([4, 'run\n'])
})

test('directories, unknown paths and unknown refs are not found', async () => {
  for (const filePath of ['src', 'src/deep', 'nope.txt', '../README.md', 'README.md/x', '/README.md']) {
    await expect(files().get({ project, filePath })).rejects.toMatchObject({ code: 'not_found' })
  }
  await expect(files().get({ project, filePath: 'README.md', ref: 'nope' })).rejects.toMatchObject({
    code: 'not_found',
    kind: 'Commit',
  })
  await expect(files('alice').get({ project: 'acme/tools/deploy', filePath: 'x' })).rejects.toMatchObject({
    code: 'not_found',
  })
})
