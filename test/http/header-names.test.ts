import { get } from 'node:http'
import { demoWithCode } from '@forgelet/core/seed'
import { expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'

/** The names of all header lines of a response, as they were sent. */
const readHeaderNames = (url: string, headers: Record<string, string>) =>
  new Promise<string[]>((resolve, reject) => {
    const request = get(url, { headers, agent: false }, (response) => {
      resolve(response.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()))
      response.destroy()
    })
    request.on('error', reject)
  })

const html = { accept: 'text/html' }
const json = { accept: 'application/json' }

test.each([
  ['a page', '/acme/web', html],
  ['the front page', '/', html],
  ['a missing page', '/acme/none', html],
  ['the sign-in page', '/users/sign_in', html],
  ['a file of a page', '/acme/web/-/raw/main/README.md', html],
  ['a list', '/api/v4/projects', json],
  ['a request of another site', '/api/v4/projects', { ...json, origin: 'https://app.example' }],
  ['a part of a file', '/api/v4/projects/acme%2Fweb/repository/files/README.md/raw?ref=main', { range: 'bytes=0-3' }],
  ['a file', '/api/v4/projects/acme%2Fweb/repository/files/README.md/raw?ref=main', json],
  ['an archive', '/api/v4/projects/acme%2Fweb/repository/archive.zip', json],
  ['an unknown route', '/api/v4/none', json],
  ['an unknown token', '/api/v4/projects', { 'private-token': 'none' }],
  ['the OpenAPI document', '/api/v4/openapi.json', json],
  ['the reference', '/api/v4/reference', html],
  ['SCIM', '/api/scim/v2/groups/acme/Users', json],
  ['git', '/acme/web.git/info/refs?service=git-upload-pack', {}],
  ['a git repository that is missing', '/acme/none.git/info/refs?service=git-upload-pack', {}],
  ['the OAuth configuration', '/.well-known/openid-configuration', { ...json, origin: 'https://app.example' }],
  ['an OAuth page', '/oauth/authorize', html],
  ['an OAuth request without a token', '/oauth/token/info', json],
  ['the device page', '/oauth/device', html],
  ['the control plane', '/_forgelet/requests', json],
  ['the control page', '/_forgelet/', html],
  ['the events of the control plane', '/_forgelet/events', { accept: 'text/event-stream' }],
  ['health', '/-/health', json],
  ['metrics', '/-/metrics', {}],
])('no header is sent twice with %s', async (_, path, headers) => {
  await using forge = await world({ port: 0, seed: demoWithCode })
  const names = (await readHeaderNames(forge.url + path, headers)).filter((name) => name !== 'set-cookie')
  expect(names).toEqual([...new Set(names)])
  expect(names).toEqual(expect.arrayContaining(['x-frame-options', 'x-content-type-options', 'vary', 'x-request-id']))
})

test('a header of a middleware replaces the common one in any case, and Vary is combined', async () => {
  const replaced = { 'x-frame-options': 'DENY', vary: 'Accept, Origin' }
  const middleware = [() => async () => ({ status: 200, body: {}, headers: replaced })]
  await using forge = await world({ port: 0, http: { middleware } })
  const names = await readHeaderNames(`${forge.url}/`, {})
  expect(names).toEqual([...new Set(names)])
  for (const response of [await fetch(forge.url), await forge.fetch(forge.url)]) {
    expect(response.headers.get('x-frame-options')).toBe('DENY')
    expect(response.headers.get('vary')).toBe('Origin, Authorization, Private-Token, Accept')
  }
})
