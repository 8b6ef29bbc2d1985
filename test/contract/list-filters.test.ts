import { demoWithCode } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { world } from '../world.ts'
import { client, type Send } from './client.ts'

/** Filters of lists that narrow a result: each one returns less than the list without it. */

let forge: FakeForge
let send: Send
beforeAll(async () => {
  forge = await world({ seed: demoWithCode })
  send = client(forge)
})
afterAll(() => forge.close())

const list = async (path: string, as: string) => {
  const { status, body, headers } = await send(`GET ${path}`, { as })
  expect([path, status, headers.get('forgelet-unsupported-parameters')]).toEqual([path, 200, null])
  return body as { id: number; name?: string; username?: string }[]
}

test('labels are searched by name and description, with those of groups above', async () => {
  const { labels } = forge.as('alice')
  await labels.create({ project: 'acme/web', name: 'zebra', color: 'red', description: 'Striped horses' })
  await labels.create({ group: 'acme', name: 'Zebra group', color: 'red' })
  const names = async (search: string) =>
    (await list(`/projects/acme%2Fweb/labels?search=${search}`, 'alice')).map(({ name }) => name)
  expect(await names('ZEB')).toEqual(['Zebra group', 'zebra'].sort())
  expect(await names('horses')).toEqual(['zebra'])
  expect(await names('nothing-like-it')).toEqual([])
  expect((await list('/groups/acme/labels?search=zebra', 'alice')).map(({ name }) => name)).toEqual(['Zebra group'])
})

describe('administrators', () => {
  const names = async (query: string, as = 'root') =>
    (await list(`/users?${query}`, as)).map(({ username }) => username)

  test('find users by identity and by two-factor authentication', async () => {
    await forge.host.identities.link({ user: 'carol', provider: 'saml', externalUid: 'c-1' })
    expect(await names('extern_uid=c-1&provider=saml')).toEqual(['carol'])
    expect(await names('extern_uid=c-1&provider=other')).toEqual([])
    expect(await names('two_factor=enabled')).toEqual([])
    expect(await names('two_factor=disabled')).toContain('carol')
    expect(await send('GET /users?extern_uid=c-1', { as: 'root' })).toMatchObject({ status: 400 })
  })
})

test('lists of tokens, pipelines, projects and snippets are filtered by date', async () => {
  await forge.host.tokens.create({ user: 'bob', name: 'dated', scopes: ['api'], expiresAt: '2090-01-02' })
  const tokens = async (query: string) =>
    (await list(`/personal_access_tokens?${query}`, 'bob')).map(({ name }) => name)
  expect(await tokens('expires_after=2090-01-01')).toEqual(['dated'])
  expect(await tokens('expires_after=2090-01-02')).toEqual([])
  expect(await tokens('expires_before=2090-01-02')).toEqual([])

  await forge.host.pipelines.record({ project: 'acme/web', ref: 'main', sha: 'a'.repeat(40), jobs: [{ name: 'x' }] })
  await forge.as('bob').snippets.create({ title: 'x', fileName: 'x.txt', content: 'x' })
  for (const [path, field] of [
    ['/projects/acme%2Fweb/pipelines', 'created'],
    ['/projects', 'updated'],
    ['/snippets', 'created'],
  ] as const) {
    const of = path.includes('?') ? '&' : '?'
    expect(await list(`${path}${of}${field}_after=2000-01-01T00:00:00Z`, 'bob')).not.toEqual([])
    expect(await list(`${path}${of}${field}_before=2000-01-01T00:00:00Z`, 'bob')).toEqual([])
  }
})

test('active projects are those that are not archived', async () => {
  await forge.as('alice').projects.archive({ project: 'acme/web' })
  const ids = async (query: string) => (await list(`/projects?${query}`, 'alice')).map(({ id }) => id)
  const active = await ids('active=true')
  const inactive = await ids('active=false')
  expect(inactive).toHaveLength(1)
  expect(active).not.toContain(inactive[0])
  await forge.as('alice').projects.unarchive({ project: 'acme/web' })
})

test('an archive contains only the requested path', async () => {
  const base = '/projects/acme%2Fweb/repository'
  const tree = (await send(`GET ${base}/tree`)).body as { path: string; type: string }[]
  const folder = tree.find(({ type }) => type === 'tree')?.path as string
  const whole = await send(`GET ${base}/archive.tar`)
  const part = await send(`GET ${base}/archive.tar?path=${folder}`)
  expect(part.status).toBe(200)
  expect(part.headers.get('content-disposition')).toMatch(new RegExp(`-${folder}\\.tar"$`))
  const file = tree.find(({ type }) => type === 'blob')?.path as string
  expect(whole.text).toContain(`/${file}\0`)
  expect(part.text).not.toContain(`/${file}\0`)
  for (const path of ['nothing', '../web', '--output=x', ':(exclude)a']) {
    expect((await send(`GET ${base}/archive.tar?path=${encodeURIComponent(path)}`)).status, path).toBe(404)
  }
  expect(await send(`GET ${base}/archive?exclude_paths=${file}`)).toMatchObject({
    status: 400,
    body: { error: 'exclude_paths is not supported' },
  })
})
