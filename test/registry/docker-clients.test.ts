import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { call, folder, forgelet, serving } from '../cli/command-line.ts'
import { findFreePort } from '../support/free-port.ts'
import { hasRegistryClient, hasRegistryServer, type RegistryServer, registryServer } from './registry-server.ts'
import { skopeo, writeImage } from './skopeo.ts'

/** From an empty folder to a registry that clients sign in to: a real registry and a real client. */

let registry: RegistryServer
afterEach(() => registry.close())

const secret = 'a secret of the registry'
const data = ['--data', 'registry.db']

/** A forge with the demo data, and a registry that trusts its tokens. */
const start = async () => {
  const { stdout: certificate } = await forgelet(['registry', 'certificate', ...data])
  const bundle = join(folder, 'registry.crt')
  writeFileSync(bundle, certificate)
  const port = await findFreePort()
  const secretFile = join(folder, 'notification-secret')
  writeFileSync(secretFile, `${secret}\n`)
  const args = ['--registry-url', `http://127.0.0.1:${port}`, '--registry-notification-secret', secretFile]
  const forge = await serving([...data, '--seed', 'demo', '--registry-tokens', ...args])
  const realm = `${forge.url}/jwt/auth`
  const token = { realm, service: 'container_registry', issuer: 'gitlab-issuer', rootcertbundle: bundle }
  const endpoint = {
    name: 'forge',
    url: `${forge.url}/api/v4/container_registry_event/events`,
    headers: { Authorization: [secret] },
    timeout: '5s',
    threshold: 1,
    backoff: '1s',
  }
  registry = await registryServer({ port, settings: { auth: { token }, notifications: { endpoints: [endpoint] } } })
  return { forge, host: `127.0.0.1:${port}`, port }
}

const repositories = '/projects/acme%2Fweb/registry/repositories'

/** The names of the tags of the first repository, once they are as expected, or after ten seconds. */
const readTags = async (url: string, expected: readonly string[]): Promise<readonly string[]> => {
  for (let attempt = 0; ; attempt++) {
    const { body } = await call(url, `${repositories}?tags=true`, 'alice-token')
    const listed: readonly { readonly tags: readonly { readonly name: string }[] }[] = body
    const names = listed.flatMap(({ tags }) => tags).map(({ name }) => name)
    if (attempt === 100 || names.join() === expected.join()) return names
    await pause(100)
  }
}

describe.skipIf(!hasRegistryServer() || !hasRegistryClient())(
  'a registry with tokens of the forge',
  { timeout: 120_000 },
  () => {
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

      // The registry reports the push, and the forge reads with tokens of its own.
      expect(await readTags(forge.url, ['v1'])).toEqual(['v1'])
      // The project is public.
      expect(await pull('--no-creds', target)).toMatchObject({ code: 0 })
      const removal = await skopeo(folder, 'delete', '--tls-verify=false', '--creds', 'dave:dave-token', target)
      expect(removal.code).not.toBe(0)
      const removed = await skopeo(folder, 'delete', '--tls-verify=false', '--creds', 'alice:alice-token', target)
      expect(removed).toMatchObject({ code: 0 })
      expect((await pull('--creds', 'alice:alice-token', target)).code).not.toBe(0)

      // The forge removes images with tokens of its own: one tag, those that match a rule, and the repository.
      for (const tag of ['v2', 'v3', 'v4'])
        expect((await push('alice', `docker://${host}/acme/web/worker:${tag}`)).code).toBe(0)
      expect(await readTags(forge.url, ['v2', 'v3', 'v4'])).toEqual(['v2', 'v3', 'v4'])
      const { id } = (await call(forge.url, repositories, 'alice-token')).body[0]
      const remove = (path: string) =>
        fetch(`${forge.url}/api/v4${repositories}/${id}${path}`, {
          method: 'DELETE',
          headers: { Authorization: 'Bearer alice-token' },
        })
      expect((await remove('/tags/v2')).status).toBe(204)
      expect(await readTags(forge.url, ['v3', 'v4'])).toEqual(['v3', 'v4'])
      expect((await remove('/tags?name_regex_delete=v3')).status).toBe(202)
      expect(await readTags(forge.url, ['v4'])).toEqual(['v4'])
      expect((await remove('')).status).toBe(202)
      expect(await readTags(forge.url, [])).toEqual([])
    })

    test('doctor says whether the registry can be reached', async () => {
      const { host } = await start()
      const examine = async (...args: readonly string[]) => {
        const { stdout } = await forgelet(['doctor', ...data, '--json', ...args])
        const checks: readonly { name: string; verdict: string; details: readonly string[] }[] =
          JSON.parse(stdout).checks
        return checks.find(({ name }) => name === 'registry')
      }
      expect(await examine()).toMatchObject({ verdict: 'skipped' })
      expect(await examine('--registry-url', `http://${host}`, '--registry-tokens')).toMatchObject({ verdict: 'ok' })
      const untrusted = await examine('--registry-url', `http://${host}`)
      expect(untrusted).toMatchObject({ verdict: 'wrong', details: [expect.stringContaining('rejected')] })
      await registry.close()
      const gone = await examine('--registry-url', `http://${host}`, '--registry-tokens')
      expect(gone).toMatchObject({ verdict: 'wrong', details: [expect.stringContaining('does not respond')] })
    })
  },
)
