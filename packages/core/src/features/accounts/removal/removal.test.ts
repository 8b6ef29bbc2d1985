import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { client } from '../../../../../../test/contract/client.ts'
import { preparedWorld } from '../../../../../../test/world.ts'

/** More rows than a request removes. */
const many = 1_001

/** Writes the comments of one issue, so that the project is large. Returns the number of the issue. */
const fill = async ({ host }: FakeForge, project: string, author: string) => {
  const { iid } = await host.issues.create({ project, title: 'Large', author })
  for (let at = 0; at < many; at++) await host.notes.create({ project, issue: iid, body: 'x', author })
  return iid
}

/** Returns the number of the issue with the comments of carol. */
const fillProjects = async (opened: FakeForge) => {
  await fill(opened, 'acme/tools/deploy', 'alice')
  return fill(opened, 'acme/web', 'carol')
}

let forge: FakeForge
let issue: number
let restore: () => Promise<void>
beforeAll(async () => {
  ;({ forge, prepared: issue, restore } = await preparedWorld({}, fillProjects))
})
afterEach(() => restore())
afterAll(() => forge.close())

const send = (line: string, as: string) => client(forge)(line, { as })

describe('a small project', () => {
  test('is removed at once', async () => {
    expect(await send('DELETE /projects/bob%2Fnotes', 'bob')).toMatchObject({ status: 202 })
    await expect(forge.host.projects.get({ project: 'bob/notes' })).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('a large project', { timeout: 60_000 }, () => {
  test('is private, archived and renamed until a job has removed it', async () => {
    const { id } = await forge.host.projects.get({ project: 'acme/web' })
    expect(await send('DELETE /projects/acme%2Fweb', 'alice')).toMatchObject({ status: 202 })
    expect(await send('GET /projects/acme%2Fweb', 'alice')).toMatchObject({ status: 404 })
    expect(await send(`GET /projects/${id}`, 'mallory')).toMatchObject({ status: 404 })
    expect(await send(`GET /projects/${id}`, 'alice')).toMatchObject({
      status: 200,
      body: { path_with_namespace: `acme/web-deletion_scheduled-${id}`, archived: true, visibility: 'private' },
    })
    const { path } = await forge.host.projects.create({ namespace: 'acme', path: 'web', name: 'Web' })
    expect(path).toBe('web')
    // A repeated request changes nothing.
    expect(await send(`DELETE /projects/${id}`, 'alice')).toMatchObject({ status: 202 })
    await forge.platform.jobs.drain()
    expect(await send(`GET /projects/${id}`, 'alice')).toMatchObject({ status: 404 })
    expect((await forge.host.issues.list({ project: 'acme/web' })).items).toEqual([])
    expect(await send('GET /projects/acme%2Fweb', 'alice')).toMatchObject({ status: 200 })
  })

  test('can be removed by two jobs', async () => {
    const { id } = await forge.host.projects.get({ project: 'acme/web' })
    await forge.host.projects.remove({ project: id })
    await forge.platform.jobs.drain()
    await expect(forge.host.projects.get({ project: id })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is removed with its group', async () => {
    const { id } = await forge.host.groups.get({ group: 'acme' })
    const { id: project } = await forge.host.projects.get({ project: 'acme/tools/deploy' })
    expect(await send('DELETE /groups/acme', 'alice')).toMatchObject({ status: 202 })
    expect(await send('GET /groups/acme', 'alice')).toMatchObject({ status: 404 })
    const path = `acme-deletion_scheduled-${id}`
    expect(await send(`GET /groups/${id}`, 'alice')).toMatchObject({ body: { full_path: path, visibility: 'private' } })
    expect(await send(`GET /projects/${project}`, 'alice')).toMatchObject({
      body: { path_with_namespace: `${path}/tools/deploy`, archived: true, visibility: 'private' },
    })
    expect(await send(`GET /groups/${id}`, 'mallory')).toMatchObject({ status: 404 })
    await forge.platform.jobs.drain()
    expect(await send(`GET /groups/${id}`, 'alice')).toMatchObject({ status: 404 })
    expect(await send(`GET /projects/${project}`, 'root')).toMatchObject({ status: 404 })
  })
})

describe('a group with a large epic', { timeout: 60_000 }, () => {
  test('is private and renamed until a job has removed it', async () => {
    const { host } = forge
    const { id: group } = await host.groups.create({ path: 'large', name: 'Large', visibility: 'public' })
    const { id: epic } = await host.epics.create({ group, title: 'Large', author: 'alice' })
    for (let at = 0; at < many; at++) await host.notes.create({ group, epic, body: 'x', author: 'alice' })
    expect(await send('DELETE /groups/large', 'root')).toMatchObject({ status: 202 })
    expect(await host.groups.get({ group })).toMatchObject({
      visibility: 'private',
      path: `large-deletion_scheduled-${group}`,
    })
    await forge.platform.jobs.drain()
    await expect(host.groups.get({ group })).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('a user with many contributions', { timeout: 60_000 }, () => {
  test('is blocked until a job has moved them', async () => {
    const { id } = await forge.host.users.get({ user: 'carol' })
    expect(await send(`DELETE /users/${id}`, 'root')).toMatchObject({ status: 204 })
    expect(await forge.host.users.get({ user: 'carol' })).toMatchObject({ state: 'blocked' })
    expect(await send('GET /user', 'carol')).not.toMatchObject({ status: 200 })
    await forge.platform.jobs.drain()
    await expect(forge.host.users.get({ user: 'carol' })).rejects.toMatchObject({ code: 'not_found' })
    const { author } = await forge.host.issues.get({ project: 'acme/web', issue })
    expect(author.name).toBe('Ghost User')
    const notes = await forge.host.notes.list({ project: 'acme/web', issue, perPage: 100 })
    expect(new Set(notes.items.map((note) => note.author.name))).toEqual(new Set(['Ghost User']))
  })

  test('is removed with them on request, and with large groups', async () => {
    const { id } = await forge.host.users.get({ user: 'alice' })
    expect(await send(`DELETE /users/${id}`, 'root')).toMatchObject({ status: 409 })
    expect(await forge.host.users.get({ user: 'alice' })).toMatchObject({ state: 'active' })
    expect(await send(`DELETE /users/${id}?hard_delete=true`, 'root')).toMatchObject({ status: 204 })
    await forge.platform.jobs.drain()
    await expect(forge.host.users.get({ user: 'alice' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(forge.host.groups.get({ group: 'acme' })).rejects.toMatchObject({ code: 'not_found' })
  })
})
