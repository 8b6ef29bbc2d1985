import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { gitBinary } from '@forgelet/core'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { createGitClient, type GitClient } from '../support/git-client.ts'
import { openDemo } from '../support/open-demo.ts'

/** Git over HTTP beside clients that are slow or hostile, and with the control plane. */

let forge: FakeForge
let client: GitClient
beforeEach(async () => {
  forge = await world({ seed: openDemo, port: 0 })
  client = createGitClient()
  const commits = [{ message: 'first', files: [{ path: 'a.txt', content: 'a\n' }] }]
  await forge.as('bob').commits.import({ project, commits })
})
afterEach(async () => {
  client.remove()
  await forge.close()
})

const project = 'acme/web'
const urlOf = () => `${forge.url}/${project}.git`
const advertisement = `/${project}.git/info/refs?service=git-upload-pack`
const line = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text

/** Starts requests whose bodies never end. */
const openIdleRequests = async (count: number, service: string, start: string, headers: readonly string[] = []) => {
  const { host, hostname, port } = new URL(forge.url)
  const head = [`POST /${project}.git/${service} HTTP/1.1`, `Host: ${host}`, 'Transfer-Encoding: chunked', ...headers]
  const chunk = start === '' ? '' : `${start.length.toString(16)}\r\n${start}\r\n`
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname).on('error', () => undefined))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  for (const socket of sockets) socket.write(`${head.join('\r\n')}\r\n\r\n${chunk}`)
  // The server has received the heads when it has answered a request that was sent after them.
  await fetch(`${forge.url}/-/health`)
  return () => {
    for (const socket of sockets) socket.destroy()
  }
}

describe('clients that send nothing more do not occupy processes of git', () => {
  test('during a fetch', async () => {
    const close = await openIdleRequests(6, 'git-upload-pack', '')
    expect((await client.run('.', 'clone', '--quiet', urlOf(), 'copy')).code).toBe(0)
    close()
  })

  test('during a push', async () => {
    const id = 'a'.repeat(40)
    const command = `${line(`${'0'.repeat(40)} ${id} refs/heads/x\0 report-status`)}0000PACK\0\0\0\u0002\0\0\0\u0001`
    const close = await openIdleRequests(6, 'git-receive-pack', command, [`PRIVATE-TOKEN: ${forge.token('bob')}`])
    expect((await client.run('.', 'clone', '--quiet', urlOf(), 'copy')).code).toBe(0)
    close()
  })
})

describe('the body of a fetch', () => {
  const post = (body: Uint8Array, headers: Record<string, string> = {}) =>
    fetch(`${urlOf()}/git-upload-pack`, { method: 'POST', headers, body: body as BodyInit })
  const zeros = (megabytes: number) => gzipSync(Buffer.alloc(megabytes * 1024 ** 2))

  test('is limited after decompression, for anonymous clients to less', async () => {
    const gzip = { 'content-encoding': 'gzip' }
    expect((await post(zeros(1), gzip)).status).not.toBe(413)
    const rejected = await post(zeros(3), gzip)
    expect([rejected.status, await rejected.text()]).toEqual([413, 'The request body is too large\n'])
    const signedIn = { ...gzip, 'private-token': forge.token('bob') }
    expect((await post(zeros(3), signedIn)).status).not.toBe(413)
    expect((await post(zeros(20), signedIn)).status).toBe(413)
  })

  test('can be compressed', async () => {
    const tip = (await forge.host.branches.get({ project, branch: 'main' })).commit.id
    const request = Buffer.from(`${line(`want ${tip}\n`)}0000${line('done\n')}`)
    const plain = Buffer.from(await (await post(request)).arrayBuffer())
    const compressed = await post(gzipSync(request), { 'content-encoding': 'gzip' })
    expect(Buffer.from(await compressed.arrayBuffer())).toEqual(plain)
    expect(plain.includes('PACK')).toBe(true)
  })
})

test('a URL without .git redirects to the one with it', async () => {
  await client.git('.', 'clone', '--quiet', `${forge.url}/${project}`, 'copy')
  expect(await client.git('copy', 'log', '--format=%s')).toBe('first')
  const response = await fetch(`${forge.url}${advertisement.replace('.git/', '/')}`, { redirect: 'manual' })
  expect([response.status, response.headers.get('location')]).toEqual([301, `${forge.url}${advertisement}`])
  const others = [
    `/${project}/info/refs`,
    `/${project}/info/refs?service=x`,
    '/api/v4/info/refs?service=git-upload-pack',
  ]
  for (const path of others) expect((await fetch(`${forge.url}${path}`)).status, path).toBe(404)
})

describe('the control plane', () => {
  test('records requests of git with their operations', async () => {
    await client.git('.', 'clone', '--quiet', urlOf(), 'copy')
    const operations = forge.journal.all.map(({ operation }) => operation)
    expect(operations).toEqual(expect.arrayContaining(['gitTransport.advertiseUploadPack', 'gitTransport.uploadPack']))
    expect(forge.journal.all[0]?.route).toBe('GET /:path.git/info/refs')
  })

  test('injects faults into an operation of git', async () => {
    forge.faults.add({ on: 'gitTransport.uploadPack', status: 503, times: 1 })
    const clone = await client.run('.', 'clone', '--quiet', urlOf(), 'copy')
    expect(clone.messages).toContain('503')
    expect((await client.run('.', 'clone', '--quiet', urlOf(), 'copy')).code).toBe(0)
  })

  test('a project that the client cannot see is not an unserved route', async () => {
    const strict = await world({ seed: openDemo, unserved: 'fail' })
    const headers = { 'private-token': strict.token('mallory') }
    const hidden = '/acme/tools/deploy.git/info/refs?service=git-upload-pack'
    expect((await strict.fetch(hidden, { headers })).status).toBe(404)
    await strict.close()
  })
})

test('the fetch of a forge clones and pushes without a socket', async () => {
  const advertised = await forge.fetch(advertisement)
  expect(await advertised.text()).toContain('refs/heads/main')
  const tip = (await forge.host.branches.get({ project, branch: 'main' })).commit.id
  const header = Buffer.from('PACK\0\0\0\u0002\0\0\0\0', 'latin1')
  const emptyPack = Buffer.concat([header, createHash('sha1').update(header).digest()])
  const command = line(`${'0'.repeat(40)} ${tip} refs/heads/copy\0 report-status`)
  const pushed = await forge.fetch(`/${project}.git/git-receive-pack`, {
    method: 'POST',
    headers: { 'private-token': forge.token('bob') },
    body: Buffer.concat([Buffer.from(`${command}0000`), emptyPack]),
  })
  expect(await pushed.text()).toBe(`${line('unpack ok\n')}${line('ok refs/heads/copy\n')}0000`)
  expect((await forge.host.branches.get({ project, branch: 'copy' })).commit.id).toBe(tip)
})

test('without git, requests fail with a message that states what is missing', async () => {
  const git = gitBinary({ program: '/missing/git' })
  const without = await world({ seed: openDemo, ports: { git } })
  const response = await without.fetch(advertisement)
  expect(response.status).toBe(503)
  expect(await response.text()).toMatch(/git/)
  await without.close()
})
