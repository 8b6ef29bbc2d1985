import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDemo } from '../../../../../../test/support/open-demo.ts'
import { world } from '../../../../../../test/world.ts'

const time = '2026-01-01T00:00:00.000Z'
const project = 'acme/web'
const sha = 'a'.repeat(40)

let forge: FakeForge
beforeEach(async () => {
  forge = await world({ seed: openDemo, time })
})
afterEach(() => forge.close())

type Jobs = NonNullable<Parameters<FakeForge['host']['pipelines']['record']>[0]['jobs']>

const record = (jobs: Jobs, user = 'bob') => forge.host.pipelines.record({ project, ref: 'main', sha, user, jobs })
const jobsOf = async (pipeline: { readonly id: number }) =>
  (await forge.host.pipelineJobs.list({ project, pipeline: pipeline.id })).items
const jobOf = async (pipeline: { readonly id: number }, name: string) => {
  const job = (await jobsOf(pipeline)).find((candidate) => candidate.name === name)
  return job as NonNullable<typeof job>
}
const update = async (pipeline: { readonly id: number }, name: string, status: 'running' | 'success' | 'failed') =>
  forge.host.pipelineJobs.update({ project, job: (await jobOf(pipeline, name)).id, status })
const deployments = async () => (await forge.host.deployments.list({ project })).items
const statuses = async () => (await deployments()).map(({ status }) => status)
const environmentsOf = async () => (await forge.host.environments.list({ project })).items

describe('a deployment', () => {
  test('follows the job', async () => {
    const events: (string | undefined)[] = []
    forge.platform.on('deployment.changed', ({ deployment }) => void events.push(deployment.status))
    const pipeline = await record([
      { name: 'build', stage: 'build' },
      { name: 'deploy', stage: 'deploy', environment: 'production' },
    ])
    expect(await deployments()).toMatchObject([
      {
        status: 'created',
        ref: 'main',
        sha,
        user: { username: 'bob' },
        environment: { name: 'production', state: 'available', tier: 'production' },
        deployable: { name: 'deploy', stage: 'deploy', status: 'created', pipeline: { id: pipeline.id } },
      },
    ])
    await update(pipeline, 'build', 'success')
    await update(pipeline, 'deploy', 'running')
    expect(await statuses()).toEqual(['running'])
    await update(pipeline, 'deploy', 'success')
    expect(await deployments()).toMatchObject([{ status: 'success', deployable: { status: 'success', duration: 0 } }])
    expect(events).toEqual(['created', 'running', 'success'])
    const environment = (await environmentsOf())[0]?.id as number
    expect(await forge.host.environments.get({ project, environment })).toMatchObject({
      lastDeployment: { deployable: { name: 'deploy', isPipelineJob: true } },
    })
  })

  test.each([
    [{ status: 'manual' as const }, 'blocked'],
    [{ status: 'skipped' as const }, 'skipped'],
    [{ status: 'failed' as const }, 'failed'],
    [{ status: 'canceled' as const }, 'canceled'],
    [{ status: 'pending' as const }, 'created'],
  ])('of a job with %j is %s', async (fields, expected) => {
    await record([{ name: 'deploy', environment: 'production', ...fields }])
    expect(await statuses()).toEqual([expected])
  })

  test('of a retried job is a new one', async () => {
    const pipeline = await record([{ name: 'deploy', environment: 'production', status: 'failed' }])
    const { id } = await jobOf(pipeline, 'deploy')
    await forge.as('alice').pipelineJobs.retry({ project, job: id })
    expect(await deployments()).toMatchObject([
      { status: 'failed', user: { username: 'bob' } },
      { status: 'created', user: { username: 'alice' } },
    ])
  })

  test('remains without its job', async () => {
    const pipeline = await record([{ name: 'deploy', environment: 'production', status: 'success' }])
    await forge.host.pipelines.remove({ project, pipeline: pipeline.id })
    expect(await deployments()).toMatchObject([{ status: 'success', deployable: null }])
  })

  test.each(['prepare', 'verify', 'access', 'stop'] as const)('is not created by the action %s', async (action) => {
    await record([{ name: 'x', environment: { name: 'production', action } }])
    expect(await deployments()).toEqual([])
    expect(await environmentsOf()).toMatchObject([{ name: 'production' }])
  })

  test('shows the job and the commit to users who can see them', async () => {
    const files = [{ path: 'a.txt', content: 'a' }]
    const commits = [{ message: 'Add a', author: { name: 'A', email: 'a@example.com' }, files }]
    const { head } = await forge.host.commits.import({ project, commits }).then(async () => ({
      head: (await forge.host.branches.get({ project, branch: 'main' })).commit.id,
    }))
    const jobs = [{ name: 'deploy', environment: 'production', status: 'success' as const }]
    await forge.host.pipelines.record({ project, ref: 'main', sha: head, jobs })
    expect(await deployments()).toMatchObject([
      {
        deployable: {
          commit: { id: head, title: 'Add a', parentIds: [], committerName: 'A' },
          pipeline: { createdAt: expect.any(String), updatedAt: expect.any(String) },
          ...{ allowFailure: false, failureReason: null, erasedAt: null, tags: [] },
        },
      },
    ])
    const { id } = (await deployments())[0] as { id: number }
    const read = () => forge.as('carol').deployments.get({ project, deployment: id })
    expect(await read()).toMatchObject({ deployable: { commit: { id: head } } })
    await forge.host.projects.update({ project, repositoryAccessLevel: 'disabled' })
    expect(await read()).toMatchObject({ deployable: null })
  })
})

describe('an environment', () => {
  const review = { name: 'review/dark', onStop: 'stop', url: 'https://$CI_ENVIRONMENT_SLUG.example.com' }
  const jobs: Jobs = [
    { name: 'deploy', environment: { ...review, autoStopIn: '1 week', deploymentTier: 'testing' } },
    { name: 'stop', startsWhen: 'manual', allowFailure: true, environment: { name: 'review/dark', action: 'stop' } },
  ]

  test('gets the URL, the tier and the end of the deployment', async () => {
    const pipeline = await record(jobs)
    expect(await environmentsOf()).toMatchObject([{ externalUrl: null, autoStopAt: null }])
    await forge.ci.finish(pipeline)
    const [environment] = await environmentsOf()
    expect(environment).toMatchObject({
      externalUrl: `https://${environment?.slug}.example.com`,
      tier: 'testing',
      autoStopAt: '2026-01-08T00:00:00.000Z',
    })
  })

  test('is stopped by its job and restarted by the next deployment', async () => {
    const pipeline = await record(jobs)
    await forge.ci.finish(pipeline)
    await forge.ci.finish(pipeline, { stop: 'success' })
    expect(await environmentsOf()).toMatchObject([{ state: 'stopped', autoStopAt: null }])
    await forge.ci.finish(await record([{ name: 'deploy', environment: 'review/dark' }]))
    expect(await environmentsOf()).toMatchObject([{ state: 'available' }])
  })

  test('that is stopped starts its job', async () => {
    const pipeline = await record(jobs)
    await forge.ci.finish(pipeline)
    const environment = (await environmentsOf())[0]?.id as number
    const stop = (force = false) => forge.as('alice').environments.stop({ project, environment, force })
    expect(await stop()).toMatchObject({ state: 'stopping' })
    expect(await jobOf(pipeline, 'stop')).toMatchObject({ status: 'pending', user: { username: 'alice' } })
    expect(await stop()).toMatchObject({ state: 'stopping' })
    await update(pipeline, 'stop', 'failed')
    expect(await environmentsOf()).toMatchObject([{ state: 'available' }])
    await forge.as('alice').pipelineJobs.retry({ project, job: (await jobOf(pipeline, 'stop')).id })
    await forge.ci.finish(pipeline, { stop: 'success' })
    expect(await environmentsOf()).toMatchObject([{ state: 'stopped' }])
    expect(await stop()).toMatchObject({ state: 'stopped' })
  })

  test('is stopped without its job on request', async () => {
    const pipeline = await record(jobs)
    await forge.ci.finish(pipeline)
    const environment = (await environmentsOf())[0]?.id as number
    const stopped = await forge.as('alice').environments.stop({ project, environment, force: true })
    expect(stopped).toMatchObject({ state: 'stopped' })
    expect(await jobOf(pipeline, 'stop')).toMatchObject({ status: 'manual' })
  })

  test('is stopped at its end, which a later deployment moves', async () => {
    const [deploy] = jobs as [Jobs[number]]
    await forge.ci.finish(await record([deploy]))
    await forge.clock.advance({ days: 5 })
    await forge.ci.finish(await record([deploy]))
    await forge.clock.advance({ days: 5 })
    expect(await environmentsOf()).toMatchObject([{ state: 'available', autoStopAt: '2026-01-13T00:00:00.000Z' }])
    await forge.clock.advance({ days: 5 })
    expect(await environmentsOf()).toMatchObject([{ state: 'stopped', autoStopAt: null }])
  })

  test('is not stopped at its end without a job for that, if it requires one', async () => {
    await forge.ci.finish(await record([{ name: 'deploy', environment: { name: 'review/dark', autoStopIn: '1 day' } }]))
    const id = (await environmentsOf())[0]?.id as number
    await forge.host.environments.update({ project, environment: id, autoStopSetting: 'with_action' })
    await forge.clock.advance({ days: 2 })
    expect(await environmentsOf()).toMatchObject([{ state: 'available', autoStopSetting: 'with_action' }])
  })

  test('ignores URLs and times that are not possible', async () => {
    const environment = { name: 'production', url: 'javascript:alert(1)', autoStopIn: '9999999999 years' }
    await forge.ci.finish(await record([{ name: 'deploy', environment }]))
    expect(await environmentsOf()).toMatchObject([{ externalUrl: null, autoStopAt: null }])
  })

  test('needs a valid name', async () => {
    await expect(record([{ name: 'deploy', environment: 'a:b' }])).rejects.toMatchObject({ code: 'invalid' })
    expect((await forge.host.pipelines.list({ project })).items).toEqual([])
  })
})

describe('a protected environment', () => {
  const jobs: Jobs = [
    { name: 'test', stage: 'test' },
    { name: 'deploy', stage: 'deploy', environment: 'production' },
    { name: 'later', stage: 'later' },
  ]
  beforeEach(async () => {
    const deployAccessLevels = [{ accessLevel: 40 as const }]
    await forge.host.protectedEnvironments.create({ project, name: 'production', deployAccessLevels })
  })

  test('lets the jobs of users without access fail', async () => {
    const pipeline = await record(jobs)
    expect(await forge.ci.finish(pipeline)).toMatchObject({ status: 'failed' })
    expect(await jobOf(pipeline, 'deploy')).toMatchObject({
      status: 'failed',
      failureReason: 'protected_environment_failure',
    })
    expect(await jobOf(pipeline, 'later')).toMatchObject({ status: 'skipped' })
    expect(await statuses()).toEqual(['failed'])
    expect(await forge.ci.finish(await record(jobs, 'alice'))).toMatchObject({ status: 'success' })
  })

  test('rejects users without access who start a job', async () => {
    const manual = { name: 'deploy', startsWhen: 'manual', environment: 'production' } as const
    const pipeline = await record([manual], 'alice')
    const { id: job } = await jobOf(pipeline, 'deploy')
    const denied = { code: 'forbidden', reason: 'protected' }
    await expect(forge.as('bob').pipelineJobs.play({ project, job })).rejects.toMatchObject(denied)
    expect(await forge.as('alice').pipelineJobs.play({ project, job })).toMatchObject({ status: 'pending' })
    await forge.ci.finish(pipeline)
    await expect(forge.as('bob').pipelineJobs.retry({ project, job })).rejects.toMatchObject(denied)
    expect(await forge.as('alice').pipelineJobs.retry({ project, job })).toMatchObject({ status: 'manual' })
  })
})

describe('a pipeline file', () => {
  const create = async (content: string) => {
    const files = [{ path: '.gitlab-ci.yml', content }]
    const commits = [{ message: 'Build', author: { name: 'A', email: 'a@example.com' }, files }]
    await forge.host.commits.import({ project, commits })
    return forge.as('bob').pipelines.create({ project, ref: 'main' })
  }

  test('deploys to environments whose names contain variables', async () => {
    const pipeline = await create(`
deploy:
  script: make
  environment:
    name: review/$CI_COMMIT_REF_SLUG
    url: https://$CI_ENVIRONMENT_SLUG.example.com/$CI_ENVIRONMENT_NAME/$CI_COMMIT_REF_NAME
    on_stop: stop
    auto_stop_in: 1 day
    deployment_tier: development
stop:
  script: make
  when: manual
  environment: { name: review/$CI_COMMIT_REF_SLUG, action: stop }
check:
  script: make
  environment: production
`)
    await forge.ci.finish(pipeline)
    const [review, production] = (await environmentsOf()).toSorted((a, b) => b.name.localeCompare(a.name))
    expect(review).toMatchObject({
      name: 'review/main',
      externalUrl: `https://${review?.slug}.example.com/review/main/main`,
      tier: 'development',
      autoStopAt: '2026-01-02T00:00:00.000Z',
    })
    expect(production).toMatchObject({ name: 'production', autoStopAt: null })
  })

  test('lets jobs fail whose environment has no valid name', async () => {
    const pipeline = await create('deploy: { script: make, environment: review/$UNKNOWN }')
    expect(pipeline.status).toBe('failed')
    expect(await jobsOf(pipeline)).toMatchObject([{ failureReason: 'environment_creation_failure' }])
    expect(await environmentsOf()).toEqual([])
  })

  test.each([
    ['deploy: { script: x, environment: { url: "https://x" } }', "jobs:deploy:environment name can't be blank"],
    ['deploy: { script: x, environment: { name: a, color: red } }', 'unknown keys: color'],
    ['deploy: { script: x, environment: { name: a, action: go } }', 'should be one of: start, prepare'],
    ['deploy: { script: x, environment: { name: a, auto_stop_in: soon } }', 'should be a duration'],
    ['deploy: { script: x, environment: { name: a, on_stop: b } }', 'on_stop job b is not defined'],
    [
      'deploy: { script: x, environment: { name: a, on_stop: b } }\nb: { script: x }',
      'on_stop job b does not have environment defined',
    ],
    [
      'deploy: { script: x, environment: { name: a, on_stop: b } }\nb: { script: x, environment: c }',
      'on_stop job b have different environment name',
    ],
    [
      'deploy: { script: x, environment: { name: a, on_stop: b } }\nb: { script: x, environment: a }',
      'on_stop job b needs to have action stop defined',
    ],
  ])('with %j is rejected', async (content, message) => {
    await expect(create(content)).rejects.toMatchObject({ message: expect.stringContaining(message) })
  })
})
