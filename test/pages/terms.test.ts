import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { client } from '../contract/client.ts'
import { world } from '../sqlite-world.ts'
import { signIn, visitor } from './page-client.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const enforce = (terms = 'Be **kind**') => forge.host.settings.update({ enforceTerms: true, terms })
const message =
  /^403 Forbidden - You \(@alice\) must accept the Terms of Service in order to perform this action\. .*http/

test('calls are 403 until the user accepts the terms on the page', async () => {
  const send = client(forge)
  const cookie = await signIn(forge, 'alice')
  await enforce()
  expect(await send('GET /user', { as: 'alice' })).toMatchObject({
    status: 403,
    body: { message: expect.stringMatching(message) },
  })
  expect((await send('POST /projects/acme%2Fweb/issues?title=x', { as: 'alice' })).status).toBe(403)
  expect((await send('GET /projects/acme%2Fweb')).status).toBe(200)
  const visit = visitor(forge, cookie)
  const page = await visit('/acme/web?page=1')
  const location = '/-/users/terms?return_to=%2Facme%2Fweb%3Fpage%3D1'
  expect([page.status, page.headers.get('location')]).toEqual([303, location])
  expect((await visit(location)).text).toContain('<strong>kind</strong>')
  const body = new URLSearchParams({ return_to: '/acme/web?page=1' })
  const accepted = await visit('/-/users/terms', { method: 'POST', body })
  expect([accepted.status, accepted.headers.get('location')]).toEqual([303, '/acme/web?page=1'])
  expect((await visit('/acme/web')).status).toBe(200)
  expect((await send('GET /user', { as: 'alice' })).status).toBe(200)
  expect((await send('GET /user', { as: 'bob' })).status).toBe(403)
})

test('changed terms are accepted again, and terms that are not enforced need not be', async () => {
  const { terms, users } = forge.as('alice')
  await enforce()
  expect(await terms.get()).toEqual({ text: 'Be **kind**', mustAccept: true })
  await terms.accept()
  await enforce()
  expect(await terms.get()).toMatchObject({ mustAccept: false })
  await enforce('Be kinder')
  await expect(users.get()).rejects.toMatchObject({ code: 'forbidden', reason: 'terms_not_accepted' })
  await forge.host.users.create({ username: 'dora' })
  await expect(forge.as('dora').users.get()).rejects.toMatchObject({ reason: 'terms_not_accepted' })
  await forge.host.settings.update({ enforceTerms: false })
  await users.get()
  expect(await terms.get()).toEqual({ text: 'Be kinder', mustAccept: false })
})

test('the administrator who sets the terms has accepted them', async () => {
  await forge.as('root').settings.update({ enforceTerms: true, terms: 'Be **kind**' })
  await forge.as('root').users.get()
  await expect(forge.as('alice').users.get()).rejects.toMatchObject({ reason: 'terms_not_accepted' })
})

test('a user who does not accept the terms can sign out', async () => {
  const cookie = await signIn(forge, 'alice')
  await enforce()
  const { status, headers } = await visitor(forge, cookie)('/-/sign_out', { method: 'POST' })
  expect([status, headers.get('location')]).toEqual([303, '/'])
})
