import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDemo } from '../support/open-demo.ts'
import { world } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world({ seed: openDemo })
  send = client(forge)
})
afterEach(() => forge.close())

const project = 'acme/web'
const web = '/projects/acme%2Fweb'
const deploy = '/projects/acme%2Ftools%2Fdeploy'
const items = ['issues', 'merge_requests'] as const

describe.each(items)('%s', (kind) => {
  const item = `${web}/${kind}/1`

  test('work is estimated and recorded', async () => {
    const none = { time_estimate: 0, total_time_spent: 0, human_time_estimate: null, human_total_time_spent: null }
    expect(await send(`GET ${item}/time_stats`)).toMatchObject({ status: 200, body: none })
    const estimate = await send(`POST ${item}/time_estimate?duration=3h30m`, { as: 'alice' })
    expect(estimate).toMatchObject({ status: 200, body: { time_estimate: 12_600, human_time_estimate: '3h 30m' } })
    const spent = { duration: '1d', summary: 'Research' }
    expect((await send(`POST ${item}/add_spent_time`, { as: 'alice', json: spent })).body.total_time_spent).toBe(28_800)
    expect((await send(`POST ${item}/add_spent_time?duration=-1h`, { as: 'alice' })).body).toEqual({
      time_estimate: 12_600,
      total_time_spent: 25_200,
      human_time_estimate: '3h 30m',
      human_total_time_spent: '7h',
    })
    expect((await send(`GET ${item}`)).body.time_stats).toMatchObject({ total_time_spent: 25_200 })
    const notes = (await send(`GET ${item}/notes?sort=asc`)).body.map(({ body }: { body: string }) => body)
    expect(notes).toContain('added 1d of time spent: Research')
    expect((await send(`POST ${item}/reset_spent_time`, { as: 'alice' })).body.human_total_time_spent).toBeNull()
    expect((await send(`POST ${item}/reset_time_estimate`, { as: 'alice' })).body).toEqual(none)
  })

  test('an invalid duration is rejected', async () => {
    expect(await send(`POST ${item}/time_estimate?duration=soon`, { as: 'alice' })).toMatchObject({ status: 400 })
    expect(await send(`POST ${item}/time_estimate?duration=-1h`, { as: 'alice' })).toMatchObject({ status: 400 })
    expect(await send(`POST ${item}/add_spent_time?duration=-1h`, { as: 'alice' })).toMatchObject({ status: 400 })
    expect((await send(`GET ${item}/time_stats`)).body.total_time_spent).toBe(0)
  })

  test('a subscription changes once', async () => {
    expect(await send(`POST ${item}/subscribe`, { as: 'mallory' })).toMatchObject({
      status: 201,
      body: { iid: 1, subscribed: true },
    })
    expect(await send(`POST ${item}/subscribe`, { as: 'mallory' })).toMatchObject({ status: 304 })
    const { body } = await send(`POST ${item}/unsubscribe`, { as: 'mallory' })
    expect(body).toMatchObject({ iid: 1, subscribed: false })
    expect(await send(`POST ${item}/unsubscribe`, { as: 'mallory' })).toMatchObject({ status: 304 })
  })

  test('authors and commenters are participants', async () => {
    const participants = async () =>
      (await send(`GET ${item}/participants`)).body.map(({ username }: { username: string }) => username)
    const before = await participants()
    expect(before).not.toContain('mallory')
    await send(`POST ${item}/notes`, { as: 'mallory', json: { body: 'Me too' } })
    expect(await participants()).toEqual(expect.arrayContaining([...before, 'mallory']))
  })
})

describe('links of issues', () => {
  const base = `${web}/issues/1/links`

  test('a link has both issues, and is listed on both', async () => {
    const { id } = await forge.host.projects.get({ project })
    const json = { target_project_id: id, target_issue_iid: 2, link_type: 'blocks' }
    const { status, body } = await send(`POST ${base}`, { as: 'alice', json })
    expect(status).toBe(201)
    expect(body).toMatchObject({ link_type: 'blocks', source_issue: { iid: 1 }, target_issue: { iid: 2 } })
    expect(await send(`POST ${base}`, { as: 'alice', json })).toMatchObject({ status: 409 })
    const link = { issue_link_id: body.id, iid: 2, link_type: 'blocks', link_created_at: expect.any(String) }
    expect((await send(`GET ${base}`)).body).toMatchObject([link])
    expect((await send(`GET ${web}/issues/2/links`)).body).toMatchObject([{ iid: 1, link_type: 'is_blocked_by' }])
    const seen = (await send(`GET ${base}/${body.id}`, { as: 'dave' })).body
    expect(seen).toMatchObject({ ...body, source_issue: { subscribed: true }, target_issue: { subscribed: false } })
    expect(await send(`DELETE ${base}/${body.id}`, { as: 'alice' })).toMatchObject({ status: 200, body })
    expect((await send(`GET ${base}`)).body).toEqual([])
    expect(await send(`GET ${base}/${body.id}`)).toMatchObject({ status: 404 })
  })

  test('an issue cannot be linked to itself or to an invisible issue', async () => {
    const link = (json: object, as = 'alice') => send(`POST ${base}`, { as, json })
    expect(await link({ target_project_id: project, target_issue_iid: 1 })).toMatchObject({ status: 400 })
    expect(await link({ target_project_id: 'bob/notes', target_issue_iid: 1 })).toMatchObject({ status: 404 })
  })

  test('an invisible issue is not listed', async () => {
    const { iid } = await forge.as('alice').issues.create({ project, title: 'Secret', confidential: true })
    await send(`POST ${base}`, { as: 'alice', json: { target_project_id: project, target_issue_iid: iid } })
    expect((await send(`GET ${base}`, { as: 'alice' })).body).toMatchObject([{ title: 'Secret' }])
    expect((await send(`GET ${base}`, { as: 'mallory' })).body).toEqual([])
  })
})

test('an issue is created and changed', async () => {
  const { body } = await send(`POST ${web}/issues`, { as: 'bob', json: { title: 'New', description: '- [x] done' } })
  expect(body).toMatchObject({ has_tasks: true, issue_type: 'issue', moved_to_id: null })
  const changed = await send(`PUT ${web}/issues/${body.iid}`, { as: 'bob', json: { title: 'Newer' } })
  expect(changed.body).toMatchObject({ title: 'Newer' })
})

test('owners set the time at which an issue was created', async () => {
  const json = { title: 'Old', created_at: '2026-01-31T12:00:00+01:00' }
  const { body } = await send(`POST ${web}/issues`, { as: 'alice', json })
  expect(body.created_at).toBe('2026-01-31T11:00:00.000Z')
  expect(body.updated_at).not.toBe(body.created_at)
  expect((await send(`POST ${web}/issues`, { as: 'carol', json })).body.created_at).not.toBe(body.created_at)
  const invalid = { title: 'Old', created_at: 'yesterday' }
  expect(await send(`POST ${web}/issues`, { as: 'alice', json: invalid })).toMatchObject({ status: 400 })
})

test('a due date may be a time, of which the day counts', async () => {
  const create = (dueDate: unknown) =>
    send(`POST ${web}/issues`, { as: 'bob', json: { title: 'x', due_date: dueDate } })
  for (const time of ['2027-02-01T00:00:00Z', '2027-02-01T23:59:59.999+02:00', '2027-02-01T12:00']) {
    expect((await create(time)).body.due_date).toBe('2027-02-01')
  }
  for (const value of ['2027-02-30T00:00:00Z', '2027-02-01Tnoon', '2027-02-01T', 7]) {
    expect(await create(value)).toMatchObject({ status: 400 })
  }
  const { body } = await create(null)
  const updated = await send(`PUT ${web}/issues/${body.iid}`, { as: 'bob', json: { due_date: '2027-02-01T00:00:00Z' } })
  expect(updated.body.due_date).toBe('2027-02-01')
})

test('a merge request is opened, changed and merged', async () => {
  const json = { title: 'New', source_branch: 'new', target_branch: 'main' }
  const { body } = await send(`POST ${web}/merge_requests`, { as: 'bob', json })
  const item = `${web}/merge_requests/${body.iid}`
  expect((await send(`PUT ${item}`, { as: 'bob', json: { title: 'Newer' } })).body.title).toBe('Newer')
  expect((await send(`PUT ${item}/merge`, { as: 'bob' })).body.state).toBe('merged')
})

describe('moving an issue', () => {
  test('the copy has the comments, and the issue is closed', async () => {
    await send(`POST ${web}/issues/1/notes`, { as: 'bob', json: { body: 'Keep this' } })
    const { id } = await forge.host.projects.get({ project: 'acme/tools/deploy' })
    const { status, body } = await send(`POST ${web}/issues/1/move`, { as: 'alice', json: { to_project_id: id } })
    expect(status).toBe(201)
    expect(body).toMatchObject({ project_id: id, state: 'opened', title: 'The home page is slow' })
    const notes = (await send(`GET ${deploy}/issues/${body.iid}/notes`, { as: 'alice' })).body
    expect(notes).toContainEqual(expect.objectContaining({ body: 'Keep this' }))
    expect((await send(`GET ${web}/issues/1`)).body).toMatchObject({ state: 'closed', moved_to_id: body.id })
    expect(await send(`POST ${web}/issues/1/move`, { as: 'alice', json: { to_project_id: id } })).toMatchObject({
      status: 400,
    })
  })

  test('requires the permission to triage in both projects', async () => {
    const json = { to_project_id: 'bob/notes' }
    expect(await send(`POST ${web}/issues/1/move`, { as: 'alice', json })).toMatchObject({ status: 404 })
    expect((await send(`GET ${web}/issues/1`)).body.state).toBe('opened')
  })
})

describe('cloning an issue', () => {
  test('the copy is by the caller, with or without comments', async () => {
    await send(`POST ${web}/issues/1/notes`, { as: 'bob', json: { body: 'Keep this' } })
    const { id } = await forge.host.projects.get({ project: 'acme/tools/deploy' })
    const clone = async (json: object) => send(`POST ${web}/issues/1/clone`, { as: 'alice', json })
    const { status, body } = await clone({ to_project_id: id, with_notes: true })
    expect(status).toBe(201)
    expect(body).toMatchObject({ project_id: id, title: 'The home page is slow', author: { username: 'alice' } })
    const notes = (await send(`GET ${deploy}/issues/${body.iid}/notes`, { as: 'alice' })).body
    expect(notes).toContainEqual(expect.objectContaining({ body: 'Keep this' }))
    expect((await send(`GET ${web}/issues/1`)).body).toMatchObject({ state: 'opened', moved_to_id: null })
    const second = await clone({ to_project_id: 'acme/web' })
    expect((await send(`GET ${web}/issues/${second.body.iid}/notes`)).body).toEqual([])
    expect(await clone({ to_project_id: 'bob/notes' })).toMatchObject({ status: 404 })
  })
})

describe('lists over several projects', () => {
  const titles = ({ body }: { body: { title: string }[] }) => body.map(({ title }) => title)

  test.each(items)('a group lists the %s of its subgroups that the caller can read', async (kind) => {
    const { body } = await send(`GET /groups/acme/${kind}?per_page=100`, { as: 'alice' })
    const own = await send(`GET ${web}/${kind}?per_page=100`, { as: 'alice' })
    expect(titles({ body })).toEqual(expect.arrayContaining(titles(own)))
    const anonymous = await send(`GET /groups/acme/${kind}?per_page=100`)
    expect(titles(anonymous).sort()).toEqual(titles(await send(`GET ${web}/${kind}?per_page=100`)).sort())
  })

  test.each(items)('%s of the instance are those of the caller by default', async (kind) => {
    await forge.as('bob').issues.create({ project, title: 'Mine' })
    const { body } = await send(`GET /${kind}`, { as: 'bob' })
    expect(new Set(body.map(({ author }: { author: { username: string } }) => author.username))).toEqual(
      new Set(['bob']),
    )
    const all = await send(`GET /${kind}?scope=all&per_page=100`, { as: 'alice' })
    expect(all.body.length).toBeGreaterThan(0)
    expect(await send(`GET /${kind}`)).toMatchObject({ status: 401 })
  })

  test('archived projects are omitted unless requested', async () => {
    await forge.host.projects.archive({ project })
    expect((await send('GET /groups/acme/issues')).body).toEqual([])
    expect((await send('GET /groups/acme/issues?non_archived=false')).body).not.toEqual([])
  })

  test.each([
    'labels=bug',
    'labels=None',
    'not[labels]=bug',
    'milestone=v1.0',
    'milestone_id=None',
    'milestone_id=upcoming',
    'author_username=bob',
    'assignee_id=Any',
    'iids[]=1',
    'search=slow&in=title',
    'created_after=2020-01-01T00:00:00Z',
    'updated_before=2020-01-01T00:00:00Z',
    'my_reaction_emoji=thumbsup',
    'scope=created_by_me',
    'order_by=title&sort=asc',
    'state=closed',
  ])('%s selects the same in a project, its group and the instance', async (query) => {
    for (const kind of items) {
      const call = async (path: string) =>
        (await send(`GET ${path}/${kind}?scope=all&${query}&per_page=100`, { as: 'alice' })).body
          .filter(({ references }: { references: { full: string } }) => references.full.startsWith(project))
          .map(({ iid }: { iid: number }) => iid)
      const own = await call(web)
      expect(await call('/groups/acme')).toEqual(own)
      expect(await call('')).toEqual(own)
    }
  })

  test.each(items)('%s of a milestone are listed', async (kind) => {
    const { milestones, issues, mergeRequests } = forge.as('alice')
    for (const owner of [{ project }, { group: 'acme' }]) {
      const { id } = await milestones.create({ ...owner, title: 'Soon' })
      await issues.update({ project, issue: 1, milestone: id })
      await mergeRequests.update({ project, mergeRequest: 1, milestone: id })
      const path = 'group' in owner ? '/groups/acme' : web
      expect((await send(`GET ${path}/milestones/${id}/${kind}`)).body).toMatchObject([{ iid: 1 }])
      expect(await send(`GET ${path}/milestones/99999/${kind}`)).toMatchObject({ status: 404 })
    }
  })

  test('issues are filtered by due date', async () => {
    const { issues } = forge.as('alice')
    const today = new Date().toISOString().slice(0, 10)
    await issues.create({ project, title: 'Now', dueDate: today })
    await issues.create({ project, title: 'Late', dueDate: '2020-01-01' })
    const due = async (value: string) =>
      titles(await send(`GET ${web}/issues?due_date=${value}`, { as: 'alice' })).sort()
    expect(await due('today')).toEqual(['Now'])
    expect(await due('overdue')).toEqual(['Late'])
    expect(await due('any')).toEqual(['Late', 'Now'])
    expect(await due('month')).toEqual(['Now'])
    expect(await due('week')).toEqual(['Now'])
    expect(await due('0')).not.toContain('Now')
    expect(await send(`GET ${web}/issues?due_date=soon`)).toMatchObject({ status: 400 })
  })

  test('merge requests are filtered by draft and by approval', async () => {
    const input = { project, sourceBranch: 'idea', targetBranch: 'main' }
    const { iid } = await forge.as('bob').mergeRequests.create({ ...input, title: 'Draft: idea' })
    await forge.as('alice').mergeRequestApprovals.approve({ project, mergeRequest: iid })
    const list = async (query: string) => titles(await send(`GET ${web}/merge_requests?${query}`))
    expect(await list('wip=yes')).toEqual(['Draft: idea'])
    expect(await list('draft=true')).toEqual(['Draft: idea'])
    expect(await list('draft=false')).not.toContain('Draft: idea')
    const alice = (await forge.host.users.get({ user: 'alice' })).id
    expect(await list(`approved_by_ids[]=${alice}`)).toEqual(['Draft: idea'])
  })

  test('merge requests are filtered by reviewer', async () => {
    const input = { project, sourceBranch: 'idea', targetBranch: 'main' }
    const alice = (await forge.host.users.get({ user: 'alice' })).id
    await forge.as('bob').mergeRequests.create({ ...input, title: 'Reviewed', reviewers: [alice] })
    const list = async (query: string, path = web) =>
      titles(await send(`GET ${path}/merge_requests?${query}`, { as: 'bob' }))
    const matching = [`reviewer_id=${alice}`, 'reviewer_id=Any', 'reviewer_username=ALICE', 'not[reviewer_id]=None']
    for (const query of matching) expect([query, await list(query)]).toEqual([query, ['Reviewed']])
    expect(await list(`scope=all&reviewer_id=${alice}`, '')).toEqual(['Reviewed'])
    const others = ['reviewer_id=None', 'reviewer_id=0', 'not[reviewer_username]=alice', `not[reviewer_id]=${alice}`]
    const all = await list('')
    for (const query of others) expect([query, await list(query)]).toEqual([query, all.slice(1)])
    expect(await list('reviewer_username=unknown')).toEqual([])
    for (const query of ['reviewer_id=x', `reviewer_id=${alice}&reviewer_username=alice`]) {
      expect(await send(`GET ${web}/merge_requests?${query}`)).toMatchObject({ status: 400 })
    }
  })

  test('GET /issues/:id is for administrators', async () => {
    const { id } = (await send(`GET ${web}/issues/1`)).body
    expect(await send(`GET /issues/${id}`, { as: 'root' })).toMatchObject({ status: 200, body: { iid: 1 } })
    expect(await send(`GET /issues/${id}`, { as: 'alice' })).toMatchObject({ status: 403 })
  })

  test('an owner deletes an issue', async () => {
    expect(await send(`DELETE ${web}/issues/1`, { as: 'carol' })).toMatchObject({ status: 403 })
    expect(await send(`DELETE ${web}/issues/1`, { as: 'alice' })).toMatchObject({ status: 204 })
    expect(await send(`GET ${web}/issues/1`)).toMatchObject({ status: 404 })
  })
})

test('issues are moved in their manual order', async () => {
  const [first, second] = (await send(`GET ${web}/issues?order_by=relative_position&sort=asc`, { as: 'bob' })).body
  const order = async (sort = 'asc') =>
    (await send(`GET ${web}/issues?order_by=relative_position&sort=${sort}`, { as: 'bob' })).body.map(
      ({ iid }: { iid: number }) => iid,
    )
  const iids = await order()
  const last = iids.at(-1)
  const reorder = (json: object, as = 'bob') => send(`PUT ${web}/issues/${last}/reorder`, { as, json })
  const moved = await reorder({ move_before_id: first.id, move_after_id: second.id })
  expect(moved).toMatchObject({ status: 200, body: { iid: last } })
  expect(await order()).toEqual([iids[0], last, ...iids.slice(1, -1)])
  expect(await order('desc')).toEqual((await order()).reverse())
  await reorder({ move_after_id: first.id })
  expect((await order())[0]).toBe(last)
  const { body: created } = await send(`POST ${web}/issues`, { as: 'bob', json: { title: 'New' } })
  expect((await order()).at(-1)).toBe(created.iid)
  expect(await reorder({})).toMatchObject({ status: 400 })
  expect(await reorder({ move_after_id: 999_999 })).toMatchObject({ status: 404 })
  expect(await reorder({ move_after_id: 'x' })).toMatchObject({ status: 400 })
  expect(await reorder({ move_after_id: first.id }, 'mallory')).toMatchObject({ status: 403 })
})

everyRouteCalled('issues', 'time tracking', 'subscriptions', 'issue links')
