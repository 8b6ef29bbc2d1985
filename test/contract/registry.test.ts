import type { FakeForge, Seed } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

const hour = 3_600_000

let now = Date.parse('2026-06-01T00:00:00.000Z')
let forge: FakeForge
let send: Send
let base: string
let repository = 0

const digest = `sha256:${'ab'.repeat(32)}`
const revision = '0123456789abcdef'.repeat(4)

const images: Seed = {
  projects: [
    {
      path: 'acme/Images',
      visibility: 'public',
      containerRepositories: [
        {
          createdAt: '2026-01-01T00:00:00.000Z',
          tags: [
            { name: 'v1.0', digest, revision, totalSize: 2_818_413, createdAt: '2019-01-06T16:49:51.272Z' },
            { name: 'latest', digest, revision, createdAt: '2019-01-06T16:49:51.272Z' },
          ],
        },
        { name: 'worker/mail', createdAt: '2026-01-02T00:00:00.000Z' },
      ],
    },
  ],
}

beforeEach(async () => {
  now = Date.parse('2026-06-01T00:00:00.000Z')
  forge = await world({ ports: { clock: { now: () => now } } })
  send = client(forge)
  const made = await forge.seed(images)
  base = '/projects/acme%2FImages/registry/repositories'
  repository = made.containerRepositories?.['acme/images']?.id as number
})
afterEach(() => forge.close())

const host = () => new URL(forge.url).host

const tagNames = async () =>
  (await send(`GET ${base}/${repository}/tags`)).body.map(({ name }: { name: string }) => name) as string[]

describe('repositories', () => {
  test('have the documented fields, and tags only where they were asked for', async () => {
    const { status, body, headers } = await send(`GET ${base}`)
    expect(status).toBe(200)
    expect(headers.get('x-total')).toBe('2')
    const path = 'acme/images'
    expect(body).toEqual([
      {
        id: repository,
        name: '',
        path,
        project_id: expect.any(Number),
        location: `${host()}/${path}`,
        created_at: '2026-01-01T00:00:00.000Z',
        cleanup_policy_started_at: null,
        status: null,
      },
      {
        id: expect.any(Number),
        name: 'worker/mail',
        path: `${path}/worker/mail`,
        project_id: expect.any(Number),
        location: `${host()}/${path}/worker/mail`,
        created_at: '2026-01-02T00:00:00.000Z',
        cleanup_policy_started_at: null,
        status: null,
      },
    ])
    const counted = (await send(`GET ${base}?tags_count=true`)).body
    expect(counted[0]).toEqual({ ...body[0], tags_count: 2 })
    const full = (await send(`GET ${base}?tags=1&tags_count=yes`)).body
    expect(full).toEqual([
      {
        ...body[0],
        tags_count: 2,
        tags: ['latest', 'v1.0'].map((name) => ({
          name,
          path: `${path}:${name}`,
          location: `${host()}/${path}:${name}`,
        })),
      },
      { ...body[1], tags_count: 0, tags: [] },
    ])
    expect((await send(`GET ${base}?name=worker%2Fmail`)).body).toEqual([body[1]])
    expect((await send(`GET ${base}?name=worker`)).body).toEqual([])
    expect((await send(`GET ${base}?per_page=1&page=2`)).body).toEqual([body[1]])
    const ofGroup = await send('GET /groups/acme/registry/repositories?tags_count=true', { as: 'alice' })
    expect(ofGroup.body).toEqual([counted[0], { ...body[1], tags_count: 0 }])
    expect(await send(`GET ${base}?tags=maybe`)).toMatchObject({ status: 400, body: { error: 'tags is invalid' } })
  })

  test('are found by their id', async () => {
    const [first] = (await send(`GET ${base}?tags=true&tags_count=true`)).body
    const path = `/registry/repositories/${repository}`
    expect((await send(`GET ${path}?tags=true&tags_count=true`)).body).toEqual(first)
    const { tags: _tags, tags_count: _count, ...plain } = first
    expect(await send(`GET ${path}`)).toMatchObject({ status: 200, body: plain })
    const missing = await send('GET /registry/repositories/999999')
    expect(missing.status).toBe(404)
    await forge.host.projects.update({ project: 'acme/images', visibility: 'private' })
    expect(await send(`GET ${path}`)).toMatchObject({ status: 404, body: missing.body })
    expect(await send(`GET ${path}`, { as: 'alice' })).toMatchObject({ status: 200, body: plain })
  })

  test('are deleted after the answer', async () => {
    const removed = await send(`DELETE ${base}/${repository}`, { as: 'alice' })
    expect(removed).toMatchObject({ status: 202, body: { message: '202 Accepted' } })
    await forge.platform.jobs.drain()
    expect((await send(`GET ${base}`)).body).toHaveLength(1)
    for (const line of [`DELETE ${base}/${repository}`, `GET ${base}/${repository}/tags`]) {
      expect(await send(line, { as: 'alice' })).toMatchObject({ status: 404, body: { message: '404 Not found' } })
    }
    expect(await send(`DELETE ${base}/first`, { as: 'alice' })).toMatchObject({
      status: 400,
      body: { error: 'repository_id is invalid' },
    })
  })
})

describe('a tag', () => {
  test('has the documented fields, and a time with an offset', async () => {
    expect(await send(`GET ${base}/${repository}/tags/v1.0`)).toMatchObject({ status: 200 })
    expect((await send(`GET ${base}/${repository}/tags/v1.0`)).body).toEqual({
      name: 'v1.0',
      path: 'acme/images:v1.0',
      location: `${host()}/acme/images:v1.0`,
      revision,
      short_revision: '012345678',
      digest,
      created_at: '2019-01-06T16:49:51.272+00:00',
      total_size: 2_818_413,
    })
    const list = await send(`GET ${base}/${repository}/tags?per_page=1`)
    expect(list.body).toEqual([
      { name: 'latest', path: 'acme/images:latest', location: `${host()}/acme/images:latest` },
    ])
    expect(list.headers.get('x-next-page')).toBe('2')
  })

  test('is deleted alone', async () => {
    const removed = await send(`DELETE ${base}/${repository}/tags/v1.0`, { as: 'bob' })
    expect(removed).toMatchObject({ status: 204, text: '' })
    expect(await tagNames()).toEqual(['latest'])
    for (const tag of ['v1.0', 'a%2Fb', '-x', '%2E%2E%2Fx']) {
      for (const method of ['GET', 'DELETE']) {
        expect(await send(`${method} ${base}/${repository}/tags/${tag}`, { as: 'bob' })).toMatchObject({
          status: 404,
          body: { message: '404 Tag Not Found' },
        })
      }
    }
  })
})

describe('deletion by rule', () => {
  const line = () => `DELETE ${base}/${repository}/tags`

  test('is accepted once an hour, whether it is asked in a query, a form or as JSON', async () => {
    const accepted = await send(`${line()}?name_regex_delete=v.*&keep_n=0&older_than=1month`, { as: 'alice' })
    expect(accepted).toMatchObject({ status: 202, body: { message: '202 Accepted' } })
    const refused = {
      status: 400,
      body: {
        message:
          'This request has already been made. You can run this at most once an hour for a given container repository',
      },
    }
    expect(await send(line(), { as: 'alice', json: { name_regex_delete: '.*' } })).toMatchObject(refused)
    await forge.platform.jobs.drain()
    expect(await tagNames()).toEqual(['latest'])
    now += hour
    expect(await send(line(), { as: 'alice', form: { name_regex: '.*' } })).toMatchObject({ status: 202 })
    expect(await send(line(), { as: 'alice', form: { name_regex: '.*' } })).toMatchObject(refused)
  })

  test.each([
    [{}, 'name_regex, name_regex_delete are missing, at least one parameter must be provided'],
    [{ name_regex_delete: '[' }, 'name_regex_delete is an invalid regexp: missing closing ]: `[`'],
    [{ name_regex: '(a)\\1' }, 'name_regex is an invalid regexp: invalid escape sequence: `\\1`'],
    [
      { name_regex: '.*', name_regex_keep: '(?=a)' },
      'name_regex_keep is an invalid regexp: invalid or unsupported Perl syntax: `(?=`',
    ],
    [{ name_regex: '.*', keep_n: 'few' }, 'keep_n is invalid'],
    [
      { name_regex_delete: 'a'.repeat(1_025) },
      'name_regex_delete is an invalid regexp: expression is too long (maximum is 1024 characters)',
    ],
    [{ name_regex_delete: '((a?){30}){30}' }, 'name_regex_delete is an invalid regexp: expression is too large'],
  ])('is refused: %j', async (json, error) => {
    expect(await send(line(), { as: 'alice', json })).toMatchObject({ status: 400, body: { error } })
    await forge.platform.jobs.drain()
    expect(await tagNames()).toEqual(['latest', 'v1.0'])
  })

  test('takes a span that says nothing, and deletes nothing', async () => {
    const json = { name_regex_delete: '.*', older_than: 'a while' }
    expect(await send(line(), { as: 'alice', json })).toMatchObject({ status: 202 })
    await forge.platform.jobs.drain()
    expect(await tagNames()).toEqual(['latest', 'v1.0'])
  })
})

test('a project that has its registry switched off says so', async () => {
  await forge.host.projects.update({ project: 'acme/Images', settings: { containerRegistryAccessLevel: 'disabled' } })
  for (const as of ['mallory', 'bob', 'alice', 'root']) {
    expect(await send(`GET ${base}`, { as })).toMatchObject({ status: 403, body: { message: '403 Forbidden' } })
  }
  expect((await send('GET /groups/acme/registry/repositories', { as: 'alice' })).body).toEqual([])
})

everyRouteCalled('registry', 'container repositories')
