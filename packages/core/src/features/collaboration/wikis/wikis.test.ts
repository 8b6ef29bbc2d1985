import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { client } from '../../../../../../test/contract/client.ts'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'
const page = { title: 'docs/Set up', content: 'Use make.' }

test('a page keeps its format and slug when only the text changes', async () => {
  const { wikis } = forge.as('bob')
  await wikis.create({ project, ...page, format: 'asciidoc' })
  const changed = await wikis.update({ project, slug: 'docs/Set-up', content: 'Use npm.' })
  expect(changed).toMatchObject({ slug: 'docs/Set-up', title: 'docs/Set up', format: 'asciidoc', content: 'Use npm.' })
})

test('the wikis of projects and groups are separate', async () => {
  const { wikis } = forge.host
  await wikis.create({ project, ...page })
  await wikis.create({ group: 'acme', ...page })
  await wikis.remove({ project, slug: 'docs/Set-up' })
  expect((await wikis.list({ project })).items).toEqual([])
  expect((await wikis.list({ group: 'acme' })).items).toHaveLength(1)
})

test('pages are removed with their project, and move with it', async () => {
  const { wikis, projects, groups } = forge.host
  await wikis.create({ project, ...page })
  await groups.create({ path: 'other', visibility: 'public' })
  await projects.transfer({ project, namespace: 'other' })
  expect((await wikis.list({ project: 'other/web' })).items).toHaveLength(1)
  await projects.remove({ project: 'other/web' })
  const { name, path } = { name: 'Web', path: 'web' }
  await projects.create({ namespace: 'other', name, path })
  expect((await wikis.list({ project: 'other/web' })).items).toEqual([])
})

test('an archived project has a wiki that cannot be changed', async () => {
  await forge.host.wikis.create({ project, ...page })
  await forge.host.projects.archive({ project })
  const { wikis } = forge.as('alice')
  await expect(wikis.create({ project, title: 'New', content: '' })).rejects.toMatchObject({ code: 'forbidden' })
  expect(await wikis.get({ project, slug: 'docs/Set-up' })).toMatchObject({ content: 'Use make.' })
})

test('webhooks receive new, changed and removed pages', async () => {
  const send = client(forge)
  const hook = { url: 'https://bot.example.com/events', wiki_page_events: true }
  const { body: created } = await send('POST /projects/acme%2Fweb/hooks', { as: 'alice', json: hook })
  const base = '/projects/acme%2Fweb/wikis'
  await send(`POST ${base}`, { as: 'bob', json: page })
  await send(`PUT ${base}/docs%2FSet-up`, { as: 'bob', json: { title: 'Start' } })
  await send(`DELETE ${base}/Start`, { as: 'alice' })
  await forge.hooks.drain()
  const events = forge.hooks.deliveries.filter(({ event }) => event === 'wiki_page')
  expect(events.map(({ body }) => body.object_attributes.action)).toEqual(['create', 'update', 'delete'])
  expect(events[0]?.headers).toMatchObject({ 'x-gitlab-event': 'Wiki Page Hook' })
  expect(events[0]?.body).toMatchObject({
    object_kind: 'wiki_page',
    user: { username: 'bob' },
    project: { path_with_namespace: project },
    wiki: { path_with_namespace: 'acme/web.wiki', web_url: expect.stringMatching(/acme\/web\/-\/wikis\/home$/) },
    object_attributes: {
      ...page,
      format: 'markdown',
      slug: 'docs/Set-up',
      message: expect.stringMatching(/ created page: docs\/Set up$/),
      url: expect.stringMatching(/acme\/web\/-\/wikis\/docs\/Set-up$/),
    },
  })
  const trigger = `POST /projects/acme%2Fweb/hooks/${created.id}/test/wiki_page_events`
  expect((await send(trigger, { as: 'alice' })).status).toBe(422)
  await send(`POST ${base}`, { as: 'bob', json: page })
  expect((await send(trigger, { as: 'alice' })).status).toBe(201)
})
