import { demoWithCode } from '@forgelet/core/seed'
import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'

/** Addresses without the API's path that programs use because every server of the field has them. */

let forge: FakeForge
beforeEach(async () => {
  forge = await fakeForge({
    seed: {
      users: [{ username: 'ann', tokens: [{ name: 'ci', secret: 'ann-secret', scopes: ['api'] }] }],
      groups: [{ path: 'acme', members: [{ user: 'ann', access: 'owner' }] }],
      projects: [
        { path: 'acme/web', visibility: 'public' },
        { path: 'acme/secret', visibility: 'private' },
      ],
    },
  })
  for (const project of ['acme/web', 'acme/secret']) {
    await forge.as('ann').commits.create({
      project,
      branch: 'main',
      commitMessage: 'Start',
      actions: [
        { action: 'create', filePath: 'go.mod', content: 'module example' },
        { action: 'create', filePath: 'lib/a.go', content: 'package lib' },
      ],
    })
    await forge.as('ann').tags.create({ project, tagName: 'release/v1.0', ref: 'main' })
  }
})
afterEach(() => forge.close())

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await forge.fetch(path, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const asAnn = { 'PRIVATE-TOKEN': 'ann-secret' }

test.each([
  ['main/web-main.tar.gz', 'application/octet-stream', 'web-main-'],
  ['main.tar.gz', 'application/octet-stream', 'web-main-'],
  ['main/any.zip', 'application/zip', 'web-main-'],
  ['release/v1.0/web-v1.0.tar.bz2', 'application/octet-stream', 'web-release-v1.0-'],
  ['release%2Fv1.0/web-v1.0.zip?path=lib', 'application/zip', 'web-release-v1.0-'],
])('the archive %s', async (name, type, fileName) => {
  const { status, headers } = await get(`/acme/web/-/archive/${name}`)
  expect([status, headers.get('content-type')]).toEqual([200, type])
  expect(headers.get('content-disposition')).toContain(`filename="${fileName}`)
})

test('an archive of a missing revision, of an unknown format, and of a project that the caller cannot see', async () => {
  const statuses = async (...paths: string[]) =>
    Promise.all(paths.map(async (path) => (await get(`/acme/${path}`)).status))
  expect(
    await statuses(
      'web/-/archive/none.zip',
      'web/-/archive/main.rar',
      'web/-/archive/main/x',
      'secret/-/archive/main.zip',
    ),
  ).toEqual([404, 404, 404, 404])
  expect((await get('/acme/secret/-/archive/main.zip', asAnn)).status).toBe(200)
})

test('tokens are accepted in headers, as the password of a user, and in the query', async () => {
  const basic = `Basic ${Buffer.from('ann:ann-secret').toString('base64')}`
  const path = '/acme/secret/-/raw/main/go.mod'
  const replies = await Promise.all([
    get(path, asAnn),
    get(path, { Authorization: 'Bearer ann-secret' }),
    get(path, { Authorization: basic }),
    get(`${path}?private_token=ann-secret`),
    get(path, { 'PRIVATE-TOKEN': 'wrong' }),
  ])
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 401])
  expect(replies[0]?.text).toBe('module example')
})

test('archives have the limit of the API', async () => {
  await using limited = await fakeForge({ http: { rateLimits: true }, seed: demoWithCode })
  const statuses = []
  for (let count = 0; count < 6; count++) statuses.push((await limited.fetch('/acme/web/-/archive/main.zip')).status)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
})

test('go get finds the repository of a package, and no private project of others', async () => {
  const read = async (path: string, headers?: Record<string, string>) =>
    /<meta name="go-import" content="([^"]+)">/.exec((await get(`${path}?go-get=1`, headers)).text)?.[1]
  const host = new URL(forge.url).host
  const web = `${host}/acme/web git ${forge.url}/acme/web.git`
  expect(await read('/acme/web')).toBe(web)
  expect(await read('/acme/web/lib')).toBe(web)
  expect(await read('/acme/secret/lib')).toBe(`${host}/acme/secret git ${forge.url}/acme/secret.git`)
  expect(await read('/acme/missing/lib')).toBe(`${host}/acme/missing git ${forge.url}/acme/missing.git`)
  expect(await read('/acme/secret/lib', asAnn)).toBe(`${host}/acme/secret git ${forge.url}/acme/secret.git`)
})

test('Git LFS is told that it is not supported', async () => {
  const path = '/acme/web.git/info/lfs/objects/batch'
  const response = await forge.fetch(path, { method: 'POST', body: '{"operation":"download","objects":[]}' })
  expect([response.status, response.headers.get('content-type')]).toEqual([501, 'application/vnd.git-lfs+json'])
  expect(await response.json()).toEqual({ message: expect.stringContaining('Git LFS') })
})

test('a content type that was sent twice is read once', async () => {
  const response = await forge.fetch('/api/v4/projects/acme%2Fweb/labels', {
    method: 'POST',
    headers: { ...asAnn, 'Content-Type': 'application/json, application/json; charset=utf-8' },
    body: '{"name":"bug","color":"#ff0000"}',
  })
  expect(response.status).toBe(200)
})
