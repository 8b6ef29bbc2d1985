import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
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

const web = '/projects/acme%2Fweb'
const deploy = '/projects/acme%2Ftools%2Fdeploy'
const sha = 'a'.repeat(40)

const idOf = async (project: string) => (await forge.host.projects.get({ project })).id

/** The token of a job that `user` runs. */
const startJob = async (user = 'bob') => {
  const fields = { project: 'acme/web', ref: 'main', sha, user, jobs: [{ name: 'test' }] }
  const pipeline = await forge.host.pipelines.record(fields)
  const [job] = (await forge.host.pipelineJobs.list({ project: 'acme/web', pipeline: pipeline.id })).items
  return { pipeline, token: await forge.ci.token(job as NonNullable<typeof job>) }
}

describe('job tokens', () => {
  test('use releases, packages, deployments and environments', async () => {
    const { token, pipeline } = await startJob('alice')
    const headers = { 'JOB-TOKEN': token }
    const path = `${web}/packages/generic/tool/1.0.0/tool.txt`
    expect((await send(`PUT ${path}`, { headers, raw: 'echo' })).status).toBe(201)
    expect((await send(`GET ${path}`, { headers })).text).toBe('echo')
    const environment = await send(`POST ${web}/environments`, { headers, json: { name: 'production' } })
    expect(environment.status).toBe(201)
    const deployment = { environment: 'production', ref: 'main', sha, status: 'success', tag: false }
    expect((await send(`POST ${web}/deployments`, { headers, json: deployment })).status).toBe(201)
    expect((await send(`GET ${web}/releases`, { headers })).status).toBe(200)
    const name = { name: 'Release' }
    expect((await send(`PUT ${web}/pipelines/${pipeline.id}/metadata`, { headers, json: name })).status).toBe(200)
  })

  test.each([
    ['a header', (token: string) => ({ headers: { 'JOB-TOKEN': token } })],
    ['a form', (token: string) => ({ form: { job_token: token, name: 'production' } })],
    ['a JSON body', (token: string) => ({ json: { job_token: token, name: 'production' } })],
  ])('are accepted in %s', async (_place, options) => {
    const { token } = await startJob()
    const { status } = await send(`POST ${web}/environments?name=production`, options(token))
    expect(status).toBe(201)
  })

  test('permit nothing else', async () => {
    const { token } = await startJob('root')
    const headers = { 'JOB-TOKEN': token }
    for (const line of [
      'GET /user',
      `GET ${web}`,
      `GET ${web}/pipelines`,
      `DELETE ${web}`,
      'GET /groups/acme/packages',
    ])
      expect(await send(line, { headers }), line).toMatchObject({ status: 403, body: { error: 'insufficient_scope' } })
    const graphql = await send('POST /api/graphql', { headers, json: { query: '{ currentUser { username } }' } })
    expect(graphql.text).not.toContain('root')
  })

  test('are rejected after the end of the job', async () => {
    const { token, pipeline } = await startJob()
    await forge.ci.finish(pipeline)
    const rejected = await send('GET /job', { headers: { 'JOB-TOKEN': token } })
    expect(rejected).toMatchObject({ status: 401 })
    const json = { token, ref: 'main' }
    expect((await send(`POST ${web}/trigger/pipeline`, { json })).status).toBe(401)
  })

  test('of blocked users are rejected', async () => {
    const { token } = await startJob()
    await forge.host.users.block({ user: 'bob' })
    expect((await send('GET /job', { headers: { 'JOB-TOKEN': token } })).status).toBe(403)
    expect((await send(`POST ${web}/trigger/pipeline`, { json: { token, ref: 'main' } })).status).toBe(403)
  })
})

describe('the scope of job tokens', () => {
  const base = `${deploy}/job_token_scope`

  test('is read and changed', async () => {
    expect((await send(`GET ${base}`, { as: 'alice' })).body).toEqual({
      inbound_enabled: true,
      outbound_enabled: false,
    })
    const change = (json: object) => send(`PATCH ${base}`, { as: 'alice', json })
    expect(await change({ enabled: false })).toMatchObject({ status: 204, text: '' })
    expect((await send(`GET ${base}`, { as: 'alice' })).body).toEqual({
      inbound_enabled: false,
      outbound_enabled: false,
    })
    expect((await change({})).status).toBe(400)
  })

  test('permits projects', async () => {
    const { token } = await startJob('alice')
    const read = async () => (await send(`GET ${deploy}/environments`, { headers: { 'JOB-TOKEN': token } })).status
    expect(await read()).toBe(404)
    const [id, target] = [await idOf('acme/tools/deploy'), await idOf('acme/web')]
    const add = (json: object) => send(`POST ${base}/allowlist`, { as: 'alice', json })
    expect(await add({ target_project_id: target })).toMatchObject({
      status: 201,
      body: { source_project_id: id, target_project_id: target },
    })
    expect(await read()).toBe(200)
    expect((await add({ target_project_id: target })).status).toBe(400)
    expect((await add({ target_project_id: id })).status).toBe(400)
    expect((await add({ target_project_id: 999_999 })).status).toBe(404)
    const { body } = await send(`GET ${base}/allowlist`, { as: 'alice' })
    expect(body.map((project: { id: number }) => project.id).sort()).toEqual([id, target].sort())
    expect(body[0]).toMatchObject({ path_with_namespace: expect.any(String), web_url: expect.any(String) })
    const entry = `${base}/allowlist/${target}`
    expect((await send(`DELETE ${entry}`, { as: 'alice' })).status).toBe(204)
    expect((await send(`DELETE ${entry}`, { as: 'alice' })).status).toBe(404)
    expect(await read()).toBe(404)
  })

  test('permits groups', async () => {
    const { id } = await forge.host.groups.get({ group: 'acme' })
    const add = () => send(`POST ${base}/groups_allowlist`, { as: 'alice', json: { target_group_id: id } })
    expect(await add()).toMatchObject({
      status: 201,
      body: { source_project_id: await idOf('acme/tools/deploy'), target_group_id: id },
    })
    expect((await add()).status).toBe(400)
    expect((await send(`GET ${base}/groups_allowlist`, { as: 'alice' })).body).toEqual([
      { id, name: expect.any(String), web_url: `${forge.url}/groups/acme` },
    ])
    const entry = `${base}/groups_allowlist/${id}`
    expect((await send(`DELETE ${entry}`, { as: 'alice' })).status).toBe(204)
    expect((await send(`DELETE ${entry}`, { as: 'alice' })).status).toBe(404)
  })
})

everyRouteCalled('job token scopes')
