import type { FakeForge } from '@forgelet/fixtures'
import { Gitlab } from '@gitbeaker/rest'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { world } from '../sqlite-world.ts'
import { openDemo } from '../support/open-demo.ts'

const apiOf = (forge: FakeForge, user: string) => new Gitlab({ host: forge.url, token: forge.tokens[user] as string })

const paths = (groups: readonly { full_path?: unknown }[]) => groups.map(({ full_path }) => full_path)

async function checkGroups(forge: FakeForge) {
  const { Groups, Projects, Users } = apiOf(forge, 'bob')
  expect(paths(await Groups.all())).toEqual(['acme', 'acme/tools'])
  expect(paths(await Groups.all({ search: 'tool', orderBy: 'path', sort: 'asc' } as object))).toEqual(['acme/tools'])
  expect(paths(await Groups.allSubgroups('acme'))).toEqual(['acme/tools'])
  const acme = await Groups.show('acme')
  expect(acme).toMatchObject({ full_path: 'acme', visibility: 'public', projects: [{ path: 'web' }] })
  expect(acme).not.toHaveProperty('runners_token')
  expect(await apiOf(forge, 'alice').Groups.show('acme')).toMatchObject({ runners_token: expect.any(String) })
  expect(await Groups.allProjects('acme', { includeSubgroups: true })).toHaveLength(2)
  expect(await apiOf(forge, 'erin').Groups.allSharedProjects('partners')).toMatchObject([{ path: 'web' }])

  const shown = await Projects.show('acme/web')
  expect(shown).toMatchObject({ permissions: { group_access: { access_level: 30 } } })
  expect(await Projects.all({ membership: true, search: 'web' })).toMatchObject([{ path_with_namespace: 'acme/web' }])
  await expect(apiOf(forge, 'mallory').Projects.show('bob/notes')).rejects.toThrow('404 Project Not Found')

  const me = await Users.showCurrentUser()
  expect(me).toMatchObject({ username: 'bob', email: 'bob@example.com' })
  expect(await Users.all({ username: 'alice' })).toMatchObject([{ name: 'Alice Liddell' }])
  expect(await Users.show(me.id)).toMatchObject({ username: 'bob' })
}

async function checkIssues(forge: FakeForge) {
  const { Issues, Users, ProjectMilestones, IssueAwardEmojis } = apiOf(forge, 'bob')
  const me = await Users.showCurrentUser()
  const milestone = await ProjectMilestones.create('acme/web', 'Next')
  const created = await Issues.create('acme/web', 'From a client', {
    labels: 'bug',
    assigneeIds: [me.id],
    milestoneId: milestone.id,
  })
  expect(created).toMatchObject({ labels: ['bug'], assignees: [{ username: 'bob' }], milestone: { title: 'Next' } })
  expect(await Issues.show(created.iid, { projectId: 'acme/web' })).toEqual({ ...created, subscribed: true })
  expect(await Issues.edit('acme/web', created.iid, { stateEvent: 'close' })).toMatchObject({ state: 'closed' })
  expect(await Issues.all({ projectId: 'acme/web', state: 'closed', labels: 'bug' })).toMatchObject([
    { iid: created.iid },
  ])
  await IssueAwardEmojis.award('acme/web', created.iid, 'heart')
  expect(await IssueAwardEmojis.all('acme/web', created.iid)).toMatchObject([{ name: 'heart' }])
  await expect(Issues.show(999, { projectId: 'acme/web' })).rejects.toThrow('404 Not found')
}

async function checkMergeRequests(forge: FakeForge) {
  const { MergeRequests } = apiOf(forge, 'bob')
  const created = await MergeRequests.create('acme/web', 'topic', 'main', 'From a client', { description: 'Why' })
  expect(created).toMatchObject({ source_branch: 'topic', description: 'Why', state: 'opened' })
  expect(await MergeRequests.all({ projectId: 'acme/web', sourceBranch: 'topic' })).toMatchObject([
    { iid: created.iid },
  ])
  expect(await MergeRequests.edit('acme/web', created.iid, { title: 'Better' })).toMatchObject({ title: 'Better' })
  expect(await apiOf(forge, 'alice').MergeRequests.merge('acme/web', created.iid)).toMatchObject({ state: 'merged' })
  expect(await MergeRequests.show('acme/web', created.iid)).toMatchObject({ merged_by: { username: 'alice' } })
}

const scenarios = { groups: checkGroups, issues: checkIssues, 'merge requests': checkMergeRequests }

afterEach(() => vi.unstubAllGlobals())

describe.each(Object.entries(scenarios))('@gitbeaker/rest: %s', (_name, check) => {
  test('with a server on a port', async () => {
    await using forge = await world({ seed: openDemo, port: 0 })
    await check(forge)
  })

  test('without a socket', async () => {
    await using forge = await world({ seed: openDemo })
    vi.stubGlobal('fetch', forge.fetch)
    await check(forge)
  })
})
