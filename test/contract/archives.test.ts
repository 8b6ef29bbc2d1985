import { demoWithCode } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world({ seed: demoWithCode })
  send = client(forge)
})
afterEach(() => forge.close())

const drain = () => forge.platform.jobs.drain()

const download = async (base: string) => {
  await send(`POST ${base}/export`, { as: 'alice' })
  await drain()
  const response = await forge.fetch(`${forge.url}/api/v4${base}/export/download`, {
    headers: { 'private-token': 'alice-token' },
  })
  return { response, archive: await response.blob() }
}

const upload = async (path: string, archive: Blob, fields: Readonly<Record<string, string>>, user = 'alice') => {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  body.set('file', new File([archive], 'archive.tar.gz'))
  const headers = { 'private-token': `${user}-token` }
  const response = await forge.fetch(`${forge.url}/api/v4${path}`, { method: 'POST', body, headers })
  return { status: response.status, body: await response.json() }
}

const web = '/projects/acme%2Fweb'

test('a project is exported by a job and downloaded', async () => {
  const { body: project } = await send(`GET ${web}`, { as: 'alice' })
  const state = {
    id: project.id,
    description: 'The public website',
    name: 'Web',
    name_with_namespace: 'Acme / Web',
    path: 'web',
    path_with_namespace: 'acme/web',
    created_at: project.created_at,
    export_error: null,
  }
  expect((await send(`GET ${web}/export`, { as: 'alice' })).body).toEqual({ ...state, export_status: 'none' })
  expect((await send(`GET ${web}/export/download`, { as: 'alice' })).status).toBe(404)
  expect(await send(`POST ${web}/export`, { as: 'alice' })).toMatchObject({
    status: 202,
    body: { message: '202 Accepted' },
  })
  expect((await send(`GET ${web}/export`, { as: 'alice' })).body).toEqual({ ...state, export_status: 'queued' })
  await drain()
  const address = `${forge.url}/api/v4/projects/${project.id}/export/download`
  expect((await send(`GET ${web}/export`, { as: 'alice' })).body).toEqual({
    ...state,
    export_status: 'finished',
    _links: { api_url: address, web_url: address },
  })
  const { response, archive } = await download(web)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/gzip')
  expect(response.headers.get('content-disposition')).toContain('attachment; filename="acme_web_export.tar.gz"')
  expect(Number(response.headers.get('content-length'))).toBe(archive.size)
})

test('an export to an address is rejected', async () => {
  const form = { 'upload[url]': 'https://files.example.com/web', 'upload[http_method]': 'PUT' }
  expect(await send(`POST ${web}/export`, { as: 'alice', form })).toMatchObject({
    status: 400,
    body: { message: { upload: ['is not supported: download the archive instead'] } },
  })
  expect((await send(`GET ${web}/export`, { as: 'alice' })).body.export_status).toBe('none')
})

test('the description of an export replaces that of the project', async () => {
  await send(`POST ${web}/export`, { as: 'alice', json: { description: 'Exported' } })
  const { archive } = await download(web)
  const { body } = await upload('/projects/import', archive, { path: 'site' })
  await drain()
  expect((await send(`GET /projects/${body.id}`, { as: 'alice' })).body.description).toBe('Exported')
})

test('a project is imported by a job', async () => {
  const { archive } = await download(web)
  const { status, body } = await upload('/projects/import', archive, {
    path: 'site',
    name: 'Site',
    namespace: 'acme/tools',
    'override_params[description]': 'Moved',
  })
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.any(Number),
    stats: null,
    description: 'Moved',
    name: 'Site',
    name_with_namespace: 'Acme / Tools / Site',
    path: 'site',
    path_with_namespace: 'acme/tools/site',
    created_at: expect.any(String),
    import_status: 'scheduled',
    import_type: 'gitlab_project',
    correlation_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    failed_relations: [],
    import_error: null,
  })
  expect((await send(`GET /projects/${body.id}`, { as: 'alice' })).body.import_status).toBe('scheduled')
  await drain()
  expect((await send(`GET /projects/${body.id}/import`, { as: 'alice' })).body).toEqual({
    ...body,
    import_status: 'finished',
  })
  const { body: branches } = await send(`GET /projects/${body.id}/repository/branches`, { as: 'alice' })
  expect(branches.map(({ name }: { name: string }) => name)).toEqual(['cache-home', 'main'])
  const { body: issues } = await send(`GET /projects/${body.id}/issues?sort=asc`, { as: 'alice' })
  expect(issues).toHaveLength(4)
})

test('override_params are the parameters of a new project, and apply after the content', async () => {
  const { archive } = await download(web)
  const { body } = await upload('/projects/import', archive, {
    path: 'site',
    'override_params[visibility]': 'public',
    'override_params[issues_enabled]': 'false',
    'override_params[topics][]': 'copy',
    'override_params[merge_method]': 'ff',
    'override_params[emails_enabled]': 'false',
    'override_params[container_expiration_policy_attributes][keep_n]': '5',
  })
  await drain()
  expect((await send(`GET /projects/${body.id}`, { as: 'alice' })).body).toMatchObject({
    import_status: 'finished',
    import_type: 'gitlab_project',
    import_error: null,
    visibility: 'public',
    issues_access_level: 'disabled',
    topics: ['copy'],
    merge_method: 'ff',
    emails_disabled: true,
    container_expiration_policy: { cadence: '7d', keep_n: 5 },
  })
  const imported = await send('GET /projects?imported=true', { as: 'alice' })
  expect(imported.body.map(({ id }: { id: number }) => id)).toEqual([body.id])
  expect((await send('GET /projects?imported=true', { as: 'root' })).body).toEqual([])
  expect((await send(`GET /projects/${body.id}`)).body).not.toHaveProperty('import_type')
  const wrong = await upload('/projects/import', archive, { path: 'other', 'override_params[merge_method]': 'x' })
  expect(wrong).toMatchObject({
    status: 400,
    body: { error: 'override_params[merge_method] does not have a valid value' },
  })
})

test.each([
  ['namespace', 'acme'],
  ['namespace_path', 'acme'],
])('%s selects the namespace', async (name, value) => {
  const { archive } = await download(web)
  const { body } = await upload('/projects/import', archive, { path: 'site', [name]: value })
  expect(body.path_with_namespace).toBe('acme/site')
})

test('overwrite replaces a project when the import succeeds', async () => {
  const { archive } = await download(web)
  expect((await upload('/projects/import', archive, { path: 'web', namespace: 'acme' })).status).toBe(409)
  const { body } = await upload('/projects/import', archive, { path: 'web', namespace: 'acme', overwrite: 'true' })
  await drain()
  expect((await send(`GET ${web}`, { as: 'alice' })).body.id).toBe(body.id)
})

test('a damaged archive fails with an explanation', async () => {
  const { body } = await upload('/projects/import', new Blob([new Uint8Array([0x1f, 0x8b, 8, 0])]), { path: 'site' })
  await drain()
  expect((await send(`GET /projects/${body.id}/import`, { as: 'alice' })).body).toMatchObject({
    import_status: 'failed',
    import_error: 'The archive cannot be imported: it is damaged',
  })
})

test.each([
  ['no archive', { path: 'site' }, new Blob(['x']), 400],
  ['no path', {}, new Blob(['x']), 400],
  ['an unknown namespace', { path: 'site', namespace: 'missing' }, new Blob(['x']), 404],
  ['a hidden namespace', { path: 'site', namespace: 'partners' }, new Blob(['x']), 404],
])('an import with %s is rejected', async (_case, fields, archive, status) => {
  expect((await upload('/projects/import', archive, fields)).status).toBe(status)
})

test('developers of a group cannot import into it', async () => {
  const { archive } = await download(web)
  expect((await upload('/projects/import', archive, { path: 'x', namespace: 'acme' }, 'bob')).status).toBe(403)
})

test('a project without an import has the status none', async () => {
  expect((await send(`GET ${web}/import`, { as: 'alice' })).body).toMatchObject({
    import_status: 'none',
    import_type: null,
    correlation_id: null,
  })
})

test('a group is exported and imported', async () => {
  const { response, archive } = await download('/groups/acme')
  expect(response.headers.get('content-disposition')).toContain('acme_export.tar.gz')
  expect((await send('GET /groups/acme/export', { as: 'alice' })).body).toMatchObject({
    path_with_namespace: 'acme',
    export_status: 'finished',
    _links: { api_url: expect.stringMatching(/\/api\/v4\/groups\/\d+\/export\/download$/) },
  })
  const imported = await upload('/groups/import', archive, { name: 'Copy', path: 'copy' })
  expect(imported).toEqual({ status: 202, body: { message: '202 Accepted' } })
  const { body: parent } = await send('GET /groups/acme', { as: 'alice' })
  await upload('/groups/import', archive, { name: 'Copy', path: 'copy', parent_id: String(parent.id) })
  await drain()
  expect((await send('GET /groups/copy/import', { as: 'alice' })).body).toMatchObject({
    import_status: 'finished',
    import_type: 'gitlab_group',
  })
  for (const group of ['copy', 'acme%2Fcopy']) {
    const { body: labels } = await send(`GET /groups/${group}/labels`, { as: 'alice' })
    expect(labels.map(({ name }: { name: string }) => name)).toContain('urgent')
  }
})

everyRouteCalled('exports', 'imports')
