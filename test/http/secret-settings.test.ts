import { settingDefinition, settingNames } from '@forgelet/core/operations'
import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../packages/http/src/routes.ts'
import { toSnakeCase } from '../../packages/http/src/wire-names.ts'
import { fullSeed, readAllIds } from '../full-seed.ts'
import { preparedWorld } from '../world.ts'
import { createValidRequests, toLine, type ValidRequests } from './valid-requests.ts'

/** No route returns a secret setting to anyone, not even to administrators. */

let forge: FakeForge
let requests: ValidRequests
beforeAll(async () => {
  const world = await preparedWorld({ seed: fullSeed }, readAllIds)
  forge = world.forge
  requests = createValidRequests(forge, world.prepared)
  // The passphrase and the key belong to a certificate, which this value is not.
  const names = secretNames.filter((name) => !name.startsWith('externalAuthClientKey'))
  expect(names.length).toBeGreaterThan(5)
  await forge.host.settings.update(Object.fromEntries(names.map((name) => [name, `hushsecret-${name}`])))
}, 120_000)
afterAll(() => forge.close())

const secretNames = settingNames.filter((name) => settingDefinition(name).secret)

test.each(routes.filter(({ method }) => method === 'GET').map((route) => [toLine(route), route] as const))(
  '%s',
  async (_line, route) => {
    const text = await (await requests.send(route, await requests.prepare(route))).text()
    expect(text).not.toContain('hushsecret')
  },
  60_000,
)

test.each(secretNames)('the settings have no field %s', async (name) => {
  for (const { items, ...settings } of [
    { ...(await forge.host.settings.get()), items: [] },
    { ...(await forge.as('root').settings.get()), items: [] },
  ]) {
    expect(items).toEqual([])
    expect(settings).not.toHaveProperty(name)
  }
  const response = await forge.fetch('/api/v4/application/settings', {
    headers: { 'private-token': forge.token('root') },
  })
  expect(await response.json()).not.toHaveProperty(toSnakeCase(name))
})
