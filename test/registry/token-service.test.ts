import { X509Certificate } from 'node:crypto'
import type { FakeForge } from '@forgelet/fixtures'
import { fetchHandler } from '@forgelet/http'
import { decodeProtectedHeader, importX509, jwtVerify } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../world.ts'

/** Tokens for clients of the container registry, with small clients of our own. `docker-clients.test.ts` uses real ones. */

let forge: FakeForge
beforeEach(async () => {
  forge = await world({ http: { registryTokens: true } })
})
afterEach(() => forge.close())

const project = 'acme/web'
const pullAndPush = `repository:${project}:pull,push`

interface TokenReply {
  readonly status: number
  readonly headers: Headers
  readonly body: {
    readonly token?: string
    readonly expires_in?: number
    readonly errors?: readonly { code: string }[]
  }
}

const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/** Requests a token with the credentials `[name, password]`; anonymously without them. */
const request = async (
  scopes: readonly string[],
  credentials?: readonly [string, string],
  service = 'container_registry',
): Promise<TokenReply> => {
  const query = new URLSearchParams({ service, client_id: 'docker', offline_token: 'true', account: 'alice' })
  for (const scope of scopes) query.append('scope', scope)
  const response = await forge.fetch(`/jwt/auth?${query}`, {
    headers: credentials ? { Authorization: basic(...credentials) } : {},
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** Checks a token like a registry: the chain of the certificate, then signature, issuer, audience and time. */
const verify = async (token = '') => {
  const { certificate } = await forge.host.registryTokens.getCertificate()
  const [leaf = ''] = decodeProtectedHeader(token).x5c ?? []
  const signer = new X509Certificate(Buffer.from(leaf, 'base64'))
  const authority = new X509Certificate(certificate)
  expect(authority.ca).toBe(true)
  expect(signer.ca).toBe(false)
  expect(signer.checkIssued(authority)).toBe(true)
  expect(signer.verify(authority.publicKey)).toBe(true)
  const key = await importX509(signer.toString(), 'ES256')
  const options = { issuer: 'gitlab-issuer', audience: 'container_registry', algorithms: ['ES256'] }
  const currentDate = new Date(forge.platform.ports.clock.now())
  return (await jwtVerify(token, key, { ...options, currentDate })).payload
}

/** The access that a token grants; the status of the reply without one. */
const accessOf = async (scopes: readonly string[], credentials?: readonly [string, string]) => {
  const { status, body } = await request(scopes, credentials)
  return status === 200 ? (await verify(body.token)).access : status
}

const full = (name = project, actions: readonly string[] = ['pull', 'push']) => [{ type: 'repository', name, actions }]
const tokenOf = (user: string): readonly [string, string] => [user, forge.token(user)]
const scoped = async (user: string, scopes: ('read_registry' | 'write_registry' | 'read_user' | 'read_api')[]) => {
  const { secret } = await forge.host.tokens.create({ user, name: 'registry', scopes })
  return [user, secret] as const
}

describe('a token', () => {
  test('has the claims of the specification', async () => {
    const { status, headers, body } = await request([pullAndPush], tokenOf('alice'))
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({ token: expect.any(String), expires_in: 300, issued_at: expect.any(String) })
    const payload = await verify(body.token)
    expect(payload).toMatchObject({ sub: 'alice', access: full() })
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(300)
    expect(payload.jti).not.toBe((await verify((await request([pullAndPush], tokenOf('alice'))).body.token)).jti)
  })

  test('is valid for as long as the setting says', async () => {
    await forge.host.settings.update({ containerRegistryTokenExpireDelay: 60 })
    expect((await request([pullAndPush], tokenOf('alice'))).body.expires_in).toBe(3_600)
  })

  test('is signed by another key on the next day, with the same authority', async () => {
    const signerOf = async () =>
      decodeProtectedHeader((await request([pullAndPush], tokenOf('alice'))).body.token ?? '').x5c
    forge.clock.freeze('2026-03-01T00:00:00Z')
    const first = await signerOf()
    expect(await signerOf()).toEqual(first)
    forge.clock.freeze('2026-03-02T00:00:00Z')
    expect(await signerOf()).not.toEqual(first)
    expect(await accessOf([pullAndPush], tokenOf('alice'))).toEqual(full())
  })

  test('grants each of several scopes for itself', async () => {
    const scopes = [
      `repository:${project}/worker:pull`,
      'repository:acme/none:pull',
      `repository:${project}:pull,*,fly`,
    ]
    const expected = [...full(`${project}/worker`, ['pull']), ...full(project, ['pull', '*'])]
    expect(await accessOf(scopes, tokenOf('alice'))).toEqual(expected)
    expect(await accessOf([scopes.join(' ')], tokenOf('alice'))).toEqual(expected)
  })
})

describe('credentials', () => {
  test('scopes of access tokens limit what they permit', async () => {
    const access = async (...scopes: Parameters<typeof scoped>[1]) =>
      accessOf([`repository:${project}:pull,push,delete,*`], await scoped('alice', scopes))
    expect(await access('read_registry')).toEqual(full(project, ['pull']))
    expect(await access('read_api')).toEqual(full(project, ['pull']))
    expect(await access('write_registry')).toEqual(full(project, ['push']))
    expect(await access('read_registry', 'write_registry')).toEqual(full())
    expect(await access('read_user')).toBe(403)
  })

  test('a deploy token reaches its project with its own name only', async () => {
    const created = await forge.host.deployTokens.create({ project, name: 'pull', scopes: ['read_registry'] })
    const credentials = [created.username, created.secret] as const
    expect(await accessOf([pullAndPush], credentials)).toEqual(full(project, ['pull']))
    expect(await accessOf(['repository:acme/tools/deploy:pull'], credentials)).toEqual([])
    expect(await accessOf([pullAndPush], ['alice', created.secret])).toBe(401)
    const other = await forge.host.deployTokens.create({ project, name: 'code', scopes: ['read_repository'] })
    expect(await accessOf([pullAndPush], [other.username, other.secret])).toBe(403)
  })

  test('a job token pushes to its own project, and pulls where the project permits it', async () => {
    const sha = 'a'.repeat(40)
    const recorded = { project, ref: 'main', sha, user: 'alice', jobs: [{ name: 'test' }] }
    const pipeline = await forge.host.pipelines.record(recorded)
    const [job] = (await forge.host.pipelineJobs.list({ project, pipeline: pipeline.id })).items
    const token = await forge.ci.token(job as NonNullable<typeof job>)
    const credentials = ['gitlab-ci-token', token] as const
    expect(await accessOf([`repository:${project}:pull,push,*`], credentials)).toEqual(full())
    const other = 'repository:acme/tools/deploy:pull,push'
    expect(await accessOf([other], credentials)).toEqual([])
    await forge.host.jobTokenScopes.update({ project: 'acme/tools/deploy', enabled: false })
    expect(await accessOf([other], credentials)).toEqual(full('acme/tools/deploy', ['pull']))
    expect(await accessOf([pullAndPush], ['alice', token])).toBe(401)
  })

  test('a password is accepted unless passwords are turned off', async () => {
    await forge.host.passwords.set({ user: 'alice', password: 'correct horse battery' })
    expect(await accessOf([pullAndPush], ['alice', 'correct horse battery'])).toEqual(full())
    expect(await accessOf([pullAndPush], ['alice', 'wrong'])).toBe(401)
    await forge.host.settings.update({ passwordAuthenticationEnabledForWeb: false })
    expect(await accessOf([pullAndPush], ['alice', 'correct horse battery'])).toBe(401)
  })

  test('only administrators receive the catalog', async () => {
    const scopes = ['registry:catalog:*', 'registry:other:*', 'registry:catalog:pull']
    expect(await accessOf(scopes, tokenOf('root'))).toEqual([{ type: 'registry', name: 'catalog', actions: ['*'] }])
    expect(await accessOf(scopes, tokenOf('alice'))).toEqual([])
    expect(await accessOf(scopes, await scoped('root', ['read_registry']))).toEqual([])
  })

  test('anonymous clients pull from public projects', async () => {
    await forge.host.projects.update({ project, visibility: 'public' })
    expect(await accessOf([pullAndPush])).toEqual(full(project, ['pull']))
    await forge.host.projects.update({ project, settings: { containerRegistryAccessLevel: 'private' } })
    expect(await accessOf([pullAndPush])).toBe(403)
    await forge.host.projects.update({ project, settings: { containerRegistryAccessLevel: 'disabled' } })
    expect(await accessOf([pullAndPush], tokenOf('alice'))).toEqual([])
    expect(await accessOf([])).toBe(403)
    // `docker login` requests no scope.
    expect(await accessOf([], tokenOf('alice'))).toEqual([])
  })
})

describe('attacks', () => {
  test.each([
    'repository:acme/../acme/web:pull',
    'repository:acme/web/../../other/secret:pull',
    'repository:acme%2Fweb:pull',
    'repository:ACME/web:pull',
    'repository:/acme/web:pull',
    'repository:acme//web:pull',
    'repository:acme/web/:pull',
    'repository:acme/web\n:pull',
    'repository:acme/web',
    'repository::pull',
    'repository(plugin):acme/web:pull',
    ':::',
    `repository:${'a/'.repeat(300)}b:pull`,
  ])('%j grants nothing', async (scope) => {
    expect(await accessOf([scope], tokenOf('alice'))).toEqual([])
  })

  test('a private project is like one that does not exist', async () => {
    await forge.host.projects.update({ project, visibility: 'private' })
    const hidden = await request([pullAndPush], tokenOf('dave'))
    expect((await verify(hidden.body.token)).access).toEqual([])
    const [anonymous, missing] = [await request([pullAndPush]), await request(['repository:acme/none:pull'])]
    expect(anonymous.body).toEqual(missing.body)
    expect(anonymous).toMatchObject({ status: 403, body: { errors: [{ code: 'DENIED' }] } })
  })

  test('a renamed project is not reached by its former path', async () => {
    await forge.host.projects.update({ project, path: 'site' })
    expect(await accessOf([pullAndPush], tokenOf('alice'))).toEqual([])
    expect(await accessOf(['repository:acme/site:pull'], tokenOf('alice'))).toEqual(full('acme/site', ['pull']))
  })

  test('blocked users and archived projects lose access', async () => {
    await forge.host.projects.archive({ project })
    expect(await accessOf([pullAndPush], tokenOf('alice'))).toEqual(full(project, ['pull']))
    const credentials = tokenOf('alice')
    await forge.host.users.block({ user: 'alice' })
    expect(await accessOf([pullAndPush], credentials)).toBe(403)
  })

  test('unknown, revoked and expired credentials are rejected', async () => {
    expect(await request([pullAndPush], ['alice', 'unknown'])).toMatchObject({
      status: 401,
      body: { errors: [{ code: 'UNAUTHORIZED' }] },
    })
    const { id, secret } = await forge.host.tokens.create({ user: 'alice', name: 'old', scopes: ['api'] })
    await forge.host.tokens.revoke({ token: id })
    expect(await accessOf([pullAndPush], ['alice', secret])).toBe(401)
    expect(await accessOf([pullAndPush], ['', ''])).toBe(401)
  })

  test('other services, methods and too many scopes are rejected', async () => {
    expect((await request([pullAndPush], tokenOf('alice'), 'other')).status).toBe(404)
    expect((await request(Array(21).fill(pullAndPush), tokenOf('alice'))).status).toBe(400)
    const response = await forge.fetch('/jwt/auth', { method: 'POST', body: 'grant_type=password' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('guesses of a password are limited', async () => {
    await forge.host.passwords.set({ user: 'alice', password: 'correct horse battery' })
    const guess = createGuess()
    const statuses: number[] = []
    for (let attempt = 0; attempt < 12; attempt++) statuses.push(await guess())
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401))
    expect(statuses.slice(10)).toEqual([429, 429])
  })
})

/** Requests with a wrong password, with rate limits. */
const createGuess = () => {
  const handle = fetchHandler(forge.platform, { registryTokens: true })
  return async () =>
    (
      await handle('http://localhost/jwt/auth?service=container_registry', {
        headers: { Authorization: basic('alice', 'wrong') },
      })
    ).status
}

test('without the option, there is no token service', async () => {
  const response = await fetchHandler(forge.platform)('http://localhost/jwt/auth?service=container_registry')
  expect(response.status).toBe(404)
})
