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

const defaults = {
  variable_type: 'env_var',
  protected: false,
  masked: false,
  hidden: false,
  raw: false,
  description: null,
}

describe.each([
  ['a project', '/projects/acme%2Fweb/variables', 'alice', { environment_scope: '*' }],
  ['a group', '/groups/acme/variables', 'alice', { environment_scope: '*' }],
  ['the instance', '/admin/ci/variables', 'root', { environment_scope: '*' }],
])('variables of %s', (_, path, as, scope) => {
  const create = (json: object) => send(`POST ${path}`, { as, json })

  test('are created, listed, changed and removed', async () => {
    const created = await create({ key: 'TOKEN', value: 'first' })
    const token = { key: 'TOKEN', value: 'first', ...defaults, ...scope }
    expect(created).toMatchObject({ status: 201 })
    expect(created.body).toEqual(token)
    const description = 'Of the deployment'
    const json = { key: 'FILE', value: 'a\nb', variable_type: 'file', protected: true, raw: true, description }
    expect((await create(json)).body).toEqual({ ...json, masked: false, hidden: false, ...scope })
    expect((await send(`GET ${path}`, { as })).body).toEqual([
      token,
      { ...json, masked: false, hidden: false, ...scope },
    ])
    expect((await send(`GET ${path}/TOKEN`, { as })).body).toEqual(token)
    const change = { value: 'a-long-secret', masked: true }
    expect((await send(`PUT ${path}/TOKEN`, { as, json: change })).body).toEqual({ ...token, ...change })
    expect((await send(`PUT ${path}/FILE`, { as, json: { description: null } })).body).toMatchObject({
      value: 'a\nb',
      description: null,
    })
    expect((await send(`PUT ${path}/FILE`, { as, json: { description: 'x'.repeat(256) } })).status).toBe(400)
    expect((await send(`PUT ${path}/TOKEN`, { as, json: {} })).status).toBe(400)
    expect((await send(`DELETE ${path}/TOKEN`, { as })).status).toBe(204)
    expect(await send(`GET ${path}/TOKEN`, { as })).toMatchObject({
      status: 404,
      body: { message: '404 Variable Not Found' },
    })
    expect((await send(`DELETE ${path}/TOKEN`, { as })).status).toBe(404)
  })

  test('have valid and unique names, and values that can be masked', async () => {
    await create({ key: 'A', value: 'x' })
    expect(await create({ key: 'A', value: 'y' })).toMatchObject({
      status: 400,
      body: { message: { key: ['(A) has already been taken'] } },
    })
    expect((await create({ key: 'not valid', value: 'y' })).status).toBe(400)
    expect((await create({ key: '', value: 'y' })).status).toBe(400)
    expect((await create({ key: 'B' })).status).toBe(400)
    expect((await create({ key: 'B', value: 'x'.repeat(10_001) })).status).toBe(400)
    for (const value of ['short', 'two\nlines', 'a $reference'])
      expect(await create({ key: 'B', value, masked: true })).toMatchObject({
        status: 400,
        body: { message: { value: ['is invalid'] } },
      })
    expect((await send(`PUT ${path}/A`, { as, json: { masked: true } })).status).toBe(400)
  })
})

test('one name has several values, which the environment scope selects', async () => {
  const path = '/projects/acme%2Fweb/variables'
  const as = 'alice'
  for (const environment_scope of ['production', 'review/*'])
    await send(`POST ${path}`, { as, json: { key: 'URL', value: environment_scope, environment_scope } })
  const taken = { key: 'URL', value: 'x', environment_scope: 'production' }
  expect((await send(`POST ${path}`, { as, json: taken })).status).toBe(400)
  expect(await send(`GET ${path}/URL`, { as })).toMatchObject({ status: 409 })
  const one = `${path}/URL?filter[environment_scope]=production`
  expect((await send(`GET ${one}`, { as })).body).toMatchObject({ value: 'production' })
  const json = { value: 'new', filter: { environment_scope: 'review/*' } }
  expect((await send(`PUT ${path}/URL`, { as, json })).body).toMatchObject({ value: 'new' })
  const clash = { environment_scope: 'production', filter: { environment_scope: 'review/*' } }
  expect((await send(`PUT ${path}/URL`, { as, json: clash })).status).toBe(400)
  expect((await send(`DELETE ${one}`, { as })).status).toBe(204)
  expect((await send(`GET ${path}`, { as })).body).toMatchObject([{ environment_scope: 'review/*' }])
})

everyRouteCalled('ci variables')
