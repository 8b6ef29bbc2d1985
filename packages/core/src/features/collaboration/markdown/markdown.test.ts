import { demo, type FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeAll(async () => {
  forge = await world({ seed: demo })
  await forge.host.issues.create({ project: 'acme/tools/deploy', title: 'Hidden plans', author: 'alice' })
  await forge.host.epics.create({ group: 'acme', title: 'Conquer', author: 'alice' })
})
afterAll(() => forge.close())

const render = async (who: string | undefined, text: string, project?: string) => {
  const session = who === undefined ? forge.platform : forge.as(who)
  const { html } = await session.markdown.render({ text, gfm: true, ...(project !== undefined && { project }) })
  return html
}

const hrefs = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)

test('without gfm, references stay text', async () => {
  const { html } = await forge.platform.markdown.render({ text: '**#1** @alice :tada:', project: 'acme/web' })
  expect(html).toBe('<p><strong>#1</strong> @alice :tada:</p>\n')
})

test('every kind of reference links to its object', async () => {
  const text = '#1 !1 @alice ~bug ~urgent %"1.0" &1 acme/web#2 @acme/tools acme&1'
  expect(hrefs(await render('alice', text, 'acme/web'))).toEqual([
    '/acme/web/-/issues/1',
    '/acme/web/-/merge_requests/1',
    '/alice',
    '/acme/web/-/issues?label_name=bug',
    '/acme/web/-/issues?label_name=urgent',
    '/groups/acme/-/milestones/1',
    '/groups/acme/-/epics/1',
    '/acme/web/-/issues/2',
    '/groups/acme/tools',
    '/groups/acme/-/epics/1',
  ])
})

test('references without a project path need a context project', async () => {
  expect(hrefs(await render('alice', '#1 ~bug @alice acme/web!1'))).toEqual(['/alice', '/acme/web/-/merge_requests/1'])
})

test('references to invisible objects stay text without a title', async () => {
  const text = '#3 acme/tools/deploy#1 @acme/tools #999'
  for (const who of [undefined, 'mallory', 'dave']) {
    const html = await render(who, text, 'acme/web')
    expect(hrefs(html)).toEqual([])
    expect(html).not.toMatch(/passwords|Hidden/)
  }
  // In both orders: a result for one viewer does not affect the next one.
  const alice = await render('alice', text, 'acme/web')
  expect(alice).toContain('title="Hidden plans"')
  expect(hrefs(alice)).toHaveLength(3)
  expect(hrefs(await render('mallory', text, 'acme/web'))).toEqual([])
})

test('code and links contain no references', async () => {
  const html = await render('alice', '`#1` [#1](https://example.com)\n\n    #1\n', 'acme/web')
  expect(hrefs(html)).toEqual(['https://example.com'])
})

test('an invisible project is not found, nor is a numeric id', async () => {
  const missing = { code: 'not_found', kind: 'Project' }
  const text = '#1'
  await expect(forge.platform.markdown.render({ text, project: 'bob/notes' })).rejects.toMatchObject(missing)
  await expect(forge.as('mallory').markdown.render({ text, project: 'bob/notes' })).rejects.toMatchObject(missing)
  await expect(forge.as('alice').markdown.render({ text, project: '1' })).rejects.toMatchObject(missing)
  await expect(forge.as('bob').markdown.render({ text, project: 'BOB/Notes' })).resolves.toBeDefined()
})

test('a thousand references are resolved', async () => {
  const text = Array.from({ length: 1_500 }, (_, at) => `#${at + 1}`).join(' ')
  expect(hrefs(await render('alice', text, 'acme/web'))).toHaveLength(4)
})

test('a text above the limit is rejected', async () => {
  await expect(forge.platform.markdown.render({ text: 'x'.repeat(1_000_001) })).rejects.toMatchObject({
    code: 'invalid_input',
    problems: [{ fields: ['text'] }],
  })
})
