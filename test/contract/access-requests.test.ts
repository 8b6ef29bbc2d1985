import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
let ids: Record<string, number>
beforeEach(async () => {
  forge = await world()
  send = client(forge)
  const { items } = await forge.host.users.list({ perPage: 100 })
  ids = Object.fromEntries(items.map(({ id, username }) => [username, id]))
})
afterEach(() => forge.close())

const bases = [
  { base: '/projects/acme%2Fweb', hidden: '/projects/acme%2Ftools%2Fdeploy', missing: '/projects/acme%2Fnone' },
  { base: '/groups/acme', hidden: '/groups/acme%2Ftools', missing: '/groups/none' },
]
const notFound = { message: '404 Not found' }
const forbidden = { message: '403 Forbidden' }
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe.each(bases)('$base', ({ base, hidden, missing }) => {
  const requests = `${base}/access_requests`
  const request = (as = 'mallory') => send(`POST ${requests}`, { as })
  const mine = () => `${requests}/${ids.mallory}`

  test('a request answers with the documented fields', async () => {
    const { status, body } = await request()
    expect(status).toBe(200)
    expect(body).toEqual({
      id: ids.mallory,
      username: 'mallory',
      name: 'Mallory Malone',
      state: 'active',
      public_email: '',
      locked: false,
      avatar_url: expect.any(String),
      web_url: `${forge.url}/mallory`,
      created_at: instant,
      requested_at: instant,
    })
    const { body: listed, headers } = await send(`GET ${requests}`, { as: 'alice' })
    expect(listed).toEqual([body])
    expect(headers.get('x-total')).toBe('1')
  })

  test('an approval answers with the level in place of the time of the request', async () => {
    await request()
    const { status, body } = await send(`PUT ${mine()}/approve`, { as: 'alice' })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: ids.mallory,
      username: 'mallory',
      name: 'Mallory Malone',
      state: 'active',
      public_email: '',
      locked: false,
      avatar_url: expect.any(String),
      web_url: `${forge.url}/mallory`,
      created_at: instant,
      access_level: 30,
      expires_at: null,
    })
    expect(await send(`GET ${base}/members/${ids.mallory}`, { as: 'alice' })).toMatchObject({ status: 200 })
    expect(await send(`GET ${requests}`, { as: 'alice' })).toMatchObject({ body: [] })
  })

  test('the second request is refused', async () => {
    await request()
    expect(await request()).toMatchObject({ status: 400, body: { message: { user_id: ['already exists in source'] } } })
  })

  test('members, administrators and nobody cannot ask', async () => {
    for (const as of ['alice', 'bob', 'root']) expect(await request(as)).toMatchObject({ status: 403, body: forbidden })
    expect(await send(`POST ${requests}`)).toMatchObject({ status: 401, body: { message: '401 Unauthorized' } })
  })

  test('only those who decide see the list', async () => {
    await request()
    for (const as of ['bob', 'mallory']) {
      expect(await send(`GET ${requests}`, { as })).toMatchObject({ status: 403, body: forbidden })
    }
    expect(await send(`GET ${requests}`)).toMatchObject({ status: 401 })
  })

  test('a request is withdrawn by its author or denied by those who decide, by nobody else', async () => {
    await request()
    expect(await send(`DELETE ${mine()}`, { as: 'bob' })).toMatchObject({ status: 403, body: forbidden })
    expect(await send(`DELETE ${mine()}`, { as: 'mallory' })).toMatchObject({ status: 204, text: '' })
    expect(await send(`DELETE ${mine()}`, { as: 'mallory' })).toMatchObject({ status: 404, body: notFound })
    await request()
    expect(await send(`DELETE ${mine()}`, { as: 'alice', json: {} })).toMatchObject({ status: 204 })
    expect(await send(`DELETE ${mine()}`, { as: 'alice' })).toMatchObject({ status: 404, body: notFound })
  })

  test('a requester is no member, and becomes one by being added', async () => {
    await request()
    const path = `${base}/members/${ids.mallory}`
    expect(await send(`GET ${path}`, { as: 'alice' })).toMatchObject({ status: 404, body: notFound })
    const put = await send(`PUT ${path}`, { as: 'alice', json: { access_level: 30 } })
    expect(put).toMatchObject({ status: 404, body: notFound })
    expect(await send(`DELETE ${path}`, { as: 'alice' })).toMatchObject({ status: 404, body: notFound })
    const json = { user_id: ids.mallory, access_level: 20 }
    expect(await send(`POST ${base}/members`, { as: 'alice', json })).toMatchObject({ status: 200 })
    expect(await send(`GET ${requests}`, { as: 'alice' })).toMatchObject({ body: [] })
  })

  describe('what is wrong is said in the documented words', () => {
    const listed = { message: { access_level: ['is not included in the list'] } }
    const cases: [string, string, object | undefined, number, unknown][] = [
      ['a level that does not exist', 'PUT mine/approve', { access_level: 60 }, 400, listed],
      ['level 0', 'PUT mine/approve', { access_level: 0 }, 400, listed],
      [
        'a level that is a word',
        'PUT mine/approve',
        { access_level: 'high' },
        400,
        { error: 'access_level is invalid' },
      ],
      ['approving nobody', 'PUT 99999/approve', {}, 404, notFound],
      ['approving by name', 'PUT mallory/approve', {}, 400, { error: 'user_id is invalid' }],
      ['denying nobody', 'DELETE 99999', undefined, 404, notFound],
      ['denying by name', 'DELETE mallory', undefined, 400, { error: 'user_id is invalid' }],
      ['a page that is no number', 'GET ?page=x', undefined, 400, { error: 'page is invalid' }],
    ]
    test.each(cases)('%s', async (_name, line, json, status, body) => {
      await request()
      const [method, rest] = line.split(' ') as [string, string]
      const tail = rest.startsWith('?') ? rest : `/${rest.replace('mine', String(ids.mallory))}`
      const response = await send(`${method} ${requests}${tail}`, { as: 'alice', ...(json && { json }) })
      expect({ status: response.status, body: response.body }).toEqual({ status, body })
      expect((await send(`GET ${requests}`, { as: 'alice' })).body).toHaveLength(1)
    })
  })

  test('what is hidden answers byte for byte like what is missing', async () => {
    for (const line of ['GET', 'POST', `PUT /${ids.mallory}/approve`, `DELETE /${ids.mallory}`, 'DELETE /99999']) {
      const [method, rest = ''] = line.split(' ') as [string, string?]
      const one = await send(`${method} ${hidden}/access_requests${rest}`, { as: 'mallory' })
      const other = await send(`${method} ${missing}/access_requests${rest}`, { as: 'mallory' })
      expect(one.status).toBe(404)
      expect(one.text).toBe(other.text)
      expect([...one.headers.keys()]).toEqual([...other.headers.keys()])
    }
  })
})

test('level 50 can be approved in a group, not in a project', async () => {
  const approve = async (base: string) => {
    await send(`POST ${base}/access_requests`, { as: 'mallory' })
    const path = `${base}/access_requests/${ids.mallory}/approve`
    return (await send(`PUT ${path}`, { as: 'alice', form: { access_level: '50' } })).status
  }
  expect(await approve('/projects/acme%2Fweb')).toBe(400)
  expect(await approve('/groups/acme')).toBe(200)
})

test('where requests are switched off nobody can ask', async () => {
  await forge.host.projects.update({ project: 'acme/web', requestAccessEnabled: false })
  expect(await send('POST /projects/acme%2Fweb/access_requests', { as: 'mallory' })).toMatchObject({
    status: 403,
    body: forbidden,
  })
})

everyRouteCalled('access requests')
