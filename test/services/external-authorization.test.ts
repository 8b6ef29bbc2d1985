import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import type { FakeForge } from '@forgelet/fixtures'
import { expect, inject, test } from 'vitest'
import { nodeHttpClient } from '../../packages/core/src/ports/http-client.ts'
import { client } from '../contract/client.ts'
import { world } from '../sqlite-world.ts'
import { listenAsService, startService } from './authorization-service.ts'

/** The settings of the external authorization service, with services on loopback. */

const project = 'acme/web'
const base = '/projects/acme%2Fweb'

const enable = (forge: FakeForge, url: string, settings: object = {}) =>
  forge.host.settings.update({
    externalAuthorizationServiceEnabled: true,
    externalAuthorizationServiceUrl: url,
    externalAuthorizationServiceDefaultLabel: 'default-label',
    ...settings,
  })

const openWorld = () => world({ hooks: 'network', ports: { http: nodeHttpClient } })

test('the service is asked once in six hours for each user and label', async () => {
  await using service = await startService(() => ({ status: 200 }))
  await using forge = await openWorld()
  await enable(forge, `http://guard:s3cret@127.0.0.1:${service.port}/decide?x=1`)
  await forge.host.identities.link({ user: 'bob', provider: 'ldapmain', externalUid: 'CN=Bob,DC=acme' })
  await forge.as('bob').projects.get({ project })
  await forge.as('bob').issues.list({ project })
  expect(service.requests).toMatchObject([
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Basic ${btoa('guard:s3cret')}` },
      body: {
        user_identifier: expect.stringContaining('@'),
        project_classification_label: 'default-label',
        user_ldap_dn: 'CN=Bob,DC=acme',
        identities: [{ provider: 'ldapmain', extern_uid: 'CN=Bob,DC=acme' }],
      },
    },
  ])
  await forge.host.projects.update({ project, settings: { externalAuthorizationClassificationLabel: 'secret' } })
  await forge.as('bob').projects.get({ project })
  await forge.as('alice').projects.get({ project })
  expect(service.requests.map(({ body }) => body.project_classification_label)).toEqual([
    'default-label',
    'secret',
    'secret',
  ])
  expect(service.requests[2]?.body).toMatchObject({ identities: [] })
  await forge.clock.advance({ hours: 7 })
  await forge.as('bob').projects.get({ project })
  expect(service.requests).toHaveLength(4)
})

test.each([401, 403])('the status %i denies access to everything in a project for six hours', async (status) => {
  await using service = await startService(() => ({ status, reply: '{"reason":"Not cleared"}' }))
  await using forge = await openWorld()
  const send = client(forge)
  await enable(forge, `http://127.0.0.1:${service.port}`)
  const as = 'alice'
  for (const call of [
    'GET ',
    'GET /issues',
    'GET /issues/1',
    'POST /issues?title=x',
    'GET /repository/tree',
    'DELETE ',
  ]) {
    const [method, path] = call.split(' ')
    const response = await send(`${method} ${base}${path}`, { as })
    expect([call, response.status, JSON.stringify(response.body)]).toEqual([
      call,
      403,
      expect.stringContaining('Not cleared'),
    ])
  }
  // The administrator, too, but not the instance: the settings can still be changed.
  expect((await send(`GET ${base}`, { as: 'root' })).status).toBe(403)
  expect((await send('GET /application/settings', { as: 'root' })).status).toBe(200)
  expect(service.requests).toHaveLength(2)
  expect((await send('GET /issues', { as })).status).toBe(403)
  expect((await send('GET /search?scope=issues&search=x', { as })).status).toBe(403)
  expect((await send('GET /groups/acme/issues', { as })).status).toBe(403)
  expect((await send('GET /todos', { as })).status).toBe(403)
  expect((await send('GET /projects', { as })).status).toBe(200)
  await forge.host.settings.update({ externalAuthorizationServiceEnabled: false })
  expect((await send(`GET ${base}`, { as })).status).toBe(200)
})

test('visitors, deploy tokens and git have no access without a permitted user', async () => {
  await using service = await startService(({ user_identifier: user }) => ({
    status: String(user).startsWith('alice') ? 200 : 403,
  }))
  await using forge = await openWorld()
  const send = client(forge)
  const deployToken = await forge.as('alice').deployTokens.create({ project, name: 'ci', scopes: ['read_repository'] })
  await enable(forge, `http://127.0.0.1:${service.port}`)
  expect((await send(`GET ${base}`)).status).toBe(404)
  const fetchRefs = (user: string, password: string) =>
    forge.fetch(`/${project}.git/info/refs?service=git-upload-pack`, {
      headers: { authorization: `Basic ${btoa(`${user}:${password}`)}` },
    })
  expect((await fetchRefs('alice', 'alice-token')).status).toBe(200)
  expect((await fetchRefs('bob', 'bob-token')).status).toBe(403)
  expect((await fetchRefs(deployToken.username, deployToken.secret)).status).toBe(403)
  expect((await forge.fetch(`/${project}.git/info/refs?service=git-upload-pack`)).status).toBe(401)
})

test('other responses, no response and blocked addresses deny access, and are not remembered', async () => {
  let status: number | 'silence' = 500
  await using service = await startService(() => (status === 'silence' ? status : { status, reply: '[' }))
  await using forge = await openWorld()
  const url = `http://127.0.0.1:${service.port}`
  await enable(forge, url, { externalAuthorizationServiceTimeout: 0.2 })
  const denied = (message: string) =>
    expect(forge.as('alice').projects.get({ project })).rejects.toMatchObject({ code: 'forbidden', message })
  await denied('The external authorization service denied access')
  status = 302
  await denied('The external authorization service denied access')
  status = 'silence'
  await denied('External Policy Server did not respond')
  status = 200
  await expect(forge.as('alice').projects.get({ project })).resolves.toBeDefined()
  expect(service.requests).toHaveLength(4)

  await forge.host.settings.update({ allowLocalRequestsFromSystemHooks: false })
  await denied('External Policy Server did not respond')
  await forge.host.settings.update({ outboundLocalRequestsWhitelist: ['127.0.0.1'] })
  await expect(forge.as('alice').projects.get({ project })).resolves.toBeDefined()
})

test('one request answers all calls that wait for it', async () => {
  await using service = await startService(() => ({ status: 200 }))
  await using forge = await openWorld()
  await enable(forge, `http://127.0.0.1:${service.port}`)
  await Promise.all(Array.from({ length: 20 }, () => forge.as('alice').projects.get({ project })))
  expect(service.requests).toHaveLength(1)
})

test('the platform authenticates with its client certificate', async () => {
  const folder = mkdtempSync(join(inject('temporaryFolder'), 'certificate-'))
  const subject = ['-subj', '/CN=forge.example', '-days', '2', '-keyout', 'a.key', '-out', 'a.pem']
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-passout', 'pass:opensesame']
  execFileSync('openssl', ['req', '-x509', ...kind, ...subject], { cwd: folder, stdio: 'pipe' })
  const [cert, key] = ['a.pem', 'a.key'].map((name) => readFileSync(join(folder, name), 'utf8'))
  const subjects: unknown[] = []
  const server = createServer({ cert, key, passphrase: 'opensesame', requestCert: true, rejectUnauthorized: false })
  server.on('request', ({ socket }) => subjects.push((socket as TLSSocket).getPeerCertificate().subject))
  await using service = await listenAsService(server, () => ({ status: 200 }))
  const http = {
    send: (request: Parameters<typeof nodeHttpClient.send>[0]) =>
      nodeHttpClient.send({ ...request, verifiesCertificate: false }),
  }
  await using forge = await world({ hooks: 'network', ports: { http } })
  await enable(forge, `https://127.0.0.1:${service.port}`, {
    externalAuthClientCert: cert,
    externalAuthClientKey: key,
    externalAuthClientKeyPass: 'opensesame',
  })
  await forge.as('alice').projects.get({ project })
  expect(subjects).toMatchObject([{ CN: 'forge.example' }])
})
