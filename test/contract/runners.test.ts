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

const project = 'acme/web'
const web = '/projects/acme%2Fweb/runners'

/** A runner of a project, a group or the instance. */
const create = (place: { project?: string; group?: string }, settings: object = {}) =>
  forge.host.runners.create({ ...(place as { project: string }), ...settings })

const idsOf = async (path: string, as = 'root') =>
  (await send(`GET ${path}`, { as })).body.map(({ id }: { id: number }) => id)

describe('registration', () => {
  test('a project, a group and the instance have a registration token', async () => {
    const { runners_token: ofProject } = (await send('GET /projects/acme%2Fweb', { as: 'alice' })).body
    const { runners_token: ofGroup } = (await send('GET /groups/acme', { as: 'alice' })).body
    expect((await send('GET /projects/acme%2Fweb', { as: 'bob' })).body).not.toHaveProperty('runners_token')
    const { token: ofInstance } = (await send('POST /runners/reset_registration_token', { as: 'root' })).body
    const types = []
    for (const token of [ofProject, ofGroup, ofInstance]) {
      const json = { token, description: 'mac', active: false, tag_list: ['ios', 'mac'], info: { version: '17.5.0' } }
      const { status, body } = await send('POST /runners', { json })
      expect(status).toBe(201)
      expect(body).toEqual({ id: expect.any(Number), token: expect.stringMatching(/^glrt-/), token_expires_at: null })
      const details = (await send(`GET /runners/${body.id}`, { as: 'root' })).body
      expect(details).toMatchObject({ paused: true, tag_list: ['ios', 'mac'], version: '17.5.0', created_by: null })
      types.push(details.runner_type)
    }
    expect(types).toEqual(['project_type', 'group_type', 'instance_type'])
    expect(await send('POST /runners', { json: { token: 'unknown' } })).toMatchObject({ status: 403 })
  })

  test('a new registration token replaces the old one', async () => {
    for (const [place, details] of [
      ['/projects/acme%2Fweb', '/projects/acme%2Fweb'],
      ['/groups/acme', '/groups/acme'],
    ] as const) {
      const { runners_token: old } = (await send(`GET ${details}`, { as: 'alice' })).body
      const { status, body } = await send(`POST ${place}/runners/reset_registration_token`, { as: 'alice' })
      expect({ status, body }).toEqual({ status: 201, body: { token: expect.any(String), token_expires_at: null } })
      expect((await send(`GET ${details}`, { as: 'alice' })).body.runners_token).toBe(body.token)
      expect((await send('POST /runners', { json: { token: old } })).status).toBe(403)
      const json = { token: body.token, maintainer_note: 'Under the roof' }
      const { id } = (await send('POST /runners', { json })).body
      const { maintenance_note: note } = (await send(`GET /runners/${id}`, { as: 'root' })).body
      expect(note).toBe('Under the roof')
    }
  })

  test('users create runners, whose tokens expire as the project says', async () => {
    await forge.host.projects.update({ project, settings: { runnerTokenExpirationInterval: 3_600 } })
    const { id: projectId } = await forge.host.projects.get({ project })
    const json = { runner_type: 'project_type', project_id: projectId, maintenance_note: 'In the basement' }
    const { status, body } = await send('POST /user/runners', { as: 'alice', json })
    expect(status).toBe(201)
    expect(body.token_expires_at).not.toBeNull()
    const details = (await send(`GET /runners/${body.id}`, { as: 'alice' })).body
    expect(details).toMatchObject({ created_by: { username: 'alice' }, maintenance_note: 'In the basement' })
    expect(details.projects).toEqual([expect.objectContaining({ path_with_namespace: project })])
    expect((await send('POST /runners/verify', { json: { token: body.token } })).status).toBe(200)
    await forge.clock.advance({ seconds: 3_600 })
    expect((await send('POST /runners/verify', { json: { token: body.token } })).status).toBe(403)
    const untyped = { as: 'alice', json: { runner_type: 'group_type' } }
    expect((await send('POST /user/runners', untyped)).status).toBe(400)
    expect((await send('POST /user/runners', { as: 'alice', json: { runner_type: 'instance_type' } })).status).toBe(403)
  })

  test('the token of a runner is verified, replaced and ends with the runner', async () => {
    const { id, token } = await create({ project })
    expect((await send(`GET /runners/${id}`, { as: 'alice' })).body).toMatchObject({
      status: 'never_contacted',
      contacted_at: null,
      online: false,
    })
    expect(await send('POST /runners/verify', { json: { token } })).toMatchObject({ status: 200, body: { id, token } })
    expect((await send(`GET /runners/${id}`, { as: 'alice' })).body).toMatchObject({ status: 'online', online: true })
    const byToken = await send('POST /runners/reset_authentication_token', { json: { token } })
    expect(byToken.status).toBe(201)
    expect((await send('POST /runners/verify', { json: { token } })).status).toBe(403)
    const byId = await send(`POST /runners/${id}/reset_authentication_token`, { as: 'alice' })
    expect((await send('DELETE /runners', { json: { token: byToken.body.token } })).status).toBe(403)
    expect((await send('DELETE /runners', { json: { token: byId.body.token } })).status).toBe(204)
    expect((await send(`GET /runners/${id}`, { as: 'alice' })).status).toBe(404)
  })
})

describe('lists', () => {
  test('contain the runners of the place', async () => {
    const { id: ofProject } = await create({ project })
    const { id: ofGroup } = await create({ group: 'acme' })
    const { id: ofInstance } = await create({})
    const { id: other } = await create({ project: 'bob/notes' })
    expect(await idsOf(web, 'alice')).toEqual([ofProject, ofGroup, ofInstance])
    expect(await idsOf('/groups/acme/runners', 'alice')).toEqual([ofGroup, ofInstance])
    expect(await idsOf('/runners/all')).toEqual([ofProject, ofGroup, ofInstance, other])
    expect(await idsOf('/runners', 'alice')).toEqual([ofProject, ofGroup])
    expect(await idsOf('/runners', 'bob')).toEqual([other])
    await forge.host.projects.update({ project, settings: { sharedRunnersEnabled: false, groupRunnersEnabled: false } })
    expect(await idsOf(web, 'alice')).toEqual([ofProject])
  })

  test('are filtered by type, tags, state and version', async () => {
    const { id: mac } = await create({ project }, { tagList: ['ios', 'mac'], paused: true })
    const { id: linux, token } = await create({ group: 'acme' }, { tagList: ['mac'] })
    await send('POST /runners/verify', { json: { token } })
    expect(await idsOf(`${web}?type=group_type`)).toEqual([linux])
    expect(await idsOf(`${web}?scope=specific`)).toEqual([mac])
    expect(await idsOf(`${web}?tag_list=mac`)).toEqual([mac, linux])
    expect(await idsOf(`${web}?tag_list=mac,ios`)).toEqual([mac])
    expect(await idsOf(`${web}?paused=false`)).toEqual([linux])
    expect(await idsOf(`${web}?scope=paused`)).toEqual([mac])
    expect(await idsOf(`${web}?status=paused`)).toEqual([mac])
    expect(await idsOf(`${web}?status=active`)).toEqual([linux])
    expect(await idsOf(`${web}?status=active`)).toEqual([linux])
    const byStatus = async () => {
      const lists: Record<string, number[]> = {}
      for (const status of ['online', 'offline', 'never_contacted', 'stale'])
        lists[status] = await idsOf(`${web}?status=${status}`)
      return lists
    }
    expect(await byStatus()).toEqual({ online: [linux], offline: [], never_contacted: [mac], stale: [] })
    await forge.clock.advance({ hours: 3 })
    expect(await byStatus()).toEqual({ online: [], offline: [linux], never_contacted: [mac], stale: [] })
    await forge.clock.advance({ days: 7 })
    expect(await byStatus()).toEqual({ online: [], offline: [], never_contacted: [], stale: [mac, linux] })
    const { runners_token } = (await send('GET /groups/acme', { as: 'alice' })).body
    const json = { token: runners_token, info: { version: '17.5.0' } }
    const { id: newest } = (await send('POST /runners', { json })).body
    expect(await idsOf(`${web}?version_prefix=17.`)).toEqual([newest])
    expect(await idsOf(`${web}?version_prefix=1_.`)).toEqual([])
  })
})

test('a runner is changed, enabled for other projects and removed', async () => {
  const { id } = await create({ project })
  const update = (json: object, as = 'alice') => send(`PUT /runners/${id}`, { as, json })
  const settings = { description: 'x', locked: true, run_untagged: false, tag_list: ['a'], maximum_timeout: 600 }
  expect((await update({ ...settings, active: false })).body).toMatchObject({
    ...settings,
    paused: true,
    active: false,
  })
  expect(await update({ tag_list: [] })).toMatchObject({ status: 400 })
  expect((await update({ maximum_timeout: 599 })).status).toBe(400)
  expect((await update({ description: 'y' }, 'bob')).status).toBe(403)

  const other = '/projects/acme%2Ftools%2Fdeploy/runners'
  const enable = () => send(`POST ${other}`, { as: 'alice', json: { runner_id: id } })
  expect((await enable()).status).toBe(403)
  await update({ locked: false })
  expect(await enable()).toMatchObject({ status: 201, body: { id, runner_type: 'project_type' } })
  expect((await enable()).status).toBe(409)
  expect(await idsOf(other, 'alice')).toEqual([id])
  expect((await send(`DELETE /runners/${id}`, { as: 'alice' })).status).toBe(403)
  expect((await send(`DELETE ${other}/${id}`, { as: 'alice' })).status).toBe(204)
  expect((await send(`DELETE ${web}/${id}`, { as: 'alice' })).status).toBe(403)
  const { id: ofGroup } = await create({ group: 'acme' })
  expect((await send(`POST ${other}`, { as: 'alice', json: { runner_id: ofGroup } })).status).toBe(403)
  expect((await send(`DELETE /runners/${id}`, { as: 'alice' })).status).toBe(204)
})

test('the jobs of a runner are listed', async () => {
  const { id } = await create({ project })
  expect((await send(`GET /runners/${id}/jobs`, { as: 'alice' })).body).toEqual([])
  expect((await send(`GET /runners/${id}/jobs`, { as: 'bob' })).status).toBe(403)
})

everyRouteCalled('runners')
