import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { stored } from '../stored.ts'
import { world } from '../world.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

const project = 'acme/web'
const base = '/projects/acme%2Fweb/issues'

const createIssue = async (json: object = {}) =>
  (await send(`POST ${base}`, { as: 'carol', json: { title: 'Leak', ...json } })).body

test('the kind of an issue is stored, filtered and changed', async () => {
  const issue = await createIssue({ issue_type: 'incident' })
  expect(issue).toMatchObject({ issue_type: 'incident', type: 'INCIDENT', severity: 'UNKNOWN', imported: false })
  const list = async (type: string) =>
    (await send(`GET ${base}?issue_type=${type}`, { as: 'carol' })).body.map(({ iid }: { iid: number }) => iid)
  expect(await list('incident')).toEqual([issue.iid])
  expect(await list('issue')).not.toContain(issue.iid)
  const changed = await send(`PUT ${base}/${issue.iid}`, { as: 'carol', json: { issue_type: 'task' } })
  expect(changed.body).toMatchObject({ issue_type: 'task', type: 'TASK' })
  expect(await list('incident')).toEqual([])
})

test('the only assignee is set by assignee_id, and 0 removes it', async () => {
  const { id } = await forge.host.users.get({ user: 'bob' })
  const { iid, assignee } = await createIssue({ assignee_id: id })
  expect(assignee).toMatchObject({ username: 'bob' })
  const none = await send(`PUT ${base}/${iid}`, { as: 'carol', json: { assignee_id: 0 } })
  expect(none.body).toMatchObject({ assignee: null, assignees: [] })
})

test('merge requests that close an issue are counted for those who can read them', async () => {
  const { iid } = await createIssue({ description: '- [ ] write\n- [x] read' })
  const read = async () => (await send(`GET ${base}/${iid}`, { as: 'carol' })).body
  expect(await read()).toMatchObject({ merge_requests_count: 0, task_status: '1 of 2 checklist items completed' })
  const fix = { project, author: 'bob', title: `Closes #${iid}`, sourceBranch: 'fix', targetBranch: 'main' }
  const { iid: mergeRequest } = await forge.host.mergeRequests.create(fix)
  expect(await read()).toMatchObject({ merge_requests_count: 1 })
  await forge.host.mergeRequests.update({ project, mergeRequest, title: `See #${iid}` })
  expect(await read()).toMatchObject({ merge_requests_count: 0 })
  const twice = `Closes #${iid}\n\nCloses ${project}#${iid}`
  await forge.host.mergeRequests.update({ project, mergeRequest, description: twice })
  expect(await read()).toMatchObject({ merge_requests_count: 1 })
})

test('open issues that an issue blocks are counted', async () => {
  const [blocking, blocked] = [await createIssue(), await createIssue()]
  const link = { project, issue: blocking.iid, targetProject: project, targetIssue: blocked.iid }
  await forge.as('carol').issueLinks.create({ ...link, linkType: 'blocks' })
  const count = async (iid: number) => (await send(`GET ${base}/${iid}`, { as: 'carol' })).body.blocking_issues_count
  expect([await count(blocking.iid), await count(blocked.iid)]).toEqual([1, 0])
  await forge.as('carol').issues.update({ project, issue: blocked.iid, stateEvent: 'close' })
  expect(await count(blocking.iid)).toBe(0)
})

test('an issue names its epic to those who can read it, and epic_id moves it', async () => {
  const epic = await forge.as('alice').epics.create({ group: 'acme', title: 'Roof', confidential: true })
  const { iid } = await createIssue()
  const moved = await send(`PUT ${base}/${iid}`, { as: 'alice', json: { epic_id: epic.id } })
  const { id, title, groupId: group_id } = epic
  const url = `/groups/acme/-/epics/${epic.iid}`
  expect(moved.body).toMatchObject({ epic: { id, iid: epic.iid, title, group_id, url }, epic_iid: epic.iid })
  const others = await send(`GET ${base}/${iid}`, { as: 'mallory' })
  expect(others.body).toMatchObject({ epic: null, epic_iid: null })
  expect(await send(`PUT ${base}/${iid}`, { as: 'alice', json: { epic_id: 99_999 } })).toMatchObject({ status: 404 })
  const removed = await send(`PUT ${base}/${iid}`, { as: 'alice', json: { epic_id: 0 } })
  expect(removed.body).toMatchObject({ epic: null })
})

test('changes return whether the current user is subscribed', async () => {
  const { iid, subscribed } = await createIssue()
  expect(subscribed).toBe(true)
  const changed = await send(`PUT ${base}/${iid}`, { as: 'alice', json: { title: 'Flood' } })
  expect(changed.body).toMatchObject({ title: 'Flood', subscribed: false })
})

test('owners choose the number of an issue and the time of a change, which are ignored for others', async () => {
  const post = (as: string, json: object) => send(`POST ${base}`, { as, json: { title: 'Imported', ...json } })
  expect((await post('alice', { iid: 70 })).body).toMatchObject({ iid: 70 })
  expect(await post('alice', { iid: 70 })).toMatchObject({ status: 409 })
  expect((await post('alice', { iid: 60 })).body).toMatchObject({ iid: 60 })
  expect((await post('carol', { iid: 90 })).body).toMatchObject({ iid: 71 })
  const put = (as: string, title: string) =>
    send(`PUT ${base}/70`, { as, json: { title, updated_at: '2020-01-02T03:04:05Z' } })
  expect((await put('alice', 'Old')).body).toMatchObject({ title: 'Old', updated_at: '2020-01-02T03:04:05.000Z' })
  expect((await put('bob', 'New')).body.updated_at).not.toMatch(/^2020/)
})

test('an epic is selected by its number in the group of the project', async () => {
  const { id, iid } = await forge.as('alice').epics.create({ group: 'acme', title: 'Plan' })
  const issue = await send(`POST ${base}`, { as: 'alice', json: { title: 'Step', epic_iid: iid } })
  expect(issue.body).toMatchObject({ epic_iid: iid, epic: { id } })
  const other = await createIssue()
  const changed = await send(`PUT ${base}/${other.iid}`, { as: 'alice', json: { epic_iid: iid } })
  expect(changed.body).toMatchObject({ epic: { id } })
  expect((await send(`PUT ${base}/${other.iid}`, { as: 'alice', json: { epic_iid: 99 } })).status).toBe(404)
})

test('a new issue continues the open discussions of a merge request, and resolves them', async () => {
  const fix = { project, author: 'bob', title: 'Fix', sourceBranch: 'fix', targetBranch: 'main' }
  const { iid: mergeRequest } = await forge.host.mergeRequests.create(fix)
  const start = (body: string) => stored(forge.as('bob').discussions.create({ project, mergeRequest, body }))
  const [first, second] = [await start('Why?'), await start('How?')]
  await forge.as('carol').discussions.reply({ project, mergeRequest, discussion: first.id, body: 'Because' })
  const states = async () => {
    const { items } = await forge.host.discussions.list({ project, mergeRequest })
    return items.map(({ notes }) => notes.map(({ resolved }) => resolved))
  }
  const one = { merge_request_to_resolve_discussions_of: mergeRequest, discussion_to_resolve: first.id }
  const others = (await send(`POST ${base}`, { as: 'mallory', json: { title: 'Not mine', ...one } })).body
  expect(others.description).toContain('> Why?')
  expect(await states()).toEqual([[false, false], [false]])
  const issue = (await send(`POST ${base}`, { as: 'bob', json: { title: 'Later', ...one } })).body
  expect(issue.description).toContain(`The following discussion from !${mergeRequest} should be addressed:`)
  expect(issue.description).toMatch(/@bob started a \[discussion\]\(\S+#note_\d+\): \(\+1 comment\)\n\n {4}> Why\?/)
  expect(await states()).toEqual([[true, true], [false]])
  const all = { merge_request_to_resolve_discussions_of: mergeRequest, description: 'Mine' }
  expect((await send(`POST ${base}`, { as: 'bob', json: { title: 'Rest', ...all } })).body.description).toBe('Mine')
  expect(await states()).toEqual([[true, true], [true]])
  expect(second.id).not.toBe(first.id)
})

test('the health of issues is set by quick actions and the library, and filters lists', async () => {
  const [risk, fine, unknown] = [await createIssue(), await createIssue(), await createIssue()]
  await send(`POST ${base}/${risk.iid}/notes`, { as: 'carol', json: { body: '/health_status at_risk' } })
  await forge.as('carol').issues.update({ project, issue: fine.iid, healthStatus: 'on_track' })
  const list = async (health: string) =>
    (await send(`GET ${base}?health_status=${health}`, { as: 'carol' })).body.map(({ iid }: { iid: number }) => iid)
  expect([await list('at_risk'), await list('Any')]).toEqual([[risk.iid], [fine.iid, risk.iid]])
  expect(await list('None')).toContain(unknown.iid)
  expect(await list('None')).not.toContain(risk.iid)
  expect((await send(`GET ${base}/${risk.iid}`)).body.health_status).toBe('at_risk')
  expect((await send(`GET ${base}_statistics?health_status=Any`, { as: 'carol' })).body.statistics.counts.all).toBe(2)
  await send(`POST ${base}/${risk.iid}/notes`, { as: 'carol', json: { body: '/clear_health_status' } })
  expect((await send(`GET ${base}/${risk.iid}`)).body.health_status).toBeNull()
})
