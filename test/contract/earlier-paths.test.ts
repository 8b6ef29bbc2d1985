import { demoWithCode } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../world.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world({ seed: demoWithCode })
  send = client(forge)
})
afterEach(() => forge.close())

/** The status and the target of a request, which is not followed. */
const open = async (path: string, { as, ...init }: RequestInit & { readonly as?: string } = {}) => {
  const headers = { ...(as !== undefined && { 'private-token': `${as}-token` }), accept: 'text/html' }
  const response = await forge.fetch(`${forge.url}${path}`, { redirect: 'manual', ...init, headers })
  await response.text()
  return { status: response.status, target: response.headers.get('location')?.replace(forge.url, '') }
}

const put = (line: string, json: object) => send(`PUT ${line}`, { as: 'alice', json })

test('reads of a renamed project are redirected to its id, and writes are refused', async () => {
  const { body: project } = await put('/projects/acme%2Fweb', { path: 'site' })
  const labels = '/api/v4/projects/acme%2Fweb/labels?per_page=1'
  const target = `/api/v4/projects/${project.id}/labels?per_page=1`
  expect(await open(labels)).toEqual({ status: 301, target })
  expect(await send('DELETE /projects/ACME%2FWeb/labels/bug', { as: 'alice' })).toMatchObject({
    status: 405,
    body: { message: 'Non GET methods are not allowed for moved projects' },
  })
  // A missing object of a project by its present path.
  expect((await send('GET /projects/acme%2Fsite/labels/none')).status).toBe(404)
  expect(await open('/acme/web/-/issues/1?x=1')).toEqual({ status: 301, target: '/acme/site/-/issues/1?x=1' })
  const service = 'info/refs?service=git-upload-pack'
  expect(await open(`/acme/web.git/${service}`)).toEqual({ status: 301, target: `/acme/site.git/${service}` })
})

test('a redirect ends when something else has the path, and follows later moves', async () => {
  const { body: project } = await put('/projects/acme%2Fweb', { path: 'site', visibility: 'private' })
  await put('/projects/acme%2Fsite/transfer', { namespace: 'acme/tools' })
  const path = '/api/v4/projects/acme%2Fweb'
  expect((await open(path)).status).toBe(404)
  expect(await open(path, { as: 'alice' })).toEqual({ status: 301, target: `/api/v4/projects/${project.id}` })
  expect((await open('/api/v4/projects/acme%2Fsite', { as: 'alice' })).status).toBe(301)
  const { body: group } = await send('GET /groups/acme')
  const { body: other } = await send('POST /projects', { as: 'alice', json: { path: 'web', namespace_id: group.id } })
  expect((await open(path, { as: 'alice' })).status).toBe(200)
  await send(`DELETE /projects/${other.id}`, { as: 'alice' })
  expect((await open(path, { as: 'alice' })).status).toBe(404)
})

test('everything below a renamed group is found by its earlier path, if it is visible', async () => {
  const { body: group } = await put('/groups/acme', { path: 'corp' })
  const { body: project } = await send('GET /projects/corp%2Fweb')
  expect(await open('/api/v4/projects/acme%2Fweb')).toEqual({ status: 301, target: `/api/v4/projects/${project.id}` })
  expect(await open('/api/v4/groups/acme/labels')).toEqual({ status: 301, target: `/api/v4/groups/${group.id}/labels` })
  expect(await open('/groups/acme')).toEqual({ status: 301, target: '/groups/corp' })
  expect((await open('/api/v4/projects/acme%2Ftools%2Fdeploy')).status).toBe(404)
  expect((await open('/api/v4/projects/acme%2Ftools%2Fdeploy', { as: 'alice' })).status).toBe(301)
  await put('/projects/corp%2Fweb', { path: 'site' })
  expect((await open('/api/v4/projects/acme%2Fweb')).status).toBe(301)
})
