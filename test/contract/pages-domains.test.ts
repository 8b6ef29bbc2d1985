import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { certificateFactory, hasOpenssl, hasReferenceTextForm } from '../support/openssl-certificates.ts'
import { world } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

const base = '/projects/acme%2Fweb/pages/domains'
const domain = 'ssl.example.com'
const as = 'alice'

test('a domain without certificate has the documented fields', async () => {
  const made = await send(`POST ${base}`, { as, json: { domain: 'www.example.com' } })
  expect(made.status).toBe(200)
  expect(made.body).toEqual({
    domain: 'www.example.com',
    url: 'http://www.example.com',
  })
  expect((await send(`GET ${base}/www.example.com`, { as })).body).toEqual(made.body)
  const on = await send(`PUT ${base}/www.example.com`, { as, form: { auto_ssl_enabled: 'true' } })
  expect(on.body).toEqual({ ...made.body, auto_ssl_enabled: true })
  expect((await send(`GET ${base}`, { as })).body).toEqual([made.body])
  const gone = await send(`DELETE ${base}/www.example.com`, { as })
  expect(gone).toMatchObject({ status: 204, text: '' })
  const missing = { status: 404, body: { message: '404 PagesDomain Not Found' } }
  for (const method of ['GET', 'PUT', 'DELETE'])
    expect(await send(`${method} ${base}/www.example.com`, { as })).toMatchObject(missing)
})

test('lists are paged; administrators see the project', async () => {
  for (const name of ['b', 'c', 'a']) await send(`POST ${base}`, { as, json: { domain: `${name}.example.com` } })
  const first = await send(`GET ${base}?per_page=2`, { as })
  expect(first.body.map((one: { domain: string }) => one.domain)).toEqual(['a.example.com', 'b.example.com'])
  expect(first.headers.get('x-next-page')).toBe('2')
  const all = await send('GET /pages/domains', { as: 'root' })
  const { id } = await forge.host.projects.get({ project: 'acme/web' })
  expect(all.body[0]).toEqual({
    domain: 'b.example.com',
    url: 'http://b.example.com',
    project_id: id,
    auto_ssl_enabled: false,
  })
  expect(await send('GET /pages/domains', { as })).toMatchObject({ status: 403, body: { message: '403 Forbidden' } })
  expect(await send('GET /pages/domains')).toMatchObject({ status: 401, body: { message: '401 Unauthorized' } })
})

test.each([
  [{}, { error: 'domain is missing' }],
  [{ domain: '' }, { message: { domain: ["can't be blank"] } }],
  [{ domain, auto_ssl_enabled: 'perhaps' }, { error: 'auto_ssl_enabled is invalid' }],
  [{ domain, certificate: 'x' }, { error: 'certificate, key provide all or none of parameters' }],
  [{ domain, key: 'x' }, { error: 'certificate, key provide all or none of parameters' }],
  [
    { domain, certificate: 'x', key: 'x' },
    {
      message: {
        certificate: ['must be a valid PEM certificate'],
        key: ['must be a valid PEM private key', "doesn't match the certificate"],
      },
    },
  ],
])('a creation by %j is refused', async (json, body) => {
  expect(await send(`POST ${base}`, { as, json })).toMatchObject({ status: 400, body })
})

test('a name that somebody has is taken', async () => {
  await forge.host.pagesDomains.create({ project: 'bob/notes', domain })
  const taken = { status: 400, body: { message: { domain: ['has already been taken'] } } }
  expect(await send(`POST ${base}`, { as, json: { domain: domain.toUpperCase() } })).toMatchObject(taken)
})

test('where no pages are served nothing is found', async () => {
  await using without = await world({ ports: { pages: { enabled: false } } })
  const look = client(without)
  expect(await look('GET /pages/domains', { as: 'root' })).toMatchObject({ status: 404 })
  expect(await look(`GET ${base}`, { as })).toMatchObject({ status: 404 })
  expect(await look(`GET ${base}`, { as: 'bob' })).toMatchObject({ status: 403 })
})

describe.skipIf(!hasOpenssl)('certificates', () => {
  const factory = certificateFactory()
  afterAll(factory.remove)
  const rsa = factory.create({
    subject: '/C=DE/O=Example & Söhne/CN=ssl.example.com',
    key: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
    extensions:
      'basicConstraints=CA:FALSE\nsubjectAltName=DNS:ssl.example.com,DNS:example.com\nkeyUsage=digitalSignature',
  })
  const elliptic = factory.create({ subject: '/CN=ssl.example.com' })
  const { certificate, key } = rsa

  test('given as texts come back with what openssl says about them, without the key', async () => {
    const made = await send(`POST ${base}`, { as, json: { domain, certificate, key } })
    expect(made).toMatchObject({ status: 200, body: { url: 'https://ssl.example.com' } })
    expect(Object.keys(made.body.certificate)).toEqual(['subject', 'expired', 'certificate', 'certificate_text'])
    expect(made.body.certificate).toMatchObject({ expired: false, certificate })
    expect(made.body.certificate.subject).toMatch(/^\/C=DE\/O=.*\/CN=ssl\.example\.com$/)
    for (const { text } of [
      made,
      await send(`GET ${base}`, { as }),
      await send('GET /pages/domains', { as: 'root' }),
    ]) {
      expect(text).not.toContain('PRIVATE KEY')
      expect(text).not.toContain(key.split('\n')[3])
    }
  })

  test.skipIf(!hasReferenceTextForm)('have the text that openssl prints', async () => {
    for (const pair of [rsa, elliptic]) {
      const form = { domain, certificate: pair.certificate, key: pair.key }
      const made = await send(`POST ${base}`, { as, form })
      expect(made.body.certificate.certificate_text).toBe(factory.opensslOutput(pair.certificate, '-text'))
      await send(`DELETE ${base}/${domain}`, { as })
    }
  })

  test('given as files count as their text', async () => {
    const upload = async (line: string, certificate: string, key: string) => {
      const body = new FormData()
      if (line.startsWith('POST')) body.set('domain', domain)
      body.set('certificate', new File([certificate], 'certificate.pem'))
      body.set('key', new File([key], 'key.pem'))
      const request = new Request('http://x', { method: 'POST', body })
      const headers = { 'content-type': request.headers.get('content-type') as string }
      return send(line, { as, raw: new Uint8Array(await request.arrayBuffer()), headers })
    }
    const made = await upload(`POST ${base}`, certificate, key)
    expect(made).toMatchObject({ status: 200, body: { certificate: { certificate } } })
    const other = await upload(`PUT ${base}/${domain}`, elliptic.certificate, elliptic.key)
    expect(other).toMatchObject({ status: 200, body: { certificate: { certificate: elliptic.certificate } } })
    const wrong = await upload(`PUT ${base}/${domain}`, certificate, elliptic.key)
    expect(wrong).toMatchObject({ status: 400, body: { message: { key: ["doesn't match the certificate"] } } })
  })

  test('are removed by empty values, in every form', async () => {
    for (const empty of [
      { json: { certificate: '', key: '' } },
      { form: { certificate: '', key: '' } },
      { json: { certificate: null, key: null } },
    ]) {
      await send(`POST ${base}`, { as, json: { domain, certificate, key } })
      const bare = await send(`PUT ${base}/${domain}`, { as, ...empty })
      expect(bare).toMatchObject({ status: 200, body: { url: 'http://ssl.example.com' } })
      expect(bare.body).not.toHaveProperty('certificate')
      await send(`DELETE ${base}/${domain}`, { as })
    }
  })

  test('administrators hear when they end, under either name', async () => {
    await send(`POST ${base}`, { as, json: { domain, certificate, key } })
    const [record] = (await send('GET /pages/domains', { as: 'root' })).body
    expect(record.certificate).toEqual({ expired: false, expiration: expect.stringMatching(/^20.*\.000Z$/) })
    expect(record.certificate_expiration).toEqual(record.certificate)
  })
})

everyRouteCalled('pages domains')
