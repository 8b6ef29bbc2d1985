import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
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

const settings = '/projects/acme%2Fweb/error_tracking/settings'
const configured = {
  active: true,
  project_name: 'Web',
  tracker_external_url: 'https://errors.example.com/web',
  api_url: 'https://errors.example.com/api/web',
}

const configure = () =>
  forge.host.errorTracking.set({
    project: 'acme/web',
    projectName: 'Web',
    trackerExternalUrl: configured.tracker_external_url,
    apiUrl: configured.api_url,
  })

test('what was never configured is missing, after the right was judged', async () => {
  const missing = { status: 404, body: { message: '404 Error Tracking Setting Not Found' } }
  expect(await send(`GET ${settings}`, { as: 'alice' })).toMatchObject(missing)
  expect(await send(`PATCH ${settings}`, { as: 'alice', json: { active: true } })).toMatchObject(missing)
  expect(await send(`GET ${settings}`, { as: 'bob' })).toMatchObject({ status: 403 })
})

test('the setting has the documented fields and no others', async () => {
  await configure()
  expect(await send(`GET ${settings}`, { as: 'alice' })).toMatchObject({ status: 200 })
  expect((await send(`GET ${settings}`, { as: 'alice' })).body).toEqual(configured)
  const off = await send(`PATCH ${settings}`, { as: 'alice', form: { active: 'false' } })
  expect(off).toMatchObject({ status: 200, body: { ...configured, active: false } })
  expect((await send(`GET ${settings}`, { as: 'alice' })).body).toEqual({ ...configured, active: false })
})

test.each([
  [{}, 'active is missing'],
  [{ active: '' }, 'active is empty'],
  [{ active: null }, 'active is empty'],
  [{ active: 'perhaps' }, 'active is invalid'],
])('a change by %j is refused', async (json, error) => {
  await configure()
  expect(await send(`PATCH ${settings}`, { as: 'alice', json })).toMatchObject({ status: 400, body: { error } })
})

everyRouteCalled('error tracking')
