import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world({ time: '2026-01-01T00:00:00.000Z' })
  await commit(content)
  await forge.host.commits.import({ project, commits: [{ message: 'x', author, branch: 'topic', files: [] }] })
  await forge.host.protectedBranches.create({ project, name: 'main' }).catch(() => undefined)
})
afterEach(() => forge.close())

const project = 'acme/web'
const author = { name: 'A', email: 'a@example.com' }
const content = `
build: { script: make }
ask: { script: make, when: manual }
guess: { script: make, rules: [{ if: $SECRET == "hushsecret" }] }
`

const commit = (text: string, branch = 'main') =>
  forge.host.commits.import({
    project,
    commits: [{ message: 'Build', author, branch, files: [{ path: '.gitlab-ci.yml', content: text }] }],
  })
const jobsOf = async ({ id }: { readonly id: number }) => {
  const { items } = await forge.host.pipelineJobs.list({ project, pipeline: id })
  return Object.fromEntries(items.map((job) => [job.name, job]))
}

describe('statuses of a protected branch', () => {
  test('are reported only by those who can change the branch', async () => {
    const report = async (user: string, branch: string, ref?: string) =>
      forge.as(user).commitStatuses.create({ project, sha: branch, state: 'success', ...(ref && { ref }) })
    const denied = { code: 'forbidden', message: 'The branch of the status is protected' }
    await expect(report('bob', 'main', 'main')).rejects.toMatchObject(denied)
    await expect(report('bob', 'main', 'refs/heads/main')).rejects.toMatchObject(denied)
    await expect(report('bob', 'main')).rejects.toMatchObject(denied)
    // Also without a protected branch of the commit, the name decides.
    await expect(report('bob', 'topic', 'main')).rejects.toMatchObject(denied)
    await commit(content.replace('guess', 'other'), 'topic')
    expect(await report('bob', 'topic', 'topic')).toMatchObject({ status: 'success', ref: 'topic' })
    expect(await report('alice', 'main', 'main')).toMatchObject({ status: 'success', ref: 'main' })
    await forge.host.tags.create({ project, tagName: 'v1', ref: 'topic' })
    await forge.host.protectedTags.create({ project, name: 'v*' })
    await expect(report('bob', 'topic', 'v1')).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('archived pipelines', () => {
  test('are not changed by anyone, and newer ones are', async () => {
    await forge.host.settings.update({ archiveBuildsInHumanReadable: '1 month' })
    const { pipelines, pipelineJobs } = forge.as('alice')
    const { id: pipeline } = await pipelines.create({ project, ref: 'main' })
    const { build, ask } = await jobsOf({ id: pipeline })
    await forge.ci.finish({ id: pipeline, projectId: 1 }, { build: 'failed' })
    await forge.clock.advance({ days: 29 })
    const { id: retried } = await pipelineJobs.retry({ project, job: build?.id ?? 0 })
    await pipelineJobs.cancel({ project, job: retried })
    await forge.clock.advance({ days: 2 })
    const denied = { code: 'forbidden', reason: 'archived' }
    expect(await pipelineJobs.get({ project, job: retried })).toMatchObject({ archived: true })
    await expect(pipelineJobs.retry({ project, job: retried })).rejects.toMatchObject(denied)
    await expect(pipelineJobs.play({ project, job: ask?.id ?? 0 })).rejects.toMatchObject(denied)
    await expect(pipelines.retry({ project, pipeline })).rejects.toMatchObject(denied)
    await expect(forge.as('root').pipelines.retry({ project, pipeline })).rejects.toMatchObject(denied)
    await expect(pipelines.get({ project, pipeline })).resolves.toMatchObject({ id: pipeline })
    const { id: newer } = await pipelines.create({ project, ref: 'main' })
    expect(await pipelines.cancel({ project, pipeline: newer })).toMatchObject({ status: 'canceled' })
    await forge.host.settings.update({ archiveBuildsInHumanReadable: '' })
    expect(await pipelineJobs.retry({ project, job: retried })).toMatchObject({ name: 'build', archived: false })
  })
})

describe('pipelines of a protected branch', () => {
  test('are run only by those who can change the branch', async () => {
    const { pipelines, pipelineTriggers, pipelineSchedules } = forge.as('bob')
    await expect(pipelines.create({ project, ref: 'main' })).rejects.toMatchObject({ code: 'invalid' })
    await expect(pipelines.create({ project, ref: 'refs/heads/main' })).rejects.toMatchObject({ code: 'invalid' })
    await expect(pipelines.create({ project, ref: 'main' })).rejects.toThrow(/run a pipeline on 'main'/)
    const nightly = { project, description: 'x', cron: '0 1 * * *' }
    await expect(pipelineSchedules.create({ ...nightly, ref: 'main' })).rejects.toMatchObject({ code: 'invalid' })
    const { id: schedule } = await pipelineSchedules.create({ ...nightly, ref: 'topic' })
    await expect(pipelineSchedules.update({ project, schedule, ref: 'main' })).rejects.toMatchObject({
      code: 'invalid',
    })
    const { token } = await forge.host.pipelineTriggers.create({ project, description: 'x', owner: 'bob' })
    await expect(pipelineTriggers.run({ project, token, ref: 'main' })).rejects.toMatchObject({ code: 'invalid' })
    expect(await forge.as('alice').pipelines.create({ project, ref: 'main' })).toMatchObject({ ref: 'main' })
  })

  test('are changed only by those who can change the branch', async () => {
    const alice = forge.as('alice')
    const created = await alice.pipelines.create({ project, ref: 'main' })
    const { id: pipeline } = created
    const { build, ask } = await jobsOf(created)
    const { pipelines, pipelineJobs } = forge.as('bob')
    const denied = { code: 'forbidden', reason: 'protected' }
    const job = (ask as { id: number }).id
    await expect(pipelines.cancel({ project, pipeline })).rejects.toMatchObject(denied)
    await expect(pipelines.retry({ project, pipeline })).rejects.toMatchObject(denied)
    await expect(pipelines.rename({ project, pipeline, name: 'x' })).rejects.toMatchObject(denied)
    await expect(pipelineJobs.play({ project, job })).rejects.toMatchObject(denied)
    await expect(pipelineJobs.cancel({ project, job: (build as { id: number }).id })).rejects.toMatchObject(denied)
    await forge.ci.finish(created)
    await expect(pipelineJobs.retry({ project, job: (build as { id: number }).id })).rejects.toMatchObject(denied)
    await expect(pipelineJobs.erase({ project, job: (build as { id: number }).id })).rejects.toMatchObject(denied)
    await expect(pipelineJobs.keepArtifacts({ project, job })).rejects.toMatchObject(denied)
    expect(await alice.pipelineJobs.play({ project, job })).toMatchObject({ status: 'pending' })
  })
})

describe('protected variables', () => {
  beforeEach(() => forge.host.ciVariables.create({ project, key: 'SECRET', value: 'hushsecret', protected: true }))

  const namesOf = async (user: string, content?: string) => {
    const { ciLint } = forge.as(user)
    const options = { project, dryRun: true, includeJobs: true, ref: 'main' } as const
    const { jobs } = await (content === undefined ? ciLint.checkFile(options) : ciLint.check({ ...options, content }))
    return (jobs ?? []).map(({ name }) => name)
  }

  test('are known to the rules of those who can change the branch only', async () => {
    for (const text of [undefined, content]) {
      expect(await namesOf('alice', text)).toEqual(['build', 'ask', 'guess'])
      expect(await namesOf('bob', text)).toEqual(['build', 'ask'])
    }
  })

  test('nor are other variables known to the rules of those who may not run pipelines', async () => {
    await forge.host.ciVariables.update({ project, key: 'SECRET', protected: false })
    expect(await namesOf('bob')).toEqual(['build', 'ask', 'guess'])
    expect(await namesOf('carol')).toEqual(['build', 'ask'])
  })
})

describe('variables of pipelines', () => {
  test('are set only by the roles that the project allows', async () => {
    const variables = [{ key: 'A', value: 'x' }]
    const create = (user: string) => forge.as(user).pipelines.create({ project, ref: 'topic', variables })
    await commit(content, 'topic')
    expect(await create('bob')).toMatchObject({ ref: 'topic' })
    await forge.host.projects.update({ project, settings: { restrictUserDefinedVariables: true } })
    await expect(create('bob')).rejects.toThrow(/Insufficient permissions to set pipeline variables/)
    expect(await create('alice')).toMatchObject({ ref: 'topic' })
    expect(await forge.as('bob').pipelines.create({ project, ref: 'topic' })).toMatchObject({ ref: 'topic' })
    const settings = { ciPipelineVariablesMinimumOverrideRole: 'no_one_allowed' } as const
    await forge.host.projects.update({ project, settings })
    await expect(create('alice')).rejects.toThrow(/Insufficient permissions to set pipeline variables/)
  })
})
