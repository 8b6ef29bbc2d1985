import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { quickActions } from '../../packages/core/src/features/planning/quick-actions/definitions.ts'
import { world } from '../world.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

const project = '/projects/acme%2Fweb'
const issue = `${project}/issues/1`
const mergeRequest = `${project}/merge_requests/1`

const read = async (path: string) => (await send(`GET ${path}`, { as: 'alice' })).body
const write = (path: string, body: string, as = 'alice') => send(`POST ${path}/notes`, { as, json: { body } })

/** Each quick action with what a request returns afterwards: the path, and a part of the body. */
const effects: Readonly<Record<string, readonly (readonly [text: string, path: string, expected: unknown])[]>> = {
  approve: [['/approve', `${mergeRequest}/approvals`, { approved_by: [{ user: { username: 'alice' } }] }]],
  unapprove: [['/approve\n/unapprove', `${mergeRequest}/approvals`, { approved_by: [] }]],
  assign: [['/assign @bob me', issue, { assignees: [{ username: 'alice' }, { username: 'bob' }] }]],
  reassign: [['/assign @bob\n/reassign me', issue, { assignees: [{ username: 'alice' }] }]],
  unassign: [['/assign @bob me\n/unassign @bob', mergeRequest, { assignees: [{ username: 'alice' }] }]],
  assign_reviewer: [['/request_review @bob', mergeRequest, { reviewers: [{ username: 'bob' }] }]],
  request_changes: [
    ['/request_changes', `${mergeRequest}/reviewers`, [{ user: { username: 'alice' }, state: 'requested_changes' }]],
  ],
  reassign_reviewer: [['/reviewer @bob\n/reassign_reviewer me', mergeRequest, { reviewers: [{ username: 'alice' }] }]],
  unassign_reviewer: [['/assign_reviewer @bob me\n/remove_reviewer', mergeRequest, { reviewers: [] }]],
  award: [
    ['/react :tada:', `${issue}/award_emoji?page=3&per_page=1`, [{ name: 'tada', user: { username: 'alice' } }]],
    ['/award :tada:', `${issue}/award_emoji?page=3&per_page=1`, []],
  ],
  blocks: [['/blocks #2', `${issue}/links`, [{ iid: 2, link_type: 'blocks' }]]],
  blocked_by: [['/blocked_by acme/web#2', `${issue}/links`, [{ iid: 2, link_type: 'is_blocked_by' }]]],
  relate: [['/relate #2', `${issue}/links`, [{ iid: 2, link_type: 'relates_to' }]]],
  unlink: [['/relate #2\n/unlink #2', `${issue}/links`, []]],
  duplicate: [
    ['/duplicate #2', issue, { state: 'closed' }],
    ['/reopen', `${issue}/links`, [{ iid: 2, link_type: 'relates_to' }]],
  ],
  weight: [['/weight 5', issue, { weight: 5 }]],
  clear_weight: [['/weight 5\n/clear_weight', issue, { weight: null }]],
  health_status: [['/health_status at_risk', issue, { health_status: 'at_risk' }]],
  clear_health_status: [['/health_status at_risk\n/clear_health_status', issue, { health_status: null }]],
  due: [['/due 2026-12-24', issue, { due_date: '2026-12-24' }]],
  remove_due_date: [['/due tomorrow\n/remove_due_date', issue, { due_date: null }]],
  estimate: [['/estimate 1h 30m', `${issue}/time_stats`, { time_estimate: 5400 }]],
  remove_estimate: [['/estimate_time 1h\n/remove_time_estimate', `${issue}/time_stats`, { time_estimate: 0 }]],
  spend: [['/spend 2h 2020-01-01\n/spend_time -30m', `${mergeRequest}/time_stats`, { total_time_spent: 5400 }]],
  remove_time_spent: [['/spend 2h\n/remove_time_spent', `${mergeRequest}/time_stats`, { total_time_spent: 0 }]],
  clone: [['/clone', `${project}/issues?order_by=created_at&per_page=1`, [{ title: 'The home page is slow' }]]],
  close: [['/close', mergeRequest, { state: 'closed' }]],
  reopen: [['/close\n/reopen', issue, { state: 'opened' }]],
  confidential: [['/confidential', issue, { confidential: true }]],
  lock: [['/lock', issue, { discussion_locked: true }]],
  unlock: [['/lock\n/unlock', issue, { discussion_locked: false }]],
  title: [['/title New title', issue, { title: 'New title' }]],
  label: [['/labels ~bug', mergeRequest, { labels: expect.arrayContaining(['bug']) }]],
  unlabel: [['/label ~bug\n/remove_label', issue, { labels: [] }]],
  relabel: [['/relabel bug', issue, { labels: ['bug'] }]],
  milestone: [['/milestone %"1.0"', mergeRequest, { milestone: { title: '1.0' } }]],
  remove_milestone: [['/milestone %1.0\n/remove_milestone', issue, { milestone: null }]],
  copy_metadata: [['/relabel bug\n/milestone %1.0', issue, {}]],
  promote_to_incident: [['/promote_to_incident', issue, { issue_type: 'incident' }]],
  subscribe: [['/subscribe', issue, { subscribed: true }]],
  unsubscribe: [['/unsubscribe', mergeRequest, { subscribed: false }]],
  todo: [['/done\n/todo', '/todos?state=pending&action=marked', [{ target: { iid: 1 } }]]],
  done: [['/todo\n/done', '/todos?state=pending&action=marked', []]],
  draft: [['/draft', mergeRequest, { draft: true, title: expect.stringMatching(/^Draft: /) }]],
  ready: [['/draft\n/ready', mergeRequest, { draft: false, title: expect.not.stringMatching(/draft/i) }]],
  target_branch: [['/target_branch stable', mergeRequest, { target_branch: 'stable' }]],
  submit_review: [['/submit_review requested_changes', `${mergeRequest}/reviewers`, [{ state: 'requested_changes' }]]],
  epic: [],
  child_epic: [],
  parent_epic: [],
  remove_child_epic: [],
  remove_parent_epic: [],
  remove_epic: [],
  merge: [],
  move: [],
  rebase: [],
}

test('each quick action has an effect that is tested', () => {
  expect(Object.keys(effects).sort()).toEqual(Object.keys(quickActions).sort())
})

test.each(Object.keys(effects))('/%s', async (name) => {
  for (const [text, path, expected] of effects[name] ?? []) {
    const { status, body } = await write(path.startsWith(mergeRequest) ? mergeRequest : issue, text)
    expect(status).toBe(202)
    expect(body.summary, text).toEqual([expect.not.stringContaining('Could not apply')])
    expect(await read(path), text).toMatchObject(expected as object)
  }
})

test('/copy_metadata copies labels and the milestone of another item', async () => {
  await send(`PUT ${issue}`, { as: 'alice', json: { labels: 'bug', milestone_id: 0 } })
  await write(issue, '/milestone %1.0')
  await send(`PUT ${mergeRequest}`, { as: 'alice', json: { labels: '', milestone_id: 0 } })
  await write(mergeRequest, '/copy_metadata #1')
  expect(await read(mergeRequest)).toMatchObject({ labels: ['bug'], milestone: { title: '1.0' } })
})

test('/move moves the issue to another project', async () => {
  await forge.host.projects.create({ path: 'moved', namespace: 'acme' })
  await write(issue, '/move acme/moved')
  expect(await read(issue)).toMatchObject({ state: 'closed', moved_to_id: expect.any(Number) })
  expect(await read('/projects/acme%2Fmoved/issues')).toMatchObject([{ title: 'The home page is slow' }])
})

test('replies and new discussions execute them too', async () => {
  const discussions = `${issue}/discussions`
  const json = { body: 'Why?\n/weight 3' }
  const { body: discussion } = await send(`POST ${discussions}`, { as: 'alice', json })
  expect(discussion.notes).toMatchObject([{ body: 'Why?' }])
  const reply = (body: string) => send(`POST ${discussions}/${discussion.id}/notes`, { as: 'alice', json: { body } })
  expect(await reply('Because\n/lock')).toMatchObject({
    status: 201,
    body: { body: 'Because', commands_changes: { discussion_locked: true } },
  })
  expect(await reply('/close')).toMatchObject({ status: 202, body: { summary: ['Closed this issue.'] } })
  expect(await read(issue)).toMatchObject({ weight: 3, discussion_locked: true, state: 'closed' })
  expect((await read(`${discussions}/${discussion.id}`)).notes).toHaveLength(2)
})

test('/epic and /remove_epic', async () => {
  const epic = await send('POST /groups/acme/epics', { as: 'alice', json: { title: 'Speed' } })
  await write(issue, `/epic &${epic.body.iid}`)
  expect((await read(issue)).epic).toMatchObject({ title: 'Speed' })
  await write(issue, '/remove_epic')
  expect((await read(issue)).epic).toBeNull()
})

test('/merge merges after the call, and /rebase excludes it', async () => {
  expect((await write(mergeRequest, '/merge\n/rebase')).body.summary[0]).toMatch(
    /^Could not apply merge command\. Scheduled a rebase/,
  )
  await forge.platform.jobs.drain()
  expect((await read(mergeRequest)).state).toBe('opened')
  expect((await write(mergeRequest, '/merge')).body).toMatchObject({
    commands_changes: { merge: true },
    summary: ['Scheduled to merge this merge request.'],
  })
  await forge.platform.jobs.drain()
  expect(await read(mergeRequest)).toMatchObject({ state: 'merged', merged_by: { username: 'alice' } })
})

test('nothing happens without the permission', async () => {
  const before = await read(issue)
  const { status, body } = await write(
    issue,
    '/close\n/assign me\n/move acme/api\n/due today\n/spend 1h\n/relate #2',
    'mallory',
  )
  expect(status).toBe(202)
  expect(body).toMatchObject({ commands_changes: {} })
  expect(body.summary[0].match(/Could not apply/g)).toHaveLength(6)
  expect(await read(issue)).toEqual(before)
  const review = await write(mergeRequest, '/approve\n/merge\n/rebase\n/draft\n/target_branch x', 'mallory')
  expect(review.body.summary[0].match(/Could not apply/g)).toHaveLength(5)
})

describe('in descriptions', () => {
  const description = 'It is slow\n/label ~bug\n/assign @bob\n/due 2026-12-24'

  test('of issues, on creation and update', async () => {
    const { body } = await send(`POST ${project}/issues`, { as: 'alice', json: { title: 'Slow', description } })
    const expected = {
      description: 'It is slow',
      labels: ['bug'],
      assignees: [{ username: 'bob' }],
      due_date: '2026-12-24',
    }
    expect(body).toMatchObject(expected)
    const path = `${project}/issues/${body.iid}`
    expect(await read(path)).toMatchObject(expected)
    const text = { description: 'Fast\n/unlabel\n/close' }
    expect((await send(`PUT ${path}`, { as: 'alice', json: text })).body).toMatchObject({
      description: 'Fast',
      state: 'closed',
    })
    expect(await read(path)).toMatchObject({ description: 'Fast', labels: [], state: 'closed' })
  })

  test('of merge requests, on creation and update', async () => {
    const json = {
      title: 'Cache',
      source_branch: 'cache',
      target_branch: 'main',
      description: 'Faster\n/draft\n/label ~bug',
    }
    const { body } = await send(`POST ${project}/merge_requests`, { as: 'alice', json })
    expect(body).toMatchObject({ description: 'Faster', title: 'Draft: Cache', labels: ['bug'] })
    const path = `${project}/merge_requests/${body.iid}`
    const text = { description: 'Much faster\n/ready\n/reviewer @bob' }
    expect((await send(`PUT ${path}`, { as: 'alice', json: text })).body).toMatchObject({ title: 'Cache' })
    expect(await read(path)).toMatchObject({
      description: 'Much faster',
      title: 'Cache',
      reviewers: [{ username: 'bob' }],
    })
  })

  test('of epics, on creation and update', async () => {
    const json = { title: 'Speed', description: 'All of it\n/confidential' }
    const { body } = await send('POST /groups/acme/epics', { as: 'alice', json })
    expect(body).toMatchObject({ description: 'All of it', confidential: true })
    const changed = await send(`PUT /groups/acme/epics/${body.iid}`, {
      as: 'alice',
      json: { description: 'None\n/close' },
    })
    expect(changed.body).toMatchObject({ description: 'None', state: 'closed' })
  })

  test('are those of the author, who may not change everything', async () => {
    const json = { title: 'Mine', description: 'Look\n/label ~bug\n/title Ours' }
    const { body } = await send(`POST ${project}/issues`, { as: 'mallory', json })
    expect(body).toMatchObject({ description: 'Look', labels: [], title: 'Ours' })
  })
})

test('a discussion of quick actions only is none', async () => {
  const { status, body } = await send(`POST ${issue}/discussions`, { as: 'alice', json: { body: '/close' } })
  expect({ status, body }).toEqual({
    status: 202,
    body: { commands_changes: { state_event: 'close' }, summary: ['Closed this issue.'] },
  })
  const mixed = await send(`POST ${issue}/discussions`, { as: 'alice', json: { body: 'Again\n/reopen' } })
  expect(mixed).toMatchObject({ status: 201, body: { notes: [{ body: 'Again' }] } })
})
