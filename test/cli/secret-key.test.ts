import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folder, forgelet, serving } from './command-line.ts'

const path = (name: string) => join(folder, name)
const data = ['--data', 'sealed.db']

const put = (url: string, body: object) =>
  fetch(`${url}/api/v4/application/settings`, {
    method: 'PUT',
    headers: { 'private-token': 'root-token', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

it('encrypts secrets with the key of a file', async () => {
  writeFileSync(path('one.key'), `${randomBytes(32).toString('base64')}\n`)
  writeFileSync(path('other.key'), `${randomBytes(32).toString('base64')}\n`)
  const first = await serving(['--demo', ...data, '--secret-key-file', 'one.key'])
  const stored = await put(first.url, { spamfilter_enabled: true, spamfilter_api_key: 'hushsecret' })
  expect(stored.status).toBe(200)
  const { stdout, stderr } = await first.stop()
  expect(stdout + stderr).not.toContain('hushsecret')
  expect(existsSync(path('sealed.db.key'))).toBe(false)

  const again = await serving([...data], { env: { FORGELET_SECRET_KEY_FILE: path('one.key') } })
  const image = { asset_proxy_enabled: true, asset_proxy_url: 'https://camo.example', asset_proxy_secret_key: 'hush' }
  expect((await put(again.url, image)).status).toBe(200)
  await again.stop()

  const wrong = await serving([...data, '--secret-key-file', 'other.key'])
  const rejected = await fetch(`${wrong.url}/api/v4/markdown`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: '![a](https://other.example/a.png)' }),
  })
  expect(rejected.status).toBe(503)
  await wrong.stop()
})

it.each([
  ['missing.key', undefined, 'it does not exist; create one with: openssl rand -base64 32'],
  ['short.key', 'c2hvcnQ=', 'it must contain 32 bytes in Base64'],
])('reports the problem of %s', async (name, content, reason) => {
  if (content !== undefined) writeFileSync(path(name), content)
  const { code, stderr } = await forgelet(['user', 'create', '--username', 'zoe', ...data, '--secret-key-file', name])
  expect({ code, stderr }).toEqual({ code: 1, stderr: `forgelet: The key file ${name} cannot be used: ${reason}\n` })
})
