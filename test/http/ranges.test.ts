import { demoWithCode } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'

const project = 'acme/web'
const packagePath = '/projects/acme%2Fweb/packages/generic/tool/1.0.0/a.txt'

let forge: FakeForge
beforeAll(async () => {
  forge = await world({ seed: demoWithCode })
  const name = { packageName: 'tool', packageVersion: '1.0.0', fileName: 'a.txt' }
  const chunks = async function* () {
    for (const chunk of ['0123', '4567', '89']) yield new TextEncoder().encode(chunk)
  }
  await forge.as('root').packages.publishGeneric({ project, ...name, content: chunks() })
})
afterAll(() => forge.close())

const get = async (path: string, headers: Readonly<Record<string, string>>, method = 'GET') => {
  const response = await forge.fetch(`${forge.url}/api/v4${path}`, {
    method,
    headers: { 'private-token': 'root-token', ...headers },
  })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

describe('a range of a file', () => {
  test.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=3-4', '34', 'bytes 3-4/10'],
    ['bytes=4-', '456789', 'bytes 4-9/10'],
    ['bytes=8-100', '89', 'bytes 8-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-100', '0123456789', 'bytes 0-9/10'],
  ])('%s is sent with 206', async (range, text, contentRange) => {
    const response = await get(packagePath, { range })
    expect(response).toMatchObject({ status: 206, text })
    expect(response.headers.get('content-range')).toBe(contentRange)
    expect(response.headers.get('content-length')).toBe(String(text.length))
  })

  test.each(['bytes=10-', 'bytes=-0', 'bytes=100-200'])('%s receives 416', async (range) => {
    const response = await get(packagePath, { range })
    expect(response).toMatchObject({ status: 416, text: '{"message":"416 Range Not Satisfiable"}' })
    expect(response.headers.get('content-range')).toBe('bytes */10')
  })

  test.each(['bytes=0-1,3-4', 'bytes=5-2', 'bytes=a-b', 'items=0-1', 'bytes=', 'bytes=-'])(
    '%s is ignored',
    async (range) => {
      expect(await get(packagePath, { range })).toMatchObject({ status: 200, text: '0123456789' })
    },
  )

  test('is ignored by HEAD, which declares that ranges are accepted', async () => {
    const response = await get(packagePath, { range: 'bytes=0-3' }, 'HEAD')
    expect(response.status).toBe(200)
    expect(response.headers.get('accept-ranges')).toBe('bytes')
    expect(response.headers.get('content-length')).toBe('10')
  })

  test('is sent for the current content only', async () => {
    const range = 'bytes=0-3'
    const etag = (await get(packagePath, {})).headers.get('etag') ?? ''
    expect((await get(packagePath, { range, 'if-range': etag })).status).toBe(206)
    expect((await get(packagePath, { range, 'if-range': '"other"' })).status).toBe(200)
    expect((await get(packagePath, { range, 'if-none-match': etag })).status).toBe(304)
  })
})

test('raw files, uploads and snippets have ranges', async () => {
  const { uploads, snippets } = forge.as('root')
  const file = { fileName: 'a.txt', content: new TextEncoder().encode('héllo') }
  const { secret } = await uploads.create({ project, file })
  const snippet = await snippets.create({ project, title: 'a', fileName: 'a.txt', content: 'héllo' })
  const range = 'bytes=3-'
  for (const path of [
    `/projects/acme%2Fweb/uploads/${secret}/a.txt`,
    `/projects/acme%2Fweb/snippets/${snippet.id}/raw`,
  ])
    expect(await get(path, { range })).toMatchObject({ status: 206, text: 'llo' })
  const readme = '/projects/acme%2Fweb/repository/files/README.md/raw?ref=main'
  const { text } = await get(readme, {})
  expect(await get(readme, { range })).toMatchObject({ status: 206, text: text.slice(3) })
})

test('archives and JSON are sent as a whole', async () => {
  for (const path of ['/projects/acme%2Fweb/repository/archive.tar?sha=main', '/projects/acme%2Fweb']) {
    const response = await get(path, { range: 'bytes=0-3' })
    expect(response.status).toBe(200)
    expect(response.headers.get('accept-ranges')).toBeNull()
  }
})
