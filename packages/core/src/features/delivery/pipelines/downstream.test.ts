import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDemo } from '../../../../../../test/support/open-demo.ts'
import { createZip } from '../../../../../../test/support/zip.ts'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world({ seed: openDemo })
})
afterEach(() => forge.close())

const project = 'acme/web'
const other = 'acme/tools/deploy'

const commit = async (files: Readonly<Record<string, string>>, path = project, branch = 'main') => {
  const author = { name: 'Bob', email: 'bob@example.com' }
  const list = Object.entries(files).map(([path, content]) => ({ path, content }))
  await forge.host.commits.import({ project: path, commits: [{ branch, message: 'Change', author, files: list }] })
}

const create = async (as = 'alice') => {
  const { id } = await forge.as(as).pipelines.create({ project, ref: 'main' })
  await forge.platform.jobs.drain()
  return id
}

/** The first job that starts another pipeline, as Alice sees it. */
const bridgeOf = async (pipeline: number, path = project, as = 'alice') => {
  const { items } = await forge.as(as).pipelineJobs.listBridges({ project: path, pipeline })
  return items[0]
}

const child = {
  '.gitlab-ci.yml':
    'start: { trigger: { include: child.yml, strategy: depend } }\nlast: { script: x, stage: deploy }\n',
}

describe('a child pipeline', () => {
  test('has the jobs of the included file and the variables of the job', async () => {
    await commit({
      '.gitlab-ci.yml':
        'start: { trigger: { include: [{ local: child.yml }] }, variables: { TARGET: "to $CI_COMMIT_BRANCH" } }\n',
      'child.yml': 'build: { script: make }\nskipped: { script: x, rules: [{ if: $TARGET == "none" }] }\n',
    })
    const bridge = await bridgeOf(await create())
    expect(bridge).toMatchObject({
      status: 'success',
      downstreamPipeline: { source: 'parent_pipeline', ref: 'main', status: 'pending', user: { username: 'alice' } },
    })
    const pipeline = bridge?.downstreamPipeline?.id as number
    expect((await forge.host.pipelineJobs.list({ project, pipeline })).items).toMatchObject([{ name: 'build' }])
    const variables = await forge.host.pipelines.listVariables({ project, pipeline })
    expect(variables).toEqual([{ key: 'TARGET', value: 'to main', variableType: 'env_var' }])
  })

  test('can be a file that an earlier job has created', async () => {
    await commit({
      '.gitlab-ci.yml': `generate: { stage: build, script: make, artifacts: { paths: [ci/] } }
start: { stage: test, trigger: { include: [{ artifact: ci/child.yml, job: generate, inputs: { name: made } }] } }
missing: { stage: test, trigger: { include: [{ artifact: ci/none.yml, job: generate }] } }
`,
      'shared.yml': 'shared: { script: make }\n',
    })
    const pipeline = await create()
    const text = 'spec:\n  inputs:\n    name:\n---\ninclude: shared.yml\n"$[[ inputs.name ]]": { script: make }\n'
    const [generate] = (await forge.host.pipelineJobs.list({ project, pipeline, scope: ['pending'] })).items
    const job = generate?.id ?? 0
    const file = { fileName: 'artifacts.zip', content: createZip([{ path: 'ci/child.yml', content: text }]) }
    await forge.host.pipelineJobs.storeArtifacts({ project, job, file })
    await forge.host.pipelineJobs.update({ project, job, status: 'success' })
    await forge.platform.jobs.drain()
    const { items } = await forge.as('alice').pipelineJobs.listBridges({ project, pipeline })
    const bridges = new Map(items.map((bridge) => [bridge.name, bridge]))
    const child = bridges.get('start')?.downstreamPipeline?.id ?? 0
    const { items: jobs } = await forge.host.pipelineJobs.list({ project, pipeline: child })
    expect(jobs.map(({ name }) => name).toSorted()).toEqual(['made', 'shared'])
    expect(bridges.get('missing')).toMatchObject({ failureReason: 'downstream_pipeline_creation_failed' })
  })

  test('receives inputs, as does the pipeline of another project', async () => {
    const content = 'spec:\n  inputs:\n    name:\n---\n"$[[ inputs.name ]]-job": { script: make }\n'
    await commit({ '.gitlab-ci.yml': content }, other)
    await commit({
      '.gitlab-ci.yml': `child: { trigger: { include: [{ local: child.yml, inputs: { name: own } }] } }
other: { trigger: { project: ${other}, inputs: { name: far } } }
`,
      'child.yml': content,
    })
    const { items } = await forge.as('alice').pipelineJobs.listBridges({ project, pipeline: await create() })
    const jobs = items.map(async ({ name, downstreamPipeline }) => {
      const place = { project: name === 'child' ? project : other, pipeline: downstreamPipeline?.id ?? 0 }
      return (await forge.host.pipelineJobs.list(place)).items.map((job) => job.name)
    })
    expect((await Promise.all(jobs)).flat().toSorted()).toEqual(['far-job', 'own-job'])
  })

  test.each(['success', 'failed'] as const)('gives a job with `strategy: depend` its result: %s', async (result) => {
    await commit({ ...child, 'child.yml': 'build: { script: make }\n' })
    const pipeline = await create()
    const running = await bridgeOf(pipeline)
    expect(running).toMatchObject({ status: 'running' })
    const downstream = running?.downstreamPipeline?.id as number
    await forge.host.pipelines.finish({ project, pipeline: downstream, results: { build: result } })
    await forge.platform.jobs.drain()
    expect(await bridgeOf(pipeline)).toMatchObject({ status: result })
    const { items } = await forge.host.pipelineJobs.list({ project, pipeline })
    expect(items).toMatchObject([{ name: 'last', status: result === 'success' ? 'pending' : 'skipped' }])
  })

  test.each([
    ['a missing file', {}, 'downstream_pipeline_creation_failed'],
    ['no jobs', { 'child.yml': 'a: { script: x, rules: [{ when: never }] }\n' }, 'downstream_pipeline_creation_failed'],
  ])('with %s fails the job', async (_, files, failureReason) => {
    await commit({ ...child, ...files })
    expect(await bridgeOf(await create())).toMatchObject({ status: 'failed', failureReason, downstreamPipeline: null })
  })

  test('has at most two levels', async () => {
    await commit({ ...child, 'child.yml': 'again: { trigger: { include: child.yml } }\n' })
    await create()
    const { items } = await forge.host.pipelines.list({ project })
    expect(items.map(({ source }) => source)).toEqual(['parent_pipeline', 'parent_pipeline', 'api'])
    expect(await bridgeOf(items[0]?.id as number)).toMatchObject({
      status: 'failed',
      failureReason: 'reached_max_descendant_pipelines_depth',
    })
  })
})

describe('a pipeline of another project', () => {
  test('is created with the permissions of the user, and shown to those who can read it', async () => {
    await commit({ '.gitlab-ci.yml': `start: { trigger: ${other} }\n` })
    await commit({ '.gitlab-ci.yml': 'deploy: { script: make }\n' }, other)
    const pipeline = await create()
    expect(await bridgeOf(pipeline)).toMatchObject({
      status: 'success',
      downstreamPipeline: { source: 'pipeline', projectPath: other, ref: 'main' },
    })
    expect(await bridgeOf(pipeline, project, 'mallory')).toMatchObject({ downstreamPipeline: null })
  })

  test.each([
    ['acme/none', 'downstream_bridge_project_not_found'],
    [project, 'pipeline_loop_detected'],
  ])('%s fails the job', async (path, failureReason) => {
    await commit({ '.gitlab-ci.yml': `start: { trigger: ${path} }\n` })
    expect(await bridgeOf(await create())).toMatchObject({ status: 'failed', failureReason })
  })

  test('fails the job of a user who may not run pipelines there, and of the host', async () => {
    await commit({ '.gitlab-ci.yml': `start: { trigger: { project: ${other}, branch: main } }\n` })
    await commit({ '.gitlab-ci.yml': 'deploy: { script: make }\n' }, other)
    await forge.host.users.create({ username: 'dana' })
    await forge.host.members.add({ project, users: ['dana'], accessLevel: 30 })
    const pipelines = [await create('dana')]
    const { id } = await forge.host.pipelines.create({ project, ref: 'main' })
    await forge.platform.jobs.drain()
    for (const pipeline of [...pipelines, id])
      expect(await bridgeOf(pipeline)).toMatchObject({ status: 'failed', downstreamPipeline: null })
    expect((await forge.host.pipelines.list({ project: other })).items).toEqual([])
  })
})
