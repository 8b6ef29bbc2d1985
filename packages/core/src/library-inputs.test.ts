import { demoWithCode } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { world } from '../../../test/sqlite-world.ts'
import { stored } from '../../../test/stored.ts'

/** The effects of inputs that only the host may set, and that no route has. */

let forge: FakeForge
let host: FakeForge['host']
beforeAll(async () => {
  forge = await world({ seed: demoWithCode })
  host = forge.host
})
afterAll(() => forge.close())

const project = 'acme/web'

test('the host reports when users signed in', async () => {
  const times = { lastSignInAt: '2026-01-01T00:00:00.000Z', currentSignInAt: '2026-01-02T00:00:00.000Z' }
  const { id: user } = await host.users.create({ username: 'new', lastSignInAt: times.lastSignInAt })
  await host.users.update({ user, currentSignInAt: times.currentSignInAt })
  expect(await host.users.get({ user })).toMatchObject(times)
})

test('pictures of groups can have a URL', async () => {
  const { avatarUrl } = await host.groups.create({ path: 'pictured', name: 'Pictured', avatarUrl: 'https://a.example' })
  expect(avatarUrl).toBe('https://a.example')
  const updated = await host.groups.update({ group: 'pictured', avatarUrl: 'https://b.example' })
  expect(updated.avatarUrl).toBe('https://b.example')
})

test('lists of projects can be limited to those with security reports', async () => {
  const { id } = await host.projects.create({ name: 'Scanned', namespace: 'acme', hasSecurityReports: true })
  const { items } = await host.projects.list({ withSecurityReports: true })
  expect(items.map((item) => item.id)).toEqual([id])
})

test('tokens, triggers and applications can have fixed secrets', async () => {
  await host.accessTokens.create({ project, name: 'robot', scopes: ['api'], secret: 'a-fixed-token' })
  expect(await forge.platform.as({ token: 'a-fixed-token' }).users.get()).toMatchObject({ name: 'robot' })
  const trigger = { project, description: 'Build', owner: 'alice' }
  const { token } = await host.pipelineTriggers.create({ ...trigger, secret: 'a-fixed-trigger' })
  expect(token).toBe('a-fixed-trigger')
  const application = { name: 'App', redirectUri: 'https://app.example', scopes: 'api' }
  expect(await host.applications.create({ ...application, secret: 'a-fixed-secret' })).toMatchObject({
    secret: 'a-fixed-secret',
  })
})

test('the host numbers issues, merge requests and milestones', async () => {
  const author = 'alice'
  expect(await host.issues.create({ project, title: 'x', author, iid: 100 })).toMatchObject({ iid: 100 })
  expect(await host.milestones.create({ project, title: 'x', iid: 100 })).toMatchObject({ iid: 100 })
  const branches = { sourceBranch: 'cache-home', targetBranch: 'other' }
  const created = await host.mergeRequests.create({ project, title: 'x', author, iid: 100, ...branches })
  expect(created).toMatchObject({ iid: 100 })
})

test('the host writes system notes and comments on commits', async () => {
  const note = await host.notes.create({ project, issue: 1, author: 'bob', body: 'closed', system: true })
  expect(note).toMatchObject({ system: true, author: { username: 'bob' } })
  const comment = await host.commitComments.create({ project, commit: 'main', note: 'Good', author: 'bob' })
  expect(comment).toMatchObject({ author: { username: 'bob' } })
})

test('the host names the owner of schedules and of commit statuses', async () => {
  const schedule = { project, description: 'Nightly', ref: 'main', cron: '0 1 * * *' }
  const { id, owner } = await host.pipelineSchedules.create({ ...schedule, owner: 'alice' })
  expect(owner).toMatchObject({ username: 'alice' })
  const taken = await host.pipelineSchedules.takeOwnership({ project, schedule: id, owner: 'bob' })
  expect(taken).toMatchObject({ owner: { username: 'bob' } })
  const status = await host.commitStatuses.create({ project, sha: 'main', state: 'success', author: 'bob' })
  expect(status).toMatchObject({ author: { username: 'bob' } })
})

test('the host names the user who approves a deployment', async () => {
  const protection = { deployAccessLevels: [{ accessLevel: 30 as const }], requiredApprovalCount: 1 }
  await host.protectedEnvironments.create({ project, name: 'guarded', ...protection })
  const jobs = [{ name: 'deploy', environment: 'guarded' }]
  await host.pipelines.record({ project, ref: 'main', sha: 'a'.repeat(40), user: 'bob', jobs })
  const [deployment] = (await host.deployments.list({ project, environment: 'guarded' })).items
  const decision = { project, deployment: deployment?.id ?? 0, status: 'approved' as const }
  const approval = await host.deployments.setApproval({ ...decision, user: 'alice' })
  expect(approval).toMatchObject({ user: { username: 'alice' } })
})

test('a tag of the host is a push of a user', async () => {
  await host.tags.create({ project, tagName: 'v2', ref: 'main', pushedBy: 'bob' })
  const { items } = await host.events.list({ project, action: 'pushed' })
  expect(items[0]).toMatchObject({ author: { username: 'bob' }, pushData: { ref: 'v2', refType: 'tag' } })
})

test('epics are named by their number in discussions', async () => {
  const { iid: epic } = await host.epics.create({ group: 'acme', title: 'Big', author: 'alice' })
  const { id } = await stored(host.discussions.create({ group: 'acme', epic, author: 'bob', body: 'A thread' }))
  const { items } = await host.discussions.list({ group: 'acme', epic })
  expect(items.map((item) => item.id)).toEqual([id])
})

test('a pipeline is found by its number in the project', async () => {
  const input = { project, ref: 'main', sha: 'a'.repeat(40) }
  await host.pipelines.record(input)
  const { id, iid } = await host.pipelines.record(input)
  expect((await host.pipelines.list({ project, iid })).items.map((item) => item.id)).toEqual([id])
})

test('the host unlinks users from the provider of a group', async () => {
  await host.sso.enable({ group: 'acme' })
  await host.sso.linkIdentity({ group: 'acme', user: 'bob', externalUid: 'bob-1' })
  await host.sso.unlinkIdentity({ group: 'acme', user: 'bob' })
  expect((await host.sso.listIdentities({ group: 'acme' })).items).toMatchObject([
    { externUid: 'bob-1', active: false },
  ])
})
