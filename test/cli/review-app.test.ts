import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { folder, forgelet, serving } from './command-line.ts'

const execute = promisify(execFile)

const pipelineFile = `
deploy review:
  script: make deploy
  environment: { name: review/$CI_COMMIT_REF_SLUG, on_stop: stop review }
  rules: [{ if: $CI_COMMIT_BRANCH == "topic" }]
stop review:
  script: make stop
  variables: { GIT_STRATEGY: none }
  environment: { name: review/$CI_COMMIT_REF_SLUG, action: stop }
  rules: [{ if: $CI_COMMIT_BRANCH == "topic", when: manual, allow_failure: true }]
`

it('stops the review app of a branch when its merge request is merged', async () => {
  const data = 'review.db'
  expect(await forgelet(['user', 'create', 'ann', '--admin', '--data', data])).toMatchObject({ code: 0 })
  const token = (await forgelet(['token', 'create', '--user', 'ann', '--data', data])).stdout.trim()
  const { url, stop } = await serving(['--data', data, '--pipelines-on-push'])
  const api = async (method: string, path: string, json?: object) => {
    const body = json && JSON.stringify(json)
    const headers = { 'PRIVATE-TOKEN': token, ...(body && { 'Content-Type': 'application/json' }) }
    const response = await fetch(`${url}/api/v4${path}`, { method, headers, ...(body && { body }) })
    const reply = await response.text()
    return reply === '' ? undefined : JSON.parse(reply)
  }
  await api('POST', '/projects', { name: 'app' })
  const app = '/projects/ann%2Fapp'

  const work = join(folder, 'app')
  mkdirSync(work)
  const git = (...parameters: string[]) =>
    execute('git', ['-C', work, '-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...parameters])
  const remote = new URL(`${url}/ann/app.git`)
  remote.username = 'ann'
  remote.password = token
  await git('init', '--quiet', '--initial-branch=main')
  writeFileSync(join(work, '.gitlab-ci.yml'), pipelineFile)
  await git('add', '.')
  await git('commit', '--quiet', '--message', 'Begin')
  await git('push', '--quiet', remote.href, 'main')
  await git('checkout', '--quiet', '-b', 'topic')
  writeFileSync(join(work, 'feature.txt'), 'feature')
  await git('add', '.')
  await git('commit', '--quiet', '--message', 'Add a feature')
  await git('push', '--quiet', remote.href, 'topic')

  const runner = await api('POST', '/user/runners', { runner_type: 'instance_type', run_untagged: true })
  /** Runs the next job, as a runner does. Returns its name. */
  const runNext = async (): Promise<string> => {
    let job: { id: number; token: string; job_info: { name: string } } | undefined
    await expect
      .poll(
        async () => {
          job = await api('POST', '/jobs/request', { token: runner.token })
          return job?.id
        },
        { timeout: 20_000 },
      )
      .toBeDefined()
    await api('PUT', `/jobs/${job?.id}`, { token: job?.token, state: 'success' })
    return job?.job_info.name as string
  }
  const states = async () =>
    (await api('GET', `${app}/environments`)).map(({ name, state }: Record<string, string>) => [name, state])
  expect(await runNext()).toBe('deploy review')
  expect(await states()).toEqual([['review/topic', 'available']])

  const fields = { source_branch: 'topic', target_branch: 'main', title: 'Add a feature' }
  const { iid } = await api('POST', `${app}/merge_requests`, fields)
  const merged = await api('PUT', `${app}/merge_requests/${iid}/merge`, { should_remove_source_branch: true })
  expect(merged).toMatchObject({ state: 'merged' })
  await expect.poll(states, { timeout: 20_000 }).toEqual([['review/topic', 'stopping']])
  expect(await runNext()).toBe('stop review')
  expect(await states()).toEqual([['review/topic', 'stopped']])
  await stop()
}, 120_000)
