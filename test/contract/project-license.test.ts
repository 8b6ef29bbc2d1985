import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeAll(async () => {
  forge = await world()
  send = client(forge)
})
afterAll(() => forge.close())

const project = 'acme/web'
const path = '/projects/acme%2Fweb'
const author = { name: 'Ada', email: 'ada@example.com' }

const commit = (files: Readonly<Record<string, string>>) =>
  forge.host.commits.import({
    project,
    commits: [
      { message: 'Change', author, files: Object.entries(files).map(([path, content]) => ({ path, content })) },
    ],
  })

const read = async () => {
  const { license, license_url: url } = (await send(`GET ${path}?license=true`)).body
  return { license, url }
}

test('license=true adds the license of the default branch, by its text', async () => {
  await commit({ 'README.md': 'Hello' })
  expect(await read()).toEqual({ license: null, url: null })
  expect((await send(`GET ${path}`)).body).not.toHaveProperty('license')
  const { content } = (await send('GET /templates/licenses/mit?fullname=Ada+Lovelace')).body
  await commit({ LICENSE: `${content.replace('MIT License', '# The MIT License (MIT)')}\n` })
  expect(await read()).toEqual({
    license: {
      key: 'mit',
      name: 'MIT License',
      nickname: null,
      html_url: 'https://choosealicense.com/licenses/mit/',
      source_url: 'https://spdx.org/licenses/MIT.html',
    },
    url: `${forge.url}/acme/web/-/blob/main/LICENSE`,
  })
  await commit({ LICENSE: 'All rights reserved.' })
  expect(await read()).toMatchObject({ license: { key: 'other', name: 'Other', html_url: null } })
})

test('similar licenses are told apart', async () => {
  const { body } = await send('GET /templates/licenses')
  for (const { key, content } of body as { key: string; content: string }[]) {
    await commit({ LICENSE: content.replace(/\[(year|fullname)\]/g, '2026') })
    expect((await read()).license.key).toBe(key)
  }
})

test('only users who can read the code see it', async () => {
  await send(`PUT ${path}`, { as: 'alice', json: { repository_access_level: 'private' } })
  expect((await send(`GET ${path}?license=true`, { as: 'mallory' })).body).not.toHaveProperty('license')
  expect((await send(`GET ${path}?license=true`, { as: 'alice' })).body).toHaveProperty('license.key')
})
