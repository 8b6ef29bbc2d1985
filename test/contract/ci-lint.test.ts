import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { openDemo } from '../support/open-demo.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world({ seed: openDemo })
  send = client(forge)
})
afterEach(() => forge.close())

const web = '/projects/acme%2Fweb'
const author = { name: 'Bob Builder', email: 'bob@example.com' }

const pipelineFile = `
stages: [build, test, deploy]
include: ci/test.yml
build:
  stage: build
  script: make
  tags: [docker]
deploy:
  stage: deploy
  script: [make deploy]
  environment: production
  when: manual
release:
  script: make release
  rules: [{ if: $CI_COMMIT_TAG }]
request:
  script: make check
  rules: [{ if: $CI_MERGE_REQUEST_IID, changes: [src/**] }]
`

const commit = (files: Readonly<Record<string, string>>, branch = 'main') =>
  forge.host.commits.import({
    project: 'acme/web',
    commits: [
      { branch, message: 'Build', author, files: Object.entries(files).map(([path, content]) => ({ path, content })) },
    ],
  })

const commitFiles = () => commit({ '.gitlab-ci.yml': pipelineFile, 'ci/test.yml': 'unit: { script: make test }' })

test('checks the file of a project, with its included files', async () => {
  await commitFiles()
  const { status, body } = await send(`GET ${web}/ci/lint?include_jobs=true`)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    status: 'valid',
    valid: true,
    errors: [],
    warnings: [],
    includes: [{ type: 'local', location: 'ci/test.yml', context_project: 'acme/web' }],
  })
  expect(body.merged_yaml).toContain('script: make test')
  expect(body.jobs.map(({ name }: { name: string }) => name)).toEqual(['build', 'unit', 'release', 'request', 'deploy'])
  expect(body.jobs[0]).toEqual({
    name: 'build',
    stage: 'build',
    before_script: [],
    script: ['make'],
    after_script: [],
    tag_list: ['docker'],
    environment: null,
    when: 'on_success',
    allow_failure: false,
    needs: null,
  })
  const dryRun = (await send(`GET ${web}/ci/lint?include_jobs=true&dry_run=true&ref=main`)).body
  expect(dryRun.jobs.map(({ name }: { name: string }) => name)).toEqual(['build', 'unit', 'deploy'])
  expect((await send(`GET ${web}/ci/lint?content_ref=none`)).status).toBe(404)
  expect((await send(`GET ${web}/ci/lint?sha=none`)).status).toBe(404)
  const { id } = (await send(`GET ${web}/repository/commits/main`)).body
  expect((await send(`GET ${web}/ci/lint?sha=${id}`)).body.valid).toBe(true)
  const other = await send(`GET ${web}/ci/lint?dry_run=true&ref=main&dry_run_ref=none`)
  expect(other.body.errors).toEqual(['Reference not found'])
})

test('checks a text in a project and without one', async () => {
  await commitFiles()
  const json = { content: 'include: ci/test.yml\nbuild: { scrpt: x }' }
  expect((await send(`POST ${web}/ci/lint`, { as: 'bob', json })).body).toMatchObject({
    valid: false,
    errors: [
      'jobs:build config contains unknown keys: scrpt',
      'jobs:build config should implement a script: or a trigger: keyword',
    ],
    jobs: null,
  })
  expect((await send('POST /ci/lint', { as: 'mallory', json })).body).toMatchObject({
    status: 'invalid',
    errors: ['Local file `ci/test.yml` does not exist!'],
  })
  const merge = async (include: boolean) => {
    const content = { content: '.base: { script: x }\njob: { extends: .base }', include_merged_yaml: include }
    return (await send('POST /ci/lint', { as: 'mallory', json: content })).body
  }
  expect(await merge(false)).not.toHaveProperty('merged_yaml')
  expect((await merge(true)).merged_yaml).toMatch(/^job:\n {2}script: x$/m)
  const onlyTags = { content: 'build: { script: x, only: [tags] }', dry_run: true }
  expect((await send(`POST ${web}/ci/lint`, { as: 'bob', json: onlyTags })).body).toMatchObject({
    valid: false,
    errors: ['No stages / jobs for this pipeline.'],
  })
})

test('includes files of other projects only where the caller can read their code', async () => {
  const files = [{ path: 'a.yml', content: 'secret-job: { script: x }' }]
  await forge.host.commits.import({ project: 'acme/tools/deploy', commits: [{ message: 'x', author, files }] })
  const json = { content: 'include: { project: acme/tools/deploy, file: a.yml }' }
  expect((await send(`POST ${web}/ci/lint`, { as: 'alice', json })).body.valid).toBe(true)
  await forge.host.members.add({ project: 'acme/web', users: ['mallory'], accessLevel: 30 })
  const { body } = await send(`POST ${web}/ci/lint`, { as: 'mallory', json })
  expect(body.errors[0]).toMatch(/^Project `acme\/tools\/deploy` not found or access denied/)
  const missing = { content: json.content.replace('deploy', 'missing') }
  const other = (await send(`POST ${web}/ci/lint`, { as: 'mallory', json: missing })).body
  expect(other.errors[0].replace('missing', 'deploy')).toBe(body.errors[0])
})

test('creates a pipeline from the file of a branch or tag', async () => {
  await commitFiles()
  const { status, body } = await send(`POST ${web}/pipeline`, {
    as: 'bob',
    json: { ref: 'main', variables: [{ key: 'LEVEL', value: 'high' }] },
  })
  expect(status).toBe(201)
  expect(body).toMatchObject({ ref: 'main', tag: false, source: 'api', status: 'pending', user: { username: 'bob' } })
  const { body: jobs } = await send(`GET ${web}/pipelines/${body.id}/jobs`)
  expect(jobs.map(({ name, status }: { name: string; status: string }) => [name, status]).toSorted()).toEqual([
    ['build', 'pending'],
    ['deploy', 'created'],
    ['unit', 'created'],
  ])
  expect((await send(`GET ${web}/pipelines/${body.id}/variables`, { as: 'alice' })).body).toEqual([
    { key: 'LEVEL', value: 'high', variable_type: 'env_var', raw: false },
  ])
  await forge.ci.finish(body)
  const finished = (await send(`GET ${web}/pipelines/${body.id}/jobs`)).body
  expect(
    Object.fromEntries(finished.map(({ name, status }: { name: string; status: string }) => [name, status])),
  ).toEqual({
    build: 'success',
    unit: 'success',
    deploy: 'manual',
  })
  await send(`POST ${web}/repository/tags?tag_name=v1&ref=main`, { as: 'alice' })
  const tagged = (await send(`POST ${web}/pipeline?ref=v1`, { as: 'bob' })).body
  expect(tagged).toMatchObject({ tag: true })
  expect((await send(`GET ${web}/pipelines/${tagged.id}/jobs`)).body).toHaveLength(4)
})

test('creates a pipeline of a merge request with the jobs for it', async () => {
  await commitFiles()
  await commit({ 'src/a.ts': 'one\n' }, 'topic')
  await commit({ '.gitlab-ci.yml': pipelineFile.replace('include: ci/test.yml\n', ''), 'src/a.ts': 'two\n' }, 'topic')
  await forge.host.mergeRequests.create({ project: 'acme/web', title: 'x', sourceBranch: 'topic', author: 'bob' })
  const { iid } = (await forge.host.mergeRequests.list({ project: 'acme/web', sourceBranch: 'topic' })).items[0] ?? {}
  const { status, body } = await send(`POST ${web}/merge_requests/${iid}/pipelines`, { as: 'bob' })
  expect([status, body.ref, body.source]).toEqual([201, `refs/merge-requests/${iid}/head`, 'merge_request_event'])
  const { body: jobs } = await send(`GET ${web}/pipelines/${body.id}/jobs`)
  expect(jobs.map(({ name }: { name: string }) => name)).toEqual(['request'])
  expect((await send(`GET ${web}/merge_requests/${iid}/pipelines`)).body[0].id).toBe(body.id)
})

test('rejects pipelines with the reason', async () => {
  const reasonOf = async (ref = 'main') => {
    const { status, body } = await send(`POST ${web}/pipeline?ref=${ref}`, { as: 'bob' })
    return [status, body]
  }
  await commit({ 'a.txt': 'one\n' })
  expect(await reasonOf()).toEqual([400, { message: { base: ['Missing CI config file'] } }])
  expect(await reasonOf('none')).toEqual([400, { message: { base: ['Reference not found'] } }])
  await commit({ '.gitlab-ci.yml': 'build: 1' })
  expect(await reasonOf()).toEqual([400, { message: { base: ['jobs:build config should be a hash'] } }])
  await commit({ '.gitlab-ci.yml': 'build: { script: x, only: [tags] }' })
  expect(await reasonOf()).toEqual([400, { message: { base: ['No stages / jobs for this pipeline.'] } }])
  expect((await send(`GET ${web}/pipelines`)).body).toEqual([])
})

everyRouteCalled('ci lint')

test('a small file with billions of parallel jobs is invalid', async () => {
  const digits = '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]'
  const matrix = `test:\n  script: make\n  parallel:\n    matrix: [{ ${[...'ABCDEFGHI'].map((key) => `${key}: ${digits}`).join(', ')} }]\n`
  const checks = [`${web}/ci/lint`, '/ci/lint'].map((path) =>
    send(`POST ${path}`, { as: 'bob', json: { content: matrix } }),
  )
  for (const response of await Promise.all(checks))
    expect(response).toMatchObject({
      status: 200,
      body: { valid: false, errors: ['jobs:test:parallel config generates too many jobs (maximum is 200)'] },
    })
})
