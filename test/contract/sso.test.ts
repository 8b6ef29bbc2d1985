import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newUser, provider, scimSeed } from '../scim-world.ts'
import { world } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world({ seed: scimSeed })
  send = client(forge)
})
afterEach(() => forge.close())

const as = 'root'
const scimStatus = async (token: string, group = 'plain') => (await provider(forge, group, token)('GET /Users')).status

test('an administrator enables single sign-on, and its provider provisions a user', async () => {
  const base = '/groups/plain/sso'
  expect(await send(`GET ${base}`, { as })).toMatchObject({ status: 404 })
  expect(await send(`POST ${base}/scim_tokens`, { as })).toMatchObject({ status: 404 })
  const enabled = await send(`PUT ${base}`, { as, json: { provider: 'corporate' } })
  const group_id = (await forge.host.groups.get({ group: 'plain' })).id
  expect(enabled).toMatchObject({ status: 200 })
  expect(enabled.body).toEqual({
    id: expect.any(Number),
    group_id,
    name: 'corporate',
    enabled: true,
    created_at: expect.any(String),
  })
  expect((await send(`GET ${base}`, { as })).body).toEqual(enabled.body)

  const created = await send(`POST ${base}/scim_tokens`, { as })
  expect(created).toMatchObject({ status: 201 })
  const { token, ...listed } = created.body
  expect(listed).toEqual({ id: expect.any(Number), group_id, created_at: expect.any(String) })
  expect((await send(`GET ${base}/scim_tokens`, { as })).body).toEqual([listed])
  expect(await provider(forge, 'plain', token)('POST /Users', newUser('ann'))).toMatchObject({ status: 201 })

  const rotated = await send(`POST ${base}/scim_tokens/${listed.id}/rotate`, { as })
  expect(rotated).toMatchObject({ status: 200, body: { ...listed, token: expect.any(String) } })
  expect([await scimStatus(token), await scimStatus(rotated.body.token)]).toEqual([401, 200])

  const user = (await forge.host.users.list({ username: 'ann' })).items[0]
  expect((await send('GET /groups/plain/scim/identities', { as })).body).toEqual([
    { extern_uid: 'uid-ann', user_id: user?.id, active: true },
  ])

  expect((await send(`DELETE ${base}`, { as })).body).toEqual({ ...enabled.body, enabled: false })
  expect(await scimStatus(rotated.body.token)).not.toBe(200)
  expect((await send(`PUT ${base}`, { as })).body).toEqual(enabled.body)
  expect((await send(`DELETE ${base}/scim_tokens/${listed.id}`, { as })).status).toBe(204)
  expect(await scimStatus(rotated.body.token)).toBe(401)
  for (const line of [`DELETE ${base}/scim_tokens/${listed.id}`, `POST ${base}/scim_tokens/${listed.id}/rotate`]) {
    expect((await send(line, { as })).status).toBe(404)
  }
})

test('owners list and unlink identities, administrators change them', async () => {
  const olga = (await forge.host.users.list({ username: 'olga' })).items[0]?.id
  const saml = '/groups/acme/saml'
  const scim = '/groups/acme/scim'
  const own = { as: 'olga' }
  expect((await send(`GET ${saml}/identities`, own)).body[0]).toEqual({ extern_uid: 'OLGA-1', user_id: olga })
  expect((await send(`GET ${saml}/olga-1`, own)).body).toEqual({ extern_uid: 'OLGA-1', user_id: olga })
  expect((await send(`GET ${scim}/olga-1`, own)).body).toEqual({ extern_uid: 'OLGA-1', user_id: olga, active: true })
  expect(await send(`PATCH ${saml}/OLGA-1`, { ...own, json: { extern_uid: 'x' } })).toMatchObject({ status: 403 })
  const change = (extern_uid: string, path = `${saml}/OLGA-1`) => send(`PATCH ${path}`, { as, json: { extern_uid } })
  expect(await change('linked-a')).toMatchObject({ status: 409 })
  expect(await change(' ')).toMatchObject({ status: 400 })
  expect(await change('cn=olga/1')).toMatchObject({ status: 200, body: { extern_uid: 'cn=olga/1', user_id: olga } })
  expect(await change('olga-2', `${scim}/cn%3Dolga%2F1`)).toMatchObject({ status: 200, body: { active: true } })
  expect((await send(`DELETE ${scim}/olga-2`, own)).status).toBe(204)
  expect((await send(`DELETE ${saml}/olga-2`, own)).status).toBe(404)
  expect((await send(`DELETE ${saml}/linked-a`, own)).status).toBe(204)
  expect((await send(`GET ${saml}/identities`, own)).body).toEqual([])
  const states = (await send(`GET ${scim}/identities`, own)).body.map(({ active }: { active: boolean }) => active)
  expect(states).toEqual([false, false])
  // An identity of another group.
  expect((await send(`GET ${saml}/linked-b`, own)).status).toBe(404)
})

everyRouteCalled('sso')
