import { createHash, randomBytes } from 'node:crypto'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

const base = '/projects/acme%2Fweb/packages'
const tool = `${base}/generic/tool/1.0.0`

const digest = (algorithm: string, content: string | Uint8Array) => createHash(algorithm).update(content).digest('hex')

const publish = async (path: string, raw: string | Uint8Array = 'content') => {
  const query = path.includes('?') ? '' : '?select=package_file'
  const { status, body } = await send(`PUT ${base}/generic/${path}${query}`, { as: 'bob', raw })
  expect(status).toBe(201)
  return body
}

const names = async (path: string, as?: string) =>
  (await send(`GET ${path}`, as === undefined ? {} : { as })).body.map(({ name }: { name: string }) => name)

describe('publishing', () => {
  test('confirms the file, or returns its details', async () => {
    expect(await send(`PUT ${tool}/a.txt`, { as: 'bob', raw: 'hello' })).toMatchObject({
      status: 201,
      body: { message: '201 Created' },
    })
    const { status, body } = await send(`PUT ${tool}/b.txt?select=package_file`, { as: 'bob', raw: 'hello' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      package_id: expect.any(Number),
      created_at: expect.any(String),
      updated_at: body.created_at,
      file_name: 'b.txt',
      size: 5,
      file_md5: digest('md5', 'hello'),
      file_sha1: digest('sha1', 'hello'),
      file_sha256: digest('sha256', 'hello'),
      file: { url: `${forge.url}/api/v4/projects/1/packages/generic/tool/1.0.0/b.txt` },
      status: 'default',
    })
    expect((await forge.fetch(body.file.url)).status).toBe(200)
  })

  test('stores the body of any content type unchanged', async () => {
    const bytes = randomBytes(300_000)
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b']) {
      await send(`PUT ${tool}/a`, { as: 'bob', raw: bytes, headers: { 'content-type': type } })
      const response = await forge.fetch(`${forge.url}/api/v4${tool}/a`)
      expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
    }
    await publish('tool/1.0.0/empty', '')
    expect(await send(`GET ${tool}/empty`)).toMatchObject({ status: 200, text: '' })
  })

  test('keeps files of the same name, and downloads the newest one', async () => {
    const first = await publish('tool/1.0.0/a.txt', 'first')
    await publish('tool/1.0.0/a.txt', 'second')
    expect((await send(`GET ${tool}/a.txt`)).text).toBe('second')
    const files = await send(`GET ${base}/${first.package_id}/package_files`)
    expect(files.body.map(({ size }: { size: number }) => size)).toEqual([5, 6])
    const byId = `${base}/${first.package_id}/package_files`
    expect((await send(`GET ${byId}/${files.body[0].id}/download`)).text).toBe('first')
    expect((await send(`GET ${byId}/999999/download`)).status).toBe(404)
    expect(await names(base)).toEqual(['tool'])
  })

  test('accepts parallel uploads of the same file', async () => {
    const contents = Array.from({ length: 5 }, (_, index) => String(index))
    const files = await Promise.all(contents.map((content) => publish('tool/1.0.0/a.txt', content)))
    expect(new Set(files.map(({ id }) => id)).size).toBe(5)
    expect(new Set(files.map(({ package_id }) => package_id)).size).toBe(1)
    expect(contents).toContain((await send(`GET ${tool}/a.txt`)).text)
  })

  test.each([
    ['to%20ol/1.0.0/a.txt', 'package_name'],
    ['tool/1..0/a.txt', 'package_version'],
    ['tool/1.0%2F2/a.txt', 'package_version'],
    ['tool/1.0.0/a%20b', 'file_name'],
    [`${'a'.repeat(256)}/1.0.0/a`, 'package_name'],
  ])('rejects the path %s', async (path, name) => {
    const { status, body } = await send(`PUT ${base}/generic/${path}`, { as: 'bob', raw: 'x' })
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain(name)
  })

  test('rejects files above the limits, and stores nothing of them', async () => {
    await forge.host.settings.update({ maxPackageFileSize: 1 })
    const large = randomBytes(1024 ** 2 + 1)
    const tooLarge = await send(`PUT ${tool}/a`, { as: 'bob', raw: large })
    expect(tooLarge).toMatchObject({ status: 400, body: { message: 'File is too large' } })
    await publish('tool/1.0.0/b', large.subarray(1))
    await forge.host.settings.update({ maxPackagesSize: 1 })
    const full = await send(`PUT ${tool}/c`, { as: 'bob', raw: 'x' })
    expect(full.status).toBe(400)
    expect(full.body.message).toBe('The packages of the project exceed the quota of 1 MB')
    const [stored] = (await forge.host.packages.list({ project: 'acme/web' })).items
    const { items } = await forge.host.packageFiles.list({ project: 'acme/web', package: stored?.id as number })
    expect(items.map(({ fileName }) => fileName)).toEqual(['b'])
  })

  test('counts in the statistics of the project', async () => {
    const { id, package_id } = await publish('tool/1.0.0/a', '12345')
    await publish('tool/1.0.0/b', '123')
    const size = async () => {
      const { body } = await send('GET /groups?statistics=true', { as: 'root' })
      return body.find(({ path }: { path: string }) => path === 'acme').statistics.packages_size
    }
    expect(await size()).toBe(8)
    await send(`DELETE ${base}/${package_id}/package_files/${id}`, { as: 'alice' })
    expect(await size()).toBe(3)
    await send(`DELETE ${base}/${package_id}`, { as: 'alice' })
    expect(await size()).toBe(0)
  })
})

describe('downloads', () => {
  test('are attachments that clients can cache', async () => {
    await publish('tool/1.0.0/a.html', '<script>')
    const response = await send(`GET ${tool}/a.html`)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-length': '8',
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="a.html"',
      etag: `"${digest('sha256', '<script>')}"`,
    })
    const cached = await send(`GET ${tool}/a.html`, {
      headers: { 'if-none-match': response.headers.get('etag') ?? '' },
    })
    expect(cached).toMatchObject({ status: 304, text: '' })
    const head = await send(`HEAD ${tool}/a.html`)
    expect(head).toMatchObject({ status: 200, text: '' })
    expect(head.headers.get('content-length')).toBe('8')
  })

  test('of missing files are not found', async () => {
    await publish('tool/1.0.0/a', 'x')
    for (const path of ['tool/1.0.0/b', 'tool/1.0.1/a', 'other/1.0.0/a'])
      expect((await send(`GET ${base}/generic/${path}`)).status).toBe(404)
  })
})

describe('lists', () => {
  test('describe packages, and hide hidden ones', async () => {
    const { package_id: id } = await publish('tool/1.0.0/a.txt')
    await publish('secret/1.0.0/a.txt?status=hidden')
    const { status, body } = await send(`GET ${base}`)
    expect(status).toBe(200)
    const expected = {
      id,
      name: 'tool',
      version: '1.0.0',
      package_type: 'generic',
      status: 'default',
      _links: {
        web_path: `/acme/web/-/packages/${id}`,
        delete_api_path: `${forge.url}/api/v4/projects/1/packages/${id}`,
      },
      created_at: expect.any(String),
      tags: [],
      pipelines: [],
    }
    expect(body).toEqual([expected])
    expect((await send(`GET ${base}/${id}`)).body).toEqual({ ...expected, versions: [] })
    expect((await send('GET /groups/acme/packages')).body).toEqual([
      { ...expected, project_id: 1, project_path: 'acme/web' },
    ])
    const hidden = await send(`GET ${base}?status=hidden`)
    expect(hidden.body).toMatchObject([{ name: 'secret', status: 'hidden' }])
    expect((await send(`GET ${base}/${hidden.body[0].id}`)).status).toBe(404)
    expect((await send(`GET ${base}/generic/secret/1.0.0/a.txt`)).status).toBe(200)
    expect((await send(`GET ${base}?status=deprecated`)).body).toEqual([])
    await publish('secret/1.0.0/b.txt?status=default')
    expect(await names(base)).toEqual(['tool', 'secret'])
  })

  test('name the other versions of one package', async () => {
    for (const path of ['tool/1.0.0/a', 'tool/2.0.0/a', 'other/1.0.0/a', 'tool/3.0.0/a?status=hidden'])
      await publish(path)
    const [first, second] = (await send(`GET ${base}?package_name=tool`)).body
    const { versions } = (await send(`GET ${base}/${first.id}`)).body
    expect(versions).toEqual([{ id: second.id, version: '2.0.0', created_at: second.created_at, pipelines: [] }])
  })

  test('are filtered and sorted', async () => {
    for (const path of ['beta/1.0.0/a', 'alpha/2.0.0/a', 'gamma/1.5.0/a']) await publish(path)
    expect(await names(`${base}?order_by=name`)).toEqual(['alpha', 'beta', 'gamma'])
    expect(await names(`${base}?order_by=name&sort=desc`)).toEqual(['gamma', 'beta', 'alpha'])
    expect(await names(`${base}?order_by=version`)).toEqual(['beta', 'gamma', 'alpha'])
    expect(await names(`${base}?order_by=type`)).toEqual(['beta', 'alpha', 'gamma'])
    expect(await names(`${base}?sort=desc`)).toEqual(['gamma', 'alpha', 'beta'])
    expect(await names(`${base}?package_name=AMM&include_versionless=true`)).toEqual(['gamma'])
    expect(await names(`${base}?package_version=1.0.0`)).toEqual(['beta'])
    expect(await names(`${base}?package_type=npm`)).toEqual([])
    expect(await names(`${base}?package_type=generic&per_page=1`)).toEqual(['beta'])
    expect(await names('/groups/acme/packages?order_by=project_path&package_name=alpha')).toEqual(['alpha'])
    expect((await send(`GET ${base}?order_by=size`)).status).toBe(400)
  })

  test('of a group contain packages of subgroups that the caller can read', async () => {
    const project = 'acme/tools/deploy'
    const content = new TextEncoder().encode('x')
    const name = { packageName: 'deploy', packageVersion: '1', fileName: 'a' }
    await forge.host.packages.publishGeneric({ project, ...name, content })
    expect(await names('/groups/acme/packages')).toEqual([])
    expect(await names('/groups/acme/packages', 'alice')).toEqual(['deploy'])
    expect(await names('/groups/acme/packages?exclude_subgroups=true', 'alice')).toEqual([])
  })

  test('of files contain their digests; pipelines are not recorded', async () => {
    const { id, package_id } = await publish('tool/1.0.0/a', 'x')
    expect((await send(`GET ${base}/${package_id}/package_files`)).body).toEqual([
      {
        id,
        package_id,
        created_at: expect.any(String),
        file_name: 'a',
        size: 1,
        file_md5: digest('md5', 'x'),
        file_sha1: digest('sha1', 'x'),
        file_sha256: digest('sha256', 'x'),
        pipelines: [],
      },
    ])
    expect(await send(`GET ${base}/${package_id}/pipelines`)).toMatchObject({ status: 200, body: [] })
    expect((await send(`GET ${base}/999/pipelines`)).status).toBe(404)
  })
})

test('files and packages are removed', async () => {
  const first = await publish('tool/1.0.0/a')
  await publish('tool/1.0.0/b')
  const files = `${base}/${first.package_id}/package_files`
  expect((await send(`DELETE ${files}/${first.id}`, { as: 'alice' })).status).toBe(204)
  expect((await send(`DELETE ${files}/${first.id}`, { as: 'alice' })).status).toBe(404)
  expect((await send(`GET ${files}`)).body).toMatchObject([{ file_name: 'b' }])
  expect((await send(`GET ${tool}/a`)).status).toBe(404)
  expect((await send(`DELETE ${base}/${first.package_id}`, { as: 'alice' })).status).toBe(204)
  expect((await send(`GET ${tool}/b`)).status).toBe(404)
  expect((await send(`GET ${base}/${first.package_id}`)).status).toBe(404)
})

everyRouteCalled('packages', 'package files')
