import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'
import { newGpgKey } from './gpg-keys.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

test('users manage their own keys, which are public', async () => {
  const key = newGpgKey()
  const { status, body } = await send('POST /user/gpg_keys', { as: 'bob', json: { key: `${key}\n` } })
  expect(status).toBe(201)
  expect(body).toEqual({ id: expect.any(Number), key, created_at: expect.stringMatching(/\.\d{3}Z$/) })
  expect((await send('GET /user/gpg_keys', { as: 'bob' })).body).toEqual([body])
  expect((await send(`GET /user/gpg_keys/${body.id}`, { as: 'bob' })).body).toEqual(body)
  expect((await send(`GET /user/gpg_keys/${body.id}`, { as: 'carol' })).status).toBe(404)
  const { id } = await forge.host.users.get({ user: 'bob' })
  expect((await send(`GET /users/${id}/gpg_keys`)).body).toEqual([body])
  expect((await send(`GET /users/${id}/gpg_keys/${body.id}`)).body).toEqual(body)
  expect((await send('GET /users/bob/gpg_keys')).status).toBe(400)
  expect((await send('GET /users/999999/gpg_keys')).status).toBe(404)
  expect((await send(`DELETE /user/gpg_keys/${body.id}`, { as: 'bob' })).status).toBe(204)
  expect((await send(`DELETE /user/gpg_keys/${body.id}`, { as: 'bob' })).status).toBe(404)
})

test('administrators manage the keys of users', async () => {
  const { id } = await forge.host.users.get({ user: 'bob' })
  const { body } = await send(`POST /users/${id}/gpg_keys`, { as: 'root', json: { key: newGpgKey() } })
  const { id: other } = await forge.host.users.get({ user: 'carol' })
  expect((await send(`GET /users/${other}/gpg_keys/${body.id}`)).status).toBe(404)
  expect((await send(`DELETE /users/${other}/gpg_keys/${body.id}`, { as: 'root' })).status).toBe(404)
  expect((await send(`DELETE /users/${id}/gpg_keys/${body.id}`, { as: 'root' })).status).toBe(204)
})

test('a revoked key is removed', async () => {
  const { id } = await forge.host.users.get({ user: 'bob' })
  const add = () => forge.host.gpgKeys.create({ user: 'bob', key: newGpgKey() })
  const [own, other] = [await add(), await add()]
  expect((await send(`POST /user/gpg_keys/${own.id}/revoke`, { as: 'carol' })).status).toBe(404)
  expect((await send(`POST /user/gpg_keys/${own.id}/revoke`, { as: 'bob' })).status).toBe(202)
  expect((await send(`POST /users/${id}/gpg_keys/${other.id}/revoke`, { as: 'root' })).status).toBe(202)
  expect((await send(`GET /users/${id}/gpg_keys`)).body).toEqual([])
})

test('a key is valid and unique', async () => {
  const key = newGpgKey()
  await send('POST /user/gpg_keys', { as: 'bob', json: { key } })
  const add = (value: string) => send('POST /user/gpg_keys', { as: 'carol', json: { key: value } })
  expect(await add(key.replaceAll('\n', '\r\n'))).toMatchObject({
    status: 400,
    body: { message: { fingerprint: ['has already been taken'] } },
  })
  expect(await add('text')).toMatchObject({
    status: 400,
    body: { message: { key: ['is not one armored PGP public key block'] } },
  })
  expect((await add('x'.repeat(100_001))).status).toBe(400)
  expect((await send('POST /user/gpg_keys', { as: 'carol', json: {} })).status).toBe(400)
})

everyRouteCalled('gpg keys')
