import { demo, type FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { world } from '../../../../../test/world.ts'

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

test('without the extras a reference is text', async () => {
  const { html } = await forge.platform.markdown.render({ text: '**#1** @alice :tada:', project: 'acme/web' })
  expect(html).toBe('<p><strong>#1</strong> @alice :tada:</p>\n')
})

test('every kind of reference leads to what it names', async () => {
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

test('a reference without a project needs one around it', async () => {
  expect(hrefs(await render('alice', '#1 ~bug @alice acme/web!1'))).toEqual(['/alice', '/acme/web/-/merge_requests/1'])
})

test('what the reader may not see stays text, without its title', async () => {
  const text = '#3 acme/tools/deploy#1 @acme/tools #999'
  for (const who of [undefined, 'mallory', 'dave']) {
    const html = await render(who, text, 'acme/web')
    expect(hrefs(html)).toEqual([])
    expect(html).not.toMatch(/passwords|Hidden/)
  }
  // Both orders: nothing that one reader saw reaches the next.
  const alice = await render('alice', text, 'acme/web')
  expect(alice).toContain('title="Hidden plans"')
  expect(hrefs(alice)).toHaveLength(3)
  expect(hrefs(await render('mallory', text, 'acme/web'))).toEqual([])
})

test('references in code and links are none', async () => {
  const html = await render('alice', '`#1` [#1](https://example.com)\n\n    #1\n', 'acme/web')
  expect(hrefs(html)).toEqual(['https://example.com'])
})

test('a project that cannot be seen is missing, and so is one that is named by its id', async () => {
  const missing = { code: 'not_found', kind: 'Project' }
  const text = '#1'
  await expect(forge.platform.markdown.render({ text, project: 'bob/notes' })).rejects.toMatchObject(missing)
  await expect(forge.as('mallory').markdown.render({ text, project: 'bob/notes' })).rejects.toMatchObject(missing)
  await expect(forge.as('alice').markdown.render({ text, project: '1' })).rejects.toMatchObject(missing)
  await expect(forge.as('bob').markdown.render({ text, project: 'BOB/Notes' })).resolves.toBeDefined()
})

test('a thousand references take a handful of queries', async () => {
  const text = Array.from({ length: 1_500 }, (_, at) => `#${at + 1}`).join(' ')
  expect(hrefs(await render('alice', text, 'acme/web'))).toHaveLength(4)
})

test('a text that is too long is refused', async () => {
  await expect(forge.platform.markdown.render({ text: 'x'.repeat(1_000_001) })).rejects.toMatchObject({
    code: 'invalid_input',
    problems: [{ fields: ['text'] }],
  })
})
