import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
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

const create = async (json: object) => (await send('POST /topics', { as: 'root', json })).body
const setTopics = (project: string, topics: readonly string[]) =>
  send(`PUT /projects/${encodeURIComponent(project)}`, { as: 'alice', json: { topics } })
const topicsOf = async (project: string) =>
  (await send(`GET /projects/${encodeURIComponent(project)}`, { as: 'alice' })).body.topics

test('topics are created, changed and removed', async () => {
  const body = await create({ name: 'kubernetes', title: 'Kubernetes' })
  expect(body).toEqual({
    id: expect.any(Number),
    name: 'kubernetes',
    title: 'Kubernetes',
    description: null,
    total_projects_count: 0,
    avatar_url: null,
    organization_id: 1,
  })
  expect((await send(`GET /topics/${body.id}`)).body).toEqual(body)
  expect((await send('GET /topics?search=kubern')).body).toEqual([body])
  expect((await send('GET /topics?search=docker')).body).toEqual([])
  const json = { description: 'Containers' }
  expect((await send(`PUT /topics/${body.id}`, { as: 'root', json })).body).toEqual({ ...body, ...json })
  expect(await send('POST /topics', { as: 'root', json: { name: 'Kubernetes', title: 'x' } })).toMatchObject({
    status: 400,
    body: { message: { name: ['has already been taken'] } },
  })
  for (const name of ['', 'a,b', 'x'.repeat(256)])
    expect((await send('POST /topics', { as: 'root', json: { name, title: 'x' } })).status).toBe(400)
  expect((await send(`DELETE /topics/${body.id}`, { as: 'root' })).status).toBe(204)
  expect((await send(`GET /topics/${body.id}`)).status).toBe(404)
})

test('projects create the topics that they list, and are found by them', async () => {
  await create({ name: 'unused', title: 'Unused' })
  await setTopics('acme/web', ['Rust', 'wasm'])
  await setTopics('acme/tools/deploy', ['rust'])
  const { body } = await send('GET /topics')
  expect(body).toMatchObject([
    { name: 'Rust', title: 'Rust', total_projects_count: 2 },
    { name: 'wasm', total_projects_count: 1 },
    { name: 'unused', total_projects_count: 0 },
  ])
  expect((await send('GET /topics?without_projects=true')).body).toMatchObject([{ name: 'unused' }])
  const paths = async (query: string) =>
    (await send(`GET /projects?order_by=id&sort=asc&${query}`, { as: 'alice' })).body.map(
      ({ path_with_namespace }: { path_with_namespace: string }) => path_with_namespace,
    )
  expect((await paths('topic=rust')).sort()).toEqual(['acme/tools/deploy', 'acme/web'])
  expect(await paths('topic=rust,WASM')).toEqual(['acme/web'])
  expect(await paths('topic=missing')).toEqual([])
  expect(await paths(`topic_id=${body[1].id}`)).toEqual(['acme/web'])
  await setTopics('acme/web', [])
  expect((await send('GET /topics?search=wasm')).body).toMatchObject([{ total_projects_count: 0 }])
})

test('a renamed, merged or removed topic changes its projects', async () => {
  await setTopics('acme/web', ['Rust', 'Rustlang', 'web'])
  await setTopics('acme/tools/deploy', ['Rustlang'])
  const { body } = await send('GET /topics')
  const idOf = (name: string) => body.find((topic: { name: string }) => topic.name === name).id
  const merge = { source_topic_id: idOf('Rustlang'), target_topic_id: idOf('Rust') }
  const merged = await send('POST /topics/merge', { as: 'root', json: merge })
  expect(merged).toMatchObject({ status: 201, body: { name: 'Rust', total_projects_count: 2 } })
  expect(await topicsOf('acme/tools/deploy')).toEqual(['Rust'])
  expect(await topicsOf('acme/web')).toEqual(['Rust', 'web'])
  expect((await send('POST /topics/merge', { as: 'root', json: merge })).status).toBe(404)
  const same = { source_topic_id: idOf('Rust'), target_topic_id: idOf('Rust') }
  expect((await send('POST /topics/merge', { as: 'root', json: same })).status).toBe(400)
  await send(`PUT /topics/${idOf('Rust')}`, { as: 'root', json: { name: 'rust-lang' } })
  expect(await topicsOf('acme/web')).toEqual(['rust-lang', 'web'])
  expect((await send(`GET /topics/${idOf('Rust')}`)).body).toMatchObject({ total_projects_count: 2 })
  await send(`DELETE /topics/${idOf('web')}`, { as: 'root' })
  expect(await topicsOf('acme/web')).toEqual(['rust-lang'])
})

everyRouteCalled('topics')

test('organization_id is that of the only organization', async () => {
  expect((await send('GET /topics?organization_id=1')).status).toBe(200)
  const create = (organization_id: number) =>
    send('POST /topics', { as: 'root', json: { name: 'go', title: 'Go', organization_id } })
  expect((await create(2)).status).toBe(400)
  expect((await create(1)).status).toBe(201)
})
