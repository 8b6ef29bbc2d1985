import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { firstDocument, secondDocument } from '../coverage/documented-routes.ts'
import { everything, idsOf } from '../everything.ts'
import { world } from '../world.ts'

/**
 * What belongs to one project or group is not found through another, even by somebody who sees and may do everything: ids
 * of rows count for the whole platform, so a route that forgot the place would open foreign ones.
 */

let forge: FakeForge
let ids: Readonly<Record<string, string | number>>
beforeAll(async () => {
  forge = await world({ seed: everything })
  ids = await idsOf(forge)
  await forge.host.projects.create({ namespace: 'partners', name: 'far', visibility: 'private' })
})
afterAll(() => forge.close())

/** Creates what is not there. */
const making = new Set(['PUT /groups/:id/custom_attributes/:key', 'PUT /projects/:id/custom_attributes/:key'])

const inPlaces = [...Object.values(firstDocument), ...Object.values(secondDocument)]
  .flat()
  .filter((line) => /^\w+ \/(projects|groups)\/:id\/.*:/.test(line) && !making.has(line))

const body: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  notes: { body: 'A text' },
  labels: { color: 'red' },
  members: { access_level: 20 },
  domains: { auto_ssl_enabled: true },
  environments: { external_url: 'https://www.example.com' },
  remote_mirrors: { enabled: true },
  tags: { name_regex_delete: '.*' },
}

const addressOf = (path: string, places: { readonly projects: string; readonly groups: string }) => {
  const kind = path.startsWith('/groups') ? 'groups' : 'projects'
  const noteable = ['issues', 'snippets', 'merge_requests', 'epics'].find((one) => path.includes(`/${one}/`))
  const own = {
    ...ids,
    note_id: ids[`${noteable}_note`],
    ...(path.includes('requests/:user') && { user_id: ids.requester }),
  }
  return path
    .replace(':id', encodeURIComponent(places[kind]))
    .replace(/:([a-z_]+)/g, (_, name: keyof typeof own) => encodeURIComponent(String(own[name])))
}

const ask = async (line: string, places: { readonly projects: string; readonly groups: string }) => {
  const [method, path] = line.split(/ +/) as [string, string]
  const family = Object.keys(body).find((name) => path.includes(`/${name}`))
  const response = await forge.fetch(`${forge.url}/api/v4${addressOf(path, places)}`, {
    method,
    headers: { 'private-token': 'root-token', 'content-type': 'application/json' },
    ...(method !== 'GET' && { body: JSON.stringify(family ? body[family] : {}) }),
  })
  return { status: response.status, text: await response.text() }
}

const home = { projects: 'acme/web', groups: 'acme' }
const elsewhere = { projects: 'partners/far', groups: 'partners' }

describe('through another place there is nothing', () => {
  test.each(inPlaces)('%s', async (line) => {
    const foreign = await ask(line, elsewhere)
    expect(foreign.status, foreign.text).toBe(404)
  })
})

describe('through its own place there is', () => {
  // The member is one of the group, the override is for people of a directory.
  const reading = inPlaces.filter((line) => line.startsWith('GET') && line !== 'GET /projects/:id/members/:user_id')
  test.each(reading)('%s', async (line) => {
    expect(await ask(line, home)).toMatchObject({ status: 200 })
  })
})
