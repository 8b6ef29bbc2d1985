import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../world.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
let group: number
let template: number
beforeEach(async () => {
  forge = await world()
  send = client(forge)
  ;({ id: group } = await forge.host.groups.create({ parent: 'acme', path: 'templates', visibility: 'private' }))
  const json = { name: 'Service', path: 'service', namespace_id: group, initialize_with_readme: true }
  template = (await send('POST /projects', { as: 'root', json: { ...json, default_branch: 'trunk' } })).body.id
})
afterEach(() => forge.close())

const create = (json: object, as = 'alice') => send('POST /projects', { as, json: { name: 'Fresh', ...json } })
const inGroup = () => ({ use_custom_template: true, group_with_project_templates_id: group })

test('a project is created from a template of a group, with its branches', async () => {
  const { id } = await forge.host.groups.get({ group: 'acme' })
  const named = { ...inGroup(), template_name: 'Service', namespace_id: id }
  const { status, body } = await create(named)
  expect(status).toBe(201)
  expect(body).toMatchObject({ path: 'fresh', default_branch: 'trunk', empty_repo: false, import_status: 'finished' })
  expect(body).not.toHaveProperty('forked_from_project')
  const tree = `repository/tree`
  const [copied, original] = [
    await send(`GET /projects/${body.id}/${tree}`, { as: 'alice' }),
    await send(`GET /projects/${template}/${tree}`, { as: 'alice' }),
  ]
  expect(copied.body).toEqual(original.body)
  expect(copied.body).toMatchObject([{ name: 'README.md' }])
  expect((await create({ ...inGroup(), template_project_id: template, name: 'Other' })).status).toBe(201)
})

test('unknown and invisible templates are refused', async () => {
  const unknown = { status: 400, body: { message: { template_name: ["'rails' is unknown or invalid"] } } }
  expect(await create({ template_name: 'rails' })).toMatchObject(unknown)
  expect(await create({ ...inGroup(), template_name: 'rails' })).toMatchObject(unknown)
  expect(await create({ use_custom_template: true, template_name: 'rails' })).toMatchObject(unknown)
  const { id } = await forge.host.projects.get({ project: 'acme/web' })
  for (const json of [{ ...inGroup(), template_project_id: id }, { template_project_id: template }])
    expect(await create(json)).toMatchObject({
      status: 400,
      body: { message: { template_project_id: ['is unknown or invalid'] } },
    })
  expect((await create({ ...inGroup(), template_name: 'Service' }, 'mallory')).status).toBe(404)
  expect((await create({ ...inGroup(), template_project_id: template, template_name: 'Service' })).status).toBe(400)
  const other = await forge.host.groups.create({ path: 'elsewhere' })
  expect(await create({ ...inGroup(), template_name: 'Service', namespace_id: other.id }, 'root')).toMatchObject({
    status: 400,
    body: { message: { namespace_id: ['is not a descendant of the group that owns the template'] } },
  })
})
