import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../world.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

const as = 'root'
const archive = (group: string) => send(`POST /groups/${encodeURIComponent(group)}/archive`, { as })
const unarchive = (group: string) => send(`POST /groups/${encodeURIComponent(group)}/unarchive`, { as })
const isArchived = async (path: string) => (await send(`GET ${path}`, { as })).body.archived
const tools = '/groups/acme%2Ftools'
const web = '/projects/acme%2Fweb'

test('a group is archived with its subgroups and projects, which stay readable', async () => {
  expect(await archive('acme')).toMatchObject({ status: 200, body: { full_path: 'acme', archived: true } })
  expect(await Promise.all(['/groups/acme', tools, web].map(isArchived))).toEqual([true, true, true])
  const pathsOf = async (query: string) =>
    (await send(`GET /groups?all_available=true&${query}`, { as })).body.map(
      (group: { full_path: string }) => group.full_path,
    )
  expect(await pathsOf('archived=true')).toEqual(expect.arrayContaining(['acme', 'acme/tools']))
  expect(await pathsOf('archived=false')).not.toContain('acme')
  expect(await pathsOf('active=true')).not.toContain('acme/tools')
  expect(await pathsOf('active=false')).toContain('acme/tools')
})

test('an archived group refuses changes of its content, also by administrators', async () => {
  await send('POST /groups/acme/labels', { as, json: { name: 'kept', color: 'red' } })
  await archive('acme')
  const { id } = await forge.host.groups.get({ group: 'acme/tools' })
  const refused: [string, object][] = [
    [`POST ${web}/issues`, { title: 'New' }],
    ['POST /groups/acme/labels', { name: 'new', color: 'red' }],
    ['POST /groups/acme/milestones', { title: 'new' }],
    ['POST /groups', { name: 'below', path: 'below', parent_id: id }],
    ['POST /projects', { name: 'below', namespace_id: id }],
    [`POST ${tools}/transfer`, {}],
  ]
  for (const [line, json] of refused) expect([line, (await send(line, { as, json })).status]).toEqual([line, 403])
  expect((await send(`PUT ${web}/transfer`, { as, json: { namespace: 'bob' } })).status).toBe(422)
  expect((await send(`POST ${web}/unarchive`, { as })).status).toBe(422)
})

test('a group is unarchived with what was archived with it', async () => {
  await send(`POST ${web}/archive`, { as })
  await archive('acme/tools')
  await archive('acme')
  expect(await unarchive('acme/tools')).toMatchObject({
    status: 422,
    body: { message: ['Cannot unarchive group since one of the ancestor groups is archived!'] },
  })
  expect(await archive('acme')).toMatchObject({ status: 422, body: { message: ['Group is already archived!'] } })
  expect((await archive('acme/tools')).status).toBe(422)
  expect(await unarchive('acme')).toMatchObject({ status: 200, body: { archived: false } })
  expect(await Promise.all(['/groups/acme', tools, web].map(isArchived))).toEqual([false, true, true])
  expect((await unarchive('acme/tools')).status).toBe(200)
  expect(await unarchive('acme/tools')).toMatchObject({ status: 422 })
  expect(await Promise.all([tools, '/projects/acme%2Ftools%2Fdeploy'].map(isArchived))).toEqual([false, false])
  expect((await send(`POST ${web}/unarchive`, { as })).body).toMatchObject({ archived: false })
})

test('a project that is restored in an archived group stays archived until the group is unarchived', async () => {
  await forge.host.settings.update({ deletionAdjournedPeriod: 3 })
  const { id } = await forge.host.projects.get({ project: 'acme/web' })
  await send(`DELETE /projects/${id}`, { as })
  await archive('acme')
  expect((await send(`POST /projects/${id}/restore`, { as })).body).toMatchObject({ archived: true })
  await unarchive('acme')
  expect(await isArchived(web)).toBe(false)
})
