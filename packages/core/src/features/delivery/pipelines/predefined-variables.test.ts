import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDemo } from '../../../../../../test/support/open-demo.ts'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world({ seed: openDemo, time: '2026-03-10T12:00:00Z', pipelinesOnPush: true })
})
afterEach(() => forge.close())

const project = 'acme/web'

const commit = async (text: string) => {
  const actions = [{ action: 'create' as const, filePath: '.gitlab-ci.yml', content: text }]
  return forge.as('bob').commits.create({
    project,
    branch: 'main',
    commitMessage: 'Plan\n\nWhat and why.',
    actions,
  })
}

/** The names of the jobs of the newest pipeline, in a file with one job for each condition. */
const holds = async (conditions: readonly string[]): Promise<readonly string[]> => {
  const jobs = conditions.map(
    (condition, index) => `job ${index}:\n  script: x\n  rules:\n    - if: ${JSON.stringify(condition)}\n`,
  )
  await commit(['always: { script: x }\n', ...jobs].join(''))
  await forge.platform.jobs.drain()
  const [pipeline] = (await forge.host.pipelines.list({ project })).items
  const { items } = await forge.host.pipelineJobs.list({ project, pipeline: pipeline?.id ?? 0, perPage: 100 })
  const found = items.flatMap(({ name }) => (name === 'always' ? [] : [Number(name.slice(4))]))
  return conditions.filter((_, index) => !found.includes(index))
}

test('rules know the commit, the project, the user and the server', async () => {
  const conditions = [
    '$CI_COMMIT_TITLE == "Plan"',
    '$CI_COMMIT_DESCRIPTION == "What and why."',
    '$CI_COMMIT_AUTHOR =~ /^Bob .*<.+@.+>$/',
    '$CI_COMMIT_TIMESTAMP =~ /^2026-03-10T12:00/',
    '$CI_COMMIT_BEFORE_SHA =~ /^[0-9a-f]{40}$/',
    '$CI_DEFAULT_BRANCH_SLUG == "main"',
    '$CI_PROJECT_NAMESPACE_SLUG == "acme"',
    '$CI_PROJECT_NAMESPACE_ID =~ /^[0-9]+$/',
    '$CI_PROJECT_DESCRIPTION != null',
    '$CI_CONFIG_PATH == ".gitlab-ci.yml"',
    '$CI_PIPELINE_CREATED_AT =~ /^2026-03-10/',
    '$CI_SERVER == "yes"',
    '$CI_SERVER_VERSION =~ /^[0-9]+[.]/ && $CI_SERVER_VERSION_MAJOR =~ /^[0-9]+$/',
    '$GITLAB_USER_LOGIN == "bob" && $GITLAB_USER_NAME =~ /^Bob/ && $GITLAB_USER_ID',
    '$CI_OPEN_MERGE_REQUESTS == null',
  ]
  expect(await holds(conditions)).toEqual([])
})

test('rules know the URLs of the server in calls of its adapter', async () => {
  const { host, port, protocol } = new URL(forge.url)
  const conditions = [
    `$CI_SERVER_URL == "${forge.url}"`,
    `$CI_SERVER_FQDN == "${host}"`,
    `$CI_SERVER_PORT == "${port || '80'}"`,
    `$CI_SERVER_PROTOCOL == "${protocol.slice(0, -1)}"`,
    `$CI_API_V4_URL == "${forge.url}/api/v4"`,
    `$CI_PROJECT_URL == "${forge.url}/acme/web"`,
  ]
  const content = conditions
    .map((condition, index) => `job ${index}:\n  script: x\n  rules: [{ if: ${JSON.stringify(condition)} }]\n`)
    .join('')
  await commit('a: { script: x }\n')
  const response = await forge.fetch('/api/v4/projects/acme%2Fweb/ci/lint', {
    method: 'POST',
    headers: { 'PRIVATE-TOKEN': forge.token('bob'), 'Content-Type': 'application/json' },
    body: JSON.stringify({ content, dry_run: true, include_jobs: true, ref: 'main' }),
  })
  const { errors, jobs } = await response.json()
  expect(errors).toEqual([])
  expect(jobs).toHaveLength(conditions.length)
})

test('the usual workflow creates no second pipeline of a branch with an open merge request', async () => {
  const workflow = `workflow:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH && $CI_OPEN_MERGE_REQUESTS
      when: never
    - if: $CI_COMMIT_BRANCH
build: { script: make }
`
  await commit(workflow)
  await forge.as('bob').branches.create({ project, branch: 'topic', ref: 'main' })
  const change = { project, branch: 'topic', commitMessage: 'More' }
  const create = (filePath: string) => ({ ...change, actions: [{ action: 'create' as const, filePath, content: 'x' }] })
  await forge.as('bob').commits.create(create('a'))
  const { iid } = await forge.as('bob').mergeRequests.create({
    project,
    sourceBranch: 'topic',
    targetBranch: 'main',
    title: 'Topic',
  })
  await forge.platform.jobs.drain()
  const sourcesOf = async () =>
    (await forge.host.pipelines.list({ project, sort: 'asc' })).items.map(({ source }) => source)
  const before = await sourcesOf()
  await forge.as('bob').commits.create(create('b'))
  await forge.platform.jobs.drain()
  expect((await sourcesOf()).slice(before.length)).toEqual(['merge_request_event'])
  const reference = `$CI_OPEN_MERGE_REQUESTS == "${project}!${iid}"`
  const { valid } = await forge.as('bob').ciLint.check({
    project,
    content: `a:\n  script: x\n  rules: [{ if: ${JSON.stringify(reference)} }]\n`,
    dryRun: true,
    ref: 'topic',
  })
  expect(valid).toBe(true)
})
