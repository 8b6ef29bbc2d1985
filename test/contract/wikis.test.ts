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

const page = { title: 'Set up the project', content: 'Use **make**.' }

describe.each([
  ['a project', '/projects/acme%2Fweb/wikis'],
  ['a group', '/groups/acme/wikis'],
])('the wiki of %s', (_owner, base) => {
  const create = async (json: object) => (await send(`POST ${base}`, { as: 'alice', json })).body

  test('has pages', async () => {
    const { status, body } = await send(`POST ${base}`, { as: 'alice', json: page })
    expect(status).toBe(201)
    const rest = { format: 'markdown', encoding: 'UTF-8', front_matter: {}, wiki_page_meta_id: expect.any(Number) }
    expect(body).toEqual({ ...page, ...rest, slug: 'Set-up-the-project' })
    expect((await send(`GET ${base}/Set-up-the-project`, { as: 'alice' })).body).toEqual(body)
    const nested = await create({ title: 'docs/First steps', content: '', format: 'org' })
    expect(nested).toMatchObject({ slug: 'docs/First-steps', title: 'docs/First steps', format: 'org', content: '' })
    expect((await send(`GET ${base}/docs%2FFirst-steps`, { as: 'alice' })).body).toEqual(nested)
    const { body: list } = await send(`GET ${base}`, { as: 'alice' })
    const { content: _c, encoding: _e, front_matter: _f, ...short } = body
    const other = { wiki_page_meta_id: nested.wiki_page_meta_id, format: 'org', slug: 'docs/First-steps' }
    expect(list).toEqual([short, { ...other, title: 'docs/First steps' }])
    expect((await send(`GET ${base}?with_content=true`, { as: 'alice' })).body).toEqual([body, nested])
  })

  test('has front matter at the beginning of the text', async () => {
    const made = await create({ ...page, front_matter: { title: 'A: "title"' } })
    expect(made).toMatchObject({ content: page.content, front_matter: { title: 'A: "title"' } })
    const path = `${base}/Set-up-the-project`
    const update = async (json: object) => (await send(`PUT ${path}`, { as: 'alice', json })).body
    expect(await update({ content: 'New' })).toMatchObject({ content: 'New', front_matter: made.front_matter })
    expect(await update({ front_matter: { title: 'B' } })).toMatchObject({
      content: 'New',
      front_matter: { title: 'B' },
    })
    const own = '---\ntags: [a]\n---\nText'
    expect(await update({ content: own })).toMatchObject({ content: 'Text', front_matter: { tags: ['a'] } })
    const { body } = await send(`GET ${path}?render_html=true`, { as: 'alice' })
    expect(body).toMatchObject({ content: '<p dir="auto">Text</p>\n', front_matter: { tags: ['a'] } })
    const none = '---\n- a\n---\nText'
    expect(await create({ title: 'none', content: none })).toMatchObject({ content: none, front_matter: {} })
  })

  test('renders pages as HTML', async () => {
    await create(page)
    await create({ title: 'plain', content: '<b>& more</b>', format: 'rdoc' })
    const rendered = await send(`GET ${base}/Set-up-the-project?render_html=true`, { as: 'alice' })
    expect(rendered.body.content).toContain('<strong>make</strong>')
    const source = await send(`GET ${base}/plain?render_html=true`, { as: 'alice' })
    expect(source.body.content).toBe('<pre>&lt;b&gt;&amp; more&lt;/b&gt;</pre>')
  })

  test('changes and removes pages', async () => {
    await create(page)
    await create({ title: 'home', content: 'Welcome' })
    const change = (slug: string, json: object) => send(`PUT ${base}/${slug}`, { as: 'alice', json })
    expect((await change('home', { content: 'Hello' })).body).toMatchObject({ slug: 'home', content: 'Hello' })
    expect((await change('home', { title: 'Set up the project' })).status).toBe(400)
    expect((await change('home', { title: 'Start' })).body).toMatchObject({ slug: 'Start', content: 'Hello' })
    expect((await change('Start', {})).status).toBe(400)
    expect((await change('home', { content: 'x' })).status).toBe(404)
    expect((await send(`DELETE ${base}/Start`, { as: 'alice' })).status).toBe(204)
    expect((await send(`GET ${base}/Start`, { as: 'alice' })).status).toBe(404)
  })

  test('rejects invalid pages', async () => {
    await create(page)
    expect(await send(`POST ${base}`, { as: 'alice', json: page })).toMatchObject({
      status: 400,
      body: { message: { title: ['is the title of another page'] } },
    })
    for (const title of ['', ' ', '../secret', 'a//b', '/a', 'a\u0000b', 'x'.repeat(256)])
      expect((await send(`POST ${base}`, { as: 'alice', json: { ...page, title } })).status).toBe(400)
    expect((await send(`POST ${base}`, { as: 'alice', json: { ...page, title: 'n', format: 'html' } })).status).toBe(
      400,
    )
  })

  test('has no earlier versions', async () => {
    await create(page)
    const version = await send(`GET ${base}/Set-up-the-project?version=${'a'.repeat(40)}`, { as: 'alice' })
    expect(version.status).toBe(404)
  })
})

const project = '/projects/acme%2Fweb'

test('the level of the wiki decides who can read it', async () => {
  await forge.as('alice').wikis.create({ project: 'acme/web', ...page })
  const statusFor = async (as?: string) => (await send(`GET ${project}/wikis`, as ? { as } : {})).status
  expect(await statusFor()).toBe(200)
  await forge.host.projects.update({ project: 'acme/web', settings: { wikiAccessLevel: 'private' } })
  expect([await statusFor(), await statusFor('mallory'), await statusFor('carol')]).toEqual([401, 403, 200])
  await forge.host.projects.update({ project: 'acme/web', settings: { wikiAccessLevel: 'disabled' } })
  expect([await statusFor('alice'), await statusFor('root')]).toEqual([403, 403])
})

test('the wiki of a group requires the paid tier', async () => {
  await using free = await world({ tier: 'free' })
  expect((await client(free)('GET /groups/acme/wikis', { as: 'alice' })).status).toBe(403)
  expect((await client(free)(`GET ${project}/wikis`, { as: 'alice' })).status).toBe(200)
})

test.each([project, '/groups/acme'])('files are attached to the wiki of %s', async (place) => {
  const form = new FormData()
  form.set('file', new File(['PNG'], 'a picture.png'))
  const request = new Response(form)
  const headers = { 'content-type': request.headers.get('content-type') as string }
  const raw = new Uint8Array(await request.arrayBuffer())
  const { status, body } = await send(`POST ${place}/wikis/attachments`, { as: 'alice', raw, headers })
  expect(status).toBe(201)
  const path = expect.stringMatching(/^uploads\/[0-9a-f]{32}\/a_picture.png$/)
  expect(body).toEqual({
    file_name: 'a_picture.png',
    file_path: path,
    branch: 'main',
    link: { url: path, markdown: expect.stringMatching(/^!?\[a_picture(.png)?\]\(uploads\/.*\)$/) },
  })
  expect((await send(`GET ${place}/${body.file_path}`, { as: 'alice' })).status).toBe(200)
})

everyRouteCalled('wikis')
