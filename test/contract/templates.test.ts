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

test.each([
  ['gitignores', 'Go', '*.test'],
  ['gitlab_ci_ymls', 'Nodejs', 'npm test'],
  ['dockerfiles', 'Node', 'FROM node'],
])('%s are listed and read without a token', async (type, key, text) => {
  const { status, body, headers } = await send(`GET /templates/${type}?per_page=1`)
  expect([status, body.length, Number(headers.get('x-total'))]).toEqual([200, 1, expect.any(Number)])
  const { body: all } = await send(`GET /templates/${type}?per_page=100`)
  expect(all).toContainEqual({ key, name: key })
  expect((await send(`GET /templates/${type}/${key.toLowerCase()}`)).body).toEqual({
    name: key,
    content: expect.stringContaining(text),
  })
  expect(await send(`GET /templates/${type}/missing`)).toMatchObject({
    status: 404,
    body: { message: '404 Not Found' },
  })
  expect((await send(`GET /projects/acme%2Fweb/templates/${type}?per_page=100`)).body).toEqual(all)
  expect((await send(`GET /projects/acme%2Fweb/templates/${type}/${key}`)).body).toMatchObject({ name: key })
})

test('licenses have details, and their placeholders are replaced', async () => {
  const { body: all } = await send('GET /templates/licenses')
  expect(all).toHaveLength(13)
  expect(all).toContainEqual({
    key: 'mit',
    name: 'MIT License',
    nickname: null,
    popular: true,
    featured: true,
    html_url: 'https://choosealicense.com/licenses/mit/',
    source_url: 'https://spdx.org/licenses/MIT.html',
    description: expect.stringMatching(/^A short and simple permissive license/),
    conditions: ['include-copyright'],
    permissions: ['commercial-use', 'modifications', 'distribution', 'private-use'],
    limitations: ['liability', 'warranty'],
    content: expect.stringMatching(/^MIT License\n\nCopyright \(c\) \[year\] \[fullname\]\n/),
  })
  const popular = (await send('GET /templates/licenses?popular=true')).body
  expect(popular.map(({ key }: { key: string }) => key)).toEqual(['apache-2.0', 'gpl-3.0', 'mit'])
  const read = async (query: string, as?: string) =>
    (await send(`GET /templates/licenses/${query}`, as === undefined ? {} : { as })).body.content as string
  const year = new Date().getUTCFullYear()
  expect(await read('MIT?fullname=Ada&project=Engine')).toContain(`Copyright (c) ${year} Ada\n`)
  expect(await read('mit', 'bob')).toContain(`Copyright (c) ${year} Bob Builder\n`)
  expect(await read('mit')).toContain(`Copyright (c) ${year} [fullname]\n`)
  expect(await read('apache-2.0?fullname=Ada')).toContain(`Copyright ${year} Ada\n`)
  const gpl = await read('gpl-3.0?fullname=Ada&project=Engine')
  expect(gpl).toContain(`    Engine\n    Copyright (C) ${year}  Ada\n`)
  const ofProject = await send('GET /projects/acme%2Fweb/templates/licenses/gpl-2.0')
  expect(ofProject.body).toMatchObject({ key: 'gpl-2.0', content: expect.stringContaining('    Web\n') })
})

test('templates of issues and merge requests are files in the default branch', async () => {
  const project = 'acme/web'
  const author = { name: 'Ada', email: 'ada@example.com' }
  const files = [
    { path: '.gitlab/issue_templates/Bug.md', content: 'What happened?' },
    { path: '.gitlab/merge_request_templates/Default.md', content: 'Why?' },
  ]
  await forge.host.commits.import({ project, commits: [{ message: 'Add templates', author, files }] })
  const base = '/projects/acme%2Fweb/templates'
  expect((await send(`GET ${base}/issues`)).body).toEqual([{ key: 'Bug', name: 'Bug' }])
  expect((await send(`GET ${base}/issues/Bug`)).body).toEqual({ name: 'Bug', content: 'What happened?' })
  expect((await send(`GET ${base}/merge_requests/Default`)).body).toEqual({ name: 'Default', content: 'Why?' })
  expect((await send(`GET ${base}/issues/Missing`)).status).toBe(404)
  const { id } = (await send('GET /projects/acme%2Fweb')).body
  const ofOther = `/projects/bob%2Fnotes/templates/issues/Bug?source_template_project_id`
  expect((await send(`GET ${ofOther}=${id}`, { as: 'bob' })).body).toEqual({ name: 'Bug', content: 'What happened?' })
  const notes = (await send('GET /projects/bob%2Fnotes', { as: 'bob' })).body.id
  const hidden = await send(`GET ${base}/issues/Bug?source_template_project_id=${notes}`, { as: 'alice' })
  expect(hidden.status).toBe(404)
  expect(await send(`GET ${base}/metrics`)).toMatchObject({
    status: 400,
    body: { error: 'type does not have a valid value' },
  })
})

everyRouteCalled('templates', 'project templates')
