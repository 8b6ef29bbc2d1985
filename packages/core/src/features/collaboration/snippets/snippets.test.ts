import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const trick = { title: 'A trick', fileName: 'trick.sh', content: 'true' }

test('reporters and above create project snippets', async () => {
  const project = 'acme/web'
  const created = await forge.as('carol').snippets.create({ project, ...trick })
  expect(created).toMatchObject({ projectPath: 'acme/web', visibility: 'private', author: { username: 'carol' } })
  await expect(forge.as('dave').snippets.create({ project, ...trick })).rejects.toMatchObject({ code: 'forbidden' })
  const hidden = forge.as('mallory').snippets.create({ project: 'acme/tools/deploy', ...trick })
  await expect(hidden).rejects.toMatchObject({ code: 'not_found', kind: 'Project' })
})

test('rejects new and changed snippets of archived projects and of projects without snippets', async () => {
  const project = 'acme/web'
  const carol = forge.as('carol').snippets
  const { id } = await carol.create({ project, ...trick })
  await forge.host.projects.update({ project, snippetsAccessLevel: 'disabled' })
  await expect(carol.create({ project, ...trick })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(carol.get({ snippet: id })).rejects.toMatchObject({ code: 'not_found', kind: 'Snippet' })
  expect((await carol.list()).total).toBe(0)
  await forge.host.projects.update({ project, snippetsAccessLevel: 'enabled' })
  await forge.host.projects.archive({ project })
  await expect(carol.create({ project, ...trick })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(carol.update({ snippet: id, title: 'x' })).rejects.toMatchObject({ code: 'forbidden' })
  expect(await carol.get({ snippet: id })).toMatchObject({ id })
})

test('an author without access to the project cannot access the snippet', async () => {
  const erin = forge.as('erin').snippets
  const { id } = await erin.create({ project: 'acme/web', ...trick, visibility: 'private' })
  await forge.host.projects.update({ project: 'acme/web', visibility: 'private' })
  expect((await erin.list()).items.map((snippet) => snippet.id)).toEqual([id])
  await forge.host.members.remove({ group: 'partners', user: 'erin' })
  expect((await erin.list()).items).toEqual([])
  await expect(erin.get({ snippet: id })).rejects.toMatchObject({ code: 'not_found' })
  await expect(erin.remove({ snippet: id })).rejects.toMatchObject({ code: 'not_found' })
})

test('only the host can set the author', async () => {
  const created = await forge.host.snippets.create({ ...trick, author: 'erin' })
  expect(created.author.username).toBe('erin')
  await expect(forge.host.snippets.create(trick)).rejects.toMatchObject({ code: 'invalid_input' })
  const impersonated = forge.as('carol').snippets.create({ ...trick, author: 'bob' })
  await expect(impersonated).rejects.toMatchObject({ code: 'forbidden' })
})

test('stores the content unchanged', async () => {
  const content = '\ufeff  häh?\r\n\t\u{1f389}\n'
  const { id } = await forge.as('carol').snippets.create({ ...trick, content })
  expect(await forge.as('carol').snippets.getRaw({ snippet: id })).toEqual({ content, fileName: 'trick.sh' })
})

test('the origin of a call can be set by the adapter only', async () => {
  const { platform, host } = forge
  const call = { userAgent: 'probe/1', ipAddress: '192.0.2.7' }
  const { id } = await platform.as({ user: 'carol' }, call).snippets.create(trick)
  expect(await host.snippets.getUserAgent({ snippet: id })).toEqual({
    userAgent: 'probe/1',
    ipAddress: '192.0.2.7',
    akismetSubmitted: false,
  })
  const withoutOrigin = await forge.as('carol').snippets.create(trick)
  const unknown = host.snippets.getUserAgent({ snippet: withoutOrigin.id })
  await expect(unknown).rejects.toMatchObject({ code: 'not_found', kind: 'UserAgentDetail' })
  const forged = forge.as('carol').snippets.create({ ...trick, call } as never)
  await expect(forged).rejects.toMatchObject({ code: 'invalid_input' })
})

test('the default visibility is the one of the settings', async () => {
  const visibilityOf = async () => (await forge.as('carol').snippets.create(trick)).visibility
  expect(await visibilityOf()).toBe('private')
  await forge.host.settings.update({ defaultSnippetVisibility: 'internal' })
  expect(await visibilityOf()).toBe('internal')
})
