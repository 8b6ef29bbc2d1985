import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
let bob: number
beforeEach(async () => {
  forge = await world()
  send = client(forge)
  bob = (await forge.host.users.get({ user: 'bob' })).id
})
afterEach(() => forge.close())

const notFound = { message: '404 Not found' }
const forbidden = { message: '403 Forbidden' }

const kinds = [
  { kind: 'users', word: 'User', id: () => String(bob), hidden: () => '99999' },
  { kind: 'groups', word: 'Group', id: () => 'acme', hidden: () => 'acme%2Ftools' },
  { kind: 'projects', word: 'Project', id: () => 'acme%2Fweb', hidden: () => 'acme%2Ftools%2Fdeploy' },
]

describe.each(kinds)('$kind', ({ kind, word, id, hidden }) => {
  const base = () => `/${kind}/${id()}/custom_attributes`
  const put = (key: string, value: unknown, as = 'root') => send(`PUT ${base()}/${key}`, { as, json: { value } })

  test('an attribute is set and changed with 200, read, and removed with 204', async () => {
    expect(await put('tier', 'gold')).toMatchObject({ status: 200, body: { key: 'tier', value: 'gold' } })
    const changed = await put('tier', 'silver')
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({ key: 'tier', value: 'silver' })
    expect((await send(`GET ${base()}/tier`, { as: 'root' })).body).toEqual({ key: 'tier', value: 'silver' })
    expect((await send(`GET ${base()}`, { as: 'root' })).body).toEqual([{ key: 'tier', value: 'silver' }])
    expect(await send(`DELETE ${base()}/tier`, { as: 'root', json: {} })).toMatchObject({ status: 204, text: '' })
    expect(await send(`DELETE ${base()}/tier`, { as: 'root' })).toMatchObject({ status: 404, body: notFound })
    expect(await send(`GET ${base()}/tier`, { as: 'root' })).toMatchObject({ status: 404, body: notFound })
  })

  test('the list has pages', async () => {
    for (let count = 0; count < 25; count++) await put(`key-${count}`, 'x')
    const { body, headers } = await send(`GET ${base()}?per_page=10&page=3`, { as: 'root' })
    expect(body.map(({ key }: { key: string }) => key)).toEqual(['key-20', 'key-21', 'key-22', 'key-23', 'key-24'])
    expect([headers.get('x-total'), headers.get('x-total-pages'), headers.get('x-prev-page')]).toEqual(['25', '3', '2'])
    expect(headers.get('link')).toContain('rel="first"')
    expect((await send(`GET ${base()}`, { as: 'root' })).body).toHaveLength(20)
  })

  test('a key is any text, and a value may come as a form, a query or a number', async () => {
    const key = 'a%2Fb%20c%20%C3%A9'
    expect(await put(key, 5)).toMatchObject({ status: 200, body: { key: 'a/b c é', value: '5' } })
    expect(await send(`PUT ${base()}/x`, { as: 'root', form: { value: 'form' } })).toMatchObject({
      body: { value: 'form' },
    })
    expect(await send(`PUT ${base()}/x?value=query`, { as: 'root' })).toMatchObject({ body: { value: 'query' } })
    // What the path names cannot come otherwise.
    const other = await send(`PUT ${base()}/x`, { as: 'root', json: { key: 'y', value: 'kept' } })
    expect(other.body).toEqual({ key: 'x', value: 'kept' })
  })

  const blank = { message: { value: ["can't be blank"] } }
  const cases: [string, string, object | undefined, number, unknown][] = [
    ['no value', 'PUT tier', {}, 400, { error: 'value is missing' }],
    ['a value of null', 'PUT tier', { value: null }, 400, { error: 'value is invalid' }],
    ['a value that is an object', 'PUT tier', { value: { a: 1 } }, 400, { error: 'value is invalid' }],
    ['a value that is a list', 'PUT tier', { value: ['a'] }, 400, { error: 'value is invalid' }],
    ['an empty value', 'PUT tier', { value: '' }, 400, blank],
    ['a blank value', 'PUT tier', { value: ' \t' }, 400, blank],
    ['a value no database holds', 'PUT tier', { value: 'a\u0000b' }, 400, { error: 'value is invalid' }],
    [
      'a key that is too long',
      `PUT ${'k'.repeat(256)}`,
      { value: 'x' },
      400,
      { message: { key: ['is too long (maximum is 255 characters)'] } },
    ],
    ['an unknown key', 'GET nothing', undefined, 404, notFound],
  ]
  test.each(cases)('%s', async (_name, line, json, status, body) => {
    const [method, key] = line.split(' ') as [string, string]
    const response = await send(`${method} ${base()}/${key}`, { as: 'root', ...(json && { json }) })
    expect({ status: response.status, body: response.body }).toEqual({ status, body })
  })

  test('what does not exist is named to administrators, and refused to others as what exists is', async () => {
    const lines = (place: string) =>
      [
        ['GET', ''],
        ['GET', '/x'],
        ['PUT', '/x'],
        ['DELETE', '/x'],
      ].map(([method, rest]) => [`${method} /${kind}/${place}/custom_attributes${rest}`, method] as const)
    const options = (method: string | undefined) => (method === 'PUT' ? { json: { value: 'x' } } : {})
    for (const [line, method] of lines('99999')) {
      const response = await send(line, { as: 'root', ...options(method) })
      expect(response).toMatchObject({ status: 404, body: { message: `404 ${word} Not Found` } })
    }
    for (const place of [id(), hidden(), '99999']) {
      for (const [line, method] of lines(place)) {
        for (const as of ['alice', 'bob', 'mallory']) {
          expect(await send(line, { as, ...options(method) })).toMatchObject({ status: 403, body: forbidden })
        }
        expect(await send(line, options(method))).toMatchObject({ status: 401, body: { message: '401 Unauthorized' } })
      }
    }
  })
})

test('users go by id only', async () => {
  expect(await send('GET /users/bob/custom_attributes', { as: 'root' })).toMatchObject({
    status: 400,
    body: { error: 'id is invalid' },
  })
})

test('attributes of one kind are not those of another with the same id', async () => {
  const group = (await forge.host.groups.get({ group: 'acme' })).id
  await send(`PUT /groups/${group}/custom_attributes/tier`, { as: 'root', json: { value: 'gold' } })
  for (const kind of ['users', 'projects']) {
    const { body } = await send(`GET /${kind}/1/custom_attributes`, { as: 'root' })
    expect(body).toEqual([])
  }
})

everyRouteCalled('custom attributes')
