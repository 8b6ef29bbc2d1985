import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { call, folder, forgelet, serving } from '../cli/command-line.ts'
import { findFreePort } from '../support/free-port.ts'
import { hasRegistryClient, hasRegistryServer, type RegistryServer, registryServer } from './registry-server.ts'
import { skopeo, writeImage } from './skopeo.ts'

/** From an empty folder to a registry that clients sign in to: a real registry and a real client. */

let registry: RegistryServer | undefined
afterEach(() => registry?.close())

const data = ['--data', 'registry.db']

/** A forge with the demo data, and a registry that trusts its tokens. */
const start = async () => {
  const { stdout: certificate } = await forgelet(['registry', 'certificate', ...data])
  const bundle = join(folder, 'registry.crt')
  writeFileSync(bundle, certificate)
  const port = await findFreePort()
  const args = [...data, '--seed', 'demo', '--registry-url', `http://127.0.0.1:${port}`, '--registry-tokens']
  const forge = await serving(args)
  const realm = `${forge.url}/jwt/auth`
  const token = { realm, service: 'container_registry', issuer: 'gitlab-issuer', rootcertbundle: bundle }
  registry = await registryServer({ port, settings: { auth: { token } } })
  return { forge, host: `127.0.0.1:${port}`, port }
}

const repositories = '/projects/acme%2Fweb/registry/repositories'

describe.skipIf(!hasRegistryServer() || !hasRegistryClient())('a registry with tokens of the forge', () => {
  test('login, push, pull and removal', async () => {
    const { forge, host } = await start()
    const image = writeImage(folder)
    const target = `docker://${host}/acme/web/worker:v1`
    const push = (user: string, to = target) =>
      skopeo(folder, 'copy', '--dest-tls-verify=false', '--dest-creds', `${user}:${user}-token`, image, to)
    const pull = (...args: readonly string[]) => skopeo(folder, 'inspect', '--tls-verify=false', ...args)

    const login = (password: string) =>
      skopeo(folder, 'login', '--tls-verify=false', '--username', 'alice', '--password', password, host)
    expect(await login('alice-token')).toMatchObject({ code: 0 })
    expect(await login('wrong')).not.toMatchObject({ code: 0 })

    // Dave is a reporter, Alice the owner; a foreign path belongs to nobody.
    expect((await push('dave')).code).not.toBe(0)
    expect((await push('alice', `docker://${host}/other/secret:v1`)).code).not.toBe(0)
    expect(await push('alice')).toMatchObject({ code: 0 })
    expect(await pull('--creds', 'dave:dave-token', target)).toMatchObject({ code: 0 })

    // The forge reads and deletes with tokens of its own.
    const discovery = await call(forge.url, `${repositories}`, 'alice-token')
    expect(discovery.status).toBe(200)
    // The project is public.
    expect(await pull('--no-creds', target)).toMatchObject({ code: 0 })
    const removal = await skopeo(folder, 'delete', '--tls-verify=false', '--creds', 'dave:dave-token', target)
    expect(removal.code).not.toBe(0)
    const removed = await skopeo(folder, 'delete', '--tls-verify=false', '--creds', 'alice:alice-token', target)
    expect(removed).toMatchObject({ code: 0 })
    expect((await pull('--creds', 'alice:alice-token', target)).code).not.toBe(0)
  })
})
