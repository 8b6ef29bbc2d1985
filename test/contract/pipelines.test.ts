import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDemo } from '../support/open-demo.ts'
import { createZip } from '../support/zip.ts'
import { world } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
let sha: string
beforeEach(async () => {
  forge = await world({ seed: openDemo })
  send = client(forge)
  const author = { name: 'Bob Builder', email: 'bob@example.com' }
  const files = [{ path: 'a.txt', content: 'one\n' }]
  const commits = [{ branch: 'main', message: 'Begin', author, files }]
  sha = (await forge.host.commits.import({ project: 'acme/web', commits })).ids[0] as string
})
afterEach(() => forge.close())

const web = '/projects/acme%2Fweb'
const report = (json: object, as = 'bob') => send(`POST ${web}/statuses/${sha}`, { as, json })
const statuses = async (query = '') =>
  (await send(`GET ${web}/repository/commits/${sha}/statuses${query}`, { as: 'carol' })).body

test('a status of a commit creates a pipeline, and the next ones join it', async () => {
  const fields = {
    ref: 'main',
    name: 'build',
    target_url: 'https://ci.example.com/1',
    description: 'Queued',
    coverage: 81.5,
  }
  const { status, body } = await report({ state: 'pending', ...fields })
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.any(Number),
    sha,
    status: 'pending',
    ...fields,
    allow_failure: false,
    pipeline_id: expect.any(Number),
    author: expect.objectContaining({ username: 'bob' }),
    created_at: expect.any(String),
    started_at: null,
    finished_at: null,
  })
  const { body: running } = await report({ state: 'running', ref: 'main', name: 'build' })
  expect(running).toMatchObject({
    id: body.id,
    status: 'running',
    description: 'Queued',
    started_at: expect.any(String),
  })
  expect((await report({ state: 'skipped', name: 'docs' })).body).toMatchObject({ status: 'skipped', started_at: null })
  expect((await report({ state: 'failed', context: 'lint' })).body).toMatchObject({
    name: 'lint',
    ref: 'main',
    pipeline_id: body.pipeline_id,
    finished_at: expect.any(String),
  })
  const commit = (await send(`GET ${web}/repository/commits/${sha}`)).body
  expect(commit).toMatchObject({
    status: 'running',
    last_pipeline: {
      id: body.pipeline_id,
      iid: 1,
      project_id: expect.any(Number),
      sha,
      ref: 'main',
      status: 'running',
      source: 'external',
      name: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      web_url: `${forge.url}/acme/web/-/pipelines/${body.pipeline_id}`,
    },
  })
  await report({ state: 'success', ref: 'main', name: 'build' })
  expect((await send(`GET ${web}/repository/commits/main`)).body.status).toBe('failed')
})

test('a status after a result replaces the earlier one', async () => {
  const { body: first } = await report({ state: 'failed' })
  const { body: second } = await report({ state: 'success' })
  expect(first.name).toBe('default')
  expect(second.id).not.toBe(first.id)
  const ids = (list: { id: number }[]) => list.map(({ id }) => id)
  expect(ids(await statuses())).toEqual([second.id])
  expect(ids(await statuses('?all=true'))).toEqual([first.id, second.id])
  await report({ state: 'success', name: 'other', ref: 'topic' })
  expect(await statuses('?ref=topic')).toMatchObject([{ name: 'other' }])
  expect(await statuses('?name=default')).toMatchObject([{ id: second.id }])
  expect(await statuses(`?pipeline_id=${second.pipeline_id}`)).toMatchObject([{ id: second.id }])
  expect(await statuses('?stage=external')).toHaveLength(2)
  expect(await statuses('?stage=build')).toEqual([])
})

test('statuses need an existing commit and pipeline, a valid URL and a possible change', async () => {
  const missing = await send(`POST ${web}/statuses/${'a'.repeat(40)}`, { as: 'bob', json: { state: 'success' } })
  expect(missing).toMatchObject({ status: 404, body: { message: '404 Commit Not Found' } })
  expect(await send(`GET ${web}/repository/commits/${'a'.repeat(40)}/statuses`)).toMatchObject({ status: 404 })
  expect(await report({ state: 'success', pipeline_id: 999 })).toMatchObject({ status: 404 })
  expect(await report({ state: 'success', target_url: 'javascript:alert(1)' })).toMatchObject({
    status: 400,
    body: { message: { target_url: ['is blocked: Only allowed schemes are http, https'] } },
  })
  expect(await report({ state: 'done' })).toMatchObject({ status: 400 })
  await report({ state: 'running' })
  expect(await report({ state: 'running' })).toMatchObject({
    status: 400,
    body: {
      message: 'Cannot transition status via :run from :running (Reason(s): Status cannot transition via "run")',
    },
  })
})

const pipelinesPath = `${web}/pipelines`

/** Two stages; the second one ends with a manual job. */
const record = (fields: object = {}) =>
  forge.host.pipelines.record({
    project: 'acme/web',
    ref: 'main',
    sha,
    user: 'bob',
    jobs: [
      { name: 'build', stage: 'build', tags: ['linux'] },
      { name: 'test', stage: 'test' },
      { name: 'lint', stage: 'test', allowFailure: true },
      { name: 'deploy', stage: 'deploy', startsWhen: 'manual', allowFailure: true },
    ],
    ...fields,
  })

const ids = (list: { id: number }[]) => list.map(({ id }) => id)
const statusesOf = async (pipeline: number) => {
  const { body } = await send(`GET ${pipelinesPath}/${pipeline}/jobs`)
  return Object.fromEntries(body.map(({ name, status }: { name: string; status: string }) => [name, status]))
}

test('a pipeline has the documented fields', async () => {
  const { id } = await record()
  const { status, body } = await send(`GET ${pipelinesPath}/${id}`)
  expect(status).toBe(200)
  expect(body).toEqual({
    id,
    iid: 1,
    project_id: expect.any(Number),
    sha,
    before_sha: null,
    ref: 'main',
    tag: false,
    status: 'pending',
    source: 'push',
    name: null,
    yaml_errors: null,
    user: expect.objectContaining({ username: 'bob' }),
    created_at: expect.any(String),
    updated_at: expect.any(String),
    started_at: null,
    finished_at: null,
    committed_at: null,
    duration: null,
    queued_duration: null,
    coverage: null,
    web_url: `${forge.url}/acme/web/-/pipelines/${id}`,
    detailed_status: {
      icon: 'status_pending',
      text: 'pending',
      label: 'pending',
      group: 'pending',
      tooltip: 'pending',
      has_details: true,
      details_path: `/acme/web/-/pipelines/${id}`,
      illustration: null,
      favicon: null,
    },
  })
  expect((await send(`GET ${pipelinesPath}/latest`)).body).toEqual(body)
  expect(await send(`GET ${pipelinesPath}/latest?ref=none`)).toMatchObject({ status: 404 })
  expect((await send(`GET ${pipelinesPath}/${id}/test_report`)).body).toMatchObject({ total_count: 0, test_suites: [] })
  expect((await send(`GET ${pipelinesPath}/${id}/test_report_summary`)).body).toMatchObject({ total: { count: 0 } })
  expect((await send(`GET ${pipelinesPath}/${id}/bridges`)).body).toEqual([])
  expect((await send(`GET ${pipelinesPath}/${id}/variables`, { as: 'alice' })).body).toEqual([])
  const { id: other } = await record({ variables: [{ key: 'DEPLOY_TO', value: 'staging' }] })
  const { body: variables } = await send(`GET ${pipelinesPath}/${other}/variables`, { as: 'alice' })
  expect(variables).toEqual([{ key: 'DEPLOY_TO', value: 'staging', variable_type: 'env_var', raw: false }])
})

test('pipelines are listed with filters', async () => {
  const { id: first } = await record({ ref: 'topic', source: 'web', name: 'Nightly' })
  const { id: tagged } = await record({ ref: 'v1', tag: true, jobs: [{ name: 'a', status: 'running' }] })
  const { id: last } = await record({ sha: 'c'.repeat(40), user: 'alice', jobs: [{ name: 'a', status: 'failed' }] })
  const list = async (query: string) => ids((await send(`GET ${pipelinesPath}?${query}`)).body)
  expect(await list('')).toEqual([last, tagged, first])
  expect(await list('sort=asc')).toEqual([first, tagged, last])
  expect(await list('order_by=ref&sort=asc')).toEqual([last, first, tagged])
  expect(await list('scope=finished')).toEqual([last])
  expect(await list('scope=running')).toEqual([tagged])
  expect(await list('scope=tags')).toEqual([tagged])
  expect(await list('scope=branches')).toEqual([last, first])
  expect(await list('status=failed')).toEqual([last])
  expect(await list('source=web')).toEqual([first])
  expect(await list('ref=topic')).toEqual([first])
  expect(await list(`sha=${'c'.repeat(40)}`)).toEqual([last])
  expect(await list('username=Alice')).toEqual([last])
  expect(await list('name=Nightly')).toEqual([first])
  expect(await list('yaml_errors=true')).toEqual([])
  expect(await list('updated_after=2000-01-01T00:00:00Z&updated_before=2999-01-01T00:00:00Z')).toHaveLength(3)
  expect(await list('updated_before=2000-01-01T00:00:00Z')).toEqual([])
  expect(await send(`GET ${pipelinesPath}?status=unknown`)).toMatchObject({ status: 400 })
})

test('results of jobs determine the status, and failed pipelines are retried', async () => {
  const { id } = await record()
  expect(await statusesOf(id)).toEqual({ build: 'pending', test: 'created', lint: 'created', deploy: 'created' })
  await forge.host.pipelines.finish({ project: 'acme/web', pipeline: id, results: { test: 'failed', lint: 'failed' } })
  expect(await statusesOf(id)).toEqual({ build: 'success', test: 'failed', lint: 'failed', deploy: 'skipped' })
  expect((await send(`GET ${pipelinesPath}/${id}`)).body).toMatchObject({
    status: 'failed',
    started_at: expect.any(String),
    finished_at: expect.any(String),
    duration: expect.any(Number),
  })
  const { body } = await send(`POST ${pipelinesPath}/${id}/retry`, { as: 'bob' })
  expect(body).toMatchObject({ id, status: 'running' })
  expect(await statusesOf(id)).toEqual({ build: 'success', test: 'pending', lint: 'pending', deploy: 'created' })
  expect((await send(`GET ${pipelinesPath}/${id}/jobs?include_retried=true`)).body).toHaveLength(6)
  await forge.host.pipelines.finish({ project: 'acme/web', pipeline: id })
  expect(await statusesOf(id)).toEqual({ build: 'success', test: 'success', lint: 'success', deploy: 'manual' })
  expect((await send(`GET ${pipelinesPath}/${id}`)).body.status).toBe('success')
})

test('a merge request lists its pipelines and those of its commits', async () => {
  const { host } = forge
  await host.branches.create({ project: 'acme/web', branch: 'topic', ref: 'main' })
  const actions = [{ action: 'create' as const, filePath: 'b.txt', content: 'b' }]
  const change = { project: 'acme/web', branch: 'topic', commitMessage: 'Change', actions }
  const { id: head } = await forge.as('bob').commits.create(change)
  const branches = { sourceBranch: 'topic', targetBranch: 'main' }
  const { iid } = await forge.as('bob').mergeRequests.create({ project: 'acme/web', title: 'Change', ...branches })
  const { id: own } = await record({ ref: 'topic', mergeRequest: iid, sha: head, source: 'merge_request_event' })
  const { id: ofBranch } = await record({ ref: 'topic', sha: head })
  await record({ ref: 'topic' })
  const { body } = await send(`GET ${web}/merge_requests/${iid}/pipelines`)
  expect(body).toMatchObject([
    { id: ofBranch, ref: 'topic' },
    { id: own, ref: `refs/merge-requests/${iid}/head` },
  ])
  const { pipelines } = forge.as('bob')
  const ofRequest = { project: 'acme/web', mergeRequest: iid }
  const idsOf = async (filters: object) =>
    (await pipelines.list({ ...ofRequest, ...filters })).items.map(({ id }) => id)
  expect(await idsOf({ source: 'merge_request_event' })).toEqual([own])
  expect(await idsOf({ sort: 'asc' })).toEqual([own, ofBranch])
  for (const input of [{ project: 'acme/web' }, { ...ofRequest, ref: 'main' }])
    await expect(pipelines.create(input)).rejects.toMatchObject({ code: 'invalid_input' })
})

test('a pipeline gets a name', async () => {
  const { id } = await record()
  const rename = (json: object, as = 'bob') => send(`PUT ${pipelinesPath}/${id}/metadata`, { as, json })
  expect(await rename({ name: 'Release 1.0' })).toMatchObject({ status: 200, body: { id, name: 'Release 1.0' } })
  expect((await send(`GET ${pipelinesPath}?name=Release%201.0`)).body).toMatchObject([{ id, name: 'Release 1.0' }])
  for (const json of [{}, { name: '' }, { name: 'x'.repeat(256) }]) expect((await rename(json)).status).toBe(400)
  expect((await rename({ name: 'x' }, 'carol')).status).toBe(403)
})

test('the job of a job token is read', async () => {
  const { id } = await record()
  const { body: jobs } = await send(`GET ${pipelinesPath}/${id}/jobs`)
  const job = jobs.at(-1)
  const token = await forge.ci.token(job)
  const { status, body } = await send('GET /job', { headers: { 'JOB-TOKEN': token } })
  expect(status).toBe(200)
  expect(body).toEqual({
    ...job,
    status: 'running',
    started_at: expect.any(String),
    queued_duration: expect.any(Number),
    pipeline: expect.objectContaining({ id, status: 'running' }),
    user: { ...job.user, is_followed: false },
  })
  for (const line of [`GET /job?job_token=${token}`, `GET /job?private_token=${token}`])
    expect((await send(line)).body).toEqual(body)
  expect(await send('GET /job', { as: 'bob' })).toMatchObject({ status: 404, body: { message: '404 Job Not Found' } })
})

test('a pipeline is canceled and removed', async () => {
  const { id } = await record()
  expect(await send(`POST ${pipelinesPath}/${id}/cancel`, { as: 'bob' })).toMatchObject({
    status: 200,
    body: { status: 'canceled' },
  })
  expect((await send(`DELETE ${pipelinesPath}/${id}`, { as: 'root' })).status).toBe(204)
  expect((await send(`GET ${pipelinesPath}/${id}`)).status).toBe(404)
})

test('jobs have the documented fields, and are played, canceled and retried', async () => {
  const { id } = await record()
  const jobsPath = `${web}/jobs`
  const { body: jobs } = await send(`GET ${pipelinesPath}/${id}/jobs`)
  expect(jobs.map(({ name }: { name: string }) => name)).toEqual(['deploy', 'lint', 'test', 'build'])
  const [deploy, lint, , build] = jobs
  const { body } = await send(`GET ${jobsPath}/${build.id}`)
  expect(body).toEqual({
    id: build.id,
    status: 'pending',
    stage: 'build',
    name: 'build',
    ref: 'main',
    tag: false,
    coverage: null,
    allow_failure: false,
    created_at: expect.any(String),
    started_at: null,
    finished_at: null,
    erased_at: null,
    archived: false,
    duration: null,
    queued_duration: null,
    failure_reason: null,
    user: expect.objectContaining({ username: 'bob' }),
    commit: expect.objectContaining({ id: sha, title: 'Begin' }),
    pipeline: expect.objectContaining({ id, status: 'pending', sha }),
    project: { ci_job_token_scope_enabled: false },
    web_url: `${forge.url}/acme/web/-/jobs/${build.id}`,
    artifacts: [],
    artifacts_expire_at: null,
    runner: null,
    tag_list: ['linux'],
  })
  expect(ids((await send(`GET ${jobsPath}?scope=pending`)).body)).toEqual([build.id])
  expect((await send(`GET ${jobsPath}?scope[]=pending&scope[]=created`)).body).toHaveLength(4)
  expect(await send(`POST ${jobsPath}/${deploy.id}/play`, { as: 'bob' })).toMatchObject({
    status: 400,
    body: { message: 'Unplayable Job' },
  })
  expect(await send(`POST ${jobsPath}/${build.id}/retry`, { as: 'bob' })).toMatchObject({ status: 403 })
  await forge.host.pipelineJobs.update({ project: 'acme/web', job: build.id, status: 'success', coverage: 90 })
  expect((await send(`POST ${jobsPath}/${lint.id}/cancel`, { as: 'bob' })).body).toMatchObject({ status: 'canceled' })
  const { body: again } = await send(`POST ${jobsPath}/${lint.id}/retry`, { as: 'bob' })
  expect(again).toMatchObject({ name: 'lint', status: 'pending' })
  expect(again.id).not.toBe(lint.id)
  await forge.host.pipelines.finish({ project: 'acme/web', pipeline: id })
  expect((await send(`POST ${jobsPath}/${deploy.id}/play`, { as: 'bob' })).body).toMatchObject({ status: 'pending' })
  expect((await send(`GET ${pipelinesPath}/${id}`)).body).toMatchObject({ status: 'running', coverage: '90.00' })
})

test('logs and artifacts are written by the host, read, kept and removed', async () => {
  const { id } = await record()
  const { body: jobs } = await send(`GET ${pipelinesPath}/${id}/jobs`)
  const job = jobs.at(-1).id
  const path = `${web}/jobs/${job}`
  const { pipelineJobs, pipelines } = forge.host
  expect((await send(`GET ${path}/trace`)).text).toBe('')
  await pipelineJobs.writeTrace({ project: 'acme/web', job, content: '$ make\n' })
  await pipelineJobs.writeTrace({ project: 'acme/web', job, content: 'done\n', append: true })
  const trace = await send(`GET ${path}/trace`)
  expect(trace.text).toBe('$ make\ndone\n')
  expect(trace.headers.get('content-type')).toContain('text/plain')
  expect((await send(`GET ${path}/artifacts`)).status).toBe(404)
  const file = { fileName: 'artifacts.zip', content: new TextEncoder().encode('zip') }
  await pipelineJobs.storeArtifacts({ project: 'acme/web', job, file, expiresAt: '2999-01-01T00:00:00Z' })
  expect((await send(`GET ${path}`)).body).toMatchObject({
    artifacts_file: { filename: 'artifacts.zip', size: 3 },
    artifacts: [{ file_type: 'archive', file_format: 'zip', filename: 'artifacts.zip', size: 3 }],
    artifacts_expire_at: '2999-01-01T00:00:00.000Z',
  })
  expect((await send(`GET ${path}/artifacts`)).text).toBe('zip')
  await pipelines.finish({ project: 'acme/web', pipeline: id })
  expect((await send(`GET ${web}/jobs/artifacts/main/download?job=build`)).text).toBe('zip')
  expect((await send(`GET ${web}/jobs/artifacts/main/download?job=test`)).status).toBe(404)
  const kept = await send(`POST ${path}/artifacts/keep`, { as: 'bob' })
  expect(kept).toMatchObject({ status: 200, body: { artifacts_expire_at: null } })
  expect((await send(`DELETE ${path}/artifacts`, { as: 'alice' })).status).toBe(204)
  expect((await send(`GET ${path}/artifacts`)).status).toBe(404)
  expect((await send(`POST ${path}/erase`, { as: 'bob' })).body).toMatchObject({ erased_at: expect.any(String) })
  expect((await send(`GET ${path}/trace`)).text).toBe('')
})

test('files in artifacts are listed and read, and the artifacts of a project removed', async () => {
  const { id } = await record()
  const { body: jobs } = await send(`GET ${pipelinesPath}/${id}/jobs`)
  const path = `${web}/jobs/${jobs.at(-1).id}`
  const content = createZip([
    { path: 'coverage/index.html', content: '<h1>90 %</h1>' },
    { path: 'a.txt', content: 'a' },
  ])
  const file = { fileName: 'artifacts.zip', content }
  await forge.host.pipelineJobs.storeArtifacts({ project: 'acme/web', job: jobs.at(-1).id, file })
  expect(await send(`GET ${path}/artifacts/tree`)).toMatchObject({
    status: 200,
    body: [
      { name: 'a.txt', path: 'a.txt', type: 'file', size: 1, mode: '100644' },
      { name: 'coverage', path: 'coverage/', type: 'directory', mode: '040755' },
    ],
  })
  const nested = await send(`GET ${path}/artifacts/tree?path=coverage&recursive=true`)
  expect(nested.body).toMatchObject([{ path: 'coverage/index.html' }])
  expect((await send(`GET ${path}/artifacts/tree?path=none`)).status).toBe(404)
  for (const encoded of ['coverage/index.html', 'coverage%2Findex.html']) {
    const found = await send(`GET ${path}/artifacts/${encoded}`)
    expect(found).toMatchObject({ status: 200, text: '<h1>90 %</h1>' })
    expect(found.headers.get('content-length')).toBe('13')
    expect(found.headers.get('content-disposition')).toBe('attachment; filename="index.html"')
    expect(found.headers.get('content-security-policy')).toContain('sandbox')
  }
  expect(await send(`GET ${path}/artifacts/..%2Fa.txt`)).toMatchObject({
    status: 400,
    body: { message: 'Invalid path' },
  })
  expect((await send(`GET ${path}/artifacts/none.txt`)).status).toBe(404)
  const raw = `${web}/jobs/artifacts/main/raw/a.txt`
  expect((await send(`GET ${raw}?job=build`)).status).toBe(404)
  expect((await send(`GET ${raw}`)).status).toBe(400)
  await forge.host.pipelines.finish({ project: 'acme/web', pipeline: id })
  expect((await send(`GET ${raw}?job=build`)).text).toBe('a')
  await record({ jobs: [{ name: 'build', status: 'success' }] })
  const removal = await send(`DELETE ${web}/artifacts`, { as: 'alice' })
  expect(removal).toMatchObject({ status: 202, body: { message: '202 Accepted' } })
  await forge.platform.jobs.drain()
  expect((await send(`GET ${path}/artifacts`)).status).toBe(404)
})

test('an archive that cannot be read is 422', async () => {
  const { id } = await record()
  const { body: jobs } = await send(`GET ${pipelinesPath}/${id}/jobs`)
  const file = { fileName: 'artifacts.zip', content: new TextEncoder().encode('no zip') }
  await forge.host.pipelineJobs.storeArtifacts({ project: 'acme/web', job: jobs.at(-1).id, file })
  const path = `${web}/jobs/${jobs.at(-1).id}/artifacts`
  expect((await send(`GET ${path}/tree`)).status).toBe(422)
  expect((await send(`GET ${path}/a.txt`)).status).toBe(422)
})

test('pipelines are created from the pipeline file', async () => {
  const author = { name: 'Bob Builder', email: 'bob@example.com' }
  const files = [{ path: '.gitlab-ci.yml', content: 'build: { script: make, rules: [{ when: always }] }' }]
  const commits = ['main', 'topic'].map((branch) => ({ branch, message: 'Build', author, files }))
  await forge.host.commits.import({ project: 'acme/web', commits })
  const { iid } = await forge.host.mergeRequests.create({
    project: 'acme/web',
    title: 'Build',
    sourceBranch: 'topic',
    author: 'bob',
  })
  const created = (await send(`POST ${web}/pipeline?ref=main`, { as: 'bob' })).body
  const ofRequest = (await send(`POST ${web}/merge_requests/${iid}/pipelines`, { as: 'bob' })).body
  expect((await send(`GET ${web}/pipelines?sort=asc`)).body.map(({ id }: { id: number }) => id)).toEqual([
    created.id,
    ofRequest.id,
  ])
})

test('settings decide who sees pipelines and sets their variables, also by their older names', async () => {
  const web = '/projects/acme%2Fweb'
  expect((await send(`GET ${web}/pipelines`)).status).toBe(200)
  const json = { public_builds: false, restrict_user_defined_variables: true }
  expect((await send(`PUT ${web}`, { as: 'alice', json })).body).toMatchObject({
    public_jobs: false,
    restrict_user_defined_variables: true,
    ci_pipeline_variables_minimum_override_role: 'maintainer',
  })
  expect((await send(`GET ${web}/pipelines`)).status).toBe(401)
  expect((await send(`GET ${web}/pipelines`, { as: 'mallory' })).status).toBe(403)
  const role = { ci_pipeline_variables_minimum_override_role: 'developer', builds_access_level: 'disabled' }
  expect((await send(`PUT ${web}`, { as: 'alice', json: role })).body).toMatchObject({ jobs_enabled: false, ...role })
  expect((await send(`GET ${web}/pipelines`, { as: 'alice' })).status).toBe(403)
})

everyRouteCalled('commit statuses', 'pipelines', 'pipeline jobs')
