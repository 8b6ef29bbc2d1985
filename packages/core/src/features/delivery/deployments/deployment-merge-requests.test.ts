import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDemo } from '../../../../../../test/support/open-demo.ts'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world({ seed: openDemo })
})
afterEach(() => forge.close())

const project = 'acme/web'
const author = { name: 'Bob', email: 'bob@example.com' }

const commit = async (branch: string, content: string, parents?: string[]) => {
  const files = [{ path: `${branch}.txt`, content }]
  const commits = [{ branch, message: branch, author, files, ...(parents && { parents }) }]
  return (await forge.host.commits.import({ project, commits })).ids[0] as string
}

/** Merges a new branch and returns the tip of the default branch. */
const merge = async (title: string, start: string) => {
  await commit(title, title, [start])
  const bob = forge.as('bob').mergeRequests
  const { iid } = await bob.create({ project, title, sourceBranch: title, targetBranch: 'main' })
  await bob.merge({ project, mergeRequest: iid })
  const { commit: tip } = await forge.host.branches.get({ project, branch: 'main' })
  return tip.id
}

const deploy = async (sha: string, status: 'success' | 'failed' = 'success', environment = 'production') =>
  (await forge.as('bob').deployments.create({ project, environment, ref: 'main', sha, status })).id

const titles = async (deployment: number, input: object = {}) =>
  (await forge.as('carol').deployments.listMergeRequests({ project, deployment, ...input })).items.map(
    ({ title }) => title,
  )

test('a deployment contains the merge requests since the previous one of its environment', async () => {
  const start = await commit('main', 'x')
  const first = await merge('first', start)
  const one = await deploy(first)
  const second = await merge('second', first)
  const third = await merge('third', second)
  const failed = await deploy(third, 'failed')
  const two = await deploy(third)
  const elsewhere = await deploy(third, 'success', 'staging')
  const again = await deploy(third)
  expect(await titles(one)).toEqual(['first'])
  expect(await titles(failed)).toEqual([])
  expect(await titles(two)).toEqual(['third', 'second'])
  expect(await titles(elsewhere)).toEqual(['third', 'second', 'first'])
  expect(await titles(again)).toEqual([])
  expect(await titles(two, { sort: 'asc', perPage: 1 })).toEqual(['second'])
  expect(await titles(two, { sourceBranch: 'third' })).toEqual(['third'])
  expect(await titles(two, { state: 'opened' })).toEqual([])
})

test('merges by fast-forward and squashed ones are found, too', async () => {
  await forge.host.projects.update({ project, settings: { mergeMethod: 'ff' } })
  const first = await merge('first', await commit('main', 'x'))
  await forge.host.projects.update({ project, settings: { squashOption: 'always' } })
  const second = await merge('second', first)
  expect(await titles(await deploy(second))).toEqual(['second', 'first'])
})

test('a deployment without its commit or a repository has no merge requests', async () => {
  expect(await titles(await deploy('a'.repeat(40)))).toEqual([])
  await commit('main', 'x')
  expect(await titles(await deploy('a'.repeat(40)))).toEqual([])
  const ref = { project, deployment: 999_999 }
  await expect(forge.as('carol').deployments.listMergeRequests(ref)).rejects.toMatchObject({ code: 'not_found' })
  await expect(forge.as('dave').deployments.listMergeRequests(ref)).rejects.toMatchObject({ code: 'forbidden' })
})

const of = (input: object, user = 'carol') =>
  forge
    .as(user)
    .mergeRequests.list({ project, sort: 'asc', ...input })
    .then(({ items }) => items.map(({ title }) => title))

test('merge requests are filtered by the environment and the time of their deployments', async () => {
  const first = await merge('first', await commit('main', 'x'))
  await deploy(first)
  const second = await merge('second', first)
  const before = (await forge.host.mergeRequests.list({ project })).items[0]?.updatedAt as string
  await deploy(second, 'failed')
  expect(await of({ environment: 'production' })).toEqual(['first'])
  await deploy(second, 'success', 'staging')
  await merge('third', second)
  expect(await of({ environment: 'production' })).toEqual(['first'])
  expect(await of({ environment: 'staging' })).toEqual(['first', 'second'])
  expect(await of({ environment: 'elsewhere' })).toEqual([])
  expect(await of({ deployedBefore: '2000-01-01T00:00:00Z' })).toEqual([])
  expect(await of({ deployedAfter: '2000-01-01T00:00:00Z' })).toEqual(['first', 'second'])
  expect(await of({ environment: 'production', deployedAfter: '2999-01-01T00:00:00Z' })).toEqual([])
  expect(await of({ environment: 'staging', deployedAfter: before, sourceBranch: 'second' })).toEqual(['second'])
})

test('a deployment that a job or a later report made successful has its merge requests', async () => {
  const first = await merge('first', await commit('main', 'x'))
  const { deployments } = forge.as('bob')
  const running = { project, environment: 'production', ref: 'main', sha: first, status: 'running' } as const
  const { id } = await deployments.create(running)
  expect(await of({ environment: 'production' })).toEqual([])
  await deployments.update({ project, deployment: id, status: 'success' })
  expect(await of({ environment: 'production' })).toEqual(['first'])
  // The queued job finds nothing else to record.
  await forge.platform.jobs.drain()
  expect(await of({ environment: 'production' })).toEqual(['first'])
  await forge.as('alice').deployments.remove({ project, deployment: id })
  expect(await of({ environment: 'production' })).toEqual([])
})

test('callers who cannot read the environments learn nothing about deployments', async () => {
  await deploy(await merge('first', await commit('main', 'x')))
  for (const list of [
    (user: string) => of({ environment: 'production' }, user),
    (user: string) => of({ deployedAfter: '2000-01-01T00:00:00Z' }, user),
    async (user: string) =>
      (await forge.as(user).mergeRequests.list({ scope: 'all', environment: 'production' })).items.map(
        ({ title }) => title,
      ),
    async (user: string) =>
      (await forge.as(user).mergeRequests.list({ group: 'acme', environment: 'production' })).items.map(
        ({ title }) => title,
      ),
  ]) {
    expect(await list('carol')).toEqual(['first'])
    expect(await list('mallory')).toEqual([])
  }
})

test('deployments are filtered and sorted by their end', async () => {
  await deploy('a'.repeat(40), 'failed')
  const last = await deploy('b'.repeat(40))
  await forge
    .as('bob')
    .deployments.create({ project, environment: 'x', ref: 'main', sha: 'c'.repeat(40), status: 'running' })
  const list = async (input: object) =>
    (await forge.as('carol').deployments.list({ project, orderBy: 'finished_at', ...input })).items.map(({ id }) => id)
  expect(await list({})).toHaveLength(2)
  expect((await list({}))[1]).toBe(last)
  expect(await list({ finishedAfter: '2000-01-01T00:00:00Z' })).toHaveLength(2)
  expect(await list({ finishedBefore: '2000-01-01T00:00:00Z' })).toEqual([])
  await expect(list({ finishedBefore: '2000-01-01T00:00:00Z', orderBy: 'id' })).rejects.toMatchObject({
    code: 'invalid_input',
  })
})
