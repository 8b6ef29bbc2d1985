import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { client } from '../contract/client.ts'
import { createGitClient, type GitClient, withPassword } from '../support/git-client.ts'
import { openDemo } from '../support/open-demo.ts'
import { world } from '../world.ts'

/** Pushes of many branches and tags, which are summarized as in GitLab. */

let forge: FakeForge
let git: GitClient
const project = 'acme/web'
const hookUrl = 'https://example.com/hook'

beforeEach(async () => {
  forge = await world({ seed: openDemo, port: 0, pipelinesOnPush: true })
  git = createGitClient()
  await git.git('.', 'init', '--quiet', 'work')
  const url = withPassword(`${forge.url}/${project}.git`, forge.token('bob'))
  await git.git('work', 'remote', 'add', 'origin', url)
  await git.commit('work', 'first', { '.gitlab-ci.yml': 'test: { script: make }' })
  await git.commit('work', 'second', { a: 'a' })
  await git.git('work', 'push', '--quiet', 'origin', 'HEAD:main')
  await forge.host.hooks.create({ project, url: hookUrl, pushEvents: true, tagPushEvents: true })
  await forge.platform.jobs.drain()
})
afterEach(async () => {
  git.remove()
  await forge.close()
})

/** Creates branches or tags with a commit each, and returns their names. */
const create = async (kind: 'heads' | 'tags', names: readonly string[]) => {
  for (const name of names) {
    const id = await git.git('work', 'commit-tree', '-p', 'HEAD', '-m', name, 'HEAD^{tree}')
    await git.git('work', 'update-ref', `refs/${kind}/${name}`, id)
  }
}
const push = (...args: string[]) => git.git('work', 'push', '--quiet', 'origin', ...args)

const readEvents = async () => {
  const { body } = await client(forge)('GET /projects/acme%2Fweb/events?action=pushed', { as: 'bob' })
  return body.map(({ action_name, push_data }: Record<string, unknown>) => ({ action_name, ...(push_data as object) }))
}
const pushHooks = () => forge.hooks.deliveries.filter(({ url }) => url.startsWith(hookUrl)).length

const branches = (count: number) => Array.from({ length: count }, (_, at) => `topic/${at}`)

describe('a push of new branches', () => {
  test('has an event and a hook for each of three', async () => {
    await create('heads', branches(3))
    await push('refs/heads/topic/*:refs/heads/topic/*')
    const events = await readEvents()
    expect(events.slice(0, 3).map(({ ref, ref_count }: Record<string, unknown>) => [ref, ref_count])).toEqual([
      ['topic/2', null],
      ['topic/1', null],
      ['topic/0', null],
    ])
    await forge.platform.jobs.drain()
    expect(pushHooks()).toBe(3)
  })

  test('has one event, no hooks and four pipelines for more', async () => {
    const before = (await readEvents()).length
    await create('heads', branches(6))
    await push('refs/heads/topic/*:refs/heads/topic/*')
    const [event, ...others] = await readEvents()
    expect(others).toHaveLength(before)
    expect(event).toEqual({
      action_name: 'pushed new',
      commit_count: 0,
      action: 'created',
      ref_type: 'branch',
      commit_from: null,
      commit_to: null,
      ref: null,
      commit_title: null,
      ref_count: 6,
    })
    await forge.platform.jobs.drain()
    expect(pushHooks()).toBe(0)
    const { items } = await forge.host.pipelines.list({ project })
    expect(items.filter(({ ref }) => ref.startsWith('topic/'))).toHaveLength(4)
  })

  test('reports the commits of each to listeners', async () => {
    const counts: Record<string, number> = {}
    forge.platform.on('code.pushed', ({ push: { ref, commitCount } }) => {
      counts[ref] = commitCount
    })
    await create('heads', branches(5))
    // Its commit counts for the first branch only, and those of main for none.
    await git.git('work', 'branch', 'topic/9', 'topic/0')
    await git.git('work', 'branch', 'topic/same', 'HEAD')
    await push('refs/heads/topic/*:refs/heads/topic/*')
    await expect
      .poll(() => counts)
      .toEqual({ ...Object.fromEntries(branches(5).map((name) => [name, 1])), 'topic/9': 0, 'topic/same': 0 })
  })
})

test('each change of a push of hundreds is reported once, in several transactions', async () => {
  const seen: string[] = []
  forge.platform.on('code.pushed', ({ push: { ref } }) => void seen.push(ref))
  const names = branches(120)
  const lines = names.map((name) => `create refs/heads/${name} HEAD\n`).join('')
  writeFileSync(join(git.folder, 'lines'), lines)
  await git.git('work', '-c', 'alias.make=!git update-ref --stdin < ../lines', 'make')
  await push('refs/heads/topic/*:refs/heads/topic/*')
  await expect.poll(() => seen.toSorted()).toEqual(names.toSorted())
  expect((await readEvents())[0]).toMatchObject({ ref_count: 120 })
  const rows = await forge.platform.atomic((_platform, _at, run) => run('select id from reference_change'))
  expect(rows).toEqual([])
})

test('kinds of changes are summarized separately', async () => {
  await create('heads', branches(4))
  await create('tags', ['v1', 'v2'])
  await push('refs/heads/topic/*:refs/heads/topic/*', '--tags')
  const first = await readEvents()
  expect(
    first.slice(0, 3).map(({ ref_type, ref, ref_count }: Record<string, unknown>) => [ref_type, ref, ref_count]),
  ).toEqual(
    expect.arrayContaining([
      ['branch', null, 4],
      ['tag', 'v1', null],
      ['tag', 'v2', null],
    ]),
  )
  await push('--delete', 'topic/0', 'topic/1', 'topic/2', 'topic/3', 'v1')
  const second = await readEvents()
  expect(second.slice(0, 2).map(({ action, ref_count }: Record<string, unknown>) => [action, ref_count])).toEqual(
    expect.arrayContaining([
      ['removed', 4],
      ['removed', null],
    ]),
  )
})
