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

const web = '/projects/acme%2Fweb'
const milestone = async (path = web) =>
  (await send(`POST ${path}/milestones`, { as: 'alice', json: { title: 'Next' } })).body.id

describe.each([
  [`${web}/issues/1`, 'Issue'],
  [`${web}/merge_requests/1`, 'MergeRequest'],
])('%s', (item, resourceType) => {
  test.each([
    ['label', { add_labels: 'new' }, { action: 'add', label: { name: 'new', color: '#428BCA' } }],
    ['milestone', { milestone_id: 0 }, { action: 'remove', milestone: { title: 'Next' } }],
    ['state', { state_event: 'close' }, { state: 'closed' }],
  ])('a change of the %s is an event', async (kind, change, event) => {
    await send(`PUT ${item}`, { as: 'alice', json: { milestone_id: await milestone() } })
    await send(`PUT ${item}`, { as: 'alice', json: change })
    const list = `${item}/resource_${kind}_events`
    const { body } = await send(`GET ${list}`)
    expect(body.at(-1)).toMatchObject({
      id: expect.any(Number),
      user: { username: 'alice' },
      created_at: expect.any(String),
      resource_type: resourceType,
      resource_id: expect.any(Number),
      ...event,
    })
    expect((await send(`GET ${list}/${body.at(-1).id}`)).body).toEqual(body.at(-1))
    expect((await send(`GET ${list}/999999`)).status).toBe(404)
  })
})

test.each([
  ['label', { add_labels: 'new' }, { action: 'add', label: { name: 'new', color: '#428BCA' } }],
  ['state', { state_event: 'close' }, { state: 'closed' }],
])('a change of the %s of an epic is an event', async (kind, change, event) => {
  const epic = (await send('POST /groups/acme/epics', { as: 'alice', json: { title: 'Rewrite' } })).body
  const list = `/groups/acme/epics/${epic.id}/resource_${kind}_events`
  expect(await send(`GET ${list}`)).toMatchObject({ status: 200, body: [] })
  await send(`PUT /groups/acme/epics/${epic.iid}`, { as: 'alice', json: change })
  const { body } = await send(`GET ${list}`)
  expect(body).toMatchObject([{ user: { username: 'alice' }, resource_type: 'Epic', resource_id: epic.id, ...event }])
  expect((await send(`GET ${list}/${body[0].id}`)).body).toEqual(body[0])
  expect((await send(`GET ${list}/999999`)).status).toBe(404)
})

test('a change of the weight of an issue is an event', async () => {
  const issue = (await send(`POST ${web}/issues`, { as: 'alice', json: { title: 'New', weight: 3 } })).body
  await send(`PUT ${web}/issues/${issue.iid}`, { as: 'bob', json: { title: 'Newer' } })
  await send(`PUT ${web}/issues/${issue.iid}`, { as: 'bob', json: { weight: null } })
  const list = `${web}/issues/${issue.iid}/resource_weight_events`
  const { body } = await send(`GET ${list}`)
  const event = { issue_id: issue.id, resource_type: 'Issue', resource_id: issue.id }
  expect(body).toMatchObject([
    { ...event, user: { username: 'alice' }, weight: 3 },
    { ...event, user: { username: 'bob' }, weight: null },
  ])
  expect((await send(`GET ${list}/${body[1].id}`)).body).toEqual(body[1])
  expect((await send(`GET ${list}/999999`)).status).toBe(404)
  expect((await send(`GET ${web}/issues/${issue.iid}/resource_label_events/${body[0].id}`)).status).toBe(404)
})

test.each([web, '/groups/acme'])('%s: the burndown of a milestone', async (path) => {
  const id = await milestone(path)
  await send(`PUT ${web}/issues/1`, { as: 'alice', json: { milestone_id: id, weight: 5, state_event: 'close' } })
  const { status, body } = await send(`GET ${path}/milestones/${id}/burndown_events`)
  expect(status).toBe(200)
  expect(body).toEqual([
    { created_at: expect.any(String), action: 'created', weight: 5 },
    { created_at: expect.any(String), action: 'closed', weight: 5 },
  ])
  expect((await send(`GET ${path}/milestones/999999/burndown_events`)).status).toBe(404)
})

everyRouteCalled('resource events')
