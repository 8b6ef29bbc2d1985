import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

const email = 'kim@example.org'
const invited = `invitations/${encodeURIComponent(email)}`

describe.each(['/projects/acme%2Fweb', '/groups/acme'])('%s', (base) => {
  const invitations = `${base}/invitations`
  const invite = (form: Record<string, string>) => send(`POST ${invitations}`, { as: 'alice', form })

  test('addresses are invited, listed, changed and removed', async () => {
    const form = { email: `${email},lee@example.org`, access_level: '30', invite_source: 'api' }
    const { status, body } = await invite(form)
    expect({ status, body }).toEqual({ status: 201, body: { status: 'success' } })
    const { body: listed, headers } = await send(`GET ${invitations}`, { as: 'alice' })
    expect(headers.get('x-total')).toBe('2')
    expect(listed[0]).toEqual({
      id: expect.any(Number),
      invite_email: email,
      user_name: null,
      created_at: expect.any(String),
      access_level: 30,
      expires_at: null,
      created_by_name: 'Alice Liddell',
    })
    expect((await send(`GET ${invitations}?query=KIM@example.org`, { as: 'alice' })).body).toEqual([listed[0]])
    expect((await send(`GET ${invitations}?query=kim`, { as: 'alice' })).body).toEqual([])
    const change = { access_level: 40, expires_at: '2099-01-31T00:00:00Z' }
    const changed = await send(`PUT ${base}/${invited}`, { as: 'alice', json: change })
    expect(changed).toMatchObject({ status: 200, body: { access_level: 40, expires_at: '2099-01-31' } })
    expect((await send(`DELETE ${base}/${invited}`, { as: 'alice' })).status).toBe(204)
    expect((await send(`DELETE ${base}/${invited}`, { as: 'alice' })).status).toBe(404)
    expect((await send(`PUT ${base}/${invited}`, { as: 'alice', json: change })).status).toBe(404)
  })

  test('rejected addresses and users have reasons', async () => {
    await invite({ email, access_level: '30' })
    const { id } = await forge.host.users.get({ user: 'alice' })
    await forge.host.projects.get({ project: 'acme/web' })
    const json = { email: [email, 'mallory@example.com'], user_id: id, access_level: 60 }
    const { status, body } = await send(`POST ${invitations}`, { as: 'alice', json })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      status: 'error',
      message: {
        [email]: 'Access level is not included in the list',
        'mallory@example.com': 'Access level is not included in the list',
      },
    })
    expect((await invite({ email, access_level: '30' })).body).toEqual({
      status: 'error',
      message: { [email]: 'Invite email has already been taken' },
    })
  })

  test('users become members at once', async () => {
    const { id } = await forge.host.users.get({ user: 'mallory' })
    const { body } = await invite({ user_id: String(id), access_level: '30' })
    expect(body).toEqual({ status: 'success' })
    expect((await send(`GET ${base}/members/${id}`, { as: 'alice' })).body).toMatchObject({ access_level: 30 })
  })

  test('invalid input is rejected', async () => {
    const many = Array.from({ length: 101 }, (_, index) => `user${index}@example.org`)
    const bodies = [
      { access_level: 30 },
      { email },
      { email: [], access_level: 30 },
      { email: many, access_level: 30 },
      { email, access_level: 30, expires_at: 'tomorrow' },
      { email: 'x'.repeat(300), access_level: 30 },
    ]
    for (const json of bodies) expect((await send(`POST ${invitations}`, { as: 'alice', json })).status).toBe(400)
    expect((await send(`PUT ${base}/${invited}`, { as: 'alice', json: {} })).status).toBe(400)
    expect((await send(`GET ${invitations}`, { as: 'alice' })).body).toEqual([])
  })
})

everyRouteCalled('invitations')
