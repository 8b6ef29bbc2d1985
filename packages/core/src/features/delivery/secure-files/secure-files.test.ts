import { createHash } from 'node:crypto'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'
const add = (name: string, content = 'x', to = project) =>
  forge.host.secureFiles.create({ project: to, name, file: { fileName: name, content: Buffer.from(content) } })
const listStored = async () => (await forge.platform.ports.files.list('uploads/')).files.length

test('files end with their own removal and with that of their project and group', async () => {
  const { id, checksum } = await add('a', 'content')
  expect(checksum).toBe(createHash('sha256').update('content').digest('hex'))
  await add('b')
  await add('c', 'x', 'acme/tools/deploy')
  expect(await listStored()).toBe(3)
  await forge.host.secureFiles.remove({ project, secureFile: id })
  await forge.platform.jobs.drain()
  expect(await listStored()).toBe(2)
  await forge.host.projects.remove({ project })
  await forge.platform.jobs.drain()
  expect(await listStored()).toBe(1)
  await forge.host.groups.remove({ group: 'acme/tools' })
  await forge.platform.jobs.drain()
  expect(await listStored()).toBe(0)
})

test('a project has at most 100 files', async () => {
  for (let index = 0; index < 100; index++) await add(`file-${index}`)
  await expect(add('another')).rejects.toMatchObject({ code: 'invalid' })
})
