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

describe.each([
  ['project', '/projects/acme%2Fweb', { project: 'acme/web' }],
  ['group', '/groups/acme', { group: 'acme' }],
] as const)('boards of a %s', (kind, owner, container) => {
  const base = `${owner}/boards`
  const call = async (line: string, json?: object) => send(line, { as: 'alice', ...(json && { json }) })
  const createBoard = async () => (await call(`POST ${base}`, { name: 'Work' })).body
  const label = async (name: string) =>
    (await forge.host.labels.create({ ...(container as { group: string }), name, color: 'red' })).id

  test('are created, changed and removed', async () => {
    const { status, body } = await call(`POST ${base}`, { name: 'Work' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      id: expect.any(Number),
      name: 'Work',
      hide_backlog_list: false,
      hide_closed_list: false,
      milestone: null,
      assignee: null,
      labels: [],
      weight: null,
      lists: [],
    })
    const whole = kind === 'project' ? (await call('GET /projects/acme%2Fweb')).body : undefined
    if (whole) expect(whole).toMatchObject(body.project)
    expect(body.project).toEqual(
      whole ? expect.objectContaining({ path_with_namespace: 'acme/web', star_count: 0, topics: whole.topics }) : null,
    )
    expect(body.group?.full_path ?? null).toBe(kind === 'group' ? 'acme' : null)
    expect((await call(`GET ${base}/${body.id}`)).body).toEqual(body)
    expect((await call(`GET ${base}`)).body).toEqual([body])
    const changed = await call(`PUT ${base}/${body.id}`, { name: 'Plan', hide_closed_list: true })
    expect(changed.body).toEqual({ ...body, name: 'Plan', hide_closed_list: true })
    expect((await call(`PUT ${base}/${body.id}`, {})).status).toBe(400)
    expect((await call(`POST ${base}`, { name: ' ' })).status).toBe(400)
    expect((await call(`DELETE ${base}/${body.id}`)).status).toBe(204)
    expect((await call(`GET ${base}/${body.id}`)).status).toBe(404)
  })

  test('have a scope', async () => {
    const { id } = await createBoard()
    const milestone = await forge.host.milestones.create({ ...(container as { group: string }), title: 'Soon' })
    const user = (await forge.host.users.get({ user: 'alice' })).id
    await label('scoped')
    const scope = { milestone_id: milestone.id, assignee_id: user, labels: 'scoped,missing', weight: 4 }
    const { body } = await call(`PUT ${base}/${id}`, scope)
    expect(body).toMatchObject({
      milestone: { title: 'Soon' },
      assignee: { username: 'alice' },
      labels: [{ name: 'scoped', color: '#FF0000', description: null }],
      weight: 4,
    })
    const cleared = await call(`PUT ${base}/${id}`, { milestone_id: 0, assignee_id: null, labels: '', weight: null })
    expect(cleared.body).toMatchObject({ milestone: null, assignee: null, labels: [], weight: null })
    const stranger = (await forge.host.users.get({ user: 'mallory' })).id
    expect((await call(`PUT ${base}/${id}`, { assignee_id: stranger })).status).toBe(404)
    expect((await call(`PUT ${base}/${id}`, { milestone_id: 999 })).status).toBe(404)
    expect((await call(`PUT ${base}/${id}`, { weight: 10 })).status).toBe(400)
  })

  test('have lists, which are added, moved and removed', async () => {
    const { id } = await createBoard()
    const lists = `${base}/${id}/lists`
    const milestone = await forge.host.milestones.create({ ...(container as { group: string }), title: 'Soon' })
    const user = (await forge.host.users.get({ user: 'alice' })).id
    const labelId = await label('doing')
    const first = await call(`POST ${lists}`, { label_id: labelId })
    expect(first).toMatchObject({ status: 201 })
    expect(first.body).toEqual({
      id: expect.any(Number),
      label: { id: labelId, name: 'doing', color: '#FF0000', description: null },
      milestone: null,
      assignee: null,
      position: 0,
      max_issue_count: 0,
      max_issue_weight: 0,
      limit_metric: null,
    })
    const second = (await call(`POST ${lists}`, { milestone_id: milestone.id })).body
    const third = (await call(`POST ${lists}`, { assignee_id: user })).body
    expect(second).toMatchObject({ milestone: { title: 'Soon' }, position: 1 })
    expect(third).toMatchObject({ assignee: { username: 'alice' }, position: 2 })
    expect((await call(`POST ${lists}`, { label_id: labelId })).status).toBe(400)
    expect((await call(`POST ${lists}`, { label_id: 999 })).status).toBe(404)
    expect((await call(`POST ${lists}`, {})).status).toBe(400)
    expect((await call(`POST ${lists}`, { label_id: labelId, assignee_id: user })).status).toBe(400)
    expect((await call(`GET ${lists}/${second.id}`)).body).toEqual(second)
    const moved = await call(`PUT ${lists}/${third.id}`, { position: 0 })
    expect(moved.body).toEqual({ ...third, position: 0 })
    const ids = async () => (await call(`GET ${lists}`)).body.map(({ id: list }: { id: number }) => list)
    expect(await ids()).toEqual([third.id, first.body.id, second.id])
    expect((await call(`DELETE ${lists}/${third.id}`)).status).toBe(204)
    expect((await call(`GET ${base}/${id}`)).body.lists).toMatchObject([
      { id: first.body.id, position: 0 },
      { id: second.id, position: 1 },
    ])
    expect((await call(`GET ${lists}/${third.id}`)).status).toBe(404)
  })

  test('require the paid tier for scopes and for lists of milestones', async () => {
    await using free = await world({ tier: 'free' })
    const sendFree = client(free)
    const { body } = await sendFree(`POST ${base}`, { as: 'alice', json: { name: 'Work' } })
    const path = `${base}/${body.id}`
    expect((await sendFree(`PUT ${path}`, { as: 'alice', json: { weight: 1 } })).status).toBe(403)
    expect((await sendFree(`PUT ${path}`, { as: 'alice', json: { name: 'x' } })).status).toBe(200)
    expect((await sendFree(`POST ${path}/lists`, { as: 'alice', json: { milestone_id: 1 } })).status).toBe(403)
  })
})

test('a list of a label out of reach is not shown after a transfer', async () => {
  const { id: labelId } = await forge.host.labels.create({ group: 'acme', name: 'of-acme', color: 'red' })
  const { id } = await forge.host.boards.create({ project: 'acme/web', name: 'Work' })
  await forge.host.boardLists.create({ project: 'acme/web', board: id, labelId })
  await forge.host.groups.create({ path: 'elsewhere', visibility: 'public' })
  await forge.host.projects.transfer({ project: 'acme/web', namespace: 'elsewhere' })
  expect((await forge.host.boards.get({ project: 'elsewhere/web', board: id })).lists).toEqual([])
})

test('projects without issues have no boards', async () => {
  await forge.host.projects.update({ project: 'acme/web', issuesAccessLevel: 'disabled' })
  expect((await send('GET /projects/acme%2Fweb/boards', { as: 'alice' })).status).toBe(403)
})

everyRouteCalled('boards', 'board lists')
