import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { firstDocument, secondDocument } from '../coverage/documented-routes.ts'
import { fullSeed, readIds } from '../full-seed.ts'
import { world } from '../sqlite-world.ts'

/**
 * Objects of one project or group are not found through another, even by an administrator. Row ids are unique on the whole
 * platform, so a route that ignores the project or group would access foreign objects.
 */

let forge: FakeForge
let ids: Readonly<Record<string, string | number>>
beforeAll(async () => {
  forge = await world({ seed: fullSeed })
  ids = await readIds(forge)
  await forge.host.projects.create({ namespace: 'partners', name: 'far', visibility: 'private' })
})
afterAll(() => forge.close())

/** Routes that create a missing object. */
const creating = new Set(['PUT /groups/:id/custom_attributes/:key', 'PUT /projects/:id/custom_attributes/:key'])

const nestedRoutes = [...Object.values(firstDocument), ...Object.values(secondDocument)]
  .flat()
  .filter((line) => /^\w+ \/(projects|groups)\/:id\/.*:/.test(line) && !creating.has(line))

const body: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  notes: { body: 'A text' },
  labels: { color: 'red' },
  members: { access_level: 20 },
  domains: { auto_ssl_enabled: true },
  environments: { external_url: 'https://www.example.com' },
  remote_mirrors: { enabled: true },
  tags: { name_regex_delete: '.*' },
}

const pathOf = (path: string, parents: { readonly projects: string; readonly groups: string }) => {
  const kind = path.startsWith('/groups') ? 'groups' : 'projects'
  const noteable = ['issues', 'snippets', 'merge_requests', 'epics'].find((one) => path.includes(`/${one}/`))
  const values = {
    ...ids,
    note_id: ids[`${noteable}_note`],
    ...(path.includes('requests/:user') && { user_id: ids.requester }),
  }
  return path
    .replace(':id', encodeURIComponent(parents[kind]))
    .replace(/:([a-z_]+)/g, (_, name: keyof typeof values) => encodeURIComponent(String(values[name])))
}

const send = async (line: string, parents: { readonly projects: string; readonly groups: string }) => {
  const [method, path] = line.split(/ +/) as [string, string]
  const family = Object.keys(body).find((name) => path.includes(`/${name}`))
  const response = await forge.fetch(`${forge.url}/api/v4${pathOf(path, parents)}`, {
    method,
    headers: { 'private-token': 'root-token', 'content-type': 'application/json' },
    ...(method !== 'GET' && { body: JSON.stringify(family ? body[family] : {}) }),
  })
  return { status: response.status, text: await response.text() }
}

const parent = { projects: 'acme/web', groups: 'acme' }
const other = { projects: 'partners/far', groups: 'partners' }

describe('not found through another project or group', () => {
  test.each(nestedRoutes)('%s', async (line) => {
    const foreign = await send(line, other)
    expect(foreign.status, foreign.text).toBe(404)
  })
})

describe('found through its own project or group', () => {
  // The member belongs to the group, so it is not a direct member of the project.
  const reading = nestedRoutes.filter((line) => line.startsWith('GET') && line !== 'GET /projects/:id/members/:user_id')
  test.each(reading)('%s', async (line) => {
    expect(await send(line, parent)).toMatchObject({ status: 200 })
  })
})
