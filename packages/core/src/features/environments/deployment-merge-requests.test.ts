import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDemo } from '../../../../../test/support/open-demo.ts'
import { world } from '../../../../../test/world.ts'

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
  return (await forge.host.repository.commit({ project, commits })).ids[0] as string
}

/** Merges a new branch and returns the tip of the default branch. */
const merge = async (title: string, start: string) => {
  await commit(title, title, [start])
  const bob = forge.as('bob').mergeRequests
  const { iid } = await bob.create({ project, title, sourceBranch: title, targetBranch: 'main' })
  await bob.merge({ project, mergeRequest: iid })
  const { commit: tip } = await forge.host.repository.branch({ project, branch: 'main' })
  return tip.id
}

const deploy = async (sha: string, status: 'success' | 'failed' = 'success', environment = 'production') =>
  (await forge.as('bob').deployments.create({ project, environment, ref: 'main', sha, status })).id

const titles = async (deployment: number, input: object = {}) =>
  (await forge.as('carol').deployments.mergeRequests({ project, deployment, ...input })).items.map(({ title }) => title)

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
  await expect(forge.as('carol').deployments.mergeRequests(ref)).rejects.toMatchObject({ code: 'not_found' })
  await expect(forge.as('dave').deployments.mergeRequests(ref)).rejects.toMatchObject({ code: 'forbidden' })
})
