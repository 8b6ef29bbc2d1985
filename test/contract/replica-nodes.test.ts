import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

const as = 'root'
const secondary = { name: 'second', url: 'https://second.example.com' }

const add = async (json: object = secondary) => (await send('POST /geo_nodes', { as, json })).body as { id: number }

const common = {
  enabled: true,
  current: false,
  files_max_capacity: 10,
  repos_max_capacity: 25,
  verification_max_capacity: 100,
  container_repositories_max_capacity: 10,
  selective_sync_type: null,
  selective_sync_shards: [],
  selective_sync_namespace_ids: [],
  minimum_reverification_interval: 7,
  clone_protocol: 'http',
}

describe('a node', () => {
  test('answers with the documented fields and no others', async () => {
    const { status, body } = await send('POST /geo_nodes', { as, json: secondary })
    const links = `${forge.url}/api/v4/geo_nodes/${body.id}`
    expect(status).toBe(200)
    expect(body).toEqual({
      ...common,
      id: expect.any(Number),
      name: 'second',
      url: 'https://second.example.com/',
      internal_url: 'https://second.example.com/',
      primary: false,
      sync_object_storage: false,
      web_edit_url: `${forge.url}/admin/geo/nodes/${body.id}/edit`,
      web_geo_projects_url: 'https://second.example.com/admin/geo/projects',
      _links: { self: links, status: `${links}/status`, repair: `${links}/repair` },
    })
    expect((await send(`GET /geo_nodes/${body.id}`, { as })).body).toEqual(body)
    expect((await send('GET /geo_nodes', { as })).body).toEqual([body])
    expect(await send(`POST /geo_nodes/${body.id}/repair`, { as })).toMatchObject({ status: 200, body })
    expect(await send(`DELETE /geo_nodes/${body.id}`, { as })).toMatchObject({ status: 204, text: '' })
    for (const line of [`GET /geo_nodes/${body.id}`, `DELETE /geo_nodes/${body.id}`]) {
      expect(await send(line, { as })).toMatchObject({ status: 404, body: { message: '404 Not found' } })
    }
  })

  test('that is this site says so; a primary has nothing to synchronise', async () => {
    const { body } = await send('POST /geo_nodes', { as, form: { name: forge.url, url: forge.url, primary: 'true' } })
    expect(body).toMatchObject({ ...common, current: true, primary: true })
    expect(body).toMatchObject({ sync_object_storage: false, web_geo_projects_url: false })
  })

  test('is changed with lists as JSON and as forms', async () => {
    const { id } = await add()
    const { body } = await send(`PUT /geo_nodes/${id}`, {
      as,
      form: { ...secondary, selective_sync_type: 'namespaces', selective_sync_namespace_ids: '1,2', primary: 'true' },
    })
    expect(body).toMatchObject({
      selective_sync_type: 'namespaces',
      selective_sync_namespace_ids: [1, 2],
      primary: false,
    })
    const cleared = await send(`PUT /geo_nodes/${id}`, { as, json: { ...secondary, selective_sync_type: null } })
    expect(cleared.body).toMatchObject({ selective_sync_type: null, selective_sync_namespace_ids: [1, 2] })
  })

  test.each([
    [{}, { error: 'name is missing, url is missing' }],
    [{ ...secondary, enabled: 'perhaps' }, { error: 'enabled is invalid' }],
    [{ name: 'SECOND', url: 'https://x.example' }, { message: { name: ['has already been taken'] } }],
    [{ name: 'x', url: '' }, { message: { url: ["can't be blank"] } }],
    [
      { name: 'x', url: 'javascript:alert(1)' },
      { message: { url: ['is blocked: Only allowed schemes are http, https'] } },
    ],
    [
      { name: 'x', url: 'https://x.example', selective_sync_type: 'some' },
      { message: { selective_sync_type: ['is not included in the list'] } },
    ],
    [
      { name: 'x', url: 'https://x.example', primary: true, enabled: false },
      { message: { enabled: ['Geo primary node cannot be disabled'] } },
    ],
  ])('is refused: %j', async (json, body) => {
    await add()
    expect(await send('POST /geo_nodes', { as, json })).toMatchObject({ status: 400, body })
  })

  test('cannot be the second primary', async () => {
    await add({ name: 'first', url: 'https://first.example.com', primary: true })
    const json = { ...secondary, primary: true }
    expect(await send('POST /geo_nodes', { as, json })).toMatchObject({
      status: 400,
      body: { message: { primary: ['node already exists'] } },
    })
  })

  test('is changed by a primary node only', async () => {
    const { id } = await add({ name: forge.url, url: 'https://second.example.com' })
    for (const [method, path] of [
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/repair'],
    ] as const) {
      expect(await send(`${method} /geo_nodes/${id}${path}`, { as, json: secondary })).toMatchObject({
        status: 403,
        body: { message: '403 Forbidden - Only a primary node accepts this' },
      })
    }
  })
})

test('the state of nodes has every counter, and percentages as texts', async () => {
  const { id } = await add()
  expect((await send('GET /geo_nodes/status', { as })).body).toEqual([])
  await forge.host.replicaNodes.report({ node: id, healthy: true, lfsObjectsCount: 41, lfsObjectsSyncedCount: 40 })
  const { status, body, headers } = await send('GET /geo_nodes/status', { as })
  expect({ status, total: headers.get('x-total') }).toEqual({ status: 200, total: '1' })
  expect(body[0]).toMatchObject({
    geo_node_id: id,
    healthy: true,
    health: 'Healthy',
    health_status: 'Healthy',
    missing_oauth_application: false,
    lfs_objects_count: 41,
    lfs_objects_synced_count: 40,
    lfs_objects_failed_count: null,
    lfs_objects_synced_in_percentage: '97.56%',
    last_successful_status_check_timestamp: expect.any(Number),
  })
  const kinds =
    'attachments lfs_objects job_artifacts container_repositories design_repositories repositories wikis package_files'
  const documented = [
    ...kinds
      .split(' ')
      .flatMap((kind) => [
        `${kind}_count`,
        `${kind}_synced_count`,
        `${kind}_failed_count`,
        `${kind}_synced_in_percentage`,
      ]),
    ...['repositories', 'wikis'].flatMap((kind) => [
      `${kind}_checksummed_count`,
      `${kind}_checksummed_in_percentage`,
      `${kind}_verified_count`,
      `${kind}_verified_in_percentage`,
    ]),
    ...['db_replication_lag_seconds', 'projects_count', 'replication_slots_count', 'replication_slots_used_count'],
    ...['replication_slots_used_in_percentage', 'replication_slots_max_retained_wal_bytes', 'last_event_id'],
    ...['last_event_timestamp', 'cursor_last_event_id', 'cursor_last_event_timestamp', 'version', 'revision'],
  ]
  expect(Object.keys(body[0])).toEqual(expect.arrayContaining(documented))
  expect((await send(`GET /geo_nodes/${id}/status`, { as })).body).toEqual(body[0])
})

everyRouteCalled('replica nodes')
