import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

const project = 'acme/web'
const web = '/projects/acme%2Fweb'

describe.each([`${web}/milestones`, '/groups/acme/milestones'])('%s', (path) => {
  const create = async (json: object) => (await send(`POST ${path}`, { as: 'alice', json })).body

  test('a milestone is created, read, changed and removed', async () => {
    const milestone = await create({ title: 'Next', due_date: '2020-02-01' })
    expect(milestone).toMatchObject({
      title: 'Next',
      expired: true,
      web_url: expect.stringContaining('/-/milestones/'),
    })
    const item = `${path}/${milestone.id}`
    expect((await send(`GET ${item}`)).body).toEqual(milestone)
    const closed = await send(`PUT ${item}`, { as: 'alice', json: { state_event: 'close', due_date: null } })
    expect(closed.body).toMatchObject({ state: 'closed', expired: false, due_date: null })
    expect((await send(`PUT ${item}`, { as: 'alice', json: { state_event: 'activate' } })).body.state).toBe('active')
    expect((await send(`GET ${item}/issues`)).body).toEqual([])
    expect((await send(`GET ${item}/merge_requests`)).body).toEqual([])
    expect(await send(`DELETE ${item}`, { as: 'alice' })).toMatchObject({ status: 204 })
    expect(await send(`GET ${item}`)).toMatchObject({ status: 404 })
  })

  test('a title is unique, also after a change', async () => {
    await create({ title: 'First' })
    const second = await create({ title: 'Second' })
    const change = (title: string) => send(`PUT ${path}/${second.id}`, { as: 'alice', json: { title } })
    expect(await change('First')).toMatchObject({ status: 400 })
    expect(await change('Second')).toMatchObject({ status: 200 })
  })

  test('a list is filtered by title, number and words', async () => {
    const first = await create({ title: 'Spring release' })
    await create({ title: 'Summer' })
    const list = async (query: string) => (await send(`GET ${path}?${query}`)).body
    expect(await list('search=spring')).toEqual([first])
    expect(await list('title=Spring%20release')).toEqual([first])
    expect(await list(`iids[]=${first.iid}`)).toMatchObject([{ iid: first.iid }])
  })
})

describe('milestones of a group', () => {
  test('are included in the list of a project on request', async () => {
    await send('POST /groups/acme/milestones', { as: 'alice', json: { title: 'Shared' } })
    const titles = async (query: string) =>
      (await send(`GET ${web}/milestones?${query}`)).body.map(({ title }: { title: string }) => title)
    expect(await titles('')).not.toContain('Shared')
    expect(await titles('include_ancestors=true')).toContain('Shared')
    expect(await titles('include_parent_milestones=true')).toContain('Shared')
  })

  test('a promoted milestone keeps its issues', async () => {
    const { id } = await forge.as('alice').milestones.create({ project, title: 'Soon' })
    await forge.as('alice').issues.update({ project, issue: 1, milestone: id })
    const { status, body } = await send(`POST ${web}/milestones/${id}/promote`, { as: 'alice' })
    expect({ status, body }).toMatchObject({ status: 200, body: { title: 'Soon', group_id: expect.any(Number) } })
    expect(body).not.toHaveProperty('project_id')
    expect((await send(`GET /groups/acme/milestones/${body.id}/issues`)).body).toMatchObject([{ iid: 1 }])
    expect(await send(`GET ${web}/milestones/${id}`)).toMatchObject({ status: 404 })
  })
})

describe('emoji', () => {
  const targets = [
    ['an issue', async () => `${web}/issues/1`],
    ['a merge request', async () => `${web}/merge_requests/1`],
    [
      'a snippet',
      async () => {
        const input = { title: 'A', fileName: 'a', content: 'a', visibility: 'public' } as const
        return `${web}/snippets/${(await forge.as('alice').snippets.create({ project, ...input })).id}`
      },
    ],
    [
      'an epic',
      async () => `/groups/acme/epics/${(await forge.as('alice').epics.create({ group: 'acme', title: 'E' })).id}`,
    ],
  ] as const

  const giveAndRemove = async (path: string, type: string) => {
    const { status, body } = await send(`POST ${path}`, { as: 'bob', json: { name: 'tada' } })
    expect(status).toBe(201)
    expect(body).toMatchObject({ name: 'tada', user: { username: 'bob' }, awardable_type: type })
    expect((await send(`GET ${path}`, { as: 'bob' })).body).toContainEqual(body)
    expect((await send(`GET ${path}/${body.id}`, { as: 'bob' })).body).toEqual(body)
    expect(await send(`DELETE ${path}/${body.id}`, { as: 'alice' })).toMatchObject({ status: 403 })
    expect(await send(`DELETE ${path}/${body.id}`, { as: 'bob' })).toMatchObject({ status: 204 })
    expect(await send(`GET ${path}/${body.id}`, { as: 'bob' })).toMatchObject({ status: 404 })
  }

  test.each(targets.slice(0, 3))('on %s', async (name, create) => {
    const types: Record<string, string> = { 'an issue': 'Issue', 'a merge request': 'MergeRequest' }
    await giveAndRemove(`${await create()}/award_emoji`, types[name] ?? 'Snippet')
  })

  test('on an epic, with votes', async () => {
    const { iid } = await forge.as('alice').epics.create({ group: 'acme', title: 'E' })
    const path = `/groups/acme/epics/${iid}`
    await giveAndRemove(`${path}/award_emoji`, 'Epic')
    for (const name of ['thumbsup', 'thumbsdown']) await send(`POST ${path}/award_emoji`, { as: 'bob', json: { name } })
    await send(`POST ${path}/award_emoji`, { as: 'alice', json: { name: 'thumbsup' } })
    expect((await send(`GET ${path}`)).body).toMatchObject({ upvotes: 2, downvotes: 1 })
    expect((await send('GET /groups/acme/epics')).body).toMatchObject([{ upvotes: 2, downvotes: 1 }])
  })

  test.each(targets)('on a note of %s', async (_name, create) => {
    const item = await create()
    const { body } = await send(`POST ${item}/notes`, { as: 'alice', json: { body: 'A note' } })
    await giveAndRemove(`${item}/notes/${body.id}/award_emoji`, 'Note')
  })
})

describe('epics', () => {
  const path = '/groups/acme/epics'

  test('an epic is created, read, changed and removed', async () => {
    const json = {
      title: 'Big',
      labels: 'one,two',
      due_date_fixed: '2027-01-01',
      due_date_is_fixed: true,
      color: 'red',
    }
    const { status, body } = await send(`POST ${path}`, { as: 'alice', json })
    expect(status).toBe(201)
    expect(body).toMatchObject({ title: 'Big', labels: ['one', 'two'], due_date: '2027-01-01', color: '#FF0000' })
    const [listed] = (await send(`GET ${path}?with_labels_details=true`, { as: 'alice' })).body
    expect(listed.labels).toMatchObject([{ name: 'one', color: expect.any(String) }, { name: 'two' }])
    expect(body._links).toMatchObject({ epic_issues: `${body._links.self}/issues`, parent: null })
    expect(body).toMatchObject({ references: { full: `acme&${body.iid}` }, start_date: null, parent_id: null })
    const item = `${path}/${body.iid}`
    expect((await send(`GET ${item}`)).body).toEqual({ ...body, subscribed: false, user_notes_count: 0 })
    const change = { add_labels: 'three', remove_labels: 'one', state_event: 'close' }
    expect((await send(`PUT ${item}`, { as: 'alice', json: change })).body).toMatchObject({
      labels: ['three', 'two'],
      state: 'closed',
    })
    expect(await send(`PUT ${item}`, { as: 'alice', json: {} })).toMatchObject({ status: 400 })
    expect(await send(`DELETE ${item}`, { as: 'alice' })).toMatchObject({ status: 204 })
    expect(await send(`GET ${item}`)).toMatchObject({ status: 404 })
  })

  test('dates are fixed, or those of the milestones of the issues', async () => {
    const { iid, ...created } = (await send(`POST ${path}`, { as: 'alice', json: { title: 'Dated' } })).body
    expect(created).toMatchObject({ start_date_is_fixed: false, start_date: null, due_date_from_milestones: null })
    const { issues, milestones } = forge.as('alice')
    for (const [startDate, dueDate] of [
      ['2027-02-01', '2027-03-01'],
      ['2027-01-01', '2027-02-01'],
    ] as const) {
      const milestone = await milestones.create({ project, title: startDate, startDate, dueDate })
      await issues.create({ project, title: 'Part', milestone: milestone.id, epicIid: iid })
    }
    const inherited = { start_date_from_milestones: '2027-01-01', due_date_from_inherited_source: '2027-03-01' }
    const { body } = await send(`GET ${path}/${iid}`, { as: 'alice' })
    expect(body).toMatchObject({
      ...inherited,
      start_date: '2027-01-01',
      due_date: '2027-03-01',
      end_date: '2027-03-01',
    })
    const json = { due_date_fixed: '2028-01-01', due_date_is_fixed: true }
    const fixed = (await send(`PUT ${path}/${iid}`, { as: 'alice', json })).body
    expect(fixed).toMatchObject({
      ...inherited,
      due_date: '2028-01-01',
      due_date_is_fixed: true,
      start_date: '2027-01-01',
    })
    const back = (await send(`PUT ${path}/${iid}`, { as: 'alice', json: { due_date_is_fixed: false } })).body
    expect(back).toMatchObject({ due_date: '2027-03-01', due_date_fixed: '2028-01-01' })
  })

  test('a list includes subgroups and is filtered', async () => {
    const { epics } = forge.as('alice')
    await epics.create({ group: 'acme', title: 'Above', labels: ['one'] })
    await epics.create({ group: 'acme/tools', title: 'Below' })
    const titles = async (query: string, group = 'acme') =>
      (await send(`GET /groups/${group}/epics?${query}`, { as: 'alice' })).body.map(
        ({ title }: { title: string }) => title,
      )
    expect(await titles('')).toEqual(['Below', 'Above'])
    expect(await titles('order_by=title&sort=asc')).toEqual(['Above', 'Below'])
    expect(await titles('include_descendant_groups=false')).toEqual(['Above'])
    expect(await titles('include_ancestor_groups=true', 'acme%2Ftools')).toEqual(['Below', 'Above'])
    expect(await titles('labels=one')).toEqual(['Above'])
    expect(await titles('search=below')).toEqual(['Below'])
    expect(await titles('author_username=bob')).toEqual([])
    expect(await titles('state=closed')).toEqual([])
    expect(await titles('created_after=2100-01-01T00:00:00Z')).toEqual([])
  })
})

describe('issues of an epic', () => {
  const create = async (title: string) => {
    const { iid } = await forge.as('alice').epics.create({ group: 'acme', title })
    return `/groups/acme/epics/${iid}/issues`
  }
  const issueId = async (iid: number) => (await send(`GET ${web}/issues/${iid}`, { as: 'alice' })).body.id
  const assign = async (path: string, issue: number, as = 'bob') => send(`POST ${path}/${await issueId(issue)}`, { as })
  const list = async (path: string, as = 'bob') =>
    (await send(`GET ${path}`, { as })).body.map(({ iid }: { iid: number }) => iid)

  test('are assigned, listed, moved and removed', async () => {
    const path = await create('Big')
    const { status, body: link } = await assign(path, 1)
    expect(status).toBe(201)
    expect(link).toMatchObject({ id: expect.any(Number), epic: { title: 'Big' }, issue: { iid: 1 } })
    const { body: second } = await assign(path, 2)
    const { body: fourth } = await assign(path, 4)
    const [first] = (await send(`GET ${path}?per_page=1`)).body
    expect(first).toMatchObject({ iid: 4, epic_issue_id: fourth.id, relative_position: expect.any(Number) })
    // Dave wrote the first and the last one.
    const seen = (await send(`GET ${path}`, { as: 'dave' })).body.map(
      (issue: object) => 'subscribed' in issue && issue.subscribed,
    )
    expect(seen).toEqual([true, false, true])
    expect(await list(path)).toEqual([4, 2, 1])
    const move = (id: number, json: object) => send(`PUT ${path}/${id}`, { as: 'bob', json })
    expect((await move(fourth.id, { move_before_id: link.id })).body).toMatchObject([
      { iid: 2 },
      { iid: 1 },
      { iid: 4 },
    ])
    expect((await move(link.id, { move_after_id: second.id })).body).toMatchObject([{ iid: 1 }, { iid: 2 }, { iid: 4 }])
    await move(link.id, { move_before_id: second.id, move_after_id: fourth.id })
    expect(await list(path)).toEqual([2, 1, 4])
    expect((await move(link.id, {})).body).toHaveLength(3)
    expect(await move(link.id, { move_after_id: 999_999 })).toMatchObject({ status: 404 })
    expect(await move(999_999, {})).toMatchObject({ status: 404 })
    const removed = await send(`DELETE ${path}/${second.id}`, { as: 'bob' })
    expect(removed).toMatchObject({ status: 200, body: { id: second.id, issue: { iid: 2 } } })
    expect(await list(path)).toEqual([1, 4])
    expect(await send(`DELETE ${path}/${second.id}`, { as: 'bob' })).toMatchObject({ status: 404 })
  })

  test('are in one epic, and only in one of a group above them', async () => {
    const [first, second] = [await create('First'), await create('Second')]
    await assign(first, 1)
    expect(await assign(first, 1)).toMatchObject({ status: 409, body: { message: 'Issue(s) already assigned' } })
    expect(await assign(second, 1)).toMatchObject({ status: 201 })
    expect([await list(first), await list(second)]).toEqual([[], [1]])
    const { iid } = await forge.host.epics.create({ group: 'partners', title: 'Other', author: 'erin' })
    const elsewhere = `/groups/partners/epics/${iid}/issues/${await issueId(1)}`
    expect(await send(`POST ${elsewhere}`, { as: 'root' })).toMatchObject({ status: 404 })
    expect(await send(`POST ${first}/999999`, { as: 'bob' })).toMatchObject({ status: 404 })
  })

  test('are listed for users who can read them', async () => {
    const path = await create('Secret')
    await assign(path, 3, 'alice')
    expect(await list(path, 'alice')).toEqual([3])
    expect(await list(path, 'mallory')).toEqual([])
    expect(await assign(path, 1, 'mallory')).toMatchObject({ status: 403 })
  })
})

describe('children of an epic', () => {
  const create = async (json: object, group = 'acme') =>
    (await send(`POST /groups/${group}/epics`, { as: 'alice', json: { title: 'An epic', ...json } })).body
  const titles = async (path: string, as?: string) =>
    (await send(`GET ${path}`, as === undefined ? {} : { as })).body.map(({ title }: { title: string }) => title)

  test('are created, assigned, moved and removed', async () => {
    const parent = await create({ title: 'Parent' })
    const path = `/groups/acme/epics/${parent.iid}/epics`
    const { status, body: first } = await send(`POST ${path}`, { as: 'bob', json: { title: 'First' } })
    expect(status).toBe(201)
    const link = `${forge.url}/api/v4/groups/${parent.group_id}/epics/${parent.iid}`
    expect(first).toMatchObject({ parent_id: parent.id, parent_iid: parent.iid, _links: { parent: link } })
    const second = await create({ title: 'Second' }, 'acme%2Ftools')
    const assigned = await send(`POST ${path}/${second.id}`, { as: 'alice' })
    expect(assigned).toMatchObject({ status: 201, body: { id: second.id, parent_id: parent.id } })
    expect(await send(`POST ${path}/${second.id}`, { as: 'alice' })).toMatchObject({ status: 409 })
    expect(await titles(path, 'alice')).toEqual(['Second', 'First'])
    const moved = await send(`PUT ${path}/${first.id}`, { as: 'alice', json: { move_after_id: second.id } })
    expect(moved.body).toMatchObject([{ title: 'First' }, { title: 'Second' }])
    const removed = await send(`DELETE ${path}/${first.id}`, { as: 'alice' })
    expect(removed).toMatchObject({ status: 200, body: { id: first.id, parent_id: null } })
    expect(await titles(path, 'alice')).toEqual(['Second'])
    expect(await send(`PUT ${path}/${first.id}`, { as: 'alice', json: {} })).toMatchObject({ status: 404 })
  })

  test('have the parent that their fields name, up to seven levels and in no circle', async () => {
    let parent = await create({})
    const top = parent
    for (let level = 2; level <= 7; level++) parent = await create({ parent_id: parent.id })
    const other = await create({})
    const change = (epic: { iid: number }, parent_id: number | null) =>
      send(`PUT /groups/acme/epics/${epic.iid}`, { as: 'alice', json: { parent_id } })
    expect(await change(other, parent.id)).toMatchObject({ status: 400 })
    expect(await change(top, parent.id)).toMatchObject({ status: 400 })
    expect(await change(top, top.id)).toMatchObject({ status: 400 })
    expect((await change(parent, null)).body).toMatchObject({ parent_id: null, _links: { parent: null } })
    expect((await change(other, parent.id)).body).toMatchObject({ parent_id: parent.id })
    expect(await change(other, 999_999)).toMatchObject({ status: 404 })
  })

  test('are in the group or below it, and listed for those who can read them', async () => {
    const parent = await create({ title: 'Below' }, 'acme%2Ftools')
    const above = await create({ title: 'Above' })
    const path = `/groups/acme%2Ftools/epics/${parent.iid}/epics`
    expect(await send(`POST ${path}/${above.id}`, { as: 'alice' })).toMatchObject({ status: 404 })
    const children = `/groups/acme/epics/${above.iid}/epics`
    await send(`POST ${children}`, { as: 'alice', json: { title: 'Secret', confidential: true } })
    expect(await titles(children, 'alice')).toEqual(['Secret'])
    expect(await titles(children)).toEqual([])
  })
})

everyRouteCalled('award emoji', 'milestones', 'epics', 'child epics', 'epic issues')
