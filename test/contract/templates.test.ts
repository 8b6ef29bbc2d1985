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
  ['gitignores', 'Node', 'node_modules/'],
  ['gitlab_ci_ymls', 'Nodejs', 'npm test'],
  ['dockerfiles', 'Node', 'FROM node'],
])('%s are listed and read without a token', async (type, key, text) => {
  const { status, body, headers } = await send(`GET /templates/${type}?per_page=1`)
  expect([status, body.length, Number(headers.get('x-total'))]).toEqual([200, 1, expect.any(Number)])
  const { body: all } = await send(`GET /templates/${type}`)
  expect(all).toContainEqual({ key, name: key })
  expect((await send(`GET /templates/${type}/${key.toLowerCase()}`)).body).toEqual({
    name: key,
    content: expect.stringContaining(text),
  })
  expect(await send(`GET /templates/${type}/missing`)).toMatchObject({
    status: 404,
    body: { message: '404 Not Found' },
  })
  expect((await send(`GET /projects/acme%2Fweb/templates/${type}`)).body).toEqual(all)
  expect((await send(`GET /projects/acme%2Fweb/templates/${type}/${key}`)).body).toMatchObject({ name: key })
})

test('licenses have details, and their placeholders are replaced', async () => {
  const license = {
    key: 'proprietary',
    name: 'All rights reserved',
    nickname: null,
    popular: false,
    html_url: null,
    source_url: null,
    description: 'Allows nothing without written permission.',
    conditions: [],
    permissions: [],
    limitations: [],
    content: expect.stringMatching(/^Copyright \(c\) \d{4} \[fullname\]\./),
  }
  expect((await send('GET /templates/licenses')).body).toEqual([license])
  expect((await send('GET /templates/licenses?popular=true')).body).toEqual([])
  const { body } = await send('GET /templates/licenses/proprietary?fullname=Ada&project=Engine')
  expect(body.content).toMatch(/^Copyright \(c\) \d{4} Ada\.[\s\S]*pass on Engine without/)
  const ofProject = await send('GET /projects/acme%2Fweb/templates/licenses/proprietary')
  expect(ofProject.body).toMatchObject({ key: 'proprietary', content: expect.stringContaining('pass on Web without') })
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
  expect(await send(`GET ${base}/metrics`)).toMatchObject({
    status: 400,
    body: { error: 'type does not have a valid value' },
  })
})

everyRouteCalled('templates', 'project templates')
