import { demoWithCode } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { world } from '../world.ts'
import { client, type Send } from './client.ts'
import { newSshKey } from './ssh-keys.ts'

let forge: FakeForge
let send: Send
beforeAll(async () => {
  forge = await world({ seed: demoWithCode })
  send = client(forge)
})
afterAll(() => forge.close())

const project = 'acme/web'
const web = '/projects/acme%2Fweb'

/** The removals of resources with a time of change, each with the path of a new resource. */
const removals: readonly [string, () => Promise<string>][] = [
  [
    'a label of a project',
    async () => `${web}/labels/${(await forge.host.labels.create({ project, name: 'a', color: 'red' })).id}`,
  ],
  [
    'a label by its name',
    async () => `${web}/labels?name=${(await forge.host.labels.create({ project, name: 'b', color: 'red' })).name}`,
  ],
  [
    'a note of a discussion',
    async () => {
      const path = `${web}/issues/1/discussions`
      const { body } = await send(`POST ${path}`, { as: 'alice', json: { body: 'First' } })
      return `${path}/${body.id}/notes/${body.notes[0].id}`
    },
  ],
  [
    'a merge request',
    async () => {
      const branches = { sourceBranch: 'topic', targetBranch: 'main' }
      const { iid } = await forge.host.mergeRequests.create({ project, title: 'A topic', author: 'bob', ...branches })
      return `${web}/merge_requests/${iid}`
    },
  ],
  [
    'a Pages domain',
    async () => {
      await send(`POST ${web}/pages/domains`, { as: 'alice', json: { domain: 'www.example.com' } })
      return `${web}/pages/domains/www.example.com`
    },
  ],
  [
    'a mirror',
    async () => {
      const { id } = await forge.host.remoteMirrors.create({ project, url: 'https://example.com/web.git' })
      return `${web}/remote_mirrors/${id}`
    },
  ],
  [
    'a replica node',
    async () => {
      const json = { name: 'far', url: 'https://far.example.com' }
      return `/geo_nodes/${(await send('POST /geo_nodes', { as: 'root', json })).body.id}`
    },
  ],
]

const at = (instant: number) => ({ as: 'root', headers: { 'if-unmodified-since': new Date(instant).toUTCString() } })

/** Objects of which a change is stored in another table, each with the path and such a change. */
const changedParts: readonly [string, () => Promise<{ path: string; change: () => Promise<unknown> }>][] = [
  [
    'the users of an approval rule',
    async () => {
      const { id } = await forge.host.approvalRules.create({
        project,
        name: 'Two',
        approvalsRequired: 1,
        usernames: ['bob'],
      })
      const change = { project, rule: id, usernames: ['carol'] }
      return { path: `${web}/approval_rules/${id}`, change: () => forge.host.approvalRules.update(change) }
    },
  ],
  [
    'the protected branches of an approval rule',
    async () => {
      const { id } = await forge.host.approvalRules.create({
        project,
        name: 'Three',
        approvalsRequired: 1,
        usernames: ['bob'],
      })
      const branch = await forge.host.protectedBranches.create({ project, name: 'guarded' })
      const change = { project, rule: id, protectedBranchIds: [branch.id] }
      return { path: `${web}/approval_rules/${id}`, change: () => forge.host.approvalRules.update(change) }
    },
  ],
  [
    'the title of a deploy key',
    async () => {
      const { id } = await forge.host.deployKeys.create({ project, title: 'Old', key: newSshKey('deploy') })
      const change = { project, deployKey: id, title: 'New' }
      return { path: `${web}/deploy_keys/${id}`, change: () => forge.host.deployKeys.update(change) }
    },
  ],
  [
    'the variables of a schedule',
    async () => {
      const schedule = { project, description: 'Nightly', ref: 'main', cron: '0 1 * * *', owner: 'root' }
      const { id } = await forge.host.pipelineSchedules.create(schedule)
      const change = { project, schedule: id, key: 'A', value: 'x' }
      return {
        path: `${web}/pipeline_schedules/${id}`,
        change: () => forge.as('root').pipelineSchedules.createVariable(change),
      }
    },
  ],
]

test.each(changedParts)('%s count as a change of the object', async (_, create) => {
  const { path, change } = await create()
  const read = forge.clock.now() + 2_000
  await forge.clock.advance({ minutes: 1 })
  await change()
  expect(await send(`DELETE ${path}`, at(read))).toMatchObject({ status: 412 })
  expect(await send(`DELETE ${path}`, at(forge.clock.now()))).toMatchObject({ status: 204 })
})

test('a removal without a time of the last change is refused with a condition, and removes nothing', async () => {
  const file = `${web}/repository/files/README.md`
  const json = { branch: 'main', commit_message: 'Remove' }
  const head = (await send(`GET ${web}/repository/branches/main`, { as: 'root' })).body.commit.id
  expect(await send(`DELETE ${file}`, { ...at(forge.clock.now()), json })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('If-Unmodified-Since is not supported here') },
  })
  expect((await send(`GET ${web}/repository/branches/main`, { as: 'root' })).body.commit.id).toBe(head)
})

test('a branch and a tag are compared with the time of their commit', async () => {
  const author = { name: 'A', email: 'a@example.com' }
  const commits = [{ branch: 'recent', message: 'Later', author, files: [{ path: 'later.txt', content: 'x' }] }]
  const written = forge.clock.now()
  await forge.host.commits.import({ project, commits })
  await forge.host.tags.create({ project, tagName: 'recent-1', ref: 'recent', message: 'Annotated' })
  for (const path of [`${web}/repository/tags/recent-1`, `${web}/repository/branches/recent`]) {
    expect(await send(`DELETE ${path}`, at(written - 60_000))).toMatchObject({ status: 412 })
    expect(await send(`DELETE ${path}`, at(written + 60_000))).toMatchObject({ status: 204 })
  }
})

test('an unparsable date is ignored', async () => {
  const { id } = await forge.host.labels.create({ project, name: 'undated', color: 'red' })
  const headers = { 'if-unmodified-since': 'soon' }
  expect(await send(`DELETE ${web}/labels/${id}`, { as: 'root', headers })).toMatchObject({ status: 204 })
})

test.each(removals)('%s is removed only if it was not modified since', async (_, create) => {
  const path = await create()
  const since = (date: string) => ({ as: 'root', headers: { 'if-unmodified-since': date } })
  const refused = await send(`DELETE ${path}`, since('Thu, 07 Jan 2016 12:44:33 GMT'))
  expect(refused).toMatchObject({ status: 412, body: { message: '412 Precondition Failed' } })
  expect(await send(`DELETE ${path}`, since(new Date(forge.clock.now() + 1_000).toUTCString()))).toMatchObject({
    status: 204,
  })
})
