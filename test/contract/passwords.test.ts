import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../world.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world({ time: '2026-03-10T12:00:00Z' })
  send = client(forge)
})
afterEach(() => forge.close())

const password = 'correct horse'
const service = () => forge.platform.as({ service: 'sign-in' }).passwords
const verify = (username: string, text: string) => service().verify({ username, password: text })
const put = (json: object) => send('PUT /users/2', { as: 'root', json })

/** Whether a session that began with a password is valid. */
const isValid = async (user: number, changedAt: string) => {
  const { secret } = await service().startSession({ expiresAt: '2999-01-01T00:00:00Z' })
  return service().checkSession({ secret, user, changedAt })
}

test('a new user signs in with the password of the request', async () => {
  const dora = { username: 'dora', name: 'Dora', email: 'dora@example.com', password, skip_confirmation: true }
  const { status, body, text } = await send('POST /users', { as: 'root', json: dora })
  expect(status).toBeLessThan(202)
  expect(body).toMatchObject({ username: 'dora', confirmed_at: expect.any(String) })
  expect(text).not.toContain(password)
  expect(await verify('dora', password)).toMatchObject({ userId: body.id })
})

test('a changed password ends the previous one and its sessions, also within a millisecond', async () => {
  const { body } = await send('GET /users/2', { as: 'root' })
  expect((await put({ password })).status).toBe(200)
  const session = await verify(body.username, password)
  expect(session).toBeDefined()
  expect((await put({ password: 'another one' })).status).toBe(200)
  expect(await verify(body.username, password)).toBeUndefined()
  expect(await verify(body.username, 'another one')).toBeDefined()
  expect(await isValid(body.id, String(session?.changedAt))).toBe(false)
  expect((await put({ name: 'Renamed', skip_reconfirmation: true })).body).toMatchObject({ name: 'Renamed' })
  expect(await verify(body.username, 'another one')).toBeDefined()
})

test.each([
  { reset_password: true },
  { force_random_password: true },
  { force_random_password: true, password: 'another one' },
])('%j leaves a password that nobody knows', async (change) => {
  const { body } = await send('GET /users/2', { as: 'root' })
  await put({ password })
  const session = await verify(body.username, password)
  expect((await put(change)).status).toBe(200)
  for (const text of [password, 'another one']) expect(await verify(body.username, text)).toBeUndefined()
  expect(await isValid(body.id, String(session?.changedAt))).toBe(false)
  const dora = { username: 'dora', name: 'Dora', email: 'dora@example.com', ...change }
  expect((await send('POST /users', { as: 'root', json: dora })).status).toBeLessThan(202)
  expect(await verify('dora', 'another one')).toBeUndefined()
})

test.each(['short', 'x'.repeat(129), ''])('the password %j is 400 and changes nothing', async (invalid) => {
  const { body } = await send('GET /users/2', { as: 'root' })
  await put({ password })
  expect((await put({ password: invalid, name: 'Renamed' })).status).toBe(400)
  expect(await verify(body.username, password)).toBeDefined()
  const dora = { username: 'dora', name: 'Dora', email: 'dora@example.com', password: invalid }
  expect((await send('POST /users', { as: 'root', json: dora })).status).toBe(400)
  expect((await send('GET /users?username=dora', { as: 'root' })).body).toEqual([])
})

test('only administrators change passwords', async () => {
  await put({ password })
  const { body } = await send('GET /users/2', { as: 'root' })
  expect((await send('PUT /users/2', { as: body.username, json: { password: 'another one' } })).status).toBe(403)
  expect(await verify(body.username, password)).toBeDefined()
})

test('seeds contain passwords, and a repeated seed changes them', async () => {
  await forge.seed({ users: [{ username: 'dora', password }] })
  expect(await verify('dora', password)).toBeDefined()
  await expect(forge.seed({ users: [{ username: 'emil', password: 'short' }] })).rejects.toThrow(
    'seed.users[0].password',
  )
})
