import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../world.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
  await forge.host.projects.update({ project: 'acme/web', visibility: 'private' })
  await forge.host.members.add({ project: 'acme/web', users: ['mallory'], accessLevel: 40 })
})
afterEach(() => forge.close())

const base = '/projects/acme%2Fweb'

describe('a maintainer', () => {
  const as = 'mallory'

  test.each([
    [`PUT ${base}`, { visibility: 'public' }],
    [`PUT ${base}`, { visibility: 'internal', description: 'x' }],
    [`PUT ${base}`, { emails_disabled: true }],
    [`PUT ${base}`, { emails_enabled: false }],
    [`PUT ${base}/transfer`, { namespace: 'mallory' }],
    [`POST ${base}/archive`, {}],
    [`POST ${base}/unarchive`, {}],
    [`DELETE ${base}`, {}],
    [`DELETE ${base}/fork`, {}],
  ] as const)('does not decide what owners decide: %s %j', async (call, json) => {
    expect((await send(call, { as, json })).status).toBe(403)
    expect(await forge.host.projects.get({ project: 'acme/web' })).toMatchObject({
      visibility: 'private',
      description: 'The public website',
      archived: false,
    })
  })

  test('keeps the visibility, changes names and who can use features', async () => {
    const json = { visibility: 'private', name: 'New', issues_access_level: 'disabled', emails_disabled: null }
    expect((await send(`PUT ${base}`, { as, json })).status).toBe(200)
    expect((await send(`PUT ${base}`, { as, json: { path: 'site' } })).status).toBe(200)
  })

  test('does not change the visibility of the group', async () => {
    await forge.host.members.add({ group: 'acme', users: ['mallory'], accessLevel: 40 })
    expect((await send('PUT /groups/acme', { as, json: { visibility: 'private' } })).status).toBe(403)
  })
})

test('owners and administrators change the visibility and turn off emails', async () => {
  for (const [as, visibility] of [
    ['alice', 'internal'],
    ['root', 'public'],
  ] as const) {
    const { status, body } = await send(`PUT ${base}`, { as, json: { visibility, emails_disabled: true } })
    expect([status, body.visibility]).toEqual([200, visibility])
  }
})

test('emails_enabled is the opposite of emails_disabled, in every form of a boolean', async () => {
  for (const call of [`PUT ${base}`, 'PUT /groups/acme'] as const) {
    const update = async (json: object) => (await send(call, { as: 'alice', json })).body.emails_disabled
    expect(await update({ emails_enabled: false })).toBe(true)
    expect(await update({ emails_enabled: true })).toBe(false)
    expect(await update({ emails_enabled: 'no', emails_disabled: false })).toBe(true)
    expect((await send(call, { as: 'alice', json: { emails_enabled: 'never' } })).status).toBe(400)
  }
  const off = await send(`PUT ${base}`, { as: 'alice', json: { wiki_enabled: 'no' } })
  expect(off.body).toMatchObject({ wiki_access_level: 'disabled' })
  const json = { name: 'Silent', path: 'silent', emails_enabled: false }
  expect((await send('POST /groups', { as: 'alice', json })).body).toMatchObject({ emails_disabled: true })
  expect((await send('POST /projects', { as: 'alice', json })).body).toMatchObject({ emails_disabled: true })
})

describe('an external user', () => {
  const as = 'erin'

  test.each([
    ['POST /projects', { name: 'Own' }],
    ['POST /projects', { name: 'Own', namespace_id: 'erin' }],
    ['POST /groups', { name: 'Own', path: 'own' }],
    ['POST /snippets', { title: 'x', file_name: 'x', content: 'x', visibility: 'private' }],
  ] as const)('creates nothing of their own: %s %j', async (call, json) => {
    expect((await send(call, { as, json })).status).toBe(403)
  })

  test('creates no fork of their own, and receives no project', async () => {
    await forge.host.projects.create({ namespace: 'partners', path: 'app', name: 'App' })
    await forge.host.repository.create({ project: 'partners/app' })
    const fork = { namespace_path: 'erin' }
    expect((await send('POST /projects/partners%2Fapp/fork', { as, json: fork })).status).toBe(403)
    await forge.host.members.update({ group: 'partners', user: 'erin', accessLevel: 50 })
    const transfer = { namespace: 'erin' }
    expect((await send('PUT /projects/partners%2Fapp/transfer', { as, json: transfer })).status).toBe(403)
    expect((await send('POST /groups/partners/transfer', { as, json: {} })).status).not.toBe(200)
  })

  test('creates projects and subgroups where they are members', async () => {
    const project = { name: 'Shared', namespace_id: (await forge.host.groups.get({ group: 'partners' })).id }
    expect((await send('POST /projects', { as, json: project })).status).toBeLessThan(300)
    await forge.host.members.update({ group: 'partners', user: 'erin', accessLevel: 50 })
    const group = { name: 'Below', path: 'below', parent_id: project.namespace_id }
    expect((await send('POST /groups', { as, json: group })).status).toBeLessThan(300)
  })

  test('is told so', async () => {
    expect((await send('GET /users/6', { as: 'root' })).body).toMatchObject({
      can_create_group: false,
      can_create_project: false,
    })
  })
})

test.each(['block', 'ban', 'deactivate'])('an administrator cannot %s themselves', async (action) => {
  expect((await send(`POST /users/1/${action}`, { as: 'root' })).status).toBe(403)
  expect((await send('GET /user', { as: 'root' })).body).toMatchObject({ state: 'active' })
  expect((await send(`POST /users/2/${action}`, { as: 'root' })).status).toBeLessThan(300)
})
