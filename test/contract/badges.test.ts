import { demoWithCode } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world({ seed: demoWithCode })
  send = client(forge)
})
afterEach(() => forge.close())

const web = '/projects/acme%2Fweb/badges'
const urls = {
  link_url: 'https://ci.example.com/%{project_path}?ref=%{default_branch}',
  image_url: 'https://ci.example.com/%{project_id}/%{project_name}.svg',
}

describe.each([
  ['project', web],
  ['group', '/groups/acme/badges'],
])('badges of a %s', (kind, base) => {
  test('are added, changed and removed', async () => {
    const json = { ...urls, name: 'Coverage' }
    const { status, body } = await send(`POST ${base}`, { as: 'alice', json })
    expect(status).toBe(201)
    const { body: example } = await send('GET /projects/acme%2Fweb')
    expect(body).toEqual({
      ...json,
      id: expect.any(Number),
      rendered_link_url: 'https://ci.example.com/acme/web?ref=main',
      rendered_image_url: `https://ci.example.com/${example.id}/web.svg`,
      kind,
    })
    expect((await send(`GET ${base}/${body.id}`, { as: 'alice' })).body).toEqual(body)
    expect((await send(`GET ${base}?name=Coverage`)).body).toEqual([body])
    expect((await send(`GET ${base}?name=coverage`)).body).toEqual([])
    const changed = await send(`PUT ${base}/${body.id}`, { as: 'alice', json: { image_url: 'https://x.example.com/' } })
    expect(changed.body).toMatchObject({ name: 'Coverage', rendered_image_url: 'https://x.example.com/' })
    expect((await send(`PUT ${base}/${body.id}`, { as: 'alice', json: {} })).status).toBe(400)
    expect((await send(`DELETE ${base}/${body.id}`, { as: 'alice' })).status).toBe(204)
    expect((await send(`GET ${base}/${body.id}`)).status).toBe(404)
  })

  test('are rendered without adding them', async () => {
    const query = new URLSearchParams({ ...urls, link_url: 'https://x.example.com/%{commit_sha}/%{unknown}' })
    const { status, body } = await send(`GET ${base}/render?${query}`, { as: 'alice' })
    expect(status).toBe(200)
    const { commit } = await forge.host.branches.get({ project: 'acme/web', branch: 'main' })
    expect(body).toMatchObject({ rendered_link_url: `https://x.example.com/${commit.id}/%{unknown}` })
    expect((await send(`GET ${base}/render?image_url=https://x.example.com`, { as: 'alice' })).status).toBe(400)
  })

  test('have HTTP addresses', async () => {
    for (const link_url of ['javascript:alert(1)', 'ftp://x.example.com', '%{project_name}://x', 'text'])
      expect(await send(`POST ${base}`, { as: 'alice', json: { ...urls, link_url } })).toMatchObject({
        status: 400,
        body: { message: { link_url: [expect.stringContaining('is blocked')] } },
      })
  })
})

test('projects have the badges of the groups above, which can be changed in the group only', async () => {
  const group = await forge.host.badges.create({ group: 'acme', linkUrl: urls.link_url, imageUrl: urls.image_url })
  const own = await send(`POST ${web}`, { as: 'alice', json: urls })
  const { body } = await send(`GET ${web}`)
  expect(body).toMatchObject([
    { id: group.id, kind: 'group', rendered_link_url: 'https://ci.example.com/acme/web?ref=main' },
    { id: own.body.id, kind: 'project' },
  ])
  expect((await send(`GET ${web}/${group.id}`)).status).toBe(200)
  expect((await send(`PUT ${web}/${group.id}`, { as: 'alice', json: { name: 'x' } })).status).toBe(403)
  expect((await send(`DELETE ${web}/${group.id}`, { as: 'alice' })).status).toBe(403)
  expect((await send(`GET /groups/acme/badges/${own.body.id}`)).status).toBe(404)
})

everyRouteCalled('badges')
