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

const places = ['/groups/acme', '/projects/acme%2Fweb'] as const

const kinds = [
  'new_note',
  'new_issue',
  'reopen_issue',
  'close_issue',
  'reassign_issue',
  'issue_due',
  'new_merge_request',
  'push_to_merge_request',
  'reopen_merge_request',
  'close_merge_request',
  'reassign_merge_request',
  'merge_merge_request',
  'failed_pipeline',
  'fixed_pipeline',
  'success_pipeline',
]

test('global settings hold a level and an address', async () => {
  const begin = { level: 'participating', notification_email: 'bob@example.com' }
  expect(await send('GET /notification_settings', { as: 'bob' })).toMatchObject({ status: 200, body: begin })
  const { status, body } = await send('PUT /notification_settings', { as: 'bob', json: { level: 'watch' } })
  expect([status, body]).toEqual([200, { ...begin, level: 'watch' }])
  expect((await send('PUT /notification_settings', { as: 'bob' })).body).toEqual({ ...begin, level: 'watch' })
  expect((await send('GET /notification_settings', { as: 'alice' })).body.level).toBe('participating')
})

test('an address has to be one’s own', async () => {
  const response = await send('PUT /notification_settings', {
    as: 'bob',
    json: { notification_email: 'alice@example.com' },
  })
  expect(response).toMatchObject({
    status: 400,
    body: { message: { notification_email: ['is not an email you own'] } },
  })
  await forge.host.notificationSettings.addEmail({ user: 'bob', email: 'bob@home.example' })
  const form = { notification_email: 'bob@home.example' }
  expect(await send('PUT /notification_settings', { as: 'bob', form })).toMatchObject({ status: 200, body: form })
})

test.each(['/notification_settings', ...places.map((place) => `${place}/notification_settings`)])(
  '%s: levels and kinds',
  async (path) => {
    const put = (json: object) => send(`PUT ${path}`, { as: 'bob', json })
    expect(await put({ level: 'bogus' })).toMatchObject({
      status: 400,
      body: { message: "'bogus' is not a valid level" },
    })
    expect(await put({ level: '' })).toMatchObject({ status: 400, body: { message: "'' is not a valid level" } })
    expect(await put({ level: 5 })).toMatchObject({ status: 400, body: { message: "'5' is not a valid level" } })
    expect(await put({ new_note: 'perhaps' })).toMatchObject({ status: 400, body: { error: 'new_note is invalid' } })
    expect(await put({ events: 'all' })).toMatchObject({ status: 400, body: { error: 'events is invalid' } })
    expect(await send(`GET ${path}?x=1`)).toMatchObject({ status: 401 })
    expect(await send(`PUT ${path}`, { json: { level: 'bogus' } })).toMatchObject({ status: 401 })
    expect((await put({ close_issue: true })).body).not.toHaveProperty('events')
    const { body } = await put({ level: 'custom', new_note: 'true', events: { new_issue: true } })
    const wanted = Object.fromEntries(
      kinds.map((kind) => [
        kind,
        ['new_note', 'new_issue', 'close_issue', 'failed_pipeline', 'fixed_pipeline'].includes(kind),
      ]),
    )
    const paid = path.startsWith('/projects') ? {} : { new_epic: false }
    expect(body).toMatchObject({ level: 'custom' })
    expect(body.events).toEqual({ ...wanted, ...paid })
    expect((await send(`GET ${path}`, { as: 'bob' })).body).toEqual(body)
    for (const level of ['disabled', 'participating', 'watch', 'global', 'mention']) {
      const changed = await put({ level })
      expect(changed).toMatchObject({ status: 200, body: { level } })
      expect(changed.body).not.toHaveProperty('events')
    }
  },
)

describe.each(places)('settings of %s', (place) => {
  const path = `${place}/notification_settings`

  test('leave it to what is above until they are set, and need no membership', async () => {
    expect(await send(`GET ${path}`, { as: 'mallory' })).toMatchObject({ status: 200, body: { level: 'global' } })
    const { body } = await send(`PUT ${path}`, { as: 'mallory', json: { level: 'watch', notification_email: 'x@y.z' } })
    expect(body).toEqual({ level: 'watch' })
    expect((await send('GET /notification_settings', { as: 'mallory' })).body.notification_email).toBe(
      'mallory@example.com',
    )
  })

  test('can be meant for epics only where there are some', async () => {
    const { body } = await send(`PUT ${path}`, { as: 'bob', json: { level: 'custom', new_epic: true } })
    expect(body.events.new_epic).toBe(place.startsWith('/groups') ? true : undefined)
  })
})

test('what cannot be seen has no settings', async () => {
  const group = { status: 404, body: { message: '404 Group Not Found' } }
  const project = { status: 404, body: { message: '404 Project Not Found' } }
  expect(await send('GET /groups/partners/notification_settings', { as: 'mallory' })).toMatchObject(group)
  expect(await send('PUT /groups/4711/notification_settings', { as: 'mallory', json: { level: 'x' } })).toMatchObject(
    group,
  )
  expect(await send('GET /projects/bob%2Fnotes/notification_settings', { as: 'mallory' })).toMatchObject(project)
  await forge.host.projects.archive({ project: 'acme/web' })
  expect(await send(`PUT ${places[1]}/notification_settings`, { as: 'dave', json: { level: 'watch' } })).toMatchObject({
    status: 200,
  })
})

everyRouteCalled('notification settings')
