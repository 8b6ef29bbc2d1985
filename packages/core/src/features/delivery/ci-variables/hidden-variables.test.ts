import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const variable = { key: 'TOKEN', value: 'hushsecret', maskedAndHidden: true }
const hidden = { key: 'TOKEN', value: null, masked: true, hidden: true }

test('the value of a hidden variable is never returned, and it stays hidden', async () => {
  const { ciVariables } = forge.host
  for (const owner of [{ project: 'acme/web' }, { group: 'acme/tools' }]) {
    expect(await ciVariables.create({ ...owner, ...variable })).toMatchObject(hidden)
    expect(await ciVariables.get({ ...owner, key: 'TOKEN' })).toMatchObject(hidden)
    expect((await ciVariables.list(owner)).items).toMatchObject([hidden])
    expect(await ciVariables.update({ ...owner, key: 'TOKEN', value: 'othersecret' })).toMatchObject(hidden)
    expect(await ciVariables.update({ ...owner, key: 'TOKEN', protected: true })).toMatchObject(hidden)
    const shown = ciVariables.update({ ...owner, key: 'TOKEN', masked: false })
    await expect(shown).rejects.toMatchObject({ code: 'invalid' })
  }
  expect(await ciVariables.create(variable)).toMatchObject(hidden)
  expect((await ciVariables.list()).items).toMatchObject([hidden])
})

test('a hidden value has the limits of a masked one', async () => {
  const short = forge.host.ciVariables.create({ project: 'acme/web', ...variable, value: 'short' })
  await expect(short).rejects.toMatchObject({ code: 'invalid' })
})

test('the API takes `masked_and_hidden`, and rules know the value', async () => {
  const url = `${forge.url}/api/v4/projects/acme%2Fweb/variables`
  const send = (path: string, options: { readonly method?: string; readonly body?: URLSearchParams } = {}) =>
    forge.fetch(`${url}${path}`, { headers: { 'private-token': 'alice-token' }, ...options })
  const body = new URLSearchParams({ key: 'TOKEN', value: 'hushsecret', masked_and_hidden: 'true' })
  expect(await (await send('', { method: 'POST', body })).json()).toMatchObject({
    value: null,
    masked: true,
    hidden: true,
  })
  expect(await (await send('')).text()).not.toContain('hushsecret')
  const author = { name: 'A', email: 'a@example.com' }
  const files = [{ path: '.gitlab-ci.yml', content: 'test: { script: make, rules: [{ if: $TOKEN == "hushsecret" }] }' }]
  await forge.host.commits.import({ project: 'acme/web', commits: [{ message: 'x', author, files }] })
  expect(await forge.as('alice').pipelines.create({ project: 'acme/web', ref: 'main' })).toMatchObject({ ref: 'main' })
})
