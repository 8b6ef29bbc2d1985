import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../world.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world({ time: '2026-11-21T12:00:00Z' })
  send = client(forge)
})
afterEach(() => forge.close())

const delay = (days: number) => forge.host.settings.update({ deletionAdjournedPeriod: days })
const pathsOf = (body: { path_with_namespace?: string; full_path?: string }[]) =>
  body.map(({ path_with_namespace, full_path }) => path_with_namespace ?? full_path)

test('a project is removed at once until the setting is set, except with another full path', async () => {
  expect(await send('DELETE /projects/acme%2Fweb?full_path=acme%2Fother', { as: 'alice' })).toMatchObject({
    status: 400,
    body: { message: '`full_path` is incorrect. You must enter the complete path for the project.' },
  })
  expect(await send('DELETE /projects/acme%2Fweb?full_path=acme%2Fweb', { as: 'alice' })).toMatchObject({ status: 202 })
  await expect(forge.host.projects.get({ project: 'acme/web' })).rejects.toMatchObject({ code: 'not_found' })
})

test('a project is marked, restored, marked again and removed after the days of the setting', async () => {
  await delay(3)
  const { id } = await forge.host.projects.get({ project: 'acme/web' })
  const path = `acme/web-deletion_scheduled-${id}`
  expect((await send(`DELETE /projects/${id}`, { as: 'alice' })).status).toBe(202)
  const marked = { path_with_namespace: path, archived: true, marked_for_deletion_on: '2026-11-21' }
  const { body } = await send(`GET /projects/${id}`, { as: 'alice' })
  expect(body).toMatchObject({ ...marked, marked_for_deletion_at: '2026-11-21' })
  const list = async (query: string) => pathsOf((await send(`GET /projects?${query}`, { as: 'alice' })).body)
  expect(await list('marked_for_deletion_on=2026-11-21')).toEqual([path])
  expect(await list('marked_for_deletion_on=2026-11-20')).toEqual([])
  expect(await list('active=true')).not.toContain(path)
  expect((await send(`POST /projects/${id}/issues`, { as: 'alice', json: { title: 'x' } })).status).toBe(403)

  expect(await send(`DELETE /projects/${id}`, { as: 'alice' })).toMatchObject({ status: 400 })
  const restored = await send(`POST /projects/${id}/restore`, { as: 'alice' })
  expect(restored).toMatchObject({
    status: 201,
    body: { path_with_namespace: 'acme/web', archived: false, marked_for_deletion_on: null },
  })
  expect((await send(`POST /projects/${id}/restore`, { as: 'alice' })).status).toBe(400)

  await send(`DELETE /projects/${id}`, { as: 'alice' })
  await forge.clock.advance({ days: 2 })
  expect((await send(`GET /projects/${id}`, { as: 'alice' })).status).toBe(200)
  await forge.clock.advance({ days: 2 })
  expect((await send(`GET /projects/${id}`, { as: 'alice' })).status).toBe(404)
})

test('only what is marked is removed permanently, and only with its full path', async () => {
  await delay(7)
  const { id } = await forge.host.projects.get({ project: 'acme/web' })
  const remove = (query: string) => send(`DELETE /projects/${id}?permanently_remove=true${query}`, { as: 'alice' })
  expect(await remove('&full_path=acme%2Fweb')).toMatchObject({
    status: 400,
    body: { message: 'Project must be marked for deletion first.' },
  })
  await send(`DELETE /projects/${id}`, { as: 'alice' })
  expect(await remove('')).toMatchObject({ status: 400 })
  expect(await remove('&full_path=acme%2Fweb')).toMatchObject({ status: 400 })
  expect(await remove(`&full_path=acme%2Fweb-deletion_scheduled-${id}`)).toMatchObject({ status: 202 })
  expect((await send(`GET /projects/${id}`, { as: 'alice' })).status).toBe(404)
})

test('a group is marked and restored with its projects, and removed after the days of the setting', async () => {
  await delay(1)
  const { id } = await forge.host.groups.get({ group: 'acme' })
  expect((await send('DELETE /groups/acme', { as: 'alice' })).status).toBe(202)
  const path = `acme-deletion_scheduled-${id}`
  expect((await send(`GET /groups/${id}`, { as: 'alice' })).body).toMatchObject({
    full_path: path,
    marked_for_deletion_on: '2026-11-21',
  })
  expect((await send(`GET /projects/${encodeURIComponent(`${path}/web`)}`, { as: 'alice' })).status).toBe(200)
  const list = async (query: string) => pathsOf((await send(`GET /groups?${query}`, { as: 'root' })).body)
  expect(await list('marked_for_deletion_on=2026-11-21')).toEqual([path])
  expect(await list('active=false')).toEqual([path])
  expect(await list('active=true')).not.toContain(path)
  expect((await send(`DELETE /groups/${id}`, { as: 'alice' })).status).toBe(400)
  expect(await send(`POST /groups/${id}/restore`, { as: 'alice' })).toMatchObject({
    status: 201,
    body: { full_path: 'acme', marked_for_deletion_on: null },
  })
  expect((await send('GET /projects/acme%2Fweb', { as: 'alice' })).status).toBe(200)
  await send('DELETE /groups/acme', { as: 'alice' })
  await forge.clock.advance({ days: 2 })
  expect((await send(`GET /groups/${id}`, { as: 'root' })).status).toBe(404)
})
