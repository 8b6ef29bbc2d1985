import { randomBytes } from 'node:crypto'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDemo } from '../../../../../../test/support/open-demo.ts'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world({ seed: openDemo, pipelinesOnPush: true })
})
afterEach(() => forge.close())

const project = 'acme/web'
const fileOf = (content: string) => ({ path: '.gitlab-ci.yml', content })
const build = fileOf('build: { script: make }\n')

/** Commits files as Bob. */
const commit = async (
  files: readonly { path: string; content: string }[],
  { message = 'Change', branch = 'main' } = {},
) => {
  const author = { name: 'Bob', email: 'bob@example.com' }
  const commits = [{ branch, message, author, files: [...files] }]
  return (await forge.as('bob').commits.import({ project, commits })).ids[0] as string
}

/** The pipelines after all jobs, oldest first. */
const list = async () => {
  await forge.platform.jobs.drain()
  const { items } = await forge.host.pipelines.list({ project, sort: 'asc', perPage: 100 })
  return items
}
const summary = async () => (await list()).map(({ ref, source, status }) => `${source} ${ref} ${status}`)

const jobsOf = async (pipeline: number) => {
  const { items } = await forge.host.pipelineJobs.list({ project, pipeline })
  return items.map(({ name, status }) => `${name} ${status}`).toSorted()
}

test('without the option, pushes create none', async () => {
  await using other = await world({ seed: openDemo })
  const author = { name: 'Bob', email: 'bob@example.com' }
  await other.as('bob').commits.import({ project, commits: [{ message: 'Begin', author, files: [build] }] })
  await other.platform.jobs.drain()
  expect((await other.host.pipelines.list({ project })).items).toEqual([])
})

describe('a push with a pipeline file creates a pipeline', () => {
  test('of the pushing user, with the commit before', async () => {
    const first = await commit([build])
    const second = await commit([{ path: 'a', content: 'a' }])
    expect(await list()).toMatchObject([
      { ref: 'main', tag: false, sha: first, beforeSha: null, source: 'push', user: { username: 'bob' } },
      { ref: 'main', sha: second, beforeSha: first, status: 'pending' },
    ])
  })

  test('for each way to push', async () => {
    const sha = await commit([build])
    const bob = forge.as('bob')
    const actions = [{ action: 'create' as const, filePath: 'b', content: 'b' }]
    await bob.commits.create({ project, branch: 'topic', startBranch: 'main', commitMessage: 'Commit', actions })
    await bob.repositoryFiles.create({ project, filePath: 'c', branch: 'topic', content: 'c', commitMessage: 'File' })
    await bob.tags.create({ project, tagName: 'v1', ref: sha })
    await bob.branches.create({ project, branch: 'other', ref: 'main' })
    expect((await summary()).map((line) => line.replace(/ \w+$/, ''))).toEqual([
      'push main',
      'push topic',
      'push topic',
      'push v1',
      'push other',
    ])
  })

  test('that is skipped after a rebase with `skipCi`', async () => {
    await commit([build])
    const bob = forge.as('bob')
    const actions = [{ action: 'create' as const, filePath: 'b', content: 'b' }]
    await bob.commits.create({ project, branch: 'topic', startBranch: 'main', commitMessage: 'Commit', actions })
    await commit([{ path: 'c', content: 'c' }])
    const { iid: mergeRequest } = await bob.mergeRequests.create({ project, title: 'A topic', sourceBranch: 'topic' })
    const before = (await list()).length
    expect(await bob.mergeRequests.rebase({ project, mergeRequest, skipCi: true })).toEqual({ mergeError: null })
    expect((await summary()).slice(before)).toEqual(['push topic skipped'])
    await commit([{ path: 'd', content: 'd' }])
    await bob.mergeRequests.rebase({ project, mergeRequest })
    expect((await summary()).at(-1)).toBe('push topic pending')
  })

  test('and none for the host without a file, a deleted branch, or disabled pipelines', async () => {
    await commit([{ path: 'a', content: 'a' }])
    await commit([build], { branch: 'gone' })
    await forge.host.branches.remove({ project, branch: 'gone' })
    expect(await summary()).toEqual([])
    await forge.as('alice').projects.update({ project, settings: { buildsAccessLevel: 'disabled' } })
    await commit([build])
    await forge.platform.jobs.drain()
    await forge.as('alice').projects.update({ project, settings: { buildsAccessLevel: 'enabled' } })
    expect(await summary()).toEqual([])
  })

  test('once: a job with the key of an earlier one creates none', async () => {
    let isRepeated = false
    const bytes = (size: number) => (isRepeated ? new Uint8Array(size) : randomBytes(size))
    await using repeated = await world({ seed: openDemo, pipelinesOnPush: true, ports: { random: { bytes } } })
    isRepeated = true
    const push = (message: string) =>
      repeated.as('bob').commits.import({
        project,
        commits: [{ message, files: [{ ...build, content: `# ${message}\n${build.content}` }] }],
      })
    const { ids } = await push('one')
    await push('two')
    await repeated.platform.jobs.drain()
    expect((await repeated.host.pipelines.list({ project })).items).toMatchObject([{ sha: ids[0] }])
  })

  test('but not for a user who may no longer run pipelines', async () => {
    await commit([build])
    await forge.host.users.block({ user: 'bob' })
    expect(await summary()).toEqual([])
  })
})

describe('the pipeline file', () => {
  test('selects jobs with its rules and the changed files', async () => {
    const rules = 'rules: [{ changes: ["docs/*"] }]'
    await commit([fileOf(`build: { script: make }\ndocs: { script: make, ${rules} }\n`)])
    await commit([{ path: 'src/a', content: 'a' }])
    await commit([{ path: 'docs/a', content: 'a' }])
    const pipelines = await list()
    expect(await Promise.all(pipelines.map(({ id }) => jobsOf(id)))).toEqual([
      ['build canceled', 'docs canceled'],
      ['build canceled'],
      ['build pending', 'docs pending'],
    ])
  })

  test('creates a failed pipeline if it is invalid, and none if no job is left', async () => {
    await commit([fileOf('build: { stage: none, script: make }\n')])
    await commit([fileOf('build: { script: make, rules: [{ when: never }] }\n')])
    const [invalid, ...others] = await list()
    expect(invalid).toMatchObject({
      status: 'failed',
      yamlErrors: expect.stringContaining('chosen stage does not exist'),
      finishedAt: expect.any(String),
    })
    expect(others).toEqual([])
    expect(await jobsOf(invalid?.id as number)).toEqual([])
  })

  test.each(['Change [skip ci]', 'Change\n\n[CI Skip] because'])('is skipped by %j', async (message) => {
    await commit([build], { message })
    expect(await summary()).toEqual(['push main skipped'])
  })
})

describe('a merge request', () => {
  const forRequests = fileOf(`
build: { script: make }
review: { script: make, rules: [{ if: $CI_PIPELINE_SOURCE == "merge_request_event" }] }
`)
  const open = (sourceBranch: string) =>
    forge.as('bob').mergeRequests.create({ project, title: 'Change', sourceBranch, targetBranch: 'main' })

  test('gets pipelines when it is opened and pushed to, with the jobs that have rules for it', async () => {
    await commit([forRequests])
    await forge.host.branches.create({ project, branch: 'topic', ref: 'main' })
    await commit([{ path: 'a', content: 'a' }], { branch: 'topic' })
    await open('topic')
    await list()
    const sha = await commit([{ path: 'b', content: 'b' }], { branch: 'topic' })
    const requests = (await list()).filter(({ source }) => source === 'merge_request_event')
    expect(requests).toMatchObject([
      { ref: 'refs/merge-requests/2/head', status: 'canceled' },
      { ref: 'refs/merge-requests/2/head', status: 'pending', sha, user: { username: 'bob' } },
    ])
    expect(await jobsOf(requests[1]?.id as number)).toEqual(['review pending'])
  })

  test('gets none without such jobs or without commits, and a skipped one by the message only', async () => {
    await commit([build])
    await forge.host.branches.create({ project, branch: 'topic', ref: 'main' })
    await open('topic')
    await commit([{ path: 'a', content: 'a' }], { branch: 'topic' })
    expect((await summary()).filter((line) => line.startsWith('merge'))).toEqual([])
    await commit([forRequests], { branch: 'topic', message: 'Rules [ci skip]' })
    expect((await summary()).filter((line) => line.startsWith('merge'))).toEqual([
      'merge_request_event refs/merge-requests/2/head skipped',
    ])
  })
})

describe('a newer push', () => {
  const statuses = async () => (await list()).map(({ status }) => status)

  test('cancels pending pipelines of its branch only', async () => {
    await commit([build])
    await commit([build], { branch: 'other' })
    await commit([{ path: 'a', content: 'a' }])
    expect(await summary()).toEqual(['push main canceled', 'push other pending', 'push main pending'])
  })

  test('cancels running jobs only if all that have started are interruptible', async () => {
    const run = async (content: string) => {
      await commit([fileOf(content)])
      const pipeline = (await list()).at(-1)?.id as number
      const { items } = await forge.host.pipelineJobs.list({ project, pipeline })
      await forge.host.pipelineJobs.update({ project, job: items[0]?.id as number, status: 'running' })
      return pipeline
    }
    await run('a: { script: x, interruptible: true }\n')
    await run('b: { script: x }\n')
    await commit([{ path: 'a', content: 'a' }])
    expect(await statuses()).toEqual(['canceled', 'running', 'pending'])
  })

  test('cancels what the workflow of the older pipeline says', async () => {
    const jobs = 'a: { script: x, interruptible: true }\nb: { script: x }\n'
    await commit([fileOf(`workflow: { auto_cancel: { on_new_commit: interruptible } }\n${jobs}`)])
    await commit([fileOf(`workflow: { auto_cancel: { on_new_commit: none } }\n${jobs}`)])
    await commit([{ path: 'a', content: 'a' }])
    const [first, second] = await list()
    expect(await jobsOf(first?.id as number)).toEqual(['a canceled', 'b pending'])
    expect(await jobsOf(second?.id as number)).toEqual(['a pending', 'b pending'])
  })

  test('cancels none if the project does not want it', async () => {
    await forge.as('alice').projects.update({ project, settings: { autoCancelPendingPipelines: 'disabled' } })
    await commit([build])
    await commit([{ path: 'a', content: 'a' }])
    expect(await statuses()).toEqual(['pending', 'pending'])
  })
})
