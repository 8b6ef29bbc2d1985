import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

const base = '/projects/acme%2Fweb/labels'
const hidden = '/projects/acme%2Ftools%2Fdeploy/labels'

test('a label answers with the documented fields and no others', async () => {
  const { status, body } = await send(`GET ${base}/bug`, { as: 'carol' })
  expect(status).toBe(200)
  expect(body).toEqual({
    id: expect.any(Number),
    name: 'bug',
    color: '#D9534F',
    text_color: '#FFFFFF',
    description: 'Something is **broken**',
    description_html: 'Something is <strong>broken</strong>',
    open_issues_count: 2,
    closed_issues_count: 0,
    open_merge_requests_count: 1,
    subscribed: false,
    priority: 0,
    is_project_label: true,
  })
})

test('a list has counts only when they are asked for', async () => {
  const plain = await send(`GET ${base}`)
  expect(plain.body.map((label: { name: string }) => label.name)).toEqual(['bug', 'feature', 'urgent'])
  expect(plain.body[0]).not.toHaveProperty('open_issues_count')
  expect(plain.body[2].is_project_label).toBe(false)
  const counted = await send(`GET ${base}?with_counts=true`)
  expect(counted.body[0]).toMatchObject({ open_issues_count: 1, closed_issues_count: 0, open_merge_requests_count: 1 })
})

test('a color may be a name, and text on it is dark where it is light', async () => {
  const made = async (color: string) => (await send(`POST ${base}`, { as: 'carol', json: { name: color, color } })).body
  expect(await made('red')).toMatchObject({ color: '#FF0000', text_color: '#FFFFFF' })
  expect(await made('#abc')).toMatchObject({ color: '#aabbcc', text_color: '#333333' })
  expect(await made('#FFAABB')).toMatchObject({ color: '#FFAABB', text_color: '#333333' })
})

test('without those of ancestor groups a list still has those of the own group', async () => {
  await forge.host.groups.create({ parent: 'acme', path: 'deep', name: 'Deep', visibility: 'public' })
  await forge.host.labels.create({ group: 'acme/deep', name: 'middle', color: 'red' })
  await forge.host.projects.create({ namespace: 'acme/deep', name: 'nest', visibility: 'public' })
  const names = async (query: string) =>
    (await send(`GET /projects/acme%2Fdeep%2Fnest/labels${query}`)).body.map(({ name }: { name: string }) => name)
  expect(await names('')).toEqual(['middle', 'urgent'])
  expect(await names('?include_ancestor_groups=false')).toEqual(['middle'])
})

test('a label is found by its id before any that is called like a number', async () => {
  const { body: bug } = await send(`GET ${base}/bug`)
  await send(`POST ${base}`, { as: 'carol', json: { name: String(bug.id), color: 'red' } })
  await send(`POST ${base}`, { as: 'carol', json: { name: '4711', color: 'red' } })
  expect((await send(`GET ${base}/${bug.id}`)).body.name).toBe('bug')
  expect((await send(`GET ${base}/4711`)).body.name).toBe('4711')
})

test('a change without a priority keeps it, and null takes it away', async () => {
  expect((await send(`PUT ${base}/bug`, { as: 'carol', json: { new_name: 'defect' } })).body.priority).toBe(0)
  expect((await send(`PUT ${base}/defect`, { as: 'carol', json: { priority: null } })).body.priority).toBeNull()
})

test('a promoted label answers with the shorter record', async () => {
  const { status, body } = await send(`PUT ${base}/bug/promote`, { as: 'alice' })
  expect(status).toBe(200)
  expect(Object.keys(body).sort()).toEqual([
    'closed_issues_count',
    'color',
    'description',
    'description_html',
    'id',
    'name',
    'open_issues_count',
    'open_merge_requests_count',
    'subscribed',
  ])
})

test('subscribing is 200, then 304 without a body; so is unsubscribing', async () => {
  const post = (verb: string) => send(`POST ${base}/bug/${verb}`, { as: 'dave' })
  expect(await post('unsubscribe')).toMatchObject({ status: 304, text: '' })
  expect(await post('subscribe')).toMatchObject({ status: 200, body: { subscribed: true } })
  expect(await post('subscribe')).toMatchObject({ status: 304, text: '' })
  expect(await post('unsubscribe')).toMatchObject({ status: 200, body: { subscribed: false } })
})

test('removing answers 204 with nothing', async () => {
  expect(await send(`DELETE ${base}/bug`, { as: 'carol' })).toMatchObject({ status: 204, text: '' })
  expect(await send(`DELETE ${base}/bug`, { as: 'carol' })).toMatchObject({
    status: 404,
    body: { message: '404 Label Not Found' },
  })
})

describe('what is wrong is said in the documented words', () => {
  const cases: [string, string, object | undefined, number, unknown][] = [
    ['nothing given', `POST ${base}`, {}, 400, { error: 'name is missing, color is missing' }],
    ['no name', `POST ${base}`, { color: 'red' }, 400, { error: 'name is missing' }],
    ['no colour', `POST ${base}`, { name: 'x' }, 400, { error: 'color is missing' }],
    [
      'not a colour',
      `POST ${base}`,
      { name: 'x', color: '#FFAA' },
      400,
      { message: { color: ['must be a valid color code'] } },
    ],
    ['a comma', `POST ${base}`, { name: 'a,b', color: 'red' }, 400, { message: { title: ['is invalid'] } }],
    ['a blank name', `POST ${base}`, { name: '  ', color: 'red' }, 400, { message: { title: ["can't be blank"] } }],
    ['a taken name', `POST ${base}`, { name: 'bug', color: 'red' }, 409, { message: 'Label already exists' }],
    ['a name of the group', `POST ${base}`, { name: 'urgent', color: 'red' }, 409, { message: 'Label already exists' }],
    [
      'a priority that is no number',
      `POST ${base}`,
      { name: 'x', color: 'red', priority: 'high' },
      400,
      { error: 'priority is invalid' },
    ],
    ['a negative priority', `PUT ${base}/bug`, { priority: -1 }, 400, { error: 'priority is invalid' }],
    [
      'no change',
      `PUT ${base}/bug`,
      {},
      400,
      { error: 'new_name, color, description, priority are missing, at least one parameter must be provided' },
    ],
    [
      'a new name that is taken',
      `PUT ${base}/bug`,
      { new_name: 'feature' },
      400,
      { message: { title: ['has already been taken'] } },
    ],
    ['an unknown label', `PUT ${base}/nope`, { color: 'red' }, 404, { message: '404 Label Not Found' }],
    ["a group's label", `PUT ${base}/urgent`, { color: 'red' }, 404, { message: '404 Label Not Found' }],
    [
      "promoting a group's label",
      `PUT ${base}/urgent/promote`,
      {},
      400,
      { message: 'Failed to promote project label to group label' },
    ],
    [
      'the older removal without a label',
      `DELETE ${base}`,
      {},
      400,
      { error: 'label_id, name are missing, exactly one parameter must be provided' },
    ],
    [
      'the older removal with two',
      `DELETE ${base}`,
      { name: 'bug', label_id: 1 },
      400,
      { error: 'label_id, name are mutually exclusive' },
    ],
    [
      'the older change without a label',
      `PUT ${base}`,
      { color: 'red' },
      400,
      { error: 'label_id, name are missing, exactly one parameter must be provided' },
    ],
    ['the older promotion without a name', `PUT ${base}/promote`, {}, 400, { error: 'name is missing' }],
    ['a page that is no number', `GET ${base}?page=abc`, undefined, 400, { error: 'page is invalid' }],
    ['a page size of nothing', `GET ${base}?per_page=0`, undefined, 400, { error: 'per_page has a value not allowed' }],
    ['not a truth', `GET ${base}?with_counts=maybe`, undefined, 400, { error: 'with_counts is invalid' }],
  ]
  test.each(cases)('%s', async (_name, line, json, status, body) => {
    const response = await send(line, { as: 'alice', ...(json && { json }) })
    expect({ status: response.status, body: response.body }).toEqual({ status, body })
  })
})

describe('the older forms', () => {
  test('change by name and by id', async () => {
    const byName = await send(`PUT ${base}`, { as: 'carol', json: { name: 'bug', new_name: 'defect' } })
    expect(byName).toMatchObject({ status: 200, body: { name: 'defect' } })
    const byId = await send(`PUT ${base}`, { as: 'carol', form: { label_id: String(byName.body.id), color: 'blue' } })
    expect(byId).toMatchObject({ status: 200, body: { color: '#0000FF' } })
  })

  test('remove by name, in a body or in the query', async () => {
    expect(await send(`DELETE ${base}?name=bug`, { as: 'carol' })).toMatchObject({ status: 204 })
    expect(await send(`DELETE ${base}`, { as: 'carol', json: { name: 'feature' } })).toMatchObject({ status: 204 })
  })

  test('promote by name, even when the name is a number', async () => {
    await send(`POST ${base}`, { as: 'carol', json: { name: '2', color: 'red' } })
    const promoted = await send(`PUT ${base}/promote`, { as: 'alice', json: { name: '2' } })
    expect(promoted).toMatchObject({ status: 200, body: { name: '2' } })
  })

  test('a label called promote is reached by its id', async () => {
    const { body } = await send(`POST ${base}`, { as: 'carol', json: { name: 'promote', color: 'red' } })
    expect(await send(`PUT ${base}/${body.id}`, { as: 'carol', json: { color: 'blue' } })).toMatchObject({
      status: 200,
    })
  })
})

test('the newer form ignores a name among the parameters', async () => {
  const response = await send(`PUT ${base}/bug`, { as: 'carol', json: { name: 'feature', color: 'red' } })
  expect(response).toMatchObject({ status: 200, body: { name: 'bug', color: '#FF0000' } })
})

test('an encoded slash stays inside a label name', async () => {
  await send(`POST ${base}`, { as: 'carol', json: { name: 'a/b c', color: 'red' } })
  expect(await send(`GET ${base}/a%2Fb%20c`)).toMatchObject({ status: 200, body: { name: 'a/b c' } })
})

describe('who may', () => {
  // Columns: nobody, stranger, guest, reporter, maintainer or owner, administrator.
  const callers = [undefined, 'mallory', 'dave', 'carol', 'alice', 'root']
  const rows: [string, object | undefined, number[]][] = [
    [`GET ${base}`, undefined, [200, 200, 200, 200, 200, 200]],
    [`GET ${base}/bug`, undefined, [200, 200, 200, 200, 200, 200]],
    [`PUT ${base}/bug`, { color: 'red' }, [401, 403, 403, 200, 200, 200]],
    [`POST ${base}`, {}, [401, 400, 400, 400, 400, 400]],
    [`POST ${base}/bug/subscribe`, {}, [401, 200, 200, 200, 200, 200]],
    [`POST ${base}/bug/unsubscribe`, {}, [401, 304, 304, 304, 304, 304]],
    [`GET ${hidden}`, undefined, [404, 404, 404, 404, 200, 200]],
    [`PUT ${hidden}/x`, { color: 'red' }, [401, 404, 404, 404, 404, 404]],
    [`DELETE ${base}?name=none`, undefined, [401, 403, 403, 404, 404, 404]],
  ]
  test.each(rows)('%s', async (line, json, statuses) => {
    const answers = []
    for (const as of callers) answers.push((await send(line, { ...(as && { as }), ...(json && { json }) })).status)
    expect(answers).toEqual(statuses)
  })

  test('a project that is hidden answers byte for byte like one that is missing', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      const options = { as: 'mallory', ...(method !== 'GET' && { json: { name: 'x', color: 'red' } }) }
      const invisible = await send(`${method} ${hidden}`, options)
      const missing = await send(`${method} /projects/acme%2Fnothing/labels`, options)
      expect(invisible.status).toBe(404)
      expect(invisible.text).toBe(missing.text)
      expect([...invisible.headers.keys()]).toEqual([...missing.headers.keys()])
    }
  })
})

test('a label of a group is created, read, changed and removed', async () => {
  const path = '/groups/acme/labels'
  const { body } = await send(`POST ${path}`, { as: 'alice', json: { name: 'shared', color: 'red' } })
  expect(body).toMatchObject({ name: 'shared', color: '#FF0000', is_project_label: false })
  expect((await send(`GET ${path}/shared`)).body).toEqual(body)
  expect((await send(`GET ${path}`)).body.map(({ name }: { name: string }) => name)).toContain('shared')
  const subscribed = await send(`POST ${path}/${body.id}/subscribe`, { as: 'alice' })
  expect(subscribed).toMatchObject({ status: 201, body: { id: body.id, subscribed: true } })
  expect((await send(`POST ${path}/shared/subscribe`, { as: 'alice' })).status).toBe(304)
  expect((await send(`GET ${path}/shared`, { as: 'alice' })).body.subscribed).toBe(true)
  expect((await send(`POST ${path}/shared/unsubscribe`, { as: 'alice' })).body.subscribed).toBe(false)
  const renamed = await send(`PUT ${path}/${body.id}`, { as: 'alice', json: { new_name: 'common' } })
  expect(renamed.body).toMatchObject({ id: body.id, name: 'common' })
  const json = { name: 'common', color: '#00F' }
  expect((await send(`PUT ${path}`, { as: 'alice', json })).body.color).toBe('#0000FF')
  expect(await send(`DELETE ${path}?name=common`, { as: 'alice' })).toMatchObject({ status: 204 })
  await send(`POST ${path}`, { as: 'alice', json: { name: 'other', color: 'red' } })
  expect(await send(`DELETE ${path}/other`, { as: 'alice' })).toMatchObject({ status: 204 })
})

everyRouteCalled('labels')
