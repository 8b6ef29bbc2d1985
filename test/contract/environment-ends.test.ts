import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDemo } from '../support/open-demo.ts'
import { world } from '../world.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world({ seed: openDemo })
  send = client(forge)
})
afterEach(() => forge.close())

const project = 'acme/web'
const web = '/projects/acme%2Fweb'

const pipelineFile = `
review:
  script: make deploy
  rules: [{ when: on_success }]
  environment: { name: review/$CI_COMMIT_REF_SLUG, on_stop: stop review }
stop review:
  script: make stop
  rules: [{ when: manual, allow_failure: true }]
  environment: { name: review/$CI_COMMIT_REF_SLUG, action: stop }
plain:
  script: make plain
  rules: [{ when: on_success }]
  environment: plain/$CI_COMMIT_REF_SLUG
production:
  script: make production
  environment: production
`

/** Branches `main` and `topic`, each with the pipeline file. */
const importBranches = async () => {
  const author = { name: 'Bob', email: 'bob@example.com' }
  const files = [{ path: '.gitlab-ci.yml', content: pipelineFile }]
  const commits = [
    { branch: 'main', message: 'Begin', author, files },
    { branch: 'topic', message: 'Change', author, parents: [0], files: [{ path: 'a', content: 'a' }] },
  ]
  await forge.host.commits.import({ project, commits })
}

/** Runs the pipeline of a path, whose jobs deploy. */
const deploy = async (line: string) => {
  const { body } = await send(line, { as: 'bob' })
  await forge.ci.finish({ id: body.id, project_id: body.project_id })
  return body.id as number
}

const states = async () => {
  await forge.platform.jobs.drain()
  const { body } = await send(`GET ${web}/environments`, { as: 'bob' })
  return Object.fromEntries(body.map(({ name, state }: { name: string; state: string }) => [name, state]))
}

const jobOf = async (pipeline: number, name: string) => {
  const { body } = await send(`GET ${web}/pipelines/${pipeline}/jobs`, { as: 'alice' })
  return body.find((job: { name: string }) => job.name === name)
}

describe('environments end', () => {
  beforeEach(importBranches)

  test('with their branch: a job stops them, or they stop at once; production stays', async () => {
    const pipeline = await deploy(`POST ${web}/pipeline?ref=topic`)
    const available = { 'review/topic': 'available', 'plain/topic': 'available', production: 'available' }
    expect(await states()).toEqual(available)
    expect((await send(`DELETE ${web}/repository/branches/topic`, { as: 'bob' })).status).toBe(204)
    expect(await states()).toEqual({ 'review/topic': 'stopping', 'plain/topic': 'stopped', production: 'available' })
    expect(await jobOf(pipeline, 'stop review')).toMatchObject({ status: 'pending', user: { username: 'bob' } })
  })

  test('not with a branch after whose deployment another one was deployed', async () => {
    await deploy(`POST ${web}/pipeline?ref=topic`)
    const { items } = await forge.host.environments.list({ project, name: 'plain/topic' })
    const later = { environment: items[0]?.id as number, ref: 'main', sha: 'a'.repeat(40), status: 'success' as const }
    await forge.as('bob').deployments.create({ project, ...later })
    await send(`DELETE ${web}/repository/branches/topic`, { as: 'bob' })
    expect(await states()).toMatchObject({ 'plain/topic': 'available' })
  })

  test('not if the user who removes the branch may not stop them', async () => {
    await deploy(`POST ${web}/pipeline?ref=topic`)
    const deployAccessLevels = [{ accessLevel: 40 as const }]
    for (const name of ['review/topic', 'plain/topic'])
      await forge.host.protectedEnvironments.create({ project, name, deployAccessLevels })
    await send(`DELETE ${web}/repository/branches/topic`, { as: 'bob' })
    expect(await states()).toMatchObject({ 'review/topic': 'available', 'plain/topic': 'available' })
  })

  test.each([
    ['merged', '/merge', {}],
    ['closed', '', { state_event: 'close' }],
  ])('with the merge request whose pipeline deployed to them, when it is %s', async (state, path, json) => {
    const fields = { title: 'x', source_branch: 'topic', target_branch: 'main' }
    const { body } = await send(`POST ${web}/merge_requests`, { as: 'bob', json: fields })
    const request = `${web}/merge_requests/${body.iid}`
    const pipeline = await deploy(`POST ${request}/pipelines`)
    expect(await states()).toMatchObject({ 'review/topic': 'available', 'plain/topic': 'available' })
    expect((await send(`PUT ${request}${path}`, { as: 'bob', json })).body).toMatchObject({ state })
    expect(await states()).toMatchObject({ 'review/topic': 'stopping', 'plain/topic': 'stopped' })
    await send(`PUT ${request}`, { as: 'bob', json: { state_event: 'close' } })
    await forge.ci.finish({ id: pipeline, project_id: body.project_id }, { 'stop review': 'success' })
    expect(await states()).toMatchObject({ 'review/topic': 'stopped' })
  })

  test('not with a merge request if others have deployed to them too, and it has its own', async () => {
    const fields = { title: 'x', source_branch: 'topic', target_branch: 'main' }
    const { body } = await send(`POST ${web}/merge_requests`, { as: 'bob', json: fields })
    const { body: shared } = await send(`POST ${web}/environments`, { as: 'bob', json: { name: 'plain/topic' } })
    const earlier = { environment: shared.id, ref: 'main', sha: 'a'.repeat(40), status: 'success' as const }
    await forge.as('bob').deployments.create({ project, ...earlier })
    await deploy(`POST ${web}/merge_requests/${body.iid}/pipelines`)
    await send(`PUT ${web}/merge_requests/${body.iid}`, { as: 'bob', json: { state_event: 'close' } })
    expect(await states()).toMatchObject({ 'review/topic': 'stopping', 'plain/topic': 'available' })
  })
})

describe('older deployment jobs', () => {
  const shas = ['a', 'b'].map((digit) => digit.repeat(40)) as [string, string]
  const record = (sha: string, startsWhen: 'manual' | 'on_success' = 'manual') =>
    forge.host.pipelines.record({
      ...{ project, ref: 'main', sha, user: 'bob' },
      jobs: [
        { name: 'build', stage: 'build' },
        { name: 'deploy', stage: 'deploy', environment: 'production', startsWhen, needs: [] },
        { name: 'later', stage: 'later', environment: 'production', needs: ['build'] },
      ],
    })
  const succeed = async (pipeline: number, ...names: string[]) => {
    for (const name of names)
      await forge.host.pipelineJobs.update({ project, job: (await jobOf(pipeline, name)).id, status: 'success' })
  }
  const play = async (pipeline: number) =>
    send(`POST ${web}/jobs/${(await jobOf(pipeline, 'deploy')).id}/play`, { as: 'bob' })
  const retry = async (pipeline: number) =>
    send(`POST ${web}/jobs/${(await jobOf(pipeline, 'deploy')).id}/retry`, { as: 'bob' })

  test('are refused and fail when a newer one has deployed another commit', async () => {
    const older = await record(shas[0])
    const newer = await record(shas[1])
    await succeed(newer.id, 'deploy')
    expect(await play(older.id)).toMatchObject({ status: 403 })
    await succeed(older.id, 'build')
    expect(await jobOf(older.id, 'later')).toMatchObject({
      status: 'failed',
      failure_reason: 'failed_outdated_deployment_job',
    })
    await forge.host.projects.update({ project, settings: { ciForwardDeploymentEnabled: false } })
    expect(await play(older.id)).toMatchObject({ status: 200 })
  })

  test('run if the newest deployment has the same commit', async () => {
    const older = await record(shas[0])
    const newer = await record(shas[0])
    await succeed(newer.id, 'deploy')
    expect(await play(older.id)).toMatchObject({ status: 200 })
  })

  test('are retried to roll back, unless the project forbids it', async () => {
    const older = await record(shas[0])
    await succeed(older.id, 'deploy')
    const newer = await record(shas[1])
    await succeed(newer.id, 'deploy')
    const json = { ci_forward_deployment_rollback_allowed: false }
    expect((await send(`PUT ${web}`, { as: 'alice', json })).status).toBe(200)
    expect(await retry(older.id)).toMatchObject({ status: 403 })
    await send(`PUT ${web}`, { as: 'alice', json: { ci_forward_deployment_rollback_allowed: true } })
    expect(await retry(older.id)).toMatchObject({ status: 201 })
    expect(await play(older.id)).toMatchObject({ status: 200 })
  })

  test('fail when a runner takes them', async () => {
    const files = [{ path: '.gitlab-ci.yml', content: 'deploy: { script: make, environment: production }' }]
    const author = { name: 'Bob', email: 'bob@example.com' }
    const commits = ['One', 'Two'].map((message) => ({
      message,
      author,
      files: [...files, { path: message, content: '' }],
    }))
    await forge.host.commits.import({ project, commits: commits.slice(0, 1) })
    const older = (await send(`POST ${web}/pipeline?ref=main`, { as: 'bob' })).body
    await forge.host.commits.import({ project, commits: commits.slice(1) })
    const newer = (await send(`POST ${web}/pipeline?ref=main`, { as: 'bob' })).body
    await succeed(newer.id, 'deploy')
    const { token } = await forge.host.runners.create({ runnerType: 'instance_type', runUntagged: true })
    const taken = await send('POST /jobs/request', { json: { token } })
    expect(taken.status).toBe(204)
    expect(await jobOf(older.id, 'deploy')).toMatchObject({ failure_reason: 'failed_outdated_deployment_job' })
  })
})
