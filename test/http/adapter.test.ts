import type { FakeForge, Seed } from '@forgelet/fixtures'
import { demo } from '@forgelet/fixtures'
import { fetchHandler } from '@forgelet/http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../packages/http/src/routes.ts'
import { getSuccessStatus } from '../../packages/http/src/routing/route.ts'
import { client, type Send } from '../contract/client.ts'
import { world } from '../sqlite-world.ts'

const seed: Seed = {
  ...demo,
  users: [
    ...(demo.users ?? []),
    {
      username: 'tina',
      tokens: [
        { secret: 'tina-token' },
        { secret: 'tina-reads', scopes: ['read_api'] },
        { secret: 'tina-user', scopes: ['read_user'] },
        { secret: 'tina-registry', scopes: ['read_registry'] },
        { secret: 'tina-expired', expiresAt: '2020-01-01' },
        { secret: 'tina-revoked', revoked: true },
      ],
    },
    { username: 'blocked', blocked: true, tokens: [{ secret: 'blocked-token' }] },
    {
      username: 'boss',
      admin: true,
      tokens: [{ secret: 'boss-token' }, { secret: 'boss-sudo', scopes: ['api', 'sudo'] }],
    },
  ],
}

let forge: FakeForge
let send: Send
beforeAll(async () => {
  forge = await world({ seed })
  send = client(forge)
  for (let count = 0; count < 45; count++) {
    await forge.host.labels.create({
      project: 'bob/notes',
      name: `label ${String(count).padStart(2, '0')}`,
      color: 'red',
    })
  }
})
afterAll(() => forge.close())

const labels = '/projects/acme%2Fweb/labels'
const manyLabels = '/projects/bob%2Fnotes/labels'
const token = (value: string) => ({ headers: { 'private-token': value } })

describe('routing', () => {
  test('responds 404 to an unknown route, with a hint in a header', async () => {
    const answer = await send('GET /nothing')
    expect(answer).toMatchObject({ status: 404, body: { error: '404 Not Found' } })
    expect(answer.headers.get('x-forgelet-hint')).toContain('/api/v4/openapi.json')
    const doubled = await send('GET /api/v4/api/v4/projects/1/labels')
    expect(doubled.headers.get('x-forgelet-hint')).toContain('twice')
    const mounted = await forge.fetch('/forge/api/v4/projects')
    expect(mounted.headers.get('x-forgelet-hint')).toContain('set baseUrl to a URL that ends with /forge')
  })

  test('an unencoded full path and a wrong method are explained', async () => {
    const hintOf = async (method: string, path: string) => {
      const { status, headers } = await forge.fetch(`/api/v4${path}`, { method })
      return [status, headers.get('x-forgelet-hint')]
    }
    const encoded = 'The full path is one segment, with %2F for a slash: /api/v4/'
    expect(await hintOf('GET', '/projects/acme/web/labels')).toEqual([404, `${encoded}projects/acme%2Fweb/labels`])
    expect(await hintOf('POST', '/groups/acme/tools/deploy/labels')).toEqual([
      404,
      `${encoded}groups/acme%2Ftools%2Fdeploy/labels`,
    ])
    expect(await hintOf('GET', '/projects/acme/web')).toEqual([404, `${encoded}projects/acme%2Fweb`])
    expect(await hintOf('PATCH', '/projects/1/labels')).toEqual([
      405,
      expect.stringMatching(/^PATCH is not served at this path, only OPTIONS, GET, HEAD, .*; all routes/),
    ])
  })

  test('responds 405 with Allow to an unsupported method', async () => {
    const answer = await send(`PATCH ${labels}`)
    expect(answer).toMatchObject({ status: 405, body: { error: '405 Not Allowed' } })
    expect(answer.headers.get('allow')).toBe('OPTIONS, GET, HEAD, POST, DELETE, PUT')
  })

  test('accepts trailing and doubled slashes and .json', async () => {
    for (const path of [`${labels}/`, `//projects//acme%2Fweb//labels`, `${labels}.json`]) {
      expect((await send(`GET ${path}`)).status).toBe(200)
    }
  })

  test('responds 404 to a project path with unencoded slashes', async () => {
    expect(await send('GET /projects/acme/web/labels')).toMatchObject({ status: 404, body: { error: '404 Not Found' } })
  })

  test('responds 400 to invalid percent encoding', async () => {
    expect(await send('GET /projects/%E0%A4%A/labels')).toMatchObject({
      status: 400,
      body: { error: expect.any(String) },
    })
    expect(await send(`GET ${labels}?page=%E0%A4%A`)).toMatchObject({ status: 400 })
  })

  test('treats ids in other number formats as paths', async () => {
    for (const id of ['0x1', '1e0', '1.0', '99999999999999999999', '-1', 'web', '1%00']) {
      expect((await send(`GET /projects/${id}/labels`)).status).toBeOneOf([400, 404])
    }
  })

  test('responds 410 to API version 3', async () => {
    expect(await send('GET /api/v3/projects')).toMatchObject({ status: 410 })
  })

  test('responds to HEAD like GET, without a body', async () => {
    const head = await send(`HEAD ${labels}`)
    const get = await send(`GET ${labels}`)
    expect(head).toMatchObject({ status: 200, text: '' })
    expect(head.headers.get('x-total')).toBe(get.headers.get('x-total'))
  })

  test('responds to OPTIONS and CORS preflight requests', async () => {
    const answer = await send(`OPTIONS ${labels}`, {
      headers: { origin: 'http://app.test', 'access-control-request-headers': 'private-token' },
    })
    expect(answer).toMatchObject({ status: 204, text: '' })
    expect(answer.headers.get('allow')).toContain('POST')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-headers')).toBe('private-token')
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
  })
})

describe('credentials', () => {
  const request = `GET ${manyLabels}`

  test.each([
    ['PRIVATE-TOKEN', { 'PRIVATE-TOKEN': 'bob-token' }, ''],
    ['Bearer', { Authorization: 'Bearer bob-token' }, ''],
    ['bearer in lower case', { authorization: 'bearer bob-token' }, ''],
    ['private_token', {}, '?private_token=bob-token'],
    ['access_token', {}, '?access_token=bob-token'],
  ])('%s authenticates its user', async (_name, headers, query) => {
    expect((await send(`${request}${query}`, { headers })).status).toBe(200)
  })

  test('omits a credential in the query from links', async () => {
    const { headers } = await send(`${request}?private_token=bob-token`)
    expect(headers.get('link')).toContain('rel="next"')
    expect(headers.get('link')).not.toContain('token')
  })

  test('rejects an unknown token also on public resources', async () => {
    for (const headers of [
      { 'private-token': 'nope' },
      { authorization: 'Bearer nope' },
      { authorization: 'Basic Ym9iOnB3' },
      { authorization: 'Bearer nope', 'private-token': 'bob-token' },
    ]) {
      expect(await send(`GET ${labels}`, { headers })).toMatchObject({
        status: 401,
        body: { message: '401 Unauthorized' },
      })
    }
  })

  test.each(['JOB-TOKEN', 'DEPLOY-TOKEN'])('authenticates with %s, and rejects an unknown one', async (name) => {
    expect((await send(request, { headers: { [name]: 'bob-token' } })).status).toBe(200)
    expect(await send(`GET ${labels}`, { headers: { [name]: 'nope' } })).toMatchObject({ status: 401 })
  })

  test('rejects different credentials, and accepts the same one several times', async () => {
    const bearer = { authorization: 'Bearer bob-token' }
    const alice = { 'private-token': 'alice-token' }
    const statusOf = async (line: string, headers: Record<string, string>) => (await send(line, { headers })).status
    expect(await statusOf(request, { ...bearer, 'private-token': 'bob-token' })).toBe(200)
    expect(await statusOf(`${request}?private_token=bob-token&access_token=bob-token`, bearer)).toBe(200)
    for (const [query, headers] of [
      ['', { ...bearer, ...alice }],
      ['?private_token=alice-token', bearer],
      ['?private_token=bob-token', alice],
      ['?private_token=bob-token&private_token=alice-token', {}],
      ['?private_token=bob-token&access_token=alice-token', {}],
      ['?job_token=alice-token', bearer],
    ] as const) {
      expect(await send(`${request}${query}`, { headers })).toMatchObject({
        status: 401,
        body: { message: '401 Unauthorized' },
      })
    }
    const json = { name: 'x', color: 'red', private_token: 'alice-token' }
    expect((await send(`POST ${labels}?private_token=bob-token`, { json })).status).toBe(401)
    expect((await send(`POST ${labels}`, { json: { ...json, private_token: 7 } })).status).toBe(401)
  })

  test('acts as the last user of a repeated sudo', async () => {
    expect((await send(`${request}?sudo=mallory&sudo=bob`, token('boss-sudo'))).status).toBe(200)
    expect((await send(`${request}?sudo=bob&sudo=mallory`, token('boss-sudo'))).status).toBe(404)
  })

  test('treats an empty header as anonymous', async () => {
    expect((await send(`GET ${labels}`, token(''))).status).toBe(200)
  })

  test('reports expired and revoked tokens', async () => {
    const expired = await send(`GET ${labels}`, token('tina-expired'))
    expect(expired).toMatchObject({
      status: 401,
      body: { error: 'invalid_token', error_description: expect.stringContaining('expired') },
    })
    expect(expired.headers.get('www-authenticate')).toContain('error="invalid_token"')
    const revoked = await send(`GET ${labels}`, token('tina-revoked'))
    expect(revoked.body).toMatchObject({
      error: 'invalid_token',
      error_description: expect.stringContaining('revoked'),
    })
  })

  test('rejects a blocked user everywhere', async () => {
    expect(await send(`GET ${labels}`, token('blocked-token'))).toMatchObject({
      status: 403,
      body: { message: '403 Forbidden - Your account has been blocked.' },
    })
  })

  test('permits only reads with read_api, and nothing with read_user and registry scopes', async () => {
    expect((await send(`GET ${labels}`, token('tina-reads'))).status).toBe(200)
    expect((await send(`HEAD ${labels}`, token('tina-reads'))).status).toBe(200)
    expect(await send(`POST ${labels}/bug/subscribe`, token('tina-reads'))).toMatchObject({
      status: 403,
      body: { error: 'insufficient_scope', scope: 'api' },
    })
    for (const narrow of ['tina-user', 'tina-registry']) {
      expect(await send(`GET ${labels}`, token(narrow))).toMatchObject({
        status: 403,
        body: { error: 'insufficient_scope', scope: 'api read_api', error_description: expect.any(String) },
      })
    }
  })

  test('acts as another user with sudo, for administrators with the sudo scope', async () => {
    const as = (value: string, sudo: string) => send(`GET ${manyLabels}`, { headers: { 'private-token': value, sudo } })
    expect((await as('boss-sudo', 'bob')).status).toBe(200)
    expect((await as('boss-sudo', 'mallory')).status).toBe(404)
    expect((await send(`GET ${manyLabels}?sudo=BOB`, token('boss-sudo'))).status).toBe(200)
    expect(await as('boss-token', 'bob')).toMatchObject({ status: 403, body: { scope: 'sudo' } })
    expect(await as('tina-token', 'bob')).toMatchObject({
      status: 403,
      body: { message: '403 Forbidden - Must be admin to use sudo' },
    })
    expect(await as('boss-sudo', 'ghost')).toMatchObject({
      status: 404,
      body: { message: "404 User with ID or username 'ghost' Not Found" },
    })
    expect((await send(`GET ${labels}`, { headers: { sudo: 'bob' } })).status).toBe(401)
  })

  test('checks 401 before 400, 400 before 404, 404 before 403', async () => {
    expect((await send(`POST ${manyLabels}`, { json: {} })).status).toBe(401)
    expect((await send(`POST ${manyLabels}`, { as: 'mallory', json: {} })).status).toBe(400)
    expect((await send(`POST ${manyLabels}`, { as: 'mallory', json: { name: 'x', color: 'red' } })).status).toBe(404)
    expect((await send(`POST ${labels}`, { as: 'mallory', json: { name: 'x', color: 'red' } })).status).toBe(403)
  })
})

describe('parameters', () => {
  const create = (options: object) => send(`POST ${labels}`, { as: 'alice', ...options })

  test('are merged from a JSON body, a form, a multipart body and the query', async () => {
    expect((await create({ json: { name: 'from json', color: 'red' } })).body.name).toBe('from json')
    expect((await create({ form: { name: 'from form', color: 'red', priority: '3' } })).body).toMatchObject({
      name: 'from form',
      priority: 3,
    })
    const mixed = await send(`POST ${labels}?color=red`, { as: 'alice', json: { name: 'split' } })
    expect(mixed.body).toMatchObject({ name: 'split', color: '#FF0000' })
    const parts = new FormData()
    parts.set('name', 'from parts')
    parts.set('color', new File(['blue'], 'color.txt'))
    const response = await forge.fetch(`${forge.url}/api/v4${labels}`, {
      method: 'POST',
      body: parts,
      headers: { 'private-token': 'alice-token' },
    })
    expect(await response.json()).toMatchObject({ name: 'from parts', color: '#0000FF' })
  })

  test('can be in the body of DELETE', async () => {
    await create({ json: { name: 'to go', color: 'red' } })
    expect((await send(`DELETE ${labels}/to%20go`, { as: 'alice', json: {} })).status).toBe(204)
  })

  test('are ignored if unknown, and cannot override path parameters', async () => {
    const answer = await create({
      json: {
        name: 'mass',
        color: 'red',
        id: 7,
        project: 'bob/notes',
        group: 'acme',
        is_project_label: false,
        __proto__: {},
      },
    })
    expect(answer).toMatchObject({ status: 200, body: { name: 'mass', is_project_label: true } })
    expect((await send(`GET ${labels}/mass`)).status).toBe(200)
  })

  test.each([
    ['true', 'True', '1', 'yes', 'on', 't', 'Y'],
    ['false', 'False', '0', 'no', 'off', 'f', 'N'],
  ])('accept these booleans: %s', async (...words) => {
    for (const word of words) expect((await send(`GET ${labels}?with_counts=${word}`)).status).toBe(200)
  })

  test('take the last value of a repeated scalar', async () => {
    expect((await send(`GET ${manyLabels}?per_page=5&per_page=7`, { as: 'bob' })).headers.get('x-per-page')).toBe('7')
  })

  test('take the last value of a repeated JSON key', async () => {
    const raw = '{"name":"first","name":"second","color":"red"}'
    const answer = await create({ raw, headers: { 'content-type': 'application/json' } })
    expect(answer.body.name).toBe('second')
  })

  const bad: [string, object, number][] = [
    ['invalid JSON', { raw: '{"name":', headers: { 'content-type': 'application/json' } }, 400],
    ['JSON nested too deeply', { raw: '['.repeat(100_000), headers: { 'content-type': 'application/json' } }, 400],
    [
      'JSON with too many keys',
      {
        raw: `{${Array.from({ length: 25_000 }, (_, at) => `"k${at}":1`).join()}}`,
        headers: { 'content-type': 'application/json' },
      },
      400,
    ],
    ['invalid UTF-8', { raw: Uint8Array.of(0x22, 0xff, 0x22), headers: { 'content-type': 'application/json' } }, 400],
    ['a NUL', { json: { name: 'a\0b', color: 'red' } }, 400],
    [
      'a lone surrogate',
      { raw: '{"name":"\\ud800","color":"red"}', headers: { 'content-type': 'application/json' } },
      400,
    ],
    ['an object instead of a string', { json: { name: { a: 1 }, color: 'red' } }, 400],
    ['an array instead of a string', { json: { name: ['a'], color: 'red' } }, 400],
    ['null instead of a string', { json: { name: null, color: 'red' } }, 400],
    ['a fraction instead of an integer', { json: { name: 'x', color: 'red', priority: 1.5 } }, 400],
    ['a huge number', { json: { name: 'x', color: 'red', priority: 1e300 } }, 400],
    ['another content type', { raw: '<name/>', headers: { 'content-type': 'application/xml' } }, 415],
    ['a multipart body without its boundary', { raw: 'x', headers: { 'content-type': 'multipart/form-data' } }, 400],
    [
      'too many parameters',
      { form: Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`k${at}`, ''])) },
      400,
    ],
    [
      'a body above the size limit',
      { raw: 'x'.repeat(17 * 1024 * 1024), headers: { 'content-type': 'application/json' } },
      413,
    ],
  ]
  test.each(bad)('reject %s with a message', async (_name, options, status) => {
    const answer = await create(options)
    expect(answer.status).toBe(status)
    expect(answer.body).toEqual({ error: expect.stringMatching(/^[^\n]{3,200}$/) })
    expect(answer.text).not.toMatch(/\bat .*\.(ts|js):/)
  })

  test('ignore a JSON body that is not an object', async () => {
    expect(await create({ json: [1, 2] })).toMatchObject({
      status: 400,
      body: { error: 'name is missing, color is missing' },
    })
  })

  test('do not pollute prototypes', async () => {
    await create({
      raw: '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
      headers: { 'content-type': 'application/json' },
    })
    await send(`GET ${labels}?__proto__[polluted]=1&constructor[prototype][polluted]=1`)
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
})

describe('pages', () => {
  const head = async (query: string) => {
    const { headers, body, status } = await send(`GET ${manyLabels}${query}`, { as: 'bob' })
    const read = (name: string) => headers.get(name)
    return { status, body, read }
  }

  test('have 20 rows and all headers by default', async () => {
    const { body, read } = await head('')
    expect(body).toHaveLength(20)
    expect(['x-total', 'x-total-pages', 'x-per-page', 'x-page', 'x-next-page', 'x-prev-page'].map(read)).toEqual([
      '45',
      '3',
      '20',
      '1',
      '2',
      '',
    ])
  })

  test('have links with every parameter in the order prev, next, first, last', async () => {
    const { read } = await head('?page=2&per_page=20&with_counts=true')
    const at = (page: number) =>
      `<http://forge.test/api/v4${manyLabels}?id=bob%2Fnotes&include_ancestor_groups=true&page=${page}&per_page=20&with_counts=true>`
    const url = forge.url
    expect(read('link')?.replaceAll(url, 'http://forge.test')).toBe(
      `${at(1)}; rel="prev", ${at(3)}; rel="next", ${at(1)}; rel="first", ${at(3)}; rel="last"`,
    )
  })

  test('cover every row once when following the links', async () => {
    const names: string[] = []
    let next: string | undefined = `${forge.url}/api/v4${manyLabels}?per_page=7`
    while (next !== undefined) {
      const response: Response = await forge.fetch(next, { headers: { 'private-token': 'bob-token' } })
      names.push(...((await response.json()) as { name: string }[]).map(({ name }) => name))
      next = response.headers.get('link')?.match(/<([^>]+)>; rel="next"/)?.[1]
    }
    expect(names).toHaveLength(45)
    expect(new Set(names).size).toBe(45)
  })

  test('have at most 100 rows, and are empty without prev and next beyond the end', async () => {
    expect((await head('?per_page=1000')).read('x-per-page')).toBe('100')
    const beyond = await head('?page=99')
    expect(beyond).toMatchObject({ status: 200, body: [] })
    expect(['x-page', 'x-next-page', 'x-prev-page', 'x-total'].map(beyond.read)).toEqual(['99', '', '', '45'])
    expect(beyond.read('link')).not.toMatch(/prev|next/)
    expect((await head('?page=999999999999999')).status).toBe(200)
  })

  test('default to page 1 for pages below 1, and to the default size for negative sizes', async () => {
    expect((await head('?page=-3')).read('x-page')).toBe('1')
    expect((await head('?page=0')).read('x-page')).toBe('1')
    expect((await head('?per_page=-5')).read('x-per-page')).toBe('20')
  })

  test('number one for an empty list', async () => {
    const { headers } = await send('GET /projects/acme%2Ftools%2Fdeploy/labels?include_ancestor_groups=false', {
      as: 'alice',
    })
    expect(headers.get('x-total')).toBe('0')
    expect(headers.get('x-total-pages')).toBe('1')
    expect(headers.get('x-next-page')).toBe('')
  })
})

describe('long URLs', () => {
  const linkOf = async (query: string) => {
    const { headers, status } = await send(`GET /projects/acme%2Fweb/members?${query}`, { as: 'alice' })
    const link = headers.get('link') ?? ''
    return { status, link, next: link.match(/<([^>]+)>; rel="next"/)?.[1] }
  }

  test('are 414 above 8 KiB', async () => {
    const prefix = `/api/v4${labels}?other=`
    expect((await send(`GET ${prefix}${'x'.repeat(8_192 - prefix.length)}`)).status).toBe(200)
    expect(await send(`GET ${prefix}${'x'.repeat(8_193 - prefix.length)}`)).toMatchObject({
      status: 414,
      body: { error: 'The request URL is longer than 8 KiB: send fewer parameters' },
    })
  })

  test.each([
    ['repeated', (ids: number[]) => ids.map((id) => `user_ids[]=${id}`).join('&'), 380],
    ['separated by commas', (ids: number[]) => `user_ids=${ids.join()}`, 1_000],
  ])('with ids %s have a link to the next page that clients can read', async (_, format, count) => {
    const { items } = await forge.host.members.list({ project: 'acme/web' })
    const ids = Array.from({ length: count }, (_, index) => items[index]?.id ?? 900_000 + index)
    const first = await linkOf(`${format(ids)}&per_page=1&private_token=alice-token`)
    expect(first.status).toBe(200)
    expect(first.link.length).toBeLessThan(9_000)
    expect(first.link).not.toContain('token')
    const second = await send(`GET ${first.next?.slice(first.next.indexOf('/api/'))}`, { as: 'alice' })
    expect(second.headers.get('x-page')).toBe('2')
    expect(second.headers.get('x-total')).toBe(String(items.length))
    expect(second.body).toHaveLength(1)
  })
})

describe('keyset pagination', () => {
  const names = async (start: string, as?: string) => {
    const pages: string[][] = []
    let next: string | undefined = `/api/v4${start}`
    while (next !== undefined) {
      const { body, headers, status } = await send(`GET ${next}`, as === undefined ? {} : { as })
      expect(status).toBe(200)
      expect([headers.get('x-page'), headers.get('x-total'), headers.get('x-next-page')]).toEqual([null, null, null])
      pages.push(body.map((item: { name?: string; id?: number; path?: string }) => String(item.id ?? item.path)))
      const link = headers.get('link')?.match(/^<([^>]+)>; rel="next"$/)?.[1]
      expect(headers.has('link')).toBe(link !== undefined)
      next = link?.slice(link.indexOf('/api/'))
    }
    return pages
  }

  test.each([
    ['/projects?order_by=id&sort=asc'],
    ['/projects?order_by=name&sort=desc'],
    ['/projects'],
    ['/groups?order_by=name'],
    ['/groups?order_by=id&sort=desc'],
    ['/groups/acme/projects?include_subgroups=true'],
    ['/events?scope=all'],
    ['/events?scope=all&sort=asc'],
    ['/projects/acme%2Fweb/events'],
    ['/users/carol/events'],
  ])('of %s reads the same items as page numbers', async (path) => {
    const { body } = await send(`GET ${path}${path.includes('?') ? '&' : '?'}per_page=100`, { as: 'alice' })
    const expected = body.map(({ id }: { id: number }) => String(id))
    expect(expected.length).toBeGreaterThan(0)
    const pages = await names(`${path}${path.includes('?') ? '&' : '?'}pagination=keyset&per_page=1`, 'alice')
    expect(pages.flat()).toEqual(expected)
    expect(pages).toHaveLength(expected.length)
  })

  test('neither repeats nor omits items when others are added', async () => {
    const list = `/projects?order_by=id&sort=desc&pagination=keyset&per_page=1`
    const first = await send(`GET ${list}`, { as: 'alice' })
    await forge.host.projects.create({ namespace: 'acme', name: 'added later' })
    const link = first.headers.get('link') as string
    const second = await send(`GET ${link.slice(link.indexOf('/api/'), link.indexOf('>'))}`, { as: 'alice' })
    expect(second.body[0].id).toBeLessThan(first.body[0].id)
  })

  test('rejects page numbers and invalid cursors', async () => {
    const other = Buffer.from('{"id":1}').toString('base64url')
    for (const [query, error] of [
      ['pagination=keyset&page=2', 'page cannot be used with keyset pagination, follow the next link'],
      ['cursor=x', 'cursor requires keyset pagination'],
      ['pagination=keyset&cursor=x', 'cursor is invalid'],
      [`pagination=keyset&order_by=name&cursor=${other}`, 'cursor is invalid'],
      ['pagination=other', 'pagination does not have a valid value'],
    ]) {
      expect(await send(`GET /projects?${query}`)).toMatchObject({ status: 400, body: { error } })
    }
  })

  test.each([
    [labels, 'page_token=abc', 'page_token'],
    [labels, 'cursor=abc', 'cursor'],
    ['/projects', 'page_token=abc', 'page_token'],
  ])('that %s does not have is 400 for %s', async (path, query, name) => {
    expect(await send(`GET ${path}?${query}`)).toMatchObject({
      status: 400,
      body: { error: `${name} is not available for this list, use page and per_page` },
    })
    expect((await send(`GET ${path}?${query}`, token('nope'))).status).toBe(401)
  })

  test('is named as a parameter without an effect', async () => {
    for (const [pagination, unsupported] of [
      ['keyset', 'pagination'],
      ['offset', null],
    ]) {
      const { status, headers } = await send(`GET ${labels}?pagination=${pagination}&per_page=1`)
      expect([status, headers.get('forgelet-unsupported-parameters')]).toEqual([200, unsupported])
      expect(headers.get('link')).toContain('page=2')
    }
  })
})

describe('middleware', () => {
  test('can reply with an object', async () => {
    await using other = await world({
      http: { middleware: [() => async () => ({ status: 418, body: { message: 'short and stout' } })] },
    })
    const reply = await client(other)(`GET ${labels}`)
    expect(reply).toMatchObject({ status: 418, body: { message: 'short and stout' } })
    expect(reply.headers.get('content-type')).toBe('application/json')
  })
})

describe('replies', () => {
  test('have the common headers', async () => {
    const { headers } = await send(`GET ${labels}`)
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/)
    expect(headers.get('vary')).toContain('Origin')
    expect(headers.get('cache-control')).toContain('private')
  })

  test('are 304 for a matching ETag, which differs between users', async () => {
    const first = await send(`GET ${labels}?with_counts=true`, { as: 'carol' })
    const etag = first.headers.get('etag') as string
    expect(etag).toMatch(/^W\/"/)
    const cached = await send(`GET ${labels}?with_counts=true`, { as: 'carol', headers: { 'if-none-match': etag } })
    expect(cached).toMatchObject({ status: 304, text: '' })
    const other = await send(`GET ${labels}?with_counts=true`, { as: 'mallory', headers: { 'if-none-match': etag } })
    expect(other.status).toBe(200)
  })

  test('never contain the Host header', async () => {
    const answer = await send(`GET ${manyLabels}`, { as: 'bob', headers: { host: 'evil.test' } })
    expect(`${answer.headers.get('link')}${answer.text}`).not.toContain('evil')
  })

  test('to creations have status 201, except by the routes of the specification', async () => {
    const statusOf = async (line: string, json: object) => (await send(line, { as: 'alice', json })).status
    for (const route of routes.filter(({ extension, creates }) => extension && creates)) {
      expect([201, 202, 204], route.path).toContain(getSuccessStatus(route, route.respond.status))
    }
    expect(await statusOf(`POST ${labels}`, { name: 'made', color: 'red' })).toBe(200)
    expect(await statusOf('POST /projects/acme%2Fweb/issues', { title: 'Made' })).toBe(201)
    expect(await statusOf('POST /projects/acme%2Fweb/issues/1/subscribe', {})).toBe(201)
    expect(await statusOf('POST /projects/acme%2Fweb/issues/1/time_estimate', { duration: '1h' })).toBe(200)
  })

  test('to creations of the specification can have status 201 like GitLab', async () => {
    await using other = await world({ http: { createdStatus: 201 } })
    const post = client(other)
    const options = { as: 'alice', json: { name: 'made', color: 'red' } }
    expect((await post(`POST ${labels}`, options)).status).toBe(201)
    expect((await post(`POST ${labels}/made/subscribe`, { as: 'alice' })).status).toBe(201)
    expect((await post(`POST ${labels}/made/subscribe`, { as: 'alice' })).status).toBe(304)
    expect((await post(`PUT ${labels}/made`, { as: 'alice', json: { color: 'blue' } })).status).toBe(200)
  })
})

test('identify can be asynchronous', async () => {
  const handle = fetchHandler(forge.platform, {
    identify: async (header) => (header('x-user') === undefined ? undefined : { user: 'bob' }),
  })
  const graphql = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ currentUser { username } }' }),
  }
  const answers = async (headers: Readonly<Record<string, string>>) => {
    const request = { ...graphql, headers: { ...graphql.headers, ...headers } }
    return [
      (await handle('http://forge.test/api/v4/user', { headers })).status,
      (await handle('http://forge.test/bob/notes.git/info/refs?service=git-receive-pack', { headers })).status,
      await (await handle('http://forge.test/api/graphql', request)).json(),
    ]
  }
  expect(await answers({})).toEqual([401, 401, { data: { currentUser: null } }])
  expect(await answers({ 'x-user': 'bob' })).toEqual([200, 200, { data: { currentUser: { username: 'bob' } } }])
})

test('an error of the host is answered with 500, and becomes a process warning without a logger', async () => {
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve))
  const handle = fetchHandler(forge.platform, { identify: () => 'alice' as never })
  expect((await handle('http://forge.test/api/v4/user')).status).toBe(500)
  expect(await warned).toMatchObject({
    name: 'RequestWarning',
    message: 'GET /api/v4/user failed',
    detail: expect.stringContaining("An identity is an object: { user: 'alice' }"),
  })
})
