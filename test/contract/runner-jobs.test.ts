import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { createZip } from '../support/zip.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

const pipelineFile = `
variables: { TARGET: web }
default: { image: node:24, before_script: [npm ci] }
build:
  stage: build
  script: [npm run build, npm pack]
  after_script: echo done
  services: [{ name: 'postgres:17', alias: db }]
  artifacts: { paths: [dist/], expire_in: 1 week }
  cache: { key: $CI_COMMIT_REF_SLUG, paths: [node_modules/] }
  variables: { MODE: fast }
test: { stage: test, script: npm test, tags: [linux], timeout: 10 minutes }
`

let forge: FakeForge
let send: Send
let token: string
let runner: number
const project = 'acme/web'

beforeEach(async () => {
  forge = await world()
  send = client(forge)
  const author = { name: 'Bob Builder', email: 'bob@example.com' }
  const files = [{ path: '.gitlab-ci.yml', content: pipelineFile }]
  await forge.host.commits.import({ project, commits: [{ branch: 'main', message: 'Build', author, files }] })
  ;({ id: runner, token } = await forge.host.runners.create({ project, tagList: ['linux'] }))
})
afterEach(() => forge.close())

const createPipeline = () => forge.as('alice').pipelines.create({ project, ref: 'main' })
const request = (json: object = {}) => send('POST /jobs/request', { json: { token, ...json } })
const finish = (job: { id: number; token: string }, state = 'success', more: object = {}) =>
  send(`PUT /jobs/${job.id}`, { json: { token: job.token, state, ...more } })

test('a runner receives a job with everything that it needs', async () => {
  await forge.host.ciVariables.create({ project, key: 'PASSWORD', value: 'correct-horse', masked: true })
  await forge.host.ciVariables.create({ project, key: 'ONLY_PROTECTED', value: 'x', protected: true })
  await forge.host.ciVariables.create({ project, key: 'ONLY_LIVE', value: 'x', environmentScope: 'live' })
  expect((await request()).status).toBe(204)
  const { id: pipeline } = await createPipeline()
  const { status, body } = await request({ info: { name: 'gitlab-runner', version: '17.5.0' } })
  expect(status).toBe(201)
  const { host } = new URL(forge.url)
  expect(body).toMatchObject({
    id: expect.any(Number),
    token: expect.stringMatching(/^glcbt-/),
    allow_git_fetch: true,
    job_info: { name: 'build', stage: 'build', project_name: 'Web' },
    git_info: {
      repo_url: `http://gitlab-ci-token:${body.token}@${host}/acme/web.git`,
      ref: 'main',
      ref_type: 'branch',
      refspecs: ['+refs/heads/main:refs/remotes/origin/main'],
      depth: 50,
    },
    runner_info: { timeout: 3_600 },
    steps: [
      { name: 'script', script: ['npm ci', 'npm run build', 'npm pack'], when: 'on_success', allow_failure: false },
      { name: 'after_script', script: ['echo done'], when: 'always', allow_failure: true },
    ],
    image: { name: 'node:24' },
    services: [{ name: 'postgres:17', alias: 'db' }],
    artifacts: [{ paths: ['dist/'], expire_in: '1 week', artifact_type: 'archive' }],
    cache: [{ key: '$CI_COMMIT_REF_SLUG', paths: ['node_modules/'], policy: 'pull-push' }],
    dependencies: [],
  })
  const variables = new Map(body.variables.map((variable: { key: string }) => [variable.key, variable]))
  expect(variables.get('TARGET')).toMatchObject({ value: 'web', public: true, masked: false })
  expect(variables.get('MODE')).toMatchObject({ value: 'fast' })
  expect(variables.get('PASSWORD')).toMatchObject({ value: 'correct-horse', public: false, masked: true })
  expect(variables.get('CI_JOB_TOKEN')).toMatchObject({ value: body.token, masked: true })
  expect(variables.get('CI_PIPELINE_ID')).toMatchObject({ value: String(pipeline) })
  expect(variables.get('CI_COMMIT_BRANCH')).toMatchObject({ value: 'main' })
  expect(variables.has('ONLY_LIVE')).toBe(false)
  expect(variables.has('ONLY_PROTECTED')).toBe((await forge.host.branches.get({ project, branch: 'main' })).protected)
  const job = (await send(`GET /projects/acme%2Fweb/jobs/${body.id}`, { as: 'alice' })).body
  expect(job).toMatchObject({ status: 'running', runner: { id: runner, name: 'gitlab-runner', online: true } })
  expect((await request()).status).toBe(204)
})

test('a runner reports the log, the artifacts and the result of a job', async () => {
  await createPipeline()
  const { body: job } = await request()
  const jobHeaders = { 'JOB-TOKEN': job.token }
  const patch = (text: string, start: number) =>
    forge.fetch(`${forge.url}/api/v4/jobs/${job.id}/trace`, {
      method: 'PATCH',
      headers: { ...jobHeaders, 'Content-Range': `${start}-${start + text.length - 1}`, 'Content-Type': 'text/plain' },
      body: text,
    })
  const first = await patch('Hello ', 0)
  expect([first.status, first.headers.get('range'), first.headers.get('job-status')]).toEqual([202, '0-6', 'running'])
  // The same part again, as after a lost response.
  await patch('Hello ', 0)
  expect((await patch('world', 6)).headers.get('range')).toBe('0-11')
  expect((await patch('!', 20)).status).toBe(400)
  const trace = await send(`GET /projects/acme%2Fweb/jobs/${job.id}/trace`, { as: 'alice' })
  expect(trace.text).toBe('Hello world')

  const upload = async (query: string) => {
    const form = new FormData()
    form.set('file', new File([createZip([{ path: 'dist/a.js', content: 'a' }])], 'artifacts.zip'))
    const url = `${forge.url}/api/v4/jobs/${job.id}/artifacts?${query}`
    return (await forge.fetch(url, { method: 'POST', headers: jobHeaders, body: form })).status
  }
  expect(await upload('artifact_type=junit&artifact_format=gzip')).toBe(201)
  const artifacts = `/projects/acme%2Fweb/jobs/${job.id}/artifacts`
  expect((await send(`GET ${artifacts}`, { as: 'alice' })).status).toBe(404)
  expect(await upload('artifact_type=archive&artifact_format=zip&expire_in=1+day')).toBe(201)
  const details = await forge.host.pipelineJobs.get({ project, job: job.id })
  expect(Date.parse(details.artifactsExpireAt ?? '') - Date.now()).toBeLessThan(2 * 86_400_000)

  expect(await finish(job, 'running')).toMatchObject({ status: 200 })
  expect((await finish(job)).status).toBe(200)
  expect((await finish(job)).status).toBe(403)

  const { body: next } = await request()
  expect(next).toMatchObject({ job_info: { name: 'test' }, runner_info: { timeout: 600 } })
  expect(next.dependencies).toEqual([
    {
      id: job.id,
      name: 'build',
      token: next.token,
      artifacts_file: { filename: 'artifacts.zip', size: expect.any(Number) },
    },
  ])
  const url = `${forge.url}/api/v4/jobs/${job.id}/artifacts`
  expect((await forge.fetch(url, { headers: { 'JOB-TOKEN': next.token } })).status).toBe(200)
  expect((await finish({ id: job.id, token: next.token })).status).toBe(403)
  await finish(next, 'failed', { failure_reason: 'job_execution_timeout' })
  const [failed, built] = (await send(`GET /runners/${runner}/jobs`, { as: 'alice' })).body
  expect(failed).toMatchObject({ id: next.id, status: 'failed', failure_reason: 'job_execution_timeout' })
  expect(built).toMatchObject({ id: job.id, project: { path_with_namespace: project } })
  const failures = (await send(`GET /runners/${runner}/jobs?status=failed`, { as: 'alice' })).body
  expect(failures.map(({ id }: { id: number }) => id)).toEqual([next.id])
})

test('a runner receives only jobs that fit', async () => {
  const update = (change: object) => forge.host.runners.update({ runner, ...change })
  await createPipeline()
  await update({ paused: true })
  expect((await request()).status).toBe(204)
  await update({ paused: false, runUntagged: false })
  expect((await request()).status).toBe(204)
  await update({ runUntagged: true, accessLevel: 'ref_protected' })
  for (const { name } of (await forge.host.protectedBranches.list({ project })).items)
    await forge.host.protectedBranches.remove({ project, name })
  expect((await request()).status).toBe(204)
  await forge.host.protectedBranches.create({ project, name: 'main' })
  const { body: build } = await request()
  await finish(build)
  await update({ tagList: ['mac'] })
  expect((await request()).status).toBe(204)
  await update({ tagList: ['linux', 'mac'] })
  expect((await request()).body.job_info.name).toBe('test')

  const take = async (place: object) => {
    const created = await forge.host.runners.create(place as { project: string })
    return (await send('POST /jobs/request', { json: { token: created.token } })).status
  }
  await createPipeline()
  await forge.host.projects.update({ project, settings: { sharedRunnersEnabled: false, groupRunnersEnabled: false } })
  expect([await take({}), await take({ group: 'acme' }), await take({ project: 'bob/notes' })]).toEqual([204, 204, 204])
  await forge.host.projects.update({ project, settings: { sharedRunnersEnabled: true } })
  expect(await take({})).toBe(201)
  await createPipeline()
  await forge.host.projects.update({ project, settings: { groupRunnersEnabled: true } })
  expect(await take({ group: 'acme' })).toBe(201)
})

test('a manual job has the variables with which it is started, also when it runs again', async () => {
  const content = 'deploy: { script: make, when: manual, variables: { TARGET: web, KEPT: kept } }'
  const author = { name: 'Bob Builder', email: 'bob@example.com' }
  const commit = { branch: 'main', message: 'Ask', author, files: [{ path: '.gitlab-ci.yml', content }] }
  await forge.host.commits.import({ project, commits: [commit] })
  const { id: pipeline } = await createPipeline()
  const jobs = `/projects/acme%2Fweb/pipelines/${pipeline}/jobs`
  const [{ id }] = (await send(`GET ${jobs}`, { as: 'alice' })).body
  const json = { job_variables_attributes: [{ key: 'TARGET', value: 'shop' }] }
  expect((await send(`POST /projects/acme%2Fweb/jobs/${id}/play`, { as: 'alice', json })).status).toBe(200)
  const readVariable = (job: { variables: { key: string; value: string }[] }, name: string) =>
    job.variables.findLast(({ key }) => key === name)?.value
  const { body: first } = await request()
  expect([readVariable(first, 'TARGET'), readVariable(first, 'KEPT')]).toEqual(['shop', 'kept'])
  await finish(first, 'failed')
  const again = (await send(`POST /projects/acme%2Fweb/jobs/${id}/retry`, { as: 'alice' })).body
  await send(`POST /projects/acme%2Fweb/jobs/${again.id}/play`, { as: 'alice' })
  expect(readVariable((await request()).body, 'TARGET')).toBe('shop')
})

test('runners do not receive jobs that the host records, nor continue canceled ones', async () => {
  await forge.host.pipelines.record({
    project,
    ref: 'main',
    sha: 'a'.repeat(40),
    user: 'alice',
    jobs: [{ name: 'x', status: 'pending' }],
  })
  expect((await request()).status).toBe(204)
  await createPipeline()
  const { body: job } = await request()
  await forge.as('alice').pipelineJobs.cancel({ project, job: job.id })
  expect((await finish(job, 'running')).status).toBe(403)
  const { id } = await forge.as('alice').pipelineJobs.retry({ project, job: job.id })
  const { body: again } = await request()
  expect(again).toMatchObject({ id, steps: job.steps })
})

everyRouteCalled('runner jobs')
